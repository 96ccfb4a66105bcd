/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Races of two threads, and blocks that are lost. */
#include "cases.h"

#include <pthread.h>

static int wrong;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counter;
static struct item {
	long value, ready;
} *item;

static void both(void *(*f)(void *))
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, f, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

static void *count(void *unused)
{
	for (int i = 0; i < 1000; i++) {
		if (!wrong)
			pthread_mutex_lock(&mutex);
		counter++;
		if (!wrong)
			pthread_mutex_unlock(&mutex);
	}
	return unused;
}

static void race_counter(int bad)
{
	wrong = bad;
	both(count);
}

static void *read_item(void *unused)
{
	pthread_mutex_lock(&mutex);
	sink = item->value;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void race_read(int bad)
{
	pthread_t t;

	item = calloc(1, sizeof *item);
	pthread_create(&t, NULL, read_item, NULL);
	if (!bad)
		pthread_mutex_lock(&mutex);
	item->value = 1;
	if (!bad)
		pthread_mutex_unlock(&mutex);
	pthread_join(t, NULL);
	free(item);
}

static void race_join(int bad)
{
	pthread_t t;

	item = calloc(1, sizeof *item);
	pthread_create(&t, NULL, read_item, NULL);
	if (!bad)
		pthread_join(t, NULL);
	item->value = 2;
	if (bad)
		pthread_join(t, NULL);
	free(item);
}

static void lost(int bad)
{
	char *p = malloc(33);

	p[0] = 1;
	if (!bad)
		free(p);
}

static void lost_list(int bad)
{
	struct node {
		struct node *next;
	} *list = NULL, *next;

	for (int i = 0; i < 5; i++) {
		next = malloc(sizeof *next);
		next->next = list;
		list = next;
	}
	for (; !bad && list; list = next) {
		next = list->next;
		free(list);
	}
}

static void lost_string(int bad)
{
	static char *name;

	name = strdup("first");
	if (!bad)
		free(name);
	name = strdup("second");
}

int main(int argc, char **argv)
{
	static const struct one_case cases[] = {
		{ "race-counter", race_counter }, { "race-read", race_read },
		{ "race-join", race_join }, { "lost", lost },
		{ "lost-list", lost_list }, { "lost-string", lost_string },
		{ NULL, NULL }
	};
	int code = run_case(cases, argc, argv);
	volatile char zeros[4096];

	memset((void *)zeros, 0, sizeof zeros);
	return code;
}
