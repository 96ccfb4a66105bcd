/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * blocks.c: changes the size of blocks. Each change is in a function of its own. What is stored
 * after the change belongs to the new block. Prints whether a block has stayed in its place.
 */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static const int both = PROT_READ | PROT_WRITE;

static void say(const char *what, const volatile char *p, const void *q)
{
	printf("%s: %s, %d\n", what, p == q ? "stays" : "moves", p[7]);
}

static void shrink(void)
{
	volatile char *p = malloc(2000), *q;
	p[7] = 1;
	q = realloc((void *)p, 1990);
	q[8] = 2;
	say("shrink", q, (void *)p);
	free((void *)q);
}

static void grow(void)
{
	volatile char *p = malloc(100), *q;
	p[7] = 3;
	q = realloc((void *)p, 30000);
	q[29999] = 4;
	say("grow", q, (void *)p);
	free((void *)q);
}

static void array(void)
{
	volatile char *p = calloc(4, 50), *q;
	p[7] = 5;
	q = reallocarray((void *)p, 40, 50);
	q[1999] = 6;
	say("array", q, (void *)p);
	free((void *)q);
}

static void map_grow(void)
{
	volatile char *p = mmap(NULL, 2 * PAGE, both, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *q;
	p[7] = 7;
	q = mremap((void *)p, 2 * PAGE, 50 * PAGE, MREMAP_MAYMOVE);
	q[49 * PAGE] = 8;
	say("map_grow", q, (void *)q);
	munmap((void *)q, 50 * PAGE);
}

static void map_shrink(void)
{
	volatile char *p = mmap(NULL, 9 * PAGE, both, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *q;
	p[7] = 9;
	q = mremap((void *)p, 9 * PAGE, PAGE, 0);
	q[8] = 10;
	say("map_shrink", q, (void *)p);
	munmap((void *)q, PAGE);
}

static void map_fixed(void)
{
	volatile char *p = mmap(NULL, PAGE, both, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *q;
	void *to = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	p[7] = 11;
	q = mremap((void *)p, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	q[8] = 12;
	say("map_fixed", q, to);
	munmap((void *)q, PAGE);
}

static void program_break(void)
{
	volatile char *p = sbrk(PAGE), *q;
	p[7] = 13;
	q = sbrk(5 * PAGE);
	q[4 * PAGE] = 14;
	say("program_break", p, (void *)(q - PAGE));
	sbrk(-5 * PAGE);
	q = sbrk(PAGE);
	q[9] += 15;
	printf("and again: %d, %d\n", p[7], q[9]);
}

static void aligned(void)
{
	void *p[5] = { memalign(256, 100), aligned_alloc(512, 1024), valloc(10), pvalloc(10) };
	if (posix_memalign(&p[4], 1024, 70) != 0)
		exit(1);
	for (int i = 0; i < 5; i++) {
		printf("%d %d\n", (uintptr_t)p[i] % 256 == 0, malloc_usable_size(p[i]) >= 10);
		((volatile char *)p[i])[i] = 16;
		free(p[i]);
	}
}

int main(void)
{
	shrink();
	grow();
	array();
	map_grow();
	map_shrink();
	map_fixed();
	program_break();
	aligned();
	return 0;
}
