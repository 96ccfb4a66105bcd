// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Keeps the blocks of the block layer that may have a load, or the answer to one (thesis, section
// 4.1 and figure 25b).
//
// The header of a block doesn't say which messages are in it, but for which virtual channels they
// are. Loads come in on channels 6 and 7, and answers with data go out on channels 4 and 5. Guards
// test these bits, so the filter has one state. Needs an overlay with guards, such as the one
// called guards that comes with nfacc, or --overlay none.
//
// Output: the cycles in which such a block came in or went out. The words of both blocks stay with
// them; `nfarun --count --by type -p eci-block` counts what they hold, and `--latency` how long
// the answers took.
protocol eci-block;
filter load = true* Any(in.any[vcs & 0x00c0 != 0], out.any[vcs & 0x0030 != 0]);
