// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// A watchdog that fires without traffic.
//
// stall.re counts batches, so it sleeps while the link is silent. This filter counts ticks, which
// come every 500 cycles, with messages or without. Three ticks in a row after a message mean more
// than 1000 cycles of silence, and at most 1500.
//
// Output: the tick at which the link had been silent for too long [silent], and the last two batches
// before it []. The next message makes the watchdog ready again. It also fires after the last
// message of the trace, because nfarun --until 9000 says that the stream lasts until then. In
// hardware, the time at which the engine is stopped says so.
protocol eci;
tick 500;
window 2, 0;
log = all;
filter silent = true* any None(any, notick){3};
