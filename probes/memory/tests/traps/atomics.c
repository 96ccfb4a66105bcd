/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Atomic instructions: their effects on memory, registers and flags, and the effects of flags on
 * them, while a timer interrupts. Then threads count, and pass turns, with them.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>

enum { ROUNDS = 400, COUNTS = 2000, THREADS = 3, FLAGS = 0x8d5 };

/* What an instruction works on: memory, registers and flags. */
struct state {
	uint64_t memory[2], a, b, c, d, flags;
};

static _Alignas(16) struct state now;
static uint64_t seed = 1;
static volatile sig_atomic_t ticks;
static uint64_t tick_sum;

static uint64_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* The operand in memory is (%rdi), or (%rdi) plus 8 times a register that is 0. */
#define RUN(what)                                                                                  \
	__asm__ volatile("pushq %4\n\tpopfq\n\t" what "\n\tpushfq\n\tpopq %4"                      \
			 : "+a"(now.a), "+b"(now.b), "+c"(now.c), "+d"(now.d), "+r"(flags)         \
			 : "D"(now.memory), "S"(UINT64_C(0))                                       \
			 : "memory", "cc")

#define CASE(what)                                                                                 \
	do {                                                                                       \
		uint64_t sum = 0;                                                                  \
		for (int i = 0; i < ROUNDS; i++) {                                                 \
			now.memory[0] = draw();                                                    \
			now.memory[1] = draw();                                                    \
			now.a = i % 2 ? now.memory[0] : draw();                                    \
			now.b = draw();                                                            \
			now.c = draw();                                                            \
			now.d = i % 2 ? now.memory[1] : draw();                                    \
			uint64_t flags = 0x202 | (draw() & FLAGS);                                 \
			RUN(what);                                                                 \
			sum = sum * 31 + now.memory[0] + 3 * now.memory[1] + 5 * now.a;            \
			sum += 7 * now.b + 9 * now.c + 11 * now.d + 13 * (flags & FLAGS);          \
		}                                                                                  \
		printf("%016llx " what "\n", (unsigned long long)sum);                             \
	} while (0)

static void on_tick(int signal)
{
	(void)signal;
	ticks++;
	__asm__ volatile("lock xaddq %0, %1" : "+r"((uint64_t){ 1 }), "+m"(tick_sum) : : "cc");
	now.flags++;
}

static atomic_long counter;
static atomic_int turn;
static long handed;

static void *count(void *with)
{
	for (int i = 0; i < COUNTS; i++)
		atomic_fetch_add(&counter, 1);
	return with;
}

static void *hand_over(void *with)
{
	const int own = with != NULL;
	for (int i = 0; i < COUNTS / 2; i++) {
		int expected = own;
		while (!atomic_compare_exchange_strong(&turn, &expected, 2))
			expected = own;
		handed++;
		atomic_exchange(&turn, !own);
	}
	return NULL;
}

int main(void)
{
	const struct itimerval some = { { 0, 300 }, { 0, 300 } }, none = { { 0, 0 }, { 0, 0 } };
	pthread_t threads[THREADS];
	signal(SIGALRM, on_tick);
	setitimer(ITIMER_REAL, &some, NULL);
	CASE("lock addq %%rbx, (%%rdi)");
	CASE("lock adcl %%ecx, 4(%%rdi,%%rsi,8)");
	CASE("lock subw %%dx, (%%rdi)");
	CASE("lock sbbb %%cl, 1(%%rdi)");
	CASE("lock andq %%rdx, 8(%%rdi)");
	CASE("lock orl $3, (%%rdi)");
	CASE("lock xorq $-7, (%%rdi)");
	CASE("lock incq (%%rdi)");
	CASE("lock decl (%%rdi)");
	CASE("lock notq (%%rdi)");
	CASE("lock negq (%%rdi)");
	CASE("lock xaddq %%rcx, (%%rdi)");
	CASE("lock xaddb %%bl, (%%rdi)");
	CASE("lock cmpxchgq %%rbx, (%%rdi)");
	CASE("lock cmpxchgl %%ecx, 4(%%rdi)");
	CASE("lock cmpxchg8b (%%rdi)");
	CASE("lock cmpxchg16b (%%rdi)");
	CASE("lock btsq $5, (%%rdi)");
	CASE("lock btcl $9, (%%rdi,%%rsi,4)");
	CASE("xchgq %%rax, (%%rdi)");
	CASE("xchgb %%dh, 3(%%rdi)");
	setitimer(ITIMER_REAL, &none, NULL);
	printf("every tick counted: %d\n", tick_sum == (uint64_t)ticks);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, count, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, hand_over, i ? &turn : NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%ld %ld\n", atomic_load(&counter), handed);
	return 0;
}
