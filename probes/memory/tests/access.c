/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * access WHAT [AREA]: accesses memory in ways that a watched program may use, and checks the values
 * that it reads. If one is wrong, prints a message and exits with code 1. With an AREA (data, bss,
 * heap) it finally prints the accesses that a trace must have: "range FROM END", and then a line
 * for each access: L, S or B (both), address, bytes. It writes this text from its stack, which is
 * not watched.
 */
#include "probes/memory/tests/access.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static char data[AREA] = { 1 }, bss[AREA];

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	char line[128];
	va_list list;
	va_start(list, format);
	int n = vsnprintf(line, sizeof line, format, list);
	va_end(list);
	if (write(STDOUT_FILENO, line, (size_t)n) != n)
		_exit(1);
}

void must(int good, const char *what)
{
	if (good)
		return;
	say("wrong: %s\n", what);
	_exit(1);
}

void expect(struct expected *e, char kind, const char *p, unsigned bytes)
{
	if (e->n == MOST || p < e->area || p >= e->area + AREA)
		return;
	e->list[e->n].kind = kind;
	e->list[e->n].bytes = (uint16_t)bytes;
	e->list[e->n++].at = (uint32_t)(p - e->area);
}

/* Integers: loads, stores, both at once, with a lock prefix, and through the stack. */
static void scalar(struct expected *e)
{
	for (int i = 0; i < 50; i++) {
		char *p = e->area + 4000 + 7 * i;
		uint64_t x = 0x1122334455667788, y = 5;
		__asm__ volatile("mov %1, (%0)" : : "r"(p), "r"(x) : "memory");
		expect(e, 'S', p, 8);
		__asm__ volatile("movzbl 1(%1), %k0" : "=r"(y) : "r"(p));
		expect(e, 'L', p + 1, 1);
		must(y == 0x77, "movzbl");
		__asm__ volatile("addl $1, (%0)" : : "r"(p) : "memory", "cc");
		expect(e, 'B', p, 4);
		__asm__ volatile("lock xadd %0, (%1)" : "+r"(y) : "r"(p) : "memory", "cc");
		expect(e, 'B', p, 8);
		must(y == x + 1, "lock xadd");
		__asm__ volatile("xchg %w0, 2(%1)" : "+r"(y) : "r"(p) : "memory");
		expect(e, 'B', p + 2, 2);
		must((y & 0xffff) == 0x5566, "xchg");
		__asm__ volatile("push (%0)\n\tpop 8(%0)" : : "r"(p) : "memory");
		expect(e, 'L', p, 8);
		expect(e, 'S', p + 8, 8);
		__asm__ volatile("mov 8(%1), %0" : "=r"(y) : "r"(p));
		expect(e, 'L', p + 8, 8);
		must(y >> 32 == 0x11223344, "push, pop");
	}
}

/* Flags, all registers, and the bytes below the stack pointer must not change. */
static void registers(struct expected *e)
{
	char *p = e->area + 64;
	uint64_t carry, sum, below;
	for (int i = 0; i < 4; i++) {
		__asm__ volatile(
			"movq $0x1234, -8(%%rsp)\n\t"
			"stc\n\tmovq $77, (%3)\n\tmov $0, %%eax\n\tadc $0, %%rax\n\t"
			"mov %%rax, %0\n\tmov -8(%%rsp), %2\n\t"
			"mov $1, %%eax\n\tmov $2, %%ebx\n\tmov $3, %%ecx\n\tmov $4, %%edx\n\t"
			"mov $5, %%edi\n\tmov $6, %%r8d\n\tmov $7, %%r9d\n\t"
			"mov (%3), %%r10\n\t"
			"lea (%%rax,%%rbx), %%rax\n\tadd %%rcx, %%rax\n\tadd %%rdx, %%rax\n\t"
			"add %%rdi, %%rax\n\tadd %%r8, %%rax\n\tadd %%r9, %%rax\n\t"
			"add %%r10, %%rax\n\tmov %%rax, %1"
			: "=&r"(carry), "=&r"(sum), "=&r"(below)
			: "S"(p)
			: "rax", "rbx", "rcx", "rdx", "rdi", "r8", "r9", "r10", "memory", "cc");
		expect(e, 'S', p, 8);
		expect(e, 'L', p, 8);
		must(carry == 1, "carry");
		must(sum == 28 + 77, "registers");
		must(below == 0x1234, "red zone");
	}
}

__attribute__((target("avx2"))) static void vector(struct expected *e)
{
	char *p = e->area + 4096 - 13;
	for (int i = 0; i < 3; i++) {
		__asm__ volatile("movdqu (%0), %%xmm1\n\tmovdqu %%xmm1, 100(%0)\n\t"
				 "fldpi\n\tfstpt 200(%0)\n\tfldt 200(%0)\n\tfstp %%st\n\t"
				 "movss %%xmm1, 300(%0)\n\tpaddd 320(%0), %%xmm1"
				 :
				 : "r"(((uintptr_t)p & ~(uintptr_t)15))
				 : "xmm1", "memory");
		char *q = (char *)((uintptr_t)p & ~(uintptr_t)15);
		expect(e, 'L', q, 16);
		expect(e, 'S', q + 100, 16);
		expect(e, 'S', q + 200, 10);
		expect(e, 'L', q + 200, 10);
		expect(e, 'S', q + 300, 4);
		expect(e, 'L', q + 320, 16);
	}
	if (!__builtin_cpu_supports("avx2"))
		return;
	for (int i = 0; i < 3; i++) {
		__asm__ volatile("vmovdqu (%0), %%ymm2\n\tvpaddd 8(%0), %%ymm2, %%ymm2\n\t"
				 "vmovdqu %%ymm2, 512(%0)\n\tvzeroupper"
				 :
				 : "r"(p)
				 : "xmm2", "memory");
		expect(e, 'L', p, 32);
		expect(e, 'L', p + 8, 32);
		expect(e, 'S', p + 512, 32);
	}
}

__attribute__((target("avx2"))) static void gather(struct expected *e)
{
	if (!__builtin_cpu_supports("avx2"))
		return;
	int32_t *table = (int32_t *)e->area, index[8] = { 0, 3, 1000, 7, 2000, 2, 1500, 1 }, got[8];
	for (int i = 0; i < 8; i++) {
		int32_t *t = table + index[i];
		__asm__ volatile("movl %1, (%0)" : : "r"(t), "r"(i * 11) : "memory");
		expect(e, 'S', (char *)t, 4);
	}
	for (int i = 0; i < 3; i++) {
		__asm__ volatile("vmovdqu (%1), %%ymm1\n\tvpcmpeqd %%ymm2, %%ymm2, %%ymm2\n\t"
				 "vpgatherdd %%ymm2, (%0,%%ymm1,4), %%ymm3\n\t"
				 "vmovdqu %%ymm3, (%2)\n\tvzeroupper"
				 :
				 : "r"(table), "r"(index), "r"(got)
				 : "xmm1", "xmm2", "xmm3", "memory");
		for (int k = 0; k < 8; k++) {
			must(got[k] == 11 * k, "vpgatherdd");
			expect(e, 'L', (char *)(table + index[k]), 4);
		}
	}
}

/* String instructions, forwards and backwards, within watched memory, and from it to the stack. */
static void strings(struct expected *e)
{
	char *p = e->area, local[300];
	uint64_t n;
	char *from, *to;
	for (int i = 0; i < 300; i++)
		p[i] = (char)(i % 251);
	n = 5000, from = p, to = p + 5000;
	__asm__ volatile("rep movsb" : "+c"(n), "+S"(from), "+D"(to) : : "memory");
	must(n == 0 && from == p + 5000 && to == p + 10000, "rep movsb");
	for (int i = 0; i < 300; i++)
		must(p[5000 + i] == (char)(i % 251), "what rep movsb copied");
	n = 20, to = p + 8000;
	__asm__ volatile("rep stosq" : "+c"(n), "+D"(to) : "a"(0x0101010101010101) : "memory");
	must(to == p + 8160 && p[8159] == 1, "rep stosq");
	n = 300, from = p + 299, to = local + 299;
	__asm__ volatile("std\n\trep movsb\n\tcld" : "+c"(n), "+S"(from), "+D"(to) : : "memory");
	must(memcmp(local, p, 300) == 0 && from == p - 1, "rep movsb, backwards");
	n = 1000, to = p;
	__asm__ volatile("repne scasb" : "+c"(n), "+D"(to) : "a"(77) : "memory", "cc");
	must(to == p + 78 && n == 1000 - 78, "repne scasb");
	p[5100] ^= 1;
	n = 300, from = p, to = p + 5000;
	__asm__ volatile("repe cmpsb" : "+c"(n), "+S"(from), "+D"(to) : : "memory", "cc");
	must(to == p + 5101 && n == 199, "repe cmpsb");
	char byte;
	from = p + 5;
	__asm__ volatile("lodsb" : "=a"(byte), "+S"(from) : : "memory");
	must(byte == 5 && from == p + 6, "lodsb");
	from = p + 7, to = p + 9000;
	__asm__ volatile("movsb\n\tmovsw" : "+S"(from), "+D"(to) : : "memory");
	must(p[9000] == 7 && p[9002] == 9 && to == p + 9003, "movsb, movsw");
}

static long twice(long x)
{
	return 2 * x;
}

static long (*volatile function)(long) = twice;
static jmp_buf place;
static volatile int jumps;

/* Calls through memory, lazily bound functions, setjmp. */
static void calls(struct expected *e)
{
	long sum = 0;
	(void)e;
	for (int i = 0; i < 20; i++)
		sum += function(i) + labs(-i) + atoi("7");
	must(sum == 3 * 190 + 140, "calls");
	volatile int again = 0;
	if (setjmp(place) < 10) {
		jumps++;
		longjmp(place, ++again);
	}
	must(jumps == 10, "setjmp");
}

static ucontext_t outer, inner;
static volatile int rounds;

static void coroutine(void)
{
	for (int i = 0; i < 5; i++) {
		rounds += (int)strlen("four");
		swapcontext(&inner, &outer);
	}
}

/* A stack in watched memory. */
static void stack(struct expected *e)
{
	(void)e;
	getcontext(&inner);
	inner.uc_stack.ss_sp = malloc(1 << 16);
	inner.uc_stack.ss_size = 1 << 16;
	inner.uc_link = &outer;
	makecontext(&inner, coroutine, 0);
	for (int i = 0; i < 5; i++)
		swapcontext(&outer, &inner);
	must(rounds == 20, "a stack in the heap");
}

static void crash(struct expected *e)
{
	*(volatile char **)e->area = NULL;
	**(volatile char **)e->area = 1;
}

static int own[4][3000];
static long shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *row)
{
	int *r = row;
	for (int i = 0; i < 3000; i++) {
		r[i] += i;
		__asm__ volatile("lock incq %0" : "+m"(shared) : : "cc");
	}
	pthread_mutex_lock(&mutex);
	jumps += r[10];
	pthread_mutex_unlock(&mutex);
	return NULL;
}

/* The same instructions run in several threads while they are being replaced. */
static void threads(struct expected *e)
{
	pthread_t t[4];
	(void)e;
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < 4; i++)
			must(pthread_create(&t[i], NULL, count, own[i]) == 0, "pthread_create");
		for (int i = 0; i < 4; i++)
			must(pthread_join(t[i], NULL) == 0, "pthread_join");
	}
	must(shared == 5 * 4 * 3000, "lock inc");
	for (int i = 0; i < 4; i++)
		must(own[i][2999] == 5 * 2999, "what threads wrote");
	must(jumps == 4 * 10 * (1 + 2 + 3 + 4 + 5), "a mutex");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(struct expected *e);
	} all[] = {
		{ "scalar", scalar },     { "registers", registers }, { "vector", vector },
		{ "gather", gather },     { "strings", strings },     { "calls", calls },
		{ "stack", stack },       { "crash", crash },         { "threads", threads },
		{ "elements", elements }, { "border", border },       { "neighbours", neighbours },
		{ "chunks", chunks },     { "lanes", lanes },
	};
	struct expected e = { .area = bss };
	if (argc < 2)
		return 2;
	if (argc > 2 && strcmp(argv[2], "data") == 0)
		e.area = data;
	if (argc > 2 && strcmp(argv[2], "heap") == 0)
		e.area = malloc(AREA);
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(argv[1], all[i].name) == 0)
			all[i].run(&e);
	if (argc < 3)
		return 0;
	say("range %llx %llx\n", (unsigned long long)(uintptr_t)e.area,
	    (unsigned long long)(uintptr_t)(e.area + AREA));
	for (unsigned i = 0; i < e.n; i++)
		say("%c %llx %d\n", e.list[i].kind,
		    (unsigned long long)(uintptr_t)(e.area + e.list[i].at), e.list[i].bytes);
	return 0;
}
