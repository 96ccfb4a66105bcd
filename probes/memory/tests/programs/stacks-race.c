/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Two threads reach the same unlocked addition on different ways. */
#include <pthread.h>
#include <stdio.h>

static long sum;

static void add(long n)
{
	sum += n;
}

static void add_twice(long n)
{
	add(n);
	add(n);
}

static void *first(void *with)
{
	for (int i = 0; i < 100; i++)
		add(i);
	return with;
}

static void *second(void *with)
{
	for (int i = 0; i < 100; i++)
		add_twice(i);
	return with;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("%d\n", sum > 0);
	return 0;
}
