// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A period has 16 bits.
tick 65537;
machine m { counter c at 9 roll; state a start; state b output(o); count c : Any(LINES); a -> b : @c; b -> a : tick; }
