// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// No counter pulses once and stays.
machine m { counter c at 9; state a start; state b output(o); count c : Any(LINES); a -> b : @c; }
