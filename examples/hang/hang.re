// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which request is never completed?
//
// A filter knows only the past: it can't accept a batch because something does not come later. So
// these filters mark beginnings and ends, line by line. A beginning without an end is the culprit.
// A request ends with its answer. After an upgrade (RC2D_S, answered by PEMD) the CPU has the line
// alone. An upgrade ends when the line has come back, because the CPU gave it up (VICD, VICC) or
// the home took it (VICDHI, HAKN_S, HAKV, HAKI).
//
// Output: requests [asked] and their answers [answered], upgrades [upgraded] and returns
// [returned].
//     nfarun --count --by line hang.bin hang.bt
// shows that only line 0x8080 has more requests than answers, and
//     nfarun --lines hang.bin hang.bt | grep @0x8080 | tail -n 1
// prints that request. (If a line has one more upgrade than returns, the CPU still has the line.)
//
// The real capture: all 24 requests of line 0x8080 are answered, but the last of its 12 upgrades
// never returns. It is asked for at 57088554657 and granted 23 cycles later. In each of the eleven
// rounds before, the CPU fetches six lines, 0x8180 to 0x8680, right after the upgrade and writes
// them back. 63 to 69 cycles after the last of these the home calls for 0x8080 (FEVX_EH), and has
// it within 78 more. The twelfth round begins after a silence of 3785 cycles (the longest before is
// 649), and the CPU fetches three lines only, before the upgrade. It writes them back, too. Then
// the trace ends: the home never calls for 0x8080, and never gets what the CPU wrote there. The
// trace alone can't prove this, since it ends with the message that should trigger the call. That
// nothing came later follows only if the capture was exported after a time-out, as its name says.
// The eight lines of the default overlay reach to 0x8400; an image for --overlay none can show all
// lines, with nfarun --substream 0x80,269.
protocol eci;
substream cl from 0x8080 count 8;
let request = Any(R12, R13, R23);
let answer  = Any(RA2, RA3);
let back    = Any(V31, V32, A31, A32, A11);
filter asked    = true* request;
filter answered = true* request !answer* answer;
filter upgraded = true* R23 !answer* RA3;
filter returned = true* R23 !answer* RA3 !back* back;
