/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Threads that count under a mutex, wait for a condition, and are cancelled in a system call. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 300 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_there = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static long sum;
static int there, cleaned;
static _Thread_local int own;

static void *work(void *with)
{
	int *numbers = with;
	pthread_mutex_lock(&mutex);
	if (++there == THREADS)
		pthread_cond_broadcast(&all_there);
	while (there < THREADS)
		pthread_cond_wait(&all_there, &mutex);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		sum += numbers[i % 10];
		pthread_mutex_unlock(&mutex);
		own++;
	}
	pthread_barrier_wait(&barrier);
	sem_post(&semaphore);
	int *result = malloc(sizeof *result);
	*result = own;
	return result;
}

static void clean(void *with)
{
	*(int *)with = 1;
}

static void *block(void *with)
{
	char c;
	pthread_cleanup_push(clean, &cleaned);
	if (read(*(int *)with, &c, 1) == 1)
		cleaned = 2;
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS], blocked;
	int *numbers = calloc(10, sizeof *numbers), pipes[2];
	for (int i = 0; i < 10; i++)
		numbers[i] = i;
	pthread_barrier_init(&barrier, NULL, THREADS);
	sem_init(&semaphore, 0, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, numbers);
	for (int i = 0; i < THREADS; i++)
		sem_wait(&semaphore);
	for (int i = 0; i < THREADS; i++) {
		void *result;
		pthread_join(threads[i], &result);
		printf("%d ", *(int *)result);
		free(result);
	}
	printf("sum %ld\n", sum);
	if (pipe(pipes) != 0)
		return 1;
	pthread_create(&blocked, NULL, block, &pipes[0]);
	usleep(20000);
	pthread_cancel(blocked);
	void *result;
	pthread_join(blocked, &result);
	printf("cancelled %d, cleaned %d\n", result == PTHREAD_CANCELED, cleaned);
	return 0;
}
