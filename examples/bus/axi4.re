// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The rules of AXI4 (IHI 0022, sections in brackets) that signals show. Each label is a rule that
// is broken. The counts begin with the trace: a capture that begins in the middle of a burst makes
// false alarms.
protocol axi4;
param LEN = 4;      // all bursts have this many beats, at least 2
param LATEST = 48;  // where in the last 64 bytes of 4 KB a burst may begin: 64 less its bytes
let aw    = Any(AW, AW_MOVED);
let w     = Any(W, W_MOVED);
let wlast = Any(WLAST, WLAST_MOVED);
let b     = Any(B, B_MOVED);
let ar    = Any(AR, AR_MOVED);
let r     = Any(R, R_MOVED);
let rlast = Any(RLAST, RLAST_MOVED);
let no_w  = None(W, W_MOVED, WLAST, WLAST_MOVED);
let no_r  = None(R, R_MOVED, RLAST, RLAST_MOVED);

// Once valid is high, it stays high with the same payload until ready (A3.2.1).
filter handshake = true* breach;

// The number of beats is that of the address (A3.4.1); here LEN for all bursts.
filter length      = true* Any(aw[len != LEN - 1], ar[len != LEN - 1]);
filter write_short = (eps | true* wlast) no_w* (w no_w*){0,LEN - 2} wlast;
filter write_long  = (eps | true* wlast) no_w* (w no_w*){LEN - 1} w;
filter read_short  = (eps | true* rlast) no_r* (r no_r*){0,LEN - 2} rlast;
filter read_long   = (eps | true* rlast) no_r* (r no_r*){LEN - 1} r;

// A burst does not cross 4 KB (A3.4.1).
filter crosses = true* Any(aw[burst == 1, addr & 0xfc0 == 0xfc0, offset in LATEST + 1..63],
	ar[burst == 1, addr & 0xfc0 == 0xfc0, offset in LATEST + 1..63]);

// Burst type 3 is reserved; a wrapping burst has 2, 4, 8 or 16 beats, and a fixed one at most 16
// (A3.4.1).
let odd_aw = Any(aw[burst == 3], aw[burst == 0, len in 16..255], aw[burst == 2, len == 0],
	aw[burst == 2, len == 2], aw[burst == 2, len in 4..6], aw[burst == 2, len in 8..14],
	aw[burst == 2, len in 16..255]);
let odd_ar = Any(ar[burst == 3], ar[burst == 0, len in 16..255], ar[burst == 2, len == 0],
	ar[burst == 2, len == 2], ar[burst == 2, len in 4..6], ar[burst == 2, len in 8..14],
	ar[burst == 2, len in 16..255]);
filter kind = true* Any(odd_aw, odd_ar);

// An exclusive access has at most 16 beats (A7.2.4).
filter exclusive = true* Any(aw[lock == 1, len in 16..255], ar[lock == 1, len in 16..255]);

// An answer to a write comes after its last beat (A3.3.1). Up to three bursts whose answer is
// missing are counted; with more the machine gives up.
machine early_b {
	state none start;
	state one;
	state two;
	state three;
	state many;
	state early accept;
	none -> early : b & !wlast;
	none -> one : wlast & !b;
	one -> none : b & !wlast;
	one -> two : wlast & !b;
	two -> one : b & !wlast;
	two -> three : wlast & !b;
	three -> two : b & !wlast;
	three -> many : wlast & !b;
	early -> early : b & !wlast;
	early -> one : wlast & !b;
	early -> none : true;
}

// Data that is read comes after its address (A3.3.1), counted in the same way.
machine early_r {
	state idle start;
	state open_1;
	state open_2;
	state open_3;
	state open_many;
	state unasked accept;
	idle -> unasked : r;
	idle -> unasked : rlast;
	idle -> open_1 : ar;
	open_1 -> idle : rlast & !ar;
	open_1 -> open_2 : ar & !rlast;
	open_2 -> open_1 : rlast & !ar;
	open_2 -> open_3 : ar & !rlast;
	open_3 -> open_2 : rlast & !ar;
	open_3 -> open_many : ar & !rlast;
	unasked -> open_1 : ar;
	unasked -> unasked : r;
	unasked -> unasked : rlast;
	unasked -> idle : true;
}
