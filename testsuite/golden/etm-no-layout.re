// $ $NFACC --target etm4:a53 --layout=authors -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The authors' layout is for chains.
tick 100;
machine m { counter c at 9 roll; state a start; state b output(o); count c : Any(LINES) when a; reset c : tick; a -> b : @c; b -> a : tick; }
