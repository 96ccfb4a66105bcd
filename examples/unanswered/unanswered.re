// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which requests were never answered?
//
// `end` is the last batch of all: it comes after the whole trace and has no message. So a request
// that has no answer up to there never got one, and --lines names its line. hang.re finds such lines
// without the end, from counts of requests and answers.
//
// Output: the batch of the end. [unanswered] are lines with an open request, [kept] are lines that
// the CPU was given for writing after an upgrade and has not given back. The trace has two faults,
// requests for 0x8100 and 0x8200 that are not answered. Line 0x8180 is no fault: the CPU may keep a
// line until somebody else asks for it.
//
// On the real capture, with `substream cl from 0 count 1048576`, every request is answered, and
// 0x8080 alone is [kept]. Somebody else has asked for that line.
protocol eci;
substream cl from 0x8080 count 8;
let request = Any(R12, R13, R23);
let answer  = Any(RA2, RA3);
let back    = Any(V31, V32, A31, A32, A11);
filter unanswered = true* request !answer* end;
filter kept       = true* R23 !answer* RA3 !back* end;
