// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The exclusive hand-over: the CPU has a line shared, asks to have it alone (RC2D_S), is allowed to
// (PEMD), writes, and the home takes the line back (FEVX_EH) with what was written (VICDHI).
// Devices that talk to software through cache lines live on this: the line goes to and fro like a
// ball.
//
// Per line, the four messages in this order, with whatever else in between but the four themselves
// and a voluntary return (VICD, VICC), which makes it something else.
//
// Output: the request [request] and the message that completes the hand-over [handover]. Requests
// without it are upgrades that ended another way. One is here because of a fault: it was answered
// by PSHA, which does not make the line the CPU's own.
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
