// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A counter has 16 bits.
tick 100;
machine m { counter c at 65537 roll; state a start; state b output(o); count c : Any(LINES); a -> b : @c; b -> a : tick; }
