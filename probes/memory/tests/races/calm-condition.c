/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Hands a value over through a condition variable. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static volatile int full;
static volatile long value;
static void *put(void *arg)
{
	value = 1;
	pthread_mutex_lock(&lock);
	full = 1;
	pthread_cond_signal(&ready);
	pthread_mutex_unlock(&lock);
	return arg;
}
static void *get(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!full)
		pthread_cond_wait(&ready, &lock);
	pthread_mutex_unlock(&lock);
	value++;
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, put, NULL);
	pthread_create(&b, NULL, get, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
