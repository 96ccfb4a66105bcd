/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* grounds CASE MEMORY: runs on a stack in memory of malloc (heap), mmap (map) or bss (bss). */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { BYTES = 256 << 10, THREADS = 8, PART = 64 << 10 };

static _Alignas(4096) char in_bss[BYTES];
static volatile long total;
static ucontext_t outer, inner;

static long work(int n)
{
	volatile char room[200];
	char text[64];

	memset((void *)room, n, sizeof room);
	if (n > 0)
		return work(n - 1) + room[7];
	return snprintf(text, sizeof text, "depth %d, %.3f", n, 1.5);
}

/* Parent and child must each have the stack for themselves. */
static void fork_here(void)
{
	volatile char room[5000];
	int status;
	pid_t child;

	room[0] = 3;
	room[sizeof room - 1] = 4;
	child = fork();
	if (child == 0) {
		room[0] = 5;
		_exit(work(30) & 63);
	}
	waitpid(child, &status, 0);
	printf("child %d, here %d %d\n", status, room[0], room[sizeof room - 1]);
}

static void *simple_thread(void *p)
{
	long *q = malloc(80);

	q[1] = 3;
	total += work(20) + q[1];
	free(q);
	return p;
}

static void *forking_thread(void *p)
{
	fork_here();
	return p;
}

static void *busy_thread(void *p)
{
	long sum = 0;

	for (int i = 0; i < 500; i++) {
		volatile char *q = malloc(50 + i % 8 * 100);

		q[3] = (char)i;
		sum += q[3];
		free((void *)q);
		if (i % 100 == 0)
			sum += work(60) & 1;
	}
	*(long *)p = sum;
	return p;
}

static void run_thread(void *(*routine)(void *), char *stack, size_t bytes)
{
	pthread_attr_t a;
	pthread_t t;
	void *result;
	long sum;

	pthread_attr_init(&a);
	pthread_attr_setstack(&a, stack, bytes);
	if (pthread_create(&t, &a, routine, &sum) != 0 || pthread_join(t, &result) != 0)
		printf("no thread\n");
	printf("thread %d\n", result == &sum);
}

static void many_threads(char *stack)
{
	char *all = malloc(THREADS * PART + 4096);
	char *first = (char *)(((size_t)all + 4095) & -(size_t)4096);
	pthread_t t[THREADS];
	long sum[THREADS];
	pthread_attr_t a;

	pthread_attr_init(&a);
	for (int i = 0; i < THREADS; i++) {
		pthread_attr_setstack(&a, first + i * PART, PART);
		pthread_create(&t[i], &a, busy_thread, &sum[i]);
	}
	run_thread(busy_thread, stack, BYTES);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(t[i], NULL);
		total += sum[i];
	}
	free(all);
}

/* What was a stack is used again, and calloc() makes it zero. */
static void reuse(void)
{
	long sum = 0;

	for (int i = 0; i < 12; i++) {
		char *own = calloc(3, 1 << 20);

		for (long k = 0; k < 3 << 20; k += 512)
			sum += own[k + 511];
		memset(own + 5000, 1, 100000);
		run_thread(simple_thread, own, BYTES);
		free(own);
	}
	printf("sum %ld\n", sum);
}

static void turns(int forks)
{
	for (int i = 0; i < 4; i++) {
		total += work(10);
		if (forks)
			fork_here();
		swapcontext(&inner, &outer);
	}
}

static void many_turns(int n)
{
	for (int i = 0; i < n; i++) {
		total += work(100);
		if (i % 50 == 0)
			swapcontext(&inner, &outer);
	}
}

static void run_context(void (*routine)(int), int argument, int n, char *stack)
{
	getcontext(&inner);
	inner.uc_stack.ss_sp = stack;
	inner.uc_stack.ss_size = BYTES;
	inner.uc_link = &outer;
	makecontext(&inner, (void (*)(void))routine, 1, argument);
	for (int i = 0; i < n; i++)
		swapcontext(&outer, &inner);
	printf("turns %d\n", n);
}

static void *wait_there(void *semaphore)
{
	sem_wait(semaphore);
	return NULL;
}

/* A thread waits at memory that becomes a stack's meanwhile. */
static void waiter(char *stack)
{
	sem_t *semaphore = (sem_t *)stack;
	pthread_t t;

	sem_init(semaphore, 0, 0);
	pthread_create(&t, NULL, wait_there, semaphore);
	usleep(200000);
	run_context(turns, 0, 4, stack);
	sem_post(semaphore);
	pthread_join(t, NULL);
	printf("woken\n");
}

static void on_alarm(int signal)
{
	volatile char room[100];

	room[5] = (char)signal;
}

static void alarms(char *stack)
{
	struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction a = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	run_context(many_turns, 1000, 21, stack);
	setitimer(ITIMER_REAL, &never, NULL);
}

static void on_signal(int signal)
{
	total += work(signal);
}

static void on_overflow(int signal)
{
	(void)signal;
	if (write(1, "overflow\n", 9) == 9)
		_exit(0);
}

static int deep(volatile int n)
{
	volatile char room[4096];

	room[0] = (char)n;
	return deep(n + 1) + room[0];
}

static void handle(int signal, void (*handler)(int), char *stack)
{
	stack_t s = { .ss_sp = stack, .ss_size = BYTES };
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	sigaltstack(&s, NULL);
	sigaction(signal, &a, NULL);
}

/* Most of the alternate stack. */
static void on_large(int signal)
{
	volatile char room[200 << 10];

	for (size_t i = 0; i < sizeof room; i += 1024)
		room[i] = (char)signal;
	total += room[0];
}

static int cloned(void *p)
{
	return (int)work(*(int *)p) & 63;
}

static void run_clone(char *stack)
{
	int n = 5, status = 0;
	pid_t child = clone(cloned, stack + BYTES, SIGCHLD, &n);

	waitpid(child, &status, 0);
	printf("clone %d\n", status);
}

int main(int argc, char **argv)
{
	const char *what = argv[1];
	char *stack = strcmp(argv[2], "heap") == 0 ? malloc(BYTES)
		      : strcmp(argv[2], "bss") == 0 ? in_bss
						    : mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
							   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)argc;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (strcmp(what, "thread") == 0)
		for (int i = 0; i < 3; i++)
			run_thread(simple_thread, stack, BYTES);
	else if (strcmp(what, "threads") == 0)
		many_threads(stack);
	else if (strcmp(what, "thread-fork") == 0)
		run_thread(forking_thread, stack, BYTES);
	else if (strcmp(what, "reuse") == 0)
		reuse();
	else if (strcmp(what, "context") == 0)
		run_context(turns, 0, 4, stack);
	else if (strcmp(what, "context-fork") == 0)
		run_context(turns, 1, 4, stack);
	else if (strcmp(what, "context-alarm") == 0)
		alarms(stack);
	else if (strcmp(what, "waiter") == 0)
		waiter(stack);
	else if (strcmp(what, "clone") == 0)
		run_clone(stack);
	else if (strcmp(what, "signal") == 0) {
		handle(SIGUSR1, on_signal, stack);
		for (int i = 0; i < 3; i++)
			raise(SIGUSR1);
	} else if (strcmp(what, "large-signal") == 0) {
		handle(SIGUSR1, on_large, stack);
		for (int i = 0; i < 3; i++)
			raise(SIGUSR1);
	} else if (strcmp(what, "overflow") == 0) {
		handle(SIGSEGV, on_overflow, stack);
		deep(0);
	}
	printf("total %ld\n", total);
	return 0;
}
