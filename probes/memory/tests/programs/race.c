/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * race.c: two threads count in one variable. BUG: they do not use the mutex. A barrier before and
 * after the counting makes both threads run at the same time. They count another variable with
 * atomic instructions, without the mutex.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { TIMES = 100 };

#ifndef BUG
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#endif
static pthread_barrier_t begin, end;
static volatile long counter;
static atomic_long rounds;

static void *count(void *context)
{
	pthread_barrier_wait(&begin);
	for (int i = 0; i < TIMES; i++) {
		atomic_fetch_add(&rounds, 1);
#ifdef BUG
		counter++;
#else
		pthread_mutex_lock(&mutex);
		counter++;
		pthread_mutex_unlock(&mutex);
#endif
	}
	pthread_barrier_wait(&end);
	return context;
}

int main(void)
{
	pthread_t threads[2];

	if (pthread_barrier_init(&begin, NULL, 2) != 0 || pthread_barrier_init(&end, NULL, 2) != 0)
		return 1;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, count, NULL) != 0)
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	puts(counter <= 2 * TIMES ? "done" : "too many");
	return 0;
}
