// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Keeps two types of message and drops everything else (thesis, section 4.1 and figure 25).
//
// The two types are loads and the answers that carry their data. They are enough to plot the
// latency of every line, and much less than the whole trace. The filter has one state.
//
// Output: exactly the batches with a load or such an answer. Other messages that arrived in the
// same cycle stay with them, since the output always has whole batches.
protocol eci;
filter load = true* Any(cpu.MREQ_RLDD, fpga.MRSP_PEMD);
