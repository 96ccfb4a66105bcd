/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* calls_library.c: functions in a shared library, and the functions that count calls. */
#include "calls.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define NOT_COUNTED __attribute__((no_instrument_function))

enum { FUNCTIONS = 256 };

static struct {
	_Atomic(void *) function;
	atomic_ulong calls;
} counted[FUNCTIONS];

void __cyg_profile_func_enter(void *function, void *site) NOT_COUNTED;
void __cyg_profile_func_exit(void *function, void *site) NOT_COUNTED;

void __cyg_profile_func_enter(void *function, void *site)
{
	(void)site;
	for (int i = 0; i < FUNCTIONS; i++) {
		void *there = NULL;

		if (atomic_compare_exchange_strong(&counted[i].function, &there, function) ||
		    there == function) {
			counted[i].calls++;
			return;
		}
	}
	abort();
}

void __cyg_profile_func_exit(void *function, void *site)
{
	(void)function, (void)site;
}

NOT_COUNTED void print_counts(void)
{
	for (int i = 0; i < FUNCTIONS && counted[i].function; i++)
		printf("count %lx %lu\n", (unsigned long)counted[i].function, counted[i].calls);
}

NOINLINE long library_inner(int n)
{
	return n * 3 + 1;
}

NOINLINE long library_outer(int n)
{
	return library_inner(n) + 1;
}

NOINLINE long library_each(int n, long (*visit)(int))
{
	long sum = 0;

	for (int i = 0; i < n; i++)
		sum += visit(i);
	return sum;
}
