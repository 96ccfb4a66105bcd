/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Code that may be written calls a function whose return has no place for a jump, and to which only
 * jumps lead. With an argument signals come meanwhile. As the processor cannot foresee whether the
 * conditional jump is taken, many of them come right after it.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

enum { PAGE = 4096, ROUNDS = 20000, RUNS = 10, MORE_RUNS = 500 };

/* rax += 1; if bit 28 is set then, rsi += 1 */
static const uint8_t function[] = {
	0x48, 0xff, 0xc0,           /* 0: inc rax */
	0xa9, 0, 0, 0, 0x10,        /* 3: test eax, 1 << 28 */
	0x74, 0x0c,                 /* 8: jz 22 */
	0x48, 0xff, 0xc6,           /* 10: inc rsi */
	0xeb, 0x07,                 /* 13: jmp 22 */
	0, 0, 0xe0, 0, 0, 0, 0,     /* what is no code */
	0xc3, 0, 8, 0, 0,           /* 22: ret; what leads its jump to this page */
};
/*
 * Multiplies rax, adds p[0] and calls the function, so many times, and stores each rax in p[1].
 * Returns rax + rsi.
 */
static const uint8_t loop[] = {
	0x53, 0x48, 0x89, 0xd3,   /* 0: push rbx; mov rbx, rdx */
	0x31, 0xc0,               /* 4: xor eax, eax */
	0x48, 0x69, 0xc0, 0x6d, 0x4e, 0xc6, 0x41, /* 6: imul rax, rax, 0x41c64e6d */
	0x48, 0x03, 0x07,         /* 13: add rax, [rdi] */
	0xe8, 0xeb, 0x0f, 0, 0,   /* 16: call the next page */
	0x48, 0x89, 0x47, 0x08,   /* 21: mov [rdi+8], rax */
	0x48, 0x83, 0xeb, 0x01,   /* 25: sub rbx, 1 */
	0x75, 0xe7,               /* 29: jnz 6 */
	0x48, 0x01, 0xf0,         /* 31: add rax, rsi */
	0x5b, 0xc3,               /* 34: pop rbx; ret */
};

static void on_alarm(int signal)
{
	(void)signal;
}

int main(int argc, char **argv)
{
	const struct sigaction a = { .sa_handler = on_alarm };
	const struct itimerval soon = { { 0, argc > 1 ? 100 : 0 }, { 0, argc > 1 ? 100 : 0 } };
	volatile long *p = calloc(2, sizeof *p);
	long sum = 0;
	(void)argv;
	uint8_t *code = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code, loop, sizeof loop);
	memcpy(code + PAGE, function, sizeof function);
	mprotect(code + PAGE, PAGE, PROT_READ | PROT_EXEC);
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	for (int i = 0; i < (argc > 1 ? MORE_RUNS : RUNS); i++) {
		p[0] = i;
		sum ^= ((long (*)(volatile long *, long, long))(void *)code)(p, 0, ROUNDS) + i;
	}
	printf("%lx, %lx\n", sum, p[1]);
	return 0;
}
