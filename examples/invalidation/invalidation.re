// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Is every invalidation answered?
//
// The home tells the CPU to give up a shared line (SINV_H), and the CPU answers that it has (HAKD).
// If the CPU gave the line up before the order reached it, the answer is HAKI or HAKV (A11)
// instead. If there is a second order to a line before the first one is answered, the answer to the
// first one was lost. Each line has its own copy of the filters, so orders and answers of different
// lines don't mix.
//
// Output: the orders [ordered], and after each order its answer [answered] or [crossed]. Once there
// is [ordered,missed], because the acknowledgement of the order before was suppressed: an injected
// fault. If ordered = answered + crossed, all is well.
//
// The real capture has 9 invalidations, all of line 0x80, and 9 answers 65 to 68 cycles later. None
// is crossed and none is missed, so the hang at its end has another cause. Its last two
// invalidations come within 1276 cycles, with a load of the line between them, and then the link is
// silent for 3785 cycles; hang.re tells of the line that does not come back.
protocol eci;
substream cl from 0x80 count 8;
let order = fpga.MFWD_SINV_H;
let open  = None(cpu.MRSP_HAKD, A11);
filter ordered  = true* order;
filter answered = true* order open* cpu.MRSP_HAKD;
filter crossed  = true* order open* A11;
filter missed   = true* order open* order;
