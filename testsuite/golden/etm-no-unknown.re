// $ sed "s/WR 127/WR unknown 1/" $CASES/../../targets/a78.etm >own.etm; $NFACC --target etm4:./own.etm -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// It is not known on which line an event is.
tick 100;
machine m { counter c at 9 roll; state a start; state b output(o); count c : Any(BUS_ACCESS_WR); a -> b : @c; b -> a : tick; }
