// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// What happened around an external trigger?
//
// The protocol is in trigger.proto, which nfacc -I finds. It has a pin whose messages are of types
// marked `broadcast`: every copy of the filter sees them, whatever line it is for. So each copy
// knows whether a request for its line was open when the pin rose. With `window 8, 2` the last eight
// batches before that are output, too, and the first two after it.
//
// Output: the batch in which the pin rose [open], if a request was open, and around it the batches of
// the window []. --lines says for which lines requests were open. To accept at each rise, with or
// without a request, write true* PIN_RISE.
protocol trigger;
substream cl from 0x1000 count 64;
window 8, 2;
log = all;
let request = Any(REQ_READ, REQ_WRITE);
let answer  = Any(ANS_DATA, ANS_DONE);
filter open = true* request !answer* PIN_RISE;
