// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The rules of Wishbone B4 that signals show, for single transfers in classic mode.
protocol wishbone;
let ask    = Any(READ, WRITE);
let done   = Any(ACK, ERR, RTY, TWO);

// A transfer stays as it is until it is answered (3.1.3).
filter changed = true* MOVE;
filter dropped = true* DROP;

// Slaves are silent without cyc, and answer stb (rules 3.30 and 3.35).
filter stray = true* STRAY;

// One of ack, err and rty at most (rule 3.45).
filter two = true* TWO;

// A transfer that is never answered.
filter open = true* ask !done* end;
