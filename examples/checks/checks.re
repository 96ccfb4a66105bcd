// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Checks rules of the protocol, line by line. This is a start for a bring-up. A correct trace gives
// no output.
//
//     twice    a request, though the request before has no answer yet
//     unasked  an answer, though there was no request since the last answer
//     wrong    an upgrade is answered by PSHA, which leaves the line shared
//     unacked  the home calls for a line again, though its last call has no acknowledgement
//
// Output: the batches that break a rule, with the line. The trace has a gap, where messages were
// lost (!lost). The three batches in the output before it show injected faults. What is found after
// the gap may only seem wrong, because the message that belongs to it was lost. With nfarun
// --on-loss reset the filters forget at a gap what was before, and find only the three faults.
protocol eci;
substream cl from 0x8080 count 4;
let request = Any(R12, R13, R23);
let answer  = Any(RA2, RA3);
let call    = Any(F21, F31, F32);
let ack     = Any(A11, A21, A22, A31, A32);
filter twice   = true* request !answer* request;
filter unasked = true* answer None(R12, R13, R23, RA2, RA3)* answer;
filter wrong   = true* R23 !answer* RA2;
filter unacked = true* call !ack* call;
