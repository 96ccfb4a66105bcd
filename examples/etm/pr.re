// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Periodic replenishment: a core may move `budget` lines in each period of `period` cycles. From the
// line that uses the budget up to the end of the period the output throttle is on. Lines that still
// move then are paid for in the next period.
param budget;
param period;
tick period;

machine pr {
	counter used at budget roll;
	state ok start;
	state over output(throttle);
	count used : Any(LINES);
	reset used : tick when ok;
	ok -> over : @used;
	over -> ok : tick;
}
