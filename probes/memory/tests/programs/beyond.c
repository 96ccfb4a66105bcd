/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* beyond.c: squares in a table. BUG: the last one is beyond the end of the table. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 20 };

int main(void)
{
	int *square = malloc(N * sizeof *square), total = 0;

	if (!square)
		return 1;
#ifdef BUG
	for (int i = 0; i <= N; i++)
#else
	for (int i = 0; i < N; i++)
#endif
		((volatile int *)square)[i] = i * i;
	for (int i = 0; i < N; i++)
		total += square[i];
	printf("%d\n", total);
	free(square);
	return 0;
}
