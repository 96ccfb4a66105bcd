/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * load-before-store.c: a histogram. BUG: its counters come from malloc, and only the first one is
 * cleared.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { KINDS = 16 };

int main(void)
{
#ifdef BUG
	long *count = malloc(KINDS * sizeof *count);
#else
	long *count = calloc(KINDS, sizeof *count);
#endif
	long total = 0;

	if (!count)
		return 1;
	count[0] = 0;
	for (int i = 0; i < 100; i++)
		count[i * i % KINDS]++;
	for (int i = 0; i < KINDS; i += 2)
		total += count[i];
	/* The first values of the counters are not known, so the total itself is not printed. */
	puts(total == LONG_MIN ? "none" : "done");
	free(count);
	return 0;
}
