// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Keeps two types of message and drops everything else (thesis, section 4.1 and figure 25).
//
// Loads and the answers that carry their data: enough to plot the latency of every line, and much
// less than the whole trace. A filter of one state.
//
// Output: exactly the batches with a load or such an answer. What happened to arrive in the same
// cycle stays with them, for what is output is always the whole batch.
protocol eci;
filter load = true* Any(cpu.MREQ_RLDD, fpga.MRSP_PEMD);
