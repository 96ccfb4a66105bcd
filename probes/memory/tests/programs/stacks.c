/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Bugs of the heap below several callers. The compiler must not inline, and must not jump to a callee. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	long n[4];
};

static struct node *make(void)
{
	struct node *p = malloc(sizeof *p);

	p->n[0] = 1;
	return p;
}

static struct node *prepare(void)
{
	return make();
}

static void drop(struct node *p)
{
	free(p);
}

static void finish(struct node *p)
{
	drop(p);
}

static long look(const struct node *p)
{
	return p->n[0];
}

static long unset(const struct node *p)
{
	return p->n[2];
}

/* A large frame, and one that is aligned: rsp is not at a known distance from the caller's. */
static long ask(const struct node *p, int n)
{
	_Alignas(64) char room[64 * n];

	memset(room, n, sizeof room);
	return look(p) + room[n];
}

static void overrun(char *s)
{
	s[10] = 1;
}

static int compare(const void *a, const void *b)
{
	overrun(*(char *const *)a);
	return *(char *const *)a < *(char *const *)b;
}

int main(void)
{
	struct node *p = prepare(), *q = prepare();
	char *s[2] = { malloc(10), malloc(10) };
	long sum;

	finish(p);
	sum = ask(p, 3);
	sum += unset(q);
	qsort(s, 2, sizeof *s, compare);
	finish(p);
	printf("%d\n", sum != 0);
	return 0;
}
