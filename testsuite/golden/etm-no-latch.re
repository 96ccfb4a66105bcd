// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A counter that stays at zero begins at its end.
machine m { counter c at 65536 latch; state a start; state b output(o); count c : Any(LINES) when a; a -> b : @c; }
