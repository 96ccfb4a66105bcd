// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Rules of the protocol, checked line by line: a start for bring-up. A correct trace gives no
// output.
//
//     twice    a request, though the one before has no answer yet
//     unasked  an answer, though there was no request since the last one
//     wrong    an upgrade is answered by PSHA, which leaves the line shared
//     unacked  the home calls for a line again, though its last call has no acknowledgement
//
// Output: the batches that break a rule, with the line. Before the gap (!lost, output in its place)
// are three injected faults. What is found after the gap may only seem wrong, because its other half
// was lost; nfarun --on-loss reset forgets at a gap what was before, and finds the three alone.
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
