// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The rules of AXI4-Lite (IHI 0022, sections in brackets) that signals show. Each label is a rule
// that is broken. The counts begin with the trace.
protocol axi4-lite;
let aw = Any(AW, AW_MOVED);
let w  = Any(W, W_MOVED);
let b  = Any(B, B_MOVED);
let ar = Any(AR, AR_MOVED);
let r  = Any(R, R_MOVED);

// Once valid is high, it stays high with the same payload until ready (A3.2.1).
filter handshake = true* breach;

// There are no exclusive accesses, so no answer is EXOKAY (B1.1.1).
filter exokay = true* Any(b[resp == 1], r[resp == 1]);

// A write that is never answered, a read that is never answered.
filter no_b = true* aw !b* end;
filter no_r = true* ar !r* end;

// An answer comes after the data (A3.3.1); with four open writes the machine gives up.
machine early_b {
	state none start;
	state one;
	state two;
	state three;
	state many;
	state early accept;
	none -> early : b & !w;
	none -> one : w & !b;
	one -> none : b & !w;
	one -> two : w & !b;
	two -> one : b & !w;
	two -> three : w & !b;
	three -> two : b & !w;
	three -> many : w & !b;
	early -> early : b & !w;
	early -> one : w & !b;
	early -> none : true;
}

// And so does data after its address.
machine early_r {
	state idle start;
	state open_1;
	state open_2;
	state open_3;
	state open_many;
	state unasked accept;
	idle -> unasked : r;
	idle -> open_1 : ar;
	open_1 -> idle : r & !ar;
	open_1 -> open_2 : ar & !r;
	open_2 -> open_1 : r & !ar;
	open_2 -> open_3 : ar & !r;
	open_3 -> open_2 : r & !ar;
	open_3 -> open_many : ar & !r;
	unasked -> open_1 : ar;
	unasked -> unasked : r;
	unasked -> idle : true;
}
