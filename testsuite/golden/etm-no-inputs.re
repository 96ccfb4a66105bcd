// $ $NFACC --target etm4:a76 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Five lines of the bus.
tick 100;
machine m { counter c at 9 roll; state a start; state b output(o); count c : Any(L2D_CACHE_WR); count c : Any(L3D_CACHE_REFILL, L3D_CACHE_ALLOCATE); a -> b : @c; b -> a : tick; }
