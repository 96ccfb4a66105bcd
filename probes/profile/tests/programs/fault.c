/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fault.c: instructions that fault. The handler of the signal has them executed again. Prints how
 * often the handler ran.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 50 };

static char *page;
static volatile sig_atomic_t faults;

static void handler(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	faults++;
	mprotect((void *)((unsigned long)info->si_addr & -PAGE), PAGE, PROT_READ | PROT_WRITE);
}

/* The store is in the middle of a block. The load ends a block, because a jump follows. */
void touch(char *at);
__asm__(".globl touch, touch_store, touch_load\n"
	".type touch, @function\n"
	"touch:\n"
	"	li a1, 1\n"
	"touch_store:\n"
	"	sb a1, 0(a0)\n"
	"	li a1, 4096\n"
	"	add a0, a0, a1\n"
	"touch_load:\n"
	"	lb a1, 0(a0)\n"
	"	ret\n");

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &action, NULL);
	page = mmap(NULL, 2 * PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < PAGES; i++)
		touch(page + 2 * i * PAGE);
	printf("%d\n", faults);
	return 0;
}
