// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A memory request arrives while another one is being served (thesis, section 5.2 and figure 33).
//
// After a request no answer may come (no_rsp, any number of batches), then there is the next
// request: this batch is accepted. All lines go through one automaton, so it is enough that the
// requests meet at the home. log and window show what surrounds a match: here up to three batches
// on either side.
//
// Output: batches with [inflight] are the matches; those with [] are only their surroundings. At
// 7924 stands the same request of line 0x8200 a second time, one cycle after the first: an injected
// fault. The others are requests of different lines, which is nothing bad. inflight.yaml is the
// same filter in the other form.
protocol eci;
let req    = Any(cpu.MREQ_RLDD, cpu.MREQ_RLDI, cpu.MREQ_RLDX);
let no_rsp = None(fpga.MRSP_PEMD, fpga.MRSP_PSHA);
window 3;
log = all;
filter inflight = true* req no_rsp* req;
