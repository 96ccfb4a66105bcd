// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Which lines did the CPU not have when the FPGA asked for them?
//
// The answer MISS has no address. The protocol in joins.proto, which nfacc -I finds, joins it to its
// request by the number that both have, so the copy of the request's line sees it.
//
// Output: the batch with the answer [missed]. --lines says for which line it is. The summary says
// how many answers were joined, came late, or have no request.
protocol joins;
substream cl from 0 count 64;
filter missed = true* fpga.FWD_FETCH !fpga."FWD*"* cpu.ANS_MISS;
