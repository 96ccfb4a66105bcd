// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Periodic replenishment that does not count while the core is throttled (PR-stop). Lines that still
// move then are never paid for.
param budget;
param period;
tick period;

machine pr_stop {
	counter used at budget roll;
	state ok start;
	state over output(throttle);
	count used : Any(LINES) when ok;
	reset used : tick;
	ok -> over : @used;
	over -> ok : tick;
}
