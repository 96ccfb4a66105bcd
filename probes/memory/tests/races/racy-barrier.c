/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* A thread stores after the barrier what the other one loads after it, too. */
#include <pthread.h>
static pthread_barrier_t barrier;
static volatile long before, after;
static void *work(void *arg)
{
	if (arg != NULL)
		before = 1;
	pthread_barrier_wait(&barrier);
	if (arg == NULL)
		after = before;
	else
		after = 2;
	return NULL;
}
int main(void)
{
	pthread_t a, b;
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, &barrier);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
