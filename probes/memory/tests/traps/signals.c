/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The program's own handlers of SIGSEGV and SIGTRAP, alternate stacks in the heap, masks,
 * siglongjmp out of a handler, interrupted system calls, and death by SIGSEGV at the end.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { PAGE = 4096 };

static sigjmp_buf back;
static char *page;
static volatile int count, alarms;
static volatile uintptr_t place = 16;
static void *volatile address;

static void jump(int signal, siginfo_t *info, void *context)
{
	(void)context;
	count++;
	address = info->si_addr;
	siglongjmp(back, signal);
}

static void repair(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	count++;
	address = info->si_addr;
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

static void plain(int signal)
{
	(void)signal;
	alarms++;
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction a = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags };
	sigaction(signal, &a, NULL);
}

int main(void)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 }, old;
	setvbuf(stdout, NULL, _IONBF, 0);
	sigaltstack(&stack, NULL);
	sigaltstack(NULL, &old);
	printf("stack: %d %zu\n", old.ss_sp == stack.ss_sp, old.ss_size);
	handle(SIGSEGV, jump, SA_ONSTACK);
	for (int i = 0; i < 3; i++)
		if (!sigsetjmp(back, 1))
			*(volatile char *)(place + i) = 1;
		else
			printf("jumped: %d, %p\n", count, address);
	page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	handle(SIGSEGV, repair, 0);
	page[7] = 'x';
	printf("repaired: %c %d %d\n", page[7], count, (int)((char *)address - page));
	mprotect(page, PAGE, PROT_READ);
	page[8] = 'y';
	printf("again: %c %d %d\n", page[8], count, (int)((char *)address - page));
	handle(SIGTRAP, jump, 0);
	if (!sigsetjmp(back, 1))
		__asm__ volatile("int3");
	else
		printf("trapped: %d\n", count);
	sigset_t all, was;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &was);
	char *heap = calloc(1, 100);
	strcpy(heap, "blocked, and still watched");
	sigprocmask(SIG_SETMASK, NULL, &all);
	printf("%s: %d\n", heap, sigismember(&all, SIGSEGV));
	sigprocmask(SIG_SETMASK, &was, NULL);
	struct sigaction alarm = { .sa_handler = plain };
	sigaction(SIGALRM, &alarm, NULL);
	struct itimerval soon = { .it_value.tv_usec = 20000 };
	int pipes[2];
	if (pipe(pipes) != 0)
		return 1;
	setitimer(ITIMER_REAL, &soon, NULL);
	ssize_t n = read(pipes[0], heap, 10);
	printf("interrupted: %zd %d %d\n", n, errno == EINTR, alarms);
	signal(SIGSEGV, SIG_DFL);
	*(volatile char *)place = 1;
	return 0;
}
