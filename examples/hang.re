// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which request is never completed?
//
// A filter knows the past only: no batch can be accepted because something does not come later. So
// this one marks the beginnings and the ends, line by line, and what remains without an end is the
// culprit. A request is complete when it is answered; an upgrade (RC2D_S, answered by PEMD: the CPU
// has the line alone now) when the line has come back, because the CPU gave it up (VICD, VICC) or
// the home took it (VICDHI, HAKN_S, HAKV, HAKI).
//
// Output: requests [asked] and their answers [answered], upgrades [upgraded] and returns
// [returned].
//     nfarun --count --by line hang.bin hang.bt
// shows that only on line 0x8080 there are more questions than answers, and
//     nfarun --lines hang.bin hang.bt | grep @0x8080 | tail -n 1
// is the request itself. (A line with one upgrade more than returns is still in the CPU's hands.)
//
// The real capture: all 24 requests of line 0x8080 are answered, but of its 12 upgrades one never
// returns, the last, asked for at 57088554657 and granted 23 cycles later. In each of the eleven
// rounds before, the CPU fetches six lines, 0x8180 to 0x8680, right after the upgrade and writes
// them back; 63 to 69 cycles after the last of these the home calls for 0x8080 (FEVX_EH) and has it
// within 78 more. The twelfth round begins after a silence of 3785 cycles (the longest before is
// 649), and the CPU fetches three lines only, before the upgrade. They too are written back, and
// here the trace ends: the home never calls for 0x8080, and what the CPU wrote there is never
// fetched. A trace that ends with the message that should trigger the call can't prove this alone;
// that nothing came after it follows only if, as the capture's name says, it was exported after a
// time-out. The eight lines of the default overlay reach to 0x8400; an image made with --overlay none
// shows all with nfarun --substream 0x80,269.
protocol eci;
substream cl from 0x8080 count 8;
let request = Any(R12, R13, R23);
let answer  = Any(RA2, RA3);
let back    = Any(V31, V32, A31, A32, A11);
filter asked    = true* request;
filter answered = true* request !answer* answer;
filter upgraded = true* R23 !answer* RA3;
filter returned = true* R23 !answer* RA3 !back* back;
