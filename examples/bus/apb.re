// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The rules of APB (IHI 0024, sections in brackets) that signals show.
protocol apb;
let setup = Any(SETUP_READ, SETUP_WRITE);
let done  = Any(READ, WRITE);

// A transfer is a setup phase of one cycle and an access phase, in which psel and penable stay high
// until pready (4.1).
filter no_access = true* NO_ACCESS;
filter no_setup  = true* NO_SETUP;
filter dropped   = true* DROP;

// Address, direction, strobes and data stay as they are until the transfer is complete (3.1, 3.3).
filter changed = true* MOVE;

// A transfer that is never complete.
filter open = true* setup !done* end;

// Not of the standard: an address with an error twice in a row.
filter failing = true* done[slverr == 1] !done* done[slverr == 1];
