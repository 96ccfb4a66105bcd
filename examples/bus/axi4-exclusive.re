// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The rules of exclusive accesses of AXI4 (IHI 0022, A7.2), one copy for each ID.
protocol axi4;
substream id from 0 count 16;
let claim = Any(AW[lock == 1], AW_MOVED[lock == 1]);
let asked = Any(AR[lock == 1], AR_MOVED[lock == 1]);
let b     = Any(B, B_MOVED);
let r     = Any(RLAST, RLAST_MOVED);

// EXOKAY answers exclusive accesses only (A7.2.3).
filter write_okay = (eps | true* b) None(AW[lock == 1], AW_MOVED[lock == 1])*
	Any(B[resp == 1], B_MOVED[resp == 1]);
filter read_okay  = (eps | true* r) None(AR[lock == 1], AR_MOVED[lock == 1])*
	Any(R[resp == 1], R_MOVED[resp == 1], RLAST[resp == 1], RLAST_MOVED[resp == 1]);

// An exclusive write comes after the exclusive read of the same ID is complete (A7.2.2).
filter early = true* asked None(RLAST, RLAST_MOVED)* claim;
filter unread = (eps | true* claim) None(AR[lock == 1], AR_MOVED[lock == 1])* claim;
