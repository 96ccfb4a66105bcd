/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* A block is freed while another thread may still load from it. */
#include <pthread.h>
#include <stdlib.h>
static void *load(void *arg)
{
	return (void *)*(volatile long *)arg;
}
int main(void)
{
	pthread_t t;
	volatile long *p = malloc(sizeof *p);
	*p = 1;
	pthread_create(&t, NULL, load, (void *)p);
	for (volatile int i = 0; i < 100000; i++)
		;
	free((void *)p);
	pthread_join(t, NULL);
	return 0;
}
