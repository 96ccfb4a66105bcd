/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Freed memory that is used, and calls of free() that are wrong. */
#include "cases.h"

#include <fcntl.h>
#include <unistd.h>

static void used_load(int bad)
{
	volatile int *p = malloc(40);

	p[2] = 1;
	if (bad)
		free((void *)p);
	sink = p[2];
	if (!bad)
		free((void *)p);
}

static void used_store(int bad)
{
	volatile long *p = malloc(4000);

	if (bad)
		free((void *)p);
	p[100] = 1;
	if (!bad)
		free((void *)p);
}

static void used_list(int bad)
{
	struct node {
		struct node *next;
	} *volatile list = NULL, *volatile next;

	for (int i = 0; i < 5; i++) {
		struct node *n = malloc(sizeof *n);

		n->next = list;
		list = n;
	}
	for (; list; list = next) {
		next = list->next;
		free(list);
		if (bad)
			next = list->next;
	}
}

static void used_moved(int bad)
{
	volatile char *p = malloc(30), *q;

	p[0] = 1;
	q = realloc((void *)p, 30000);
	sink = (bad ? p : q)[0];
	free((void *)q);
}

static void used_string(int bad)
{
	char *p = strdup("some text");

	if (bad)
		free(p);
	sink = (long)strlen(p);
	if (!bad)
		free(p);
}

static void used_call(int bad)
{
	char *p = strdup("some text");
	int fd = open("/dev/null", O_WRONLY);

	if (bad)
		free(p);
	sink = write(fd, p, 9);
	if (!bad)
		free(p);
}

static void twice(int bad)
{
	void *volatile p = malloc(10), *volatile q = malloc(10);

	free(p);
	free(bad ? p : q);
}

static void twice_late(int bad)
{
	void *volatile p[20];

	for (int i = 0; i < 20; i++)
		p[i] = malloc((size_t)i * 10);
	for (int i = 0; i < 20; i++)
		free(p[i]);
	if (bad)
		free(p[3]);
}

static void free_inside(int bad)
{
	char *volatile p = malloc(100);

	free(p + (bad ? 16 : 0));
}

static void free_variable(int bad)
{
	static char variable[100];
	void *volatile p = bad ? variable : malloc(100);

	free(p);
}

static void free_stack(int bad)
{
	char local[100] = "";
	void *volatile p = bad ? local : malloc(100);

	free(p);
}

int main(int argc, char **argv)
{
	static const struct one_case cases[] = {
		{ "used-load", used_load }, { "used-store", used_store },
		{ "used-list", used_list }, { "used-moved", used_moved },
		{ "used-string", used_string }, { "used-call", used_call },
		{ "twice", twice }, { "twice-late", twice_late },
		{ "free-inside", free_inside }, { "free-variable", free_variable },
		{ "free-stack", free_stack }, { NULL, NULL }
	};

	return run_case(cases, argc, argv);
}
