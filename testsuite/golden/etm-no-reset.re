// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The same for what resets a counter.
tick 100;
machine m { counter c at 9 roll; state a start; state b output(o); count c : Any(LINES);
reset c : tick & Any(L2D_CACHE_WB) & Any(FETCH_EL0); a -> b : @c; b -> a : tick; }
