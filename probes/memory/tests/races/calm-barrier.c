/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Threads change places at a barrier, many times. */
#include <pthread.h>
static pthread_barrier_t barrier;
static volatile long value[2];
static void *work(void *arg)
{
	int me = arg != NULL;
	for (int i = 0; i < 50; i++) {
		value[me]++;
		pthread_barrier_wait(&barrier);
		value[!me]++;
		pthread_barrier_wait(&barrier);
	}
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
