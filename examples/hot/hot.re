// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Hot lines: finds every fourth load of a line, counted from the last write to the line.
//
// The substream makes a copy of everything for each of the eight lines, so each has its counter.
// `roll` sets the count back to 0 when it reaches 4; `reset` sets it back at a write. Needs an
// overlay with counters, such as the one called counters that comes with nfacc, or --overlay none.
//
// Output: the batches with such a load; with --lines, also the line.
protocol eci;
let load  = Any(MREQ_RLDI, MREQ_RLDD);
let write = Any(MREQ_RLDX, R23);
counter loads = true* load reset true* write at 4 roll;
substream cl from 0x8080 count 8;
filter hot = @loads;
