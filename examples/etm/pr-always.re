// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Periodic replenishment that begins each period with the whole budget. Lines that move while the core
// is throttled are forgotten with the period.
param budget;
param period;
tick period;

machine pr_always {
	counter used at budget roll;
	state ok start;
	state over output(throttle);
	count used : Any(LINES);
	reset used : tick;
	ok -> over : @used;
	over -> ok : tick;
}
