/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Threads that live after each other use blocks that were freed; neighbours share a word. */
#include <pthread.h>
#include <stdlib.h>
static volatile char near[8];
static void *use(void *arg)
{
	char *own = arg;
	for (int i = 0; i < 50; i++) {
		volatile long *p = malloc(48);
		for (int k = 0; k < 6; k++)
			p[k] = i;
		free((void *)p);
		++*(volatile char *)own;
	}
	return NULL;
}
int main(void)
{
	pthread_t t[4];
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, use, (void *)&near[i]);
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], NULL);
	}
	return near[0] != 100;
}
