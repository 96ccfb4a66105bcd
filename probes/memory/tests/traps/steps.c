/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Threads that write to one page. With single steps, the thread that finishes first closes the page
 * while the others are about to write.
 */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 4000 };

static long counts[THREADS];

static void *count(void *to)
{
	volatile long *n = to;
	for (int i = 0; i < ROUNDS; i++)
		++*n;
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, count, &counts[i]) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		printf("%ld\n", counts[i]);
	return 0;
}
