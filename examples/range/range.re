// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Watches a range of addresses.
//
// A guard tests fields of a message's header. `addr` is the address of its line. A guard behind a
// name adds its test to all that the name stands for, so `here` is a request for a line of the
// range. No substream is needed: one automaton sees the lines of the range together. Needs an
// overlay with guards, such as the one called guards that comes with nfacc, or --overlay none.
//
// Output: the requests for lines from 0x8100 to 0x81ff [touched], and those that come before the
// request before them, for any line of the range, is answered [busy]. The last filter tests bits
// in place of a range: [upper] are requests for lines whose address has bit 9 set.
protocol eci;
let request = Any(R12, R13, R23);
let answer  = Any(RA2, RA3);
let here     = request[addr in 0x8100..0x81ff];
let answered = answer[addr in 0x8100..0x81ff];
filter touched = true* here;
filter busy    = true* here !answered* here;
filter upper   = true* request[addr & 0x200 != 0];
