/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Semaphores pass a value to and fro. */
#include <pthread.h>
#include <semaphore.h>
static sem_t ping, pong;
static volatile long value;
static void *left(void *arg)
{
	for (int i = 0; i < 50; i++) {
		value++;
		sem_post(&ping);
		sem_wait(&pong);
	}
	return arg;
}
static void *right(void *arg)
{
	for (int i = 0; i < 50; i++) {
		sem_wait(&ping);
		value++;
		sem_post(&pong);
	}
	return arg;
}
int main(void)
{
	pthread_t a, b;
	sem_init(&ping, 0, 0);
	sem_init(&pong, 0, 0);
	pthread_create(&a, NULL, left, NULL);
	pthread_create(&b, NULL, right, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
