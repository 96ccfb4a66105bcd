/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * order.c: a mutex in a structure from malloc. BUG: it is used before it is initialised, and after
 * it was destroyed.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counter {
	pthread_mutex_t mutex;
	long value;
};

static void add(struct counter *c)
{
	pthread_mutex_lock(&c->mutex);
	c->value++;
	pthread_mutex_unlock(&c->mutex);
}

int main(void)
{
	struct counter *c = malloc(sizeof *c);

	if (!c)
		return 1;
	memset(c, 0, sizeof *c);
#ifdef BUG
	add(c);
#endif
	pthread_mutex_init(&c->mutex, NULL);
	add(c);
	pthread_mutex_destroy(&c->mutex);
#ifdef BUG
	pthread_mutex_init(&c->mutex, NULL);
	pthread_mutex_init(&c->mutex, NULL);
#endif
	puts("done");
	free(c);
	return 0;
}
