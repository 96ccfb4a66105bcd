/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* gamma.c: functions that end with calls of each other. A compiler turns such calls into jumps. */
#include "program.h"

static unsigned long evens, odds;

static NOINLINE int odd(unsigned n);

static NOINLINE int even(unsigned n)
{
	evens++;
	return n == 0 ? 1 : odd(n - 1);
}

static NOINLINE int odd(unsigned n)
{
	odds++;
	return n == 0 ? 0 : even(n - 1);
}

int main(void)
{
	for (unsigned i = 0; i < 40; i++) {
		even(400 + i);
		if (i % 8 == 0)
			spin();
	}
	report("even", evens);
	report("odd", odds);
	return 0;
}
