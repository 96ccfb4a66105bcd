/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * race-in-turn.c: two threads add to one variable, without a lock. Mostly the first thread has ended
 * before the second one begins. BUG: nobody waits for the first thread before the second one begins.
 */
#include <pthread.h>
#include <stdio.h>

enum { TIMES = 1000 };

static volatile long counter;

static void *count(void *context)
{
	for (int i = 0; i < TIMES; i++)
		counter++;
	return context;
}

int main(void)
{
	pthread_t threads[2];

	counter = 0;
	for (int i = 0; i < 2; i++) {
		if (pthread_create(&threads[i], NULL, count, NULL) != 0)
			return 1;
#ifndef BUG
		pthread_join(threads[i], NULL);
#endif
	}
#ifdef BUG
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
#endif
	puts(counter <= 2 * TIMES ? "done" : "too many");
	return 0;
}
