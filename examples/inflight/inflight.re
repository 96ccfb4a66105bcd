// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A memory request arrives while another one is being served (thesis, section 5.2 and figure 33).
//
// After a request there are any number of batches without an answer (no_rsp), and then the next
// request: the batch with that request is accepted. One automaton sees the messages of all lines,
// so the two requests may be of different lines. Because of log and window the output also has up
// to three batches on either side of a match.
//
// Output: batches with [inflight] are the matches; those with [] only surround them. At 7924 the
// same request of line 0x8200 comes a second time, one cycle after the first: an injected fault.
// In the other matches the requests are of different lines, which is no fault. inflight.yaml is
// the same filter in the YAML form of the thesis.
protocol eci;
let req    = Any(cpu.MREQ_RLDD, cpu.MREQ_RLDI, cpu.MREQ_RLDX);
let no_rsp = None(fpga.MRSP_PEMD, fpga.MRSP_PSHA);
window 3;
log = all;
filter inflight = true* req no_rsp* req;
