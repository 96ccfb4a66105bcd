// $ $NFACC --target etm4:a78 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The paper's model moderate1 of the Cortex-A78: six lines.
tick 100;
machine m { counter c at 9 roll; state a start; state b output(o); count c : Any(L2D_CACHE_WR, L3D_CACHE_REFILL); a -> b : @c; b -> a : tick; }
