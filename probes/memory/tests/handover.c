/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * handover HOW: two threads count in one variable in turns. They pass the turn to each other by the
 * method HOW. Only the thread that has the turn accesses the variable, so its accesses have one
 * order.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TURNS = 1000 };

static volatile long value;

static atomic_int turn;
static atomic_long ticket;
static pthread_barrier_t barrier;
static sem_t semaphores[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int holder;
static pthread_spinlock_t spin;
static int pipes[2][2];

/* By cmpxchg and xchg. */
static void take_swap(int own)
{
	int expected = own;
	while (!atomic_compare_exchange_weak(&turn, &expected, 2)) {
		expected = own;
		sched_yield();
	}
}

static void give_swap(int own)
{
	atomic_exchange(&turn, !own);
}

/* By xadd alone. */
static void take_add(int own)
{
	while ((atomic_fetch_add(&ticket, 0) & 1) != own)
		sched_yield();
}

static void give_add(int own)
{
	(void)own;
	atomic_fetch_add(&ticket, 1);
}

/* The barrier is passed twice for each turn: before and after the count. */
static void take_barrier(int own)
{
	if (own)
		pthread_barrier_wait(&barrier);
}

static void give_barrier(int own)
{
	pthread_barrier_wait(&barrier);
	if (!own)
		pthread_barrier_wait(&barrier);
}

static void take_semaphore(int own)
{
	sem_wait(&semaphores[own]);
}

static void give_semaphore(int own)
{
	sem_post(&semaphores[!own]);
}

static void take_condition(int own)
{
	pthread_mutex_lock(&mutex);
	while (holder != own)
		pthread_cond_wait(&turned, &mutex);
	pthread_mutex_unlock(&mutex);
}

static void give_condition(int own)
{
	pthread_mutex_lock(&mutex);
	holder = !own;
	pthread_cond_signal(&turned);
	pthread_mutex_unlock(&mutex);
}

static void take_spin(int own)
{
	for (bool mine = false; !mine;) {
		pthread_spin_lock(&spin);
		mine = holder == own;
		pthread_spin_unlock(&spin);
		if (!mine)
			sched_yield();
	}
}

static void give_spin(int own)
{
	pthread_spin_lock(&spin);
	holder = !own;
	pthread_spin_unlock(&spin);
}

static void take_pipe(int own)
{
	char c;
	if (read(pipes[own][0], &c, 1) != 1)
		exit(1);
}

static void give_pipe(int own)
{
	if (write(pipes[!own][1], "", 1) != 1)
		exit(1);
}

static const struct way {
	const char *name;
	void (*take)(int own), (*give)(int own);
} ways[] = {
	{ "swap", take_swap, give_swap },
	{ "add", take_add, give_add },
	{ "barrier", take_barrier, give_barrier },
	{ "semaphore", take_semaphore, give_semaphore },
	{ "condition", take_condition, give_condition },
	{ "spin", take_spin, give_spin },
	{ "pipe", take_pipe, give_pipe },
};
static const struct way *way;

static void *work(void *with)
{
	const int own = (int)(intptr_t)with;
	for (int i = 0; i < TURNS / 2; i++) {
		way->take(own);
		value++;
		way->give(own);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (argc > 1 && strcmp(argv[1], ways[i].name) == 0)
			way = &ways[i];
	if (!way || pipe(pipes[0]) != 0 || pipe(pipes[1]) != 0 || write(pipes[0][1], "", 1) != 1)
		return 2;
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&semaphores[0], 0, 1);
	sem_init(&semaphores[1], 0, 0);
	pthread_spin_init(&spin, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", value);
	return 0;
}
