// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Periodic replenishment that counts only what moves while the core executes user code (PR-user). An
// instruction fetch is seen as a pulse, so the states remember where the last one came from. The
// period's end leads to kernel, and the next fetch of user code back to user.
param budget;
param period;
tick period;

machine pr_user {
	counter used at budget roll;
	state kernel start;
	state user;
	state user_over output(throttle);
	state kernel_over output(throttle);
	count used : Any(LINES) when user, user_over;
	reset used : tick when kernel, user;
	user -> user_over : @used;
	kernel -> user : Any(FETCH_EL0);
	user -> kernel : Any(FETCH_EL1, FETCH_EL2, FETCH_EL3);
	user_over -> kernel : tick;
	kernel_over -> kernel : tick;
	user_over -> kernel_over : Any(FETCH_EL1, FETCH_EL2, FETCH_EL3);
	kernel_over -> user_over : Any(FETCH_EL0);
}
