/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Blocks in use at the exit. With BUG some are lost: a list of four, twice the same one by the same
 * calls, a ring of two, one that only the stack of a thread that has ended leads to. One is
 * possibly lost. Without BUG each is reachable: from a variable, another block, thread-local
 * memory, memory of mmap(), the stack of main(), and the stack of a thread that waits.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct node {
	struct node *next;
	char text[24];
};

static struct node *kept;
static char *inner;
static __thread struct node *own;
static struct node **mapped;
static int pipes[2];

static struct node *push(struct node *next)
{
	struct node *n = calloc(1, sizeof *n);

	n->next = next;
	return n;
}

static struct node *list(int n)
{
	struct node *all = NULL;

	while (n-- > 0)
		all = push(all);
	return all;
}

static struct node *ring(void)
{
	struct node *a = push(NULL);

	a->next = push(a);
	return a;
}

static void *ends(void *block)
{
	volatile void *here = block;

	(void)here;
	return NULL;
}

static void *waits(void *unused)
{
	struct node *volatile here = push(NULL);
	char c;

	(void)unused;
	if (read(pipes[0], &c, 1) == 1)
		here = NULL;
	return here;
}

static void run_thread(void)
{
	pthread_t t;

	pthread_create(&t, NULL, ends, malloc(100));
	pthread_join(t, NULL);
}

static void lose(void)
{
	char *text;

	list(4);
	for (int i = 0; i < 2; i++)
		strdup("the same");
	ring();
	run_thread();
	text = malloc(50);
	inner = text + 8;
}

static void clear_stack(void)
{
	volatile char zeros[4096];

	memset((void *)zeros, 0, sizeof zeros);
}

int main(void)
{
	pthread_t t;
	struct node *volatile here;

	kept = list(3);
	own = list(2);
	mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mapped[10] = ring();
	here = push(NULL);
	if (pipe(pipes) == 0)
		pthread_create(&t, NULL, waits, NULL);
	usleep(20000);
#ifdef BUG
	lose();
	clear_stack();
#endif
	exit(here == NULL);
}
