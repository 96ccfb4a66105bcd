/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What just-in-time compilers do: they ask for memory near an address, and they write code there that
 * reads the heap, and change it. The code is written while it may not be executed (W^X), or in memory
 * that may be written and executed.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, ROUNDS = 300 };

typedef long (*made)(long *);

/* Writes code that returns p[0] + number, or p[1] - number, with other instructions in each round. */
static void write_code(uint8_t *to, unsigned round)
{
	static const uint8_t load[2][4] = { { 0x48, 0x8b, 0x07, 0x90 },   /* mov rax, [rdi] */
					    { 0x48, 0x8b, 0x47, 0x08 } }; /* mov rax, [rdi+8] */
	const uint32_t number = round * 7;
	memcpy(to, load[round % 2], 4);
	to[4] = 0x48;
	to[5] = round % 2 ? 0x2d : 0x05; /* sub or add rax, number */
	memcpy(to + 6, &number, 4);
	to[10] = 0x48, to[11] = 0x89, to[12] = 0x47, to[13] = 0x10; /* mov [rdi+16], rax */
	to[14] = 0xc3;
}

static long wanted(const long *p, unsigned round)
{
	return round % 2 ? p[1] - (long)round * 7 : p[0] + (long)round * 7;
}

static int runs(uint8_t *at, long *p, unsigned round)
{
	int good = 1;
	for (int i = 0; i < 5; i++) {
		p[0] = 1000 + i;
		p[1] = 5000 - i;
		good &= ((made)(void *)at)(p) == wanted(p, round) && p[2] == wanted(p, round);
	}
	return good;
}

/* All code at the same place, and each function at its own; `protect` says whether W^X holds. */
static int makes(int protect)
{
	const int first = protect ? PROT_READ | PROT_WRITE : PROT_READ | PROT_WRITE | PROT_EXEC;
	uint8_t *code = mmap(NULL, 2 * PAGE, first, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long *p = calloc(3, sizeof *p);
	int good = 1;
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint8_t *at = code + (round % 3 == 0 ? 0 : 16 * (round % 200));
		if (protect)
			mprotect(code, 2 * PAGE, PROT_READ | PROT_WRITE);
		write_code(at, round);
		if (protect)
			mprotect(code, 2 * PAGE, PROT_READ | PROT_EXEC);
		good &= runs(at, p, round);
	}
	munmap(code, 2 * PAGE);
	free(p);
	return good;
}

static void *in_thread(void *protect)
{
	return (void *)(intptr_t)makes(protect != NULL);
}

static int in_threads(void)
{
	pthread_t t[4];
	int good = 1;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, in_thread, i % 2 ? t : NULL);
	for (int i = 0; i < 4; i++) {
		void *result;
		pthread_join(t[i], &result);
		good &= result != NULL;
	}
	return good;
}

/* How many of 16 hints are honoured. The places were just given back, so nothing is there. */
static int hints(int flags)
{
	char *free_at = mmap(NULL, 64 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int n = 0;
	munmap(free_at, 64 * PAGE);
	for (int i = 0; i < 16; i++) {
		char *want = free_at + 4 * i * PAGE;
		char *p = mmap(want, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags,
			       -1, 0);
		if (p == MAP_FAILED)
			continue;
		n += p == want;
		p[5] = 'x';
		munmap(p, PAGE);
	}
	return n;
}

/* A hint where something else lies must not replace it. */
static int keeps(void)
{
	char *p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	p[0] = 'a';
	char *q = mmap(p, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	q[0] = 'b';
	void *none = mmap(p, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			  0);
	return p[0] == 'a' && q != p && none == MAP_FAILED;
}

static int moves(void)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	char *p = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
	p[0] = 'a';
	munmap(p + 8 * PAGE, 8 * PAGE);
	char *grown = mremap(p, 8 * PAGE, 10 * PAGE, 0);
	int good = grown == p && (p[9 * PAGE] = 'z') == 'z';
	char *place = mmap(NULL, 10 * PAGE, PROT_NONE, flags, -1, 0);
	char *q = mremap(p, 10 * PAGE, 10 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place);
	good &= q == place && q[0] == 'a' && q[9 * PAGE] == 'z';
	munmap(q, 10 * PAGE);
	return good;
}

int main(void)
{
	const int both = PROT_READ | PROT_WRITE, own = MAP_PRIVATE | MAP_ANONYMOUS;
	char *low = mmap(NULL, PAGE, both, own | MAP_32BIT, -1, 0);
	char *grows = mmap(NULL, PAGE, both, own | MAP_GROWSDOWN, -1, 0);
	printf("hints: %d, not replacing: %d\n", hints(0), hints(MAP_FIXED_NOREPLACE));
	printf("hints on other memory: %d\n", keeps());
	printf("low: %d, stack: %d\n", (uintptr_t)low >> 32 == 0, grows != MAP_FAILED && (grows[3] = 1));
	printf("mremap: %d\n", moves());
	printf("W^X: %d\n", makes(1));
	printf("writable code: %d\n", makes(0));
	printf("in threads: %d\n", in_threads());
	return 0;
}
