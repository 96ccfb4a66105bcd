// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Hot lines: a line that is read four times with no write between, and every fourth time after that.
//
// A counter for each of the eight lines: the substream makes a copy of everything. `roll` begins
// again at 0; `reset` is what a write does. Needs an overlay with counters, such as the shipped one
// of that name, or --overlay none.
//
// Output: each fourth load in a row of some line; with --lines, of which.
protocol eci;
let load  = Any(MREQ_RLDI, MREQ_RLDD);
let write = Any(MREQ_RLDX, R23);
counter loads = true* load reset true* write at 4 roll;
substream cl from 0x8080 count 8;
filter hot = @loads;
