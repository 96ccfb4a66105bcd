// $ $NFACC --target etm4:a78 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The paper's model moderate2 of the Cortex-A78: a quarter of one event, and another one.
tick 100;
machine m { counter quarter at 4 roll; counter c at 9 roll; state a start; state b output(o);
count quarter : Any(BUS_ACCESS_WR); count c : @quarter; count c : Any(L3D_CACHE_REFILL); a -> b : @c; b -> a : tick; }
