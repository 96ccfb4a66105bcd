// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The rules of AHB-Lite (IHI 0033, sections in brackets) that signals show.
protocol ahb-lite;
let transfer = Any(READ, WRITE, READ_MOVED, WRITE_MOVED);
let done     = Any(OK, ERROR, SHORT_ERROR);

// A transfer that waits stays as it is (3.6).
filter changed = true* Any(MOVE, READ_MOVED, WRITE_MOVED);
filter dropped = true* DROP;

// An ERROR takes two cycles (5.1.3).
filter short_error = true* SHORT_ERROR;

// An address is a multiple of the size of its transfer (3.5).
filter unaligned = true* Any(transfer[size == 1, offset & 1 != 0],
	transfer[size == 2, offset & 3 != 0], transfer[size == 3, offset & 7 != 0]);

// SEQ goes on with a burst, so a transfer comes before it, and not one of a single transfer (3.2).
let seq = Any(READ[trans == 3], WRITE[trans == 3]);
filter lone_seq = None(READ, WRITE, READ_MOVED, WRITE_MOVED)* seq
	| true* Any(READ[burst == 0], WRITE[burst == 0]) !transfer* seq;

// A transfer that is never complete.
filter open = true* transfer !done* end;
