/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Readers and writers with a read-write lock. */
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile long value, seen;
static void *write_it(void *arg)
{
	for (int i = 0; i < 50; i++) {
		pthread_rwlock_wrlock(&lock);
		value++;
		pthread_rwlock_unlock(&lock);
	}
	return arg;
}
static void *read_it(void *arg)
{
	for (int i = 0; i < 50; i++) {
		pthread_rwlock_rdlock(&lock);
		if (value < 0)
			seen = 1;
		pthread_rwlock_unlock(&lock);
	}
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, write_it, NULL);
	pthread_create(&b, NULL, read_it, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
