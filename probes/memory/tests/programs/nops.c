/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nops.c [wait]: a load of two bytes before a return, as OPENSSL_sk_num has it. In a program that
 * is not PIE no jump to a copy fits there. So the jump lies in one of the nops near it, which are
 * executed, too. Signals come meanwhile, whose handler must see instructions where they are. With
 * `wait` it loads until a nop is changed, and then until they are what they were.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { ROUNDS = 40000000, BYTES = 8 };

int number(const int *p);
long constant(void);
extern const char number_end[], first_nop[], second_nop[];
__asm__(".text\n"
	".fill 128, 1, 0xcc\n" /* no other nop is near */
	".balign 16, 0xcc\n"
	"constant:\n" /* a number that has the bytes of a nop */
	"	movabs $0x841f0f, %rax\n"
	"	ret\n"
	".balign 16, 0xcc\n"
	"number:\n"
	"	test %rdi, %rdi\n"
	"	je 2f\n"
	"	jmp 1f\n"
	"	.byte 0x66\n" /* a prefix of the nop */
	"first_nop:\n"
	"	.byte 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\n"
	"1:	test %rdi, %rdi\n"
	"	.byte 0x0f, 0x1f, 0x44, 0, 0\n"
	"second_nop:\n"
	"	.byte 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\n"
	"	mov (%rdi), %eax\n"
	"	ret\n"
	"2:	mov $0x80808080, %eax\n"
	"	ret\n"
	"number_end:\n");

/* The offsets of the instructions. The last one is that of the second return. */
static const unsigned char starts[] = { 0, 3, 5, 7, 16, 19, 24, 32, 34, 35, 40 };
static volatile sig_atomic_t inside, wrong;

static void on_alarm(int signal, siginfo_t *info, void *with)
{
	const ucontext_t *context = with;
	const size_t at = (size_t)context->uc_mcontext.gregs[REG_RIP] - (size_t)number;
	if (at >= (size_t)(number_end - (const char *)number))
		return;
	inside++;
	if (!memchr(starts, (int)at, sizeof starts))
		wrong++;
}

static int whole(const char *nop)
{
	static const char was[BYTES] = "\x0f\x1f\x84";
	return !memcmp(nop, was, sizeof was);
}

int main(int argc, char **argv)
{
	const struct sigaction action = { .sa_sigaction = on_alarm,
					  .sa_flags = SA_SIGINFO | SA_RESTART };
	const struct itimerval often = { { 0, 500 }, { 0, 500 } };
	int *p = malloc(sizeof *p);
	unsigned sum = 0;
	*p = 3;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	if (argc > 1 && !strcmp(argv[1], "wait")) {
		while (whole(first_nop) && whole(second_nop))
			sum += (unsigned)number(p);
		while (!whole(first_nop) || !whole(second_nop))
			sum += (unsigned)number(p);
		puts("the nops are back");
		return 0;
	}
	for (int i = 0; i < ROUNDS; i++)
		sum += (unsigned)number(i & 1 ? p : NULL);
	printf("%u, %lx, %s, %d wrong\n", sum, constant(),
	       inside ? "seen there" : "not seen there", (int)wrong);
	return 0;
}
