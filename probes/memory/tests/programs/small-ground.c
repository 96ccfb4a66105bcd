/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* A stack in a small block that begins within a page. A block far below it is still watched: it is
 * read after it was freed. */
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { BLOCKS = 400, BYTES = 5000, STACK = 300, READ = 250 };

static ucontext_t inner, outer;
static volatile long sum;

static void turn(void)
{
	volatile char here[200];

	for (int i = 0; i < 200; i++)
		here[i] = (char)i;
	sum += here[100];
}

int main(void)
{
	char *block[BLOCKS];

	for (int i = 0; i < BLOCKS; i++) {
		block[i] = malloc(BYTES);
		block[i][0] = 1;
	}
	getcontext(&inner);
	inner.uc_stack.ss_sp = block[STACK];
	inner.uc_stack.ss_size = BYTES;
	inner.uc_link = &outer;
	makecontext(&inner, turn, 0);
	swapcontext(&outer, &inner);
	free(block[READ]);
	sum += ((volatile char *)block[READ])[1000];
	printf("sum %ld\n", sum > 0);
	return 0;
}
