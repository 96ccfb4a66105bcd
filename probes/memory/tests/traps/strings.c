/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * String instructions that signals interrupt. The handler executes the same instructions. Registers
 * and flags must not change, and all bytes must be copied.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

enum { WORDS = 64, ROUNDS = 500 };

static uint64_t source[WORDS], target[WORDS], in_handler[WORDS];
static volatile int wrong, alarms;

/* Copies words, compares them and adds them up. Each instruction is in one place. */
static __attribute__((noinline)) uint64_t copy(uint64_t *to, const uint64_t *from, int n)
{
	uint64_t sum = 0;
	for (int i = 0; i < n; i++) {
		const uint64_t *f = from + i, *same = from + i;
		uint64_t *t = to + i, a = 0, carry, equal;
		__asm__ volatile("stc\n\tmovsq\n\tsbb %0, %0"
				 : "=&r"(carry), "+S"(f), "+D"(t)
				 :
				 : "memory", "cc");
		wrong += carry != ~UINT64_C(0) || f != from + i + 1 || t != to + i + 1;
		t--;
		__asm__ volatile("xor %k0, %k0\n\tcmpsq\n\tsete %b0"
				 : "=&r"(equal), "+S"(same), "+D"(t)
				 :
				 : "memory", "cc");
		wrong += equal != 1 || same != from + i + 1 || t != to + i + 1;
		same--;
		__asm__ volatile("lodsq" : "+a"(a), "+S"(same) : : "memory");
		wrong += same != from + i + 1;
		sum += a;
	}
	return sum;
}

static void tick(int signal)
{
	(void)signal;
	alarms++;
	wrong += copy(in_handler, source, 4) != 1 + 2 + 3 + 4;
}

int main(void)
{
	struct itimerval every = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction a = { .sa_handler = tick, .sa_flags = SA_RESTART };
	uint64_t sum = 0;
	for (int i = 0; i < WORDS; i++)
		source[i] = (uint64_t)i + 1;
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	/* Go on until at least some signals have come. */
	for (int i = 0; i < ROUNDS || alarms < 50; i++) {
		memset(target, 0, sizeof target);
		sum = copy(target, source, WORDS);
		wrong += memcmp(target, source, sizeof target) != 0;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%d %d\n", (int)sum, wrong);
	return wrong != 0;
}
