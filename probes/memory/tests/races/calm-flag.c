/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* A flag that is atomic, in the default order of C. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static volatile long data[512];
static void *store(void *arg)
{
	data[256] = 1;
	flag = 1;
	return arg;
}
static void *wait_for(void *arg)
{
	while (!flag)
		;
	data[256]++;
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, store, NULL);
	pthread_create(&b, NULL, wait_for, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
