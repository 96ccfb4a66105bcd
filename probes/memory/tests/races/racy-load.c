/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* One thread loads what another one stores under a lock. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long value;
static volatile long seen[512];
static void *store(void *arg)
{
	pthread_mutex_lock(&lock);
	value = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}
static void *load(void *arg)
{
	seen[256] = value;
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, store, NULL);
	pthread_create(&b, NULL, load, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
