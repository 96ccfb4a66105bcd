// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Token bucket 3:1 in which no period is lost: if a budget is used up in the cycle in which a period
// ends, the bucket stays as full as it is.
param budget;
param period;
tick period;

machine tb31_exact {
	counter used at budget roll;
	state b0 start;
	state b1;
	state b2;
	state b3 output(throttle);
	count used : Any(LINES);
	b0 -> b1 : notick & @used;
	b1 -> b2 : notick & @used;
	b2 -> b3 : notick & @used;
	b1 -> b0 : tick & !@used;
	b2 -> b1 : tick & !@used;
	b3 -> b2 : tick & !@used;
}
