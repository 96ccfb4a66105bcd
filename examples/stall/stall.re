// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A watchdog: finds a request that gets no answer within twelve batches.
//
// Batches serve as the clock: here I/O and barriers go on while the line hangs. So there is no
// substream, and an answer to any request counts. log marks the requests, and a window of 1 shows
// the request before the alarm, the culprit. {12} takes a state for each of the twelve batches.
//
// Output: the request that got no answer [], and the batch in which that became clear [stalled].
protocol eci;
let request = Any(R12, R13, R23);
let answer  = Any(RA2, RA3);
window 1;
log = true* request;
filter stalled = true* request !answer{12};
