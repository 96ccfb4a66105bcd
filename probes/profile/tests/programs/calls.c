/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * calls.c: calls and returns of all kinds: recursion, calls through pointers and from libraries,
 * tail calls, signals, jumps out of functions and out of handlers of signals, coroutines, threads.
 * It prints its mappings ("map ..."). If compiled with -finstrument-functions, it also prints how
 * often each function was called. Its argument is how often to do all that; the default is 1.
 */
#include "calls.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { DEPTH = 5000, THREADS = 3, STACK = 65536 };

static volatile long sink;
static jmp_buf out;
static sigjmp_buf out_of_handler;
static ucontext_t main_context, coroutine;
static char coroutine_stack[STACK];

static NOINLINE int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static NOINLINE int down(int n)
{
	return n == 0 ? 0 : down(n - 1) + 1;
}

static NOINLINE int odd(int n);

static NOINLINE int even(int n)
{
	return n == 0 ? 1 : odd(n - 1);
}

static NOINLINE int odd(int n)
{
	return n == 0 ? 0 : even(n - 1);
}

static NOINLINE long visit(int n)
{
	return n ^ 5;
}

static NOINLINE int before(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static NOINLINE void sorts(void)
{
	int numbers[100];

	for (int i = 0; i < 100; i++)
		numbers[i] = i * 7919 % 101;
	qsort(numbers, 100, sizeof(numbers[0]), before);
	sink = numbers[3];
}

static NOINLINE void jumper(int n)
{
	if (n == 0)
		longjmp(out, 1);
	if (n < 100)
		jumper(n - 1);
	sink = n;
}

static NOINLINE void jumps(void)
{
	for (volatile int i = 0; i < 20; i++)
		if (setjmp(out) == 0)
			jumper(10);
}

static NOINLINE void handler(int number)
{
	sink = number;
	if (number == SIGUSR2)
		siglongjmp(out_of_handler, 1);
}

static NOINLINE void signals(void)
{
	signal(SIGUSR1, handler);
	signal(SIGUSR2, handler);
	for (volatile int i = 0; i < 20; i++) {
		raise(SIGUSR1);
		if (sigsetjmp(out_of_handler, 1) == 0)
			raise(SIGUSR2);
	}
}

static NOINLINE void step(int n)
{
	sink = n;
	swapcontext(&coroutine, &main_context);
}

static NOINLINE void steps(void)
{
	for (int i = 0; i < 50; i++)
		step(i);
}

static NOINLINE void coroutines(void)
{
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = coroutine_stack;
	coroutine.uc_stack.ss_size = STACK;
	coroutine.uc_link = &main_context;
	makecontext(&coroutine, steps, 0);
	for (int i = 0; i < 51; i++)
		swapcontext(&main_context, &coroutine);
}

static NOINLINE void *thread(void *number)
{
	sink = fib((int)(long)number);
	return NULL;
}

static NOINLINE void threads(void)
{
	pthread_t all[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&all[i], NULL, thread, (void *)(i + 12));
	for (int i = 0; i < THREADS; i++)
		pthread_join(all[i], NULL);
}

static void print_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, " r-xp ") && strchr(line, '/'))
			printf("map %s", line);
	if (maps)
		fclose(maps);
}

int main(int argc, char **argv)
{
	for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
		sink = fib(16);
		sink = down(DEPTH);
		sink = even(1001);
		sink = library_each(300, visit) + library_outer(3);
		sorts();
		jumps();
		signals();
		coroutines();
		threads();
	}
	print_counts();
	print_mappings();
	return 0;
}
