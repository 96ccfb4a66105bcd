// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which answers are slow?
//
// With `tick 50` there is a tick at every multiple of 50 cycles. `quiet` reaches up to the next
// tick and has no answer in it. When three ticks have passed since a request, it has waited for more
// than 100 cycles, and for at most 150. Each line has its own copy of the filters, so an answer to
// one line does not hide that another line waits.
//
// Output: [waiting] the tick that shows that a request has waited too long, which may be part of a
// batch with messages; [slow] the answer that comes at last. There is no [slow] if the answer never
// comes; unanswered.re finds such requests.
protocol eci;
tick 50;
substream cl from 0x8080 count 8;
let request = Any(R12, R13, R23);
let answer  = Any(RA2, RA3);
let quiet   = None(answer, tick)* None(answer, notick);
filter waiting = true* request quiet{3};
filter slow    = true* request quiet{3} !answer* answer;
