/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * plugin.c: a library with data, bss, a constructor and a destructor. With OTHER it computes
 * something else, by instructions of the same size. With MISSING it needs a function that does not
 * exist. With BUG it uses a block after freeing it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 1500 };

#ifdef OTHER
#define STEP(a, b) ((a) - (b))
#define TOTAL tally
#define BEGIN start
#define NAME "other"
#else
#define STEP(a, b) ((a) + (b))
#define TOTAL total
#define BEGIN begin
#define NAME "plugin"
#endif

long TOTAL = 5;
static long entries[ENTRIES];
static const char *name = NAME;

#ifdef MISSING
long missing(void);
#endif

__attribute__((constructor)) static void BEGIN(void)
{
	entries[ENTRIES - 1] = 7;
}

long step(long n)
{
	for (long i = 0; i < n; i++) {
		TOTAL = STEP(TOTAL, i);
		entries[i] = STEP(entries[i], TOTAL);
	}
#ifdef MISSING
	TOTAL += missing();
#endif
	return TOTAL + entries[0] + entries[ENTRIES - 1];
}

char *describe(void)
{
	char *text = malloc(64);
	snprintf(text, 64, "%s at %ld", name, TOTAL);
	return text;
}

#ifdef BUG
long lose(void)
{
	volatile long *number = malloc(sizeof *number);
	*number = TOTAL;
	free((void *)number);
	return *number;
}
#endif

__attribute__((destructor)) static void end(void)
{
	TOTAL = 0;
}
