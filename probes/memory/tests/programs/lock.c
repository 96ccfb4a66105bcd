/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * lock.c: two threads put money into an account. BUG: while they run, the owner reads the balance
 * without the account's mutex.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 100 };

struct account {
	pthread_mutex_t mutex;
	long balance;
};

static void *deposit(void *context)
{
	struct account *a = context;

	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&a->mutex);
		a->balance++;
		pthread_mutex_unlock(&a->mutex);
	}
	return NULL;
}

static long balance(struct account *a)
{
	long balance;

#ifdef BUG
	balance = *(volatile long *)&a->balance;
#else
	pthread_mutex_lock(&a->mutex);
	balance = a->balance;
	pthread_mutex_unlock(&a->mutex);
#endif
	return balance;
}

int main(void)
{
	struct account *a = malloc(sizeof *a);
	pthread_t threads[2];

	if (!a || pthread_mutex_init(&a->mutex, NULL) != 0)
		return 1;
	a->balance = 0;
	deposit(a);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, deposit, a) != 0)
			return 1;
	if (balance(a) < TIMES)
		puts("too little");
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	pthread_mutex_lock(&a->mutex);
	printf("%ld\n", a->balance);
	pthread_mutex_unlock(&a->mutex);
	pthread_mutex_destroy(&a->mutex);
	free(a);
	return 0;
}
