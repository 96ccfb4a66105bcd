/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * interrupted: counts with an atomic instruction and with a plain one, while the handler of a timer
 * does the same with other variables. Prints how often the handler ran.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>

enum { TIMES = 100000 };

uint64_t atomic_count, plain_count, atomic_ticks, plain_ticks;

static void on_tick(int signal)
{
	(void)signal;
	__asm__ volatile("lock incq %0" : "+m"(atomic_ticks) : : "cc");
	__asm__ volatile("incq %0" : "+m"(plain_ticks) : : "cc");
}

int main(void)
{
	const struct itimerval some = { { 0, 20 }, { 0, 20 } }, none = { { 0, 0 }, { 0, 0 } };
	signal(SIGALRM, on_tick);
	setitimer(ITIMER_REAL, &some, NULL);
	for (int i = 0; i < TIMES; i++) {
		__asm__ volatile("lock incq %0" : "+m"(atomic_count) : : "cc");
		__asm__ volatile("incq %0" : "+m"(plain_count) : : "cc");
	}
	setitimer(ITIMER_REAL, &none, NULL);
	printf("%d %d %ld\n", atomic_count == TIMES, plain_count == TIMES, (long)atomic_ticks);
	return plain_ticks != atomic_ticks;
}
