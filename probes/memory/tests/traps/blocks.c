/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Block functions and the heap are compared with slow, obvious ones: random places, sizes and
 * overlaps. The functions are called through pointers, so that the compiler cannot replace the
 * calls.
 */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 3000, ROUNDS = 1500, BLOCKS = 200 };

static uint32_t state = 1;

static uint32_t below(uint32_t n)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % n;
}

static void *(*volatile move)(void *, const void *, size_t) = memmove;
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile set)(void *, int, size_t) = memset;
static int (*volatile order)(const void *, const void *, size_t) = memcmp;
static size_t (*volatile length)(const char *) = strlen;
static char *(*volatile find)(const char *, int) = strchr;
static char *(*volatile find_last)(const char *, int) = strrchr;
static int (*volatile text_order)(const char *, const char *) = strcmp;
static char *(*volatile text_copy)(char *, const char *, size_t) = strncpy;

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

static int differ(const uint8_t *a, const uint8_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int blocks(uint8_t *real, uint8_t *want)
{
	int wrong = 0;
	uint32_t n = below(8) ? below(70) : below(BYTES / 2);
	uint32_t from = below(BYTES - n), to = below(BYTES - n);
	if (from + n <= to || to + n <= from)
		copy(real + to, real + from, n);
	else
		move(real + to, real + from, n);
	for (uint32_t i = 0; i < n && to < from; i++)
		want[to + i] = want[from + i];
	for (uint32_t i = n; i-- > 0 && to > from;)
		want[to + i] = want[from + i];
	n = below(60);
	to = below(BYTES - n);
	const uint8_t byte = (uint8_t)below(4);
	set(real + to, byte, n);
	for (uint32_t i = 0; i < n; i++)
		want[to + i] = byte;
	wrong += differ(real, want, BYTES) != 0;
	from = below(BYTES - n);
	wrong += sign(order(real + to, real + from, n)) != differ(want + to, want + from, n);
	return wrong;
}

static int texts(char *real)
{
	int wrong = 0;
	uint32_t from = below(BYTES - 200), n = 0, first = 200, last = 200;
	real[from + below(199)] = 0;
	for (; real[from + n]; n++)
		if (real[from + n] == 3) {
			first = first == 200 ? n : first;
			last = n;
		}
	char *none = NULL, *at = real + from, copied[200];
	wrong += length(at) != n;
	wrong += find(at, 3) != (first == 200 ? none : at + first);
	wrong += find_last(at, 3) != (last == 200 ? none : at + last);
	text_copy(copied, at, sizeof copied);
	for (uint32_t i = 0; i < sizeof copied; i++)
		wrong += copied[i] != (i < n ? at[i] : 0);
	wrong += text_order(copied, at) != 0;
	copied[n] = 1;
	copied[n + 1] = 0;
	return wrong + (text_order(copied, at) <= 0);
}

/* Each block must keep its bytes while other blocks are allocated and freed. */
static int heap(void)
{
	static uint8_t *block[BLOCKS];
	static size_t bytes[BLOCKS];
	int wrong = 0;
	for (int i = 0; i < 4 * ROUNDS; i++) {
		const uint32_t b = below(BLOCKS), how = below(4);
		for (size_t k = 0; k < bytes[b]; k += 97)
			wrong += block[b][k] != (uint8_t)(b + k);
		size_t n = below(50) ? below(300) : below(200000);
		if (how == 3) {
			block[b] = realloc(block[b], n + 1);
			for (size_t k = 0; k < bytes[b] && k < n; k += 97)
				wrong += block[b][k] != (uint8_t)(b + k);
		} else {
			free(block[b]);
			block[b] = how == 0   ? malloc(n)
				   : how == 1 ? calloc(n, 1)
					      : memalign((size_t)16 << below(9), n);
			wrong += (uintptr_t)block[b] % 16 != 0;
			for (size_t k = 0; how == 1 && k < n; k++)
				wrong += block[b][k] != 0;
		}
		wrong += malloc_usable_size(block[b]) < n;
		bytes[b] = n;
		for (size_t k = 0; k < n; k++)
			block[b][k] = (uint8_t)(b + k);
	}
	return wrong;
}

int main(void)
{
	uint8_t *real = malloc(BYTES);
	static uint8_t want[BYTES];
	int wrong = 0;
	for (int i = 0; i < BYTES; i++)
		real[i] = want[i] = (uint8_t)(1 + below(3));
	for (int i = 0; i < ROUNDS; i++)
		wrong += blocks(real, want);
	for (int i = 0; i < BYTES; i++)
		real[i] = (uint8_t)(1 + below(3));
	for (int i = 0; i < ROUNDS; i++)
		wrong += texts((char *)real);
	printf("%d wrong\n", wrong);
	wrong = heap();
	printf("%d wrong in the heap\n", wrong);
	return 0;
}
