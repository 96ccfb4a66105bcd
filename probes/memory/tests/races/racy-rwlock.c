/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Threads that hold a read-write lock for reading store. */
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile long value;
static void *store(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	value++;
	pthread_rwlock_unlock(&lock);
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, store, NULL);
	pthread_create(&b, NULL, store, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
