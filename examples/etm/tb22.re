// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Token bucket 2:2: the core is throttled in the upper two of four parts of the bucket.
// A budget used up fills a part of the bucket, and the end of a period empties one. If both happen in
// one cycle, a part is filled and the period is lost; a full bucket loses the budget instead.
param budget;
param period;
tick period;

machine tb22 {
	counter used at budget roll;
	state b0 start;
	state b1;
	state b2 output(throttle);
	state b3 output(throttle);
	count used : Any(LINES);
	b0 -> b1 : @used;
	b1 -> b2 : @used;
	b1 -> b0 : tick;
	b2 -> b3 : @used;
	b2 -> b1 : tick;
	b3 -> b2 : tick;
}
