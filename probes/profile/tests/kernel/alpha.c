/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* alpha.c: recursion, deep and wide. */
#include "program.h"

static unsigned long fibs, downs;

static NOINLINE unsigned fib(unsigned n)
{
	fibs++;
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* Uses a new page of the stack about every eight calls. The first access to a page faults. */
static NOINLINE unsigned down(unsigned n)
{
	volatile char here[400];

	downs++;
	here[0] = (char)n;
	return n == 0 ? 0 : down(n - 1) + (unsigned)here[0];
}

int main(void)
{
	for (int i = 0; i < 10; i++) {
		fib(13);
		down(100);
		spin();
	}
	report("fib", fibs);
	report("down", downs);
	return 0;
}
