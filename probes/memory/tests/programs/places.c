/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Accesses to the heap, to its stack, and to memory at a place that it asks for. Built without PIE and
 * start files it has no data of its own that can be written.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 1000, TURNS = 10 };

__attribute__((force_align_arg_pointer)) void _start(void)
{
	int *heap = malloc(N * sizeof *heap), here[N];
	int *there = mmap((void *)0x250000000000, N * sizeof *there, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (heap == NULL || there != (int *)0x250000000000)
		_exit(1);
	for (int i = 0; i < N; i++)
		heap[i] = here[i] = there[i] = i;
	for (int k = 0; k < TURNS; k++)
		for (int i = 0; i < N; i++) {
			volatile int *at = (k + i) % 3 == 0 ? heap : (k + i) % 3 == 1 ? here : there;
			at[i] += k;
		}
	_exit(heap[N - 1] == N - 1 + 0 + 3 + 6 + 9 ? 0 : 2);
}
