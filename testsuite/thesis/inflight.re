// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: nfacc contributors
// T equation 35, as it stands there.
protocol eci;
let req    = Any(cpu.MREQ_RLDD, cpu.MREQ_RLDI, cpu.MREQ_RLDX);
let no_rsp = None(fpga.MRSP_PEMD, fpga.MRSP_PSHA);
filter inflight = req no_rsp* req;
