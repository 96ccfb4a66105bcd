/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Two threads add to a number without a lock. */
#include <pthread.h>
static volatile long sum;
static void *add(void *arg)
{
	for (int i = 0; i < 100; i++)
		sum++;
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, add, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
