/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* A program that uses its stacks in many right ways: nothing may be said of it. */
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

struct large {
	long a[12];
};
struct small {
	int x, y;
};
struct odd {
	int x, y, z;
};
static volatile long sink;

static void set(char *p, size_t n, int c)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (char)c;
}

static long sum(const long *p, size_t n)
{
	long s = 0;

	for (size_t i = 0; i < n; i++)
		s += p[i];
	return s;
}

static long sum_list(int n, va_list list)
{
	long s = 0;

	for (int i = 0; i < n; i++)
		s += va_arg(list, long);
	return s;
}

static long sum_of(int n, ...)
{
	va_list list;
	long s;

	va_start(list, n);
	s = sum_list(n, list);
	va_end(list);
	return s;
}

static long many(long a, long b, long c, long d, long e, long f, long g, struct large l, long h)
{
	long *p = &g, *q = &h;

	set((char *)&l.a[3], sizeof(long), 1);
	*p += 1;
	*q += 1;
	return a + b + c + d + e + f + g + h + sum(l.a, 12);
}

static struct large made(int n)
{
	struct large l = { { n } };

	return l;
}

static void arrays(int n)
{
	char variable[n], text[40], *taken = alloca((size_t)n * 2);
	char *end = text + sizeof text;

	set(variable, (size_t)n, 1);
	set(taken, (size_t)n * 2, 2);
	for (char *p = text; p < end; p++)
		*p = 3;
	for (char *p = end; p > text;)
		*--p = 4;
	for (int i = 0; i < 4; i++) {
		char inner[100];

		set(inner, sizeof inner, i);
		sink += inner[i];
	}
	{
		struct large *l = &(struct large){ { 1, 2 } };

		sink += sum(l->a, 12);
	}
	{
		long other[20] = { 0 };

		sink += sum(other, 20);
	}
	sink += sum((long[]){ 1, 2, 3 }, 3) + made(n).a[0] + sum(made(n).a, 12);
	snprintf(text, sizeof text, "%d %s %ld", n, "and", sink);
	sink += (long)strlen(text) + variable[n - 1] + taken[2 * n - 1];
}

static void pieces(void)
{
	struct small s[6] = { { 0 } }, *p = s;
	_Alignas(64) char wide[64];
	int table[3][4] = { { 0 } };
	volatile int i = 5;

	for (; p < &s[6]; p++)
		p->y = (int)(p - s);
	s[i - 5].x = s[i].y;
	table[i - 3][i - 2] = 1;
	set(wide, sizeof wide, i);
	memmove(s, s + 1, 5 * sizeof *s);
	memcpy(&table[1], &table[0], sizeof table[0]);
	memset((char *)s + offsetof(struct small, y), 0, sizeof s - sizeof(int));
	sink += ((int *)table)[11] + wide[63];
}

/* gcc adds the frame pointer to a distance here. */
static void odd_places(int n)
{
	struct odd o[7];
	char other[9], *p = other;

	*p = 1;
	for (int i = 0; i < n; i++)
		o[i].z = i;
	sink += o[n - 1].z + *p;
}

static int nested(int n)
{
	int total = 0, other = 3;
	void add(int k) { total += k * other; }
	void (*volatile call)(int) = add;

	for (int i = 0; i < n; i++)
		call(i);
	return total;
}

static void release(int *p)
{
	sink += *p;
}

static void scopes(int n)
{
	int *kept = NULL, own = 7;

	for (int i = 0; i < n; i++) {
		int each __attribute__((cleanup(release))) = i, *p = &each;

		*p += 1;
		if (i == 2)
			continue;
		kept = &own;
	}
	sink += *kept + ({ int last = 3, *p = &last; *p; });
}

static jmp_buf back;

static void jumps(int depth)
{
	char room[300];

	set(room, sizeof room, depth);
	if (depth == 0)
		longjmp(back, 1);
	jumps(depth - 1);
}

static int *seen;

static void on_signal(int n)
{
	char room[200];

	set(room, sizeof room, n);
	*seen += room[0] != 0;
}

static ucontext_t here, there;
static long *lower;

static void on_context(void)
{
	char room[500];

	for (int i = 0; i < 3; i++) {
		set(room, sizeof room, i);
		*lower += 1;
		swapcontext(&there, &here);
	}
}

/* The stack of the context is an array of this frame, with variables on both sides. */
static void contexts(void)
{
	long below = 0;
	char stack[64 << 10];
	long above = 0;

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof stack;
	there.uc_link = &here;
	makecontext(&there, on_context, 0);
	lower = &below;
	swapcontext(&here, &there);
	lower = &above;
	swapcontext(&here, &there);
	sink += below + above;
}

static int compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return *x - *y;
}

static void *thread(void *with)
{
	long *shared = with;
	char room[1000];

	set(room, sizeof room, 1);
	__sync_fetch_and_add(shared, sum((long *)(void *)room, 125) != 0);
	arrays(9);
	return NULL;
}

static void threads(void)
{
	pthread_t t[3];
	long shared = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, thread, &shared);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	sink += shared;
}

int main(int argc, char **argv)
{
	int list[50], signals = 0;
	long fixed[4] = { 1, 2, 3, 4 };
	struct sigaction a = { .sa_handler = on_signal };

	for (int i = 0; i < 50; i++)
		list[i] = i * 37 % 50;
	qsort(list, 50, sizeof *list, compare);
	seen = &signals;
	sigaction(SIGUSR1, &a, NULL);
	raise(SIGUSR1);
	for (int i = 1; i < 20; i++)
		arrays(i);
	pieces();
	odd_places(7);
	scopes(4);
	sink += nested(5) + sum(fixed, 4) + sum_of(9, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
	sink += many(1, 2, 3, 4, 5, 6, 7, made(3), 8);
	if (setjmp(back) == 0)
		jumps(20);
	contexts();
	threads();
	printf("%d %d %s\n", list[49], signals, argc > 1 ? argv[1] : "-");
	return 0;
}
