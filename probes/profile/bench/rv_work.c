/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A program for bench_rv: it sorts, formats, allocates and recurses, so that calls and returns are
 * as frequent as in programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2000, ROUNDS = 12 };

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static unsigned ways(unsigned n)
{
	return n < 2 ? 1 : ways(n - 1) + ways(n - 2);
}

int main(void)
{
	static int v[N];
	unsigned x = 1, sum = 0;
	char line[64];

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < N; i++)
			v[i] = (int)((x = x * 1103515245 + 12345) >> 8 & 0xffff);
		qsort(v, N, sizeof v[0], by_value);
		for (int i = 0; i < N; i += 4) {
			char *copy;
			snprintf(line, sizeof line, "%d of %d: %s", i, v[i], "text");
			copy = strdup(line);
			sum += (unsigned)strlen(copy);
			free(copy);
		}
		sum += ways(16);
	}
	printf("%u\n", sum);
	return 0;
}
