// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A watchdog: a request is without an answer for twelve batches.
//
// The clock is the traffic itself, here I/O and barriers that go on while the line hangs; so this
// has no substream, and any answer counts, whoever it is for. log marks the requests, and a window
// of 1 shows the one before the alarm: the culprit. A bound is unrolled: a state for each batch.
//
// Output: the request that got no answer [], and the batch in which that became clear [stalled].
protocol eci;
let request = Any(R12, R13, R23);
let answer  = Any(RA2, RA3);
window 1;
log = true* request;
filter stalled = true* request !answer{12};
