/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gather.c: sums eight elements of a table, each in a page of its own, with one instruction. BUG:
 * the table was freed before. Prints nothing on processors without AVX2.
 */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>

enum { FAR = 1000, LANES = 8 };

__attribute__((target("avx2"))) static int sum(const int *table)
{
	int got[LANES], all = 0;
	__m256i index = _mm256_setr_epi32(0, FAR, 2 * FAR, 3 * FAR, 4 * FAR, 5 * FAR, 6 * FAR, 7 * FAR);

	_mm256_storeu_si256((__m256i *)got, _mm256_i32gather_epi32(table, index, 4));
	for (int i = 0; i < LANES; i++)
		all += got[i];
	return all;
}

int main(void)
{
	int *volatile table = malloc(LANES * FAR * sizeof *table);

	if (!table || !__builtin_cpu_supports("avx2"))
		return 0;
	for (int i = 0; i < LANES; i++)
		table[i * FAR] = i;
#ifdef BUG
	free(table);
#endif
	printf("%d\n", sum(table));
#ifndef BUG
	free(table);
#endif
	return 0;
}
