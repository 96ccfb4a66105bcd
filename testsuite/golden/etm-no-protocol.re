// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The machine is for another core.
protocol pmu_a72;
machine m { counter c at 9 roll; state a start; state b output(o); count c : Any(LINES); a -> b : @c; }
