/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gs bad | fork | end: asks for gs with a bad pointer; or sets gs in a child of fork; or sends its
 * parent SIGINT, and sets gs when that has ended. Each time its data must be right afterwards.
 */
#include <asm/prctl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 1000, WAIT = 10000 /* ms */ };

static volatile long *words;

/* The same instructions each time, so that they have copies. */
__attribute__((noinline)) static long sum(void)
{
	long s = 0;
	for (int i = 0; i < WORDS; i++) {
		words[i] += 1;
		s += words[i];
	}
	return s;
}

/* Sets gs. Prints what gs and the sum were before and after. */
static void change(const char *who)
{
	unsigned long gs = 77;
	const long got = syscall(SYS_arch_prctl, ARCH_GET_GS, &gs), before = sum();
	const long set = syscall(SYS_arch_prctl, ARCH_SET_GS, 4096UL);
	printf("%s: %ld gs %lx, %ld, ", who, got, gs, before);
	printf("%ld: %ld, ", set, sum());
	syscall(SYS_arch_prctl, ARCH_GET_GS, &gs);
	printf("gs %lx\n", gs);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "bad";
	words = calloc(WORDS, sizeof *words);
	printf("%ld\n", sum());
	fflush(stdout);
	if (strcmp(how, "bad") == 0) {
		printf("get: %ld\n", (long)syscall(SYS_arch_prctl, ARCH_GET_GS, 8UL));
	} else if (strcmp(how, "fork") == 0) {
		int status = 0;
		if (fork() == 0) {
			change("child");
			return 0;
		}
		wait(&status);
		printf("status %x\n", (unsigned)status);
	} else {
		const pid_t parent = getppid();
		kill(parent, SIGINT);
		for (int i = 0; i < WAIT && getppid() == parent; i++)
			usleep(1000);
		if (getppid() == parent)
			printf("the parent goes on\n");
		change("unwatched");
	}
	printf("%ld\n", sum());
	return 0;
}
