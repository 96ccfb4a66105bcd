/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Each thread has a lock, but not the same one. */
#include <pthread.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static volatile long sum;
static void *left(void *arg)
{
	pthread_mutex_lock(&one);
	sum++;
	pthread_mutex_unlock(&one);
	return arg;
}
static void *right(void *arg)
{
	pthread_mutex_lock(&other);
	sum++;
	pthread_mutex_unlock(&other);
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, left, NULL);
	pthread_create(&b, NULL, right, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
