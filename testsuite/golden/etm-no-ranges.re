// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Five ranges of addresses.
machine m { state a start; state b output(o); a -> b : Any(FETCH_EL0[addr in 0x0..0xfff]);
a -> b : Any(FETCH_EL0[addr in 0x2000..0x2fff]); a -> b : Any(FETCH_EL0[addr in 0x4000..0x4fff]);
a -> b : Any(FETCH_EL0[addr in 0x6000..0x6fff]); a -> b : Any(FETCH_EL0[addr in 0x8000..0x8fff]); b -> a : Any(LINES); }
