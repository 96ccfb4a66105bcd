// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Periodic replenishment 1:3: like periodic replenishment, but a core that moves further budgets while
// it is throttled pays a period for each of up to three.
param budget;
param period;
tick period;

machine pr13 {
	counter used at budget roll;
	state ok start;
	state over1 output(throttle);
	state over2 output(throttle);
	state over3 output(throttle);
	count used : Any(LINES);
	reset used : tick when ok;
	ok -> over1 : @used;
	over1 -> over2 : @used;
	over1 -> ok : tick;
	over2 -> over3 : @used;
	over2 -> over1 : tick;
	over3 -> over2 : tick;
}
