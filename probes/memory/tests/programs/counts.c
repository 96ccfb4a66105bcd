/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * counts ROUNDS THREADS: accesses whose number is known, to the heap, to data, and by pointers that
 * lead now to the heap, now to the stack or to constants. With flags that are needed after an
 * access, and registers that are all in use. The last line is how many loads and stores 200,000
 * rounds more do. It sets gs, too, and finds it as it has set it.
 *
 * Threads meet by a variable on a stack, which is not watched, and are joined when the kernel has
 * forgotten them. A barrier, or a join that waits, has loads in libc whose number is a matter of
 * chance.
 */
#include <asm/prctl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MORE = 200000, LOADS = 11, STORES = 6 };

static long other = 3;
static const long constant[4] = { 1, 2, 3, 4 };
static long rounds;
static volatile sig_atomic_t signals;

/* It accesses nothing, so that it does not matter how often it runs. */
static void on_interruption(int n)
{
	(void)n;
}

static void on_signal(int n)
{
	(void)n;
	signals = signals + 1;
}

/* One load by a pointer. */
static inline long load(const long *p)
{
	long x;
	__asm__ volatile("mov (%1), %0" : "=r"(x) : "r"(p) : "memory");
	return x;
}

static inline void store(long *p, long x)
{
	__asm__ volatile("mov %1, (%0)" : : "r"(p), "r"(x) : "memory");
}

/*
 * The flags of a comparison are needed after loads and stores; and the carry of an addition; and rax
 * and rcx, which copies use. Three loads, two stores.
 */
static inline long with_flags(long *p, long a)
{
	long x = 0, y;
	__asm__ volatile("cmp $5, %3\n\t"
			 "mov (%2), %1\n\t"
			 "mov %1, 8(%2)\n\t"
			 "setl %b0\n\t"
			 "add %3, %3\n\t"
			 "mov 8(%2), %1\n\t"
			 "adc %1, 16(%2)\n\t"
			 : "+&q"(x), "=&r"(y), "+&c"(p), "+&a"(a)
			 :
			 : "memory", "cc");
	return x;
}

static void *work(void *with);

struct worker {
	_Atomic int *ready; /* how many threads are there */
	int threads;
	long *block, tid;
};

static long system_call(long number, long a, long b, long c)
{
	long result;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

/* Threads work at the same time, so that counters they shared would be wrong. */
static void *work_together(void *with)
{
	struct worker *w = with;
	w->tid = system_call(SYS_gettid, 0, 0, 0);
	++*w->ready;
	while (*w->ready < w->threads)
		system_call(SYS_sched_yield, 0, 0, 0);
	return work(w->block);
}

/* Works while a child sends signals as fast as it can. */
static void *work_interrupted(long *block)
{
	const pid_t own = getpid(), child = fork();
	while (child == 0)
		if (system_call(SYS_kill, own, SIGUSR2, 0) != 0)
			_exit(0);
	system_call(SYS_pause, 0, 0, 0);
	void *result = work(block);
	kill(child, SIGKILL);
	system_call(SYS_wait4, child, 0, 0);
	return result;
}

static void *join(pthread_t thread, const struct worker *w)
{
	void *result;
	const long pid = system_call(SYS_getpid, 0, 0, 0);
	/* Signals come while copies run. */
	while (*w->ready < w->threads || system_call(SYS_tgkill, pid, w->tid, SIGUSR2) == 0)
		system_call(SYS_sched_yield, 0, 0, 0);
	pthread_join(thread, &result);
	return result;
}

/* The same instruction at each call, so that it has a copy when gs is set. */
__attribute__((noinline)) static long load_again(const long *p)
{
	return load(p);
}

/*
 * With the program's own gs, an instruction with prefix gs reads 55 of the stack where one without
 * it reads 77.
 */
static void set_gs(void)
{
	static volatile long own = 77;
	volatile long there = 55;
	unsigned long at = (uintptr_t)&there - (uintptr_t)&own, got = 0;
	long by_gs, before = 0;
	for (int i = 0; i < 4; i++)
		before += load_again((const long *)&own);
	if (syscall(SYS_arch_prctl, ARCH_SET_GS, at) || syscall(SYS_arch_prctl, ARCH_GET_GS, &got))
		return;
	__asm__ volatile("mov %%gs:(%1), %0" : "=r"(by_gs) : "r"(&own) : "memory");
	printf("gs: %ld %ld %ld %d\n", before, by_gs, load_again((const long *)&own), got == at);
}

static void *work(void *with)
{
	long own[2] = { 1, 2 }, sum = 0, wrong = 0;
	long *block = with;
	for (register long i = 0; i < rounds; i++) {
		/* A site that leads now here, now there. One in four is to the heap. */
		const long *p[4] = { &own[0], &constant[i & 3], block, &own[1] };
		for (int k = 0; k < 4; k++)
			sum += load(p[k]);
		sum += load(block + 1);
		store(block + 2, i);
		wrong += with_flags(block + 3, i & 7) != ((i & 7) < 5);
		__asm__ volatile("addq $1, (%0)\n\tlock; addq $1, 8(%0)\n\txchg %1, 16(%0)"
				 : "+r"(block), "+r"(sum) : : "memory", "cc");
		sum += load(&other);
		__asm__ volatile("push (%0)\n\tpop %%rax" : : "r"(block) : "rax", "memory");
	}
	return wrong ? &other : NULL;
}

int main(int argc, char **argv)
{
	const int threads = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t thread[8];
	struct worker worker[8];
	_Atomic int ready = 0;
	void *wrong = NULL, *one;
	rounds = argc > 1 ? atol(argv[1]) : 1;
	signal(SIGUSR1, on_signal);
	signal(SIGUSR2, on_interruption);
	wrong = work_interrupted(calloc(16, sizeof(long)));
	for (int i = 0; i < threads && i < 8; i++) {
		worker[i] = (struct worker){ &ready, threads, calloc(16, sizeof(long)), 0 };
		pthread_create(&thread[i], NULL, work_together, &worker[i]);
	}
	for (int i = 0; i < threads && i < 8; i++) {
		one = join(thread[i], &worker[i]);
		wrong = one ? one : wrong;
	}
	raise(SIGUSR1);
	printf("%s, %d signal\n", wrong ? "wrong flags" : "right", (int)signals);
	if (threads == 0)
		set_gs();
	const long times = (long)MORE * (threads + 1);
	printf("%ld %ld\n", times * LOADS, times * STORES);
	return 0;
}
