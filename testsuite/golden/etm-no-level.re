// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A counter that stays at its end needs states that tell it.
machine m { counter c at 9 latch; state a start; state b output(o); count c : Any(LINES); a -> b : Any(FETCH_EL0) & @c; b -> a : None(FETCH_EL0); }
