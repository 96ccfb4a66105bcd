// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The rules of AXI4-Stream (IHI 0051, sections in brackets) that signals show.
protocol axi-stream;
param LONGEST = 4; // the most beats that a packet has, at least 2
let beat = Any(BEAT, LAST);

// Once tvalid is high, it stays high with the same payload until tready (2.2.1).
filter changed = true* Any(MOVE, MOVED);
filter dropped = true* DROP;

// Not of the standard: a packet that is too long.
filter too_long = (eps | true* LAST) !beat* (BEAT !beat*){LONGEST} beat;
