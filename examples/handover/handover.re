// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The exclusive hand-over. The CPU has a line shared and asks to have it alone (RC2D_S). It is
// allowed to (PEMD), and writes. Then the home takes the line back (FEVX_EH), with what was written
// (VICDHI). Devices that talk to software through cache lines depend on this: they and the CPU hand
// the line to each other again and again.
//
// For each line the filter looks for these four messages in this order. Any other messages may come
// between them, except a voluntary return (VICD, VICC), after which it is no hand-over.
//
// Output: the request [request], and the message that completes the hand-over [handover]. A request
// without a [handover] is an upgrade that ended in another way. One of them is due to an injected
// fault: it was answered by PSHA, which does not make the line the CPU's own.
//
// The real capture has 12 requests and 11 hand-overs, all of line 0x8080. hang.re says what the
// twelfth lacks.
protocol eci;
substream cl from 0x8080 count 8;
let other = None(cpu.MREQ_RC2D_S, fpga.MRSP_PEMD, fpga.MFWD_FEVX_EH, cpu.MRSP_VICDHI,
		 cpu.MRSP_VICD, cpu.MRSP_VICC);
filter request  = true* cpu.MREQ_RC2D_S;
filter handover = true* cpu.MREQ_RC2D_S other* fpga.MRSP_PEMD other* fpga.MFWD_FEVX_EH
		  other* cpu.MRSP_VICDHI;
