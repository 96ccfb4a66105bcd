// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A comparator compares with one range.
machine m { state a start; state b output(o); a -> b : Any(FETCH_EL0[addr != 0x1000]); b -> a : Any(LINES); }
