// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The rules of TileLink Uncached Lightweight (specification 1.8, sections in brackets) that signals
// show, one copy for each source.
protocol tilelink-ul;
substream source from 0 count 16;
let put    = Any(PUT_FULL, PUT_PARTIAL);
let ask    = Any(GET, PUT_FULL, PUT_PARTIAL);
let done   = Any(ACK, DATA);

// Opcodes of TL-UL (6).
filter opcode = true* Any(A_BAD, D_BAD);

// Get has AccessAckData, a Put has AccessAck (6.2).
filter kind = true* GET !done* ACK | true* put !done* DATA;

// A source is used again after its answer (5.4).
filter reused = true* ask None(ACK, DATA, A_BAD)* ask;

// An answer has a request (5).
filter unasked = (eps | true* done) None(GET, PUT_FULL, PUT_PARTIAL, A_BAD)* done;

// A request that is never answered.
filter open = true* ask !done* end;
