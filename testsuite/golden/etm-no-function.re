// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Selectors see inputs, or counters and states, or comparators; a pair has two of these.
tick 100;
machine m { counter c at 9 roll; state a start; state b; state d output(o); count c : Any(LINES);
a -> b : tick & Any(L2D_CACHE_WB) & Any(FETCH_EL0);
b -> a : notick & None(L2D_CACHE_WB) & Any(FETCH_EL0);
b -> d : @c;
d -> b : tick & Any(L2D_CACHE_WB) & Any(FETCH_EL0); }
