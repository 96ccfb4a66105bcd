/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rounds THREADS FILE [bug]: works in rounds. Round n begins when FILE.go<n> is there, and makes
 * FILE.done<n> at its end. In each, every thread adds 1,000 times to its row of `table`, and allocates and
 * frees 50 blocks. With FILE.end it writes its sums and ends. Between the rounds its threads wait at a
 * barrier. `bug`: in each round it also reads a block that it has freed.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ADDS = 1000, BLOCKS = 50 };

static volatile long table[8][10];
static long **older; /* blocks that are allocated before the first round */
static pthread_barrier_t barrier;
static volatile int ends, buggy;

static int is_there(const char *file, const char *what, int n)
{
	char path[4096];
	snprintf(path, sizeof path, n ? "%s.%s%d" : "%s.%s", file, what, n);
	return access(path, F_OK) == 0;
}

static void work(volatile long *row, long *old)
{
	for (int i = 0; i < ADDS; i++)
		row[i % 10]++;
	for (int i = 0; i < BLOCKS; i++) {
		volatile long *block = malloc(24);
		block[0] = i;
		block[1] = old[0] + block[0];
		old[0] = block[1] - i;
		free((void *)block);
		if (buggy && i == 0)
			old[1] = block[1];
	}
}

static void *run(void *with)
{
	const long t = (long)with;
	for (;;) {
		pthread_barrier_wait(&barrier);
		if (ends)
			return NULL;
		work(table[t], older[t]);
		pthread_barrier_wait(&barrier);
	}
}

int main(int argc, char **argv)
{
	const long threads = atol(argv[1]);
	pthread_t t[8];
	char path[4096];
	long sum = 0;
	buggy = argc > 3;
	older = calloc((size_t)threads, sizeof *older);
	for (long i = 0; i < threads; i++)
		older[i] = calloc(4, sizeof **older);
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	for (long i = 1; i < threads; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	snprintf(path, sizeof path, "%s.ready", argv[2]);
	fclose(fopen(path, "w"));
	for (int round = 1;; round++) {
		while (!is_there(argv[2], "go", round) && !is_there(argv[2], "end", 0))
			usleep(5000);
		if (!is_there(argv[2], "go", round))
			break;
		pthread_barrier_wait(&barrier);
		work(table[0], older[0]);
		pthread_barrier_wait(&barrier);
		snprintf(path, sizeof path, "%s.done%d", argv[2], round);
		fclose(fopen(path, "w"));
	}
	ends = 1;
	pthread_barrier_wait(&barrier);
	for (long i = 1; i < threads; i++)
		pthread_join(t[i], NULL);
	for (long i = 0; i < threads; i++)
		for (int k = 0; k < 10; k++)
			sum += table[i][k];
	printf("%ld\n", sum);
	return 0;
}
