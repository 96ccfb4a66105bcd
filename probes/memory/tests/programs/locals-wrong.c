/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* `PROGRAM WHAT` makes a wrong access to a stack, which WHAT names. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sink;

static __attribute__((noinline)) long *left(void)
{
	long room[40] = { 1 }, *volatile p = room;

	return p;
}

static void *in_thread(void *unused)
{
	sink = *left();
	return unused;
}

/* Each word keeps its value, so the return address does, too. */
static __attribute__((noinline)) void over(volatile long *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = p[i];
}

static __attribute__((noinline)) void around(int n)
{
	volatile long own[2] = { 0 };

	over(own, n);
	sink = own[0];
}

static __attribute__((noinline)) void beyond(void)
{
	int list[3] = { 1, 2, 3 }, *p = list;

	sink = p[3];
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc < 2)
		return 2;
	if (strcmp(argv[1], "thread") == 0) {
		pthread_create(&t, NULL, in_thread, NULL);
		pthread_join(t, NULL);
	} else if (strcmp(argv[1], "return") == 0) {
		around(16);
	} else if (strcmp(argv[1], "beyond") == 0) {
		beyond();
	} else if (strcmp(argv[1], "child") == 0) {
		if (fork() == 0) {
			execl("/proc/self/exe", argv[0], "beyond", (char *)NULL);
			_exit(1);
		}
		wait(NULL);
	}
	return 0;
}
