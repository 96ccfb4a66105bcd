/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * hello.c: hello_world of the paper. foo adds up 10^n numbers, where n is the argument. Then there
 * is one printf.
 */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static long foo(long count)
{
	volatile long sum = 0;

	for (long i = 0; i < count; i++)
		sum += i;
	return sum;
}

int main(int argc, char **argv)
{
	long count = 1;

	for (int n = argc > 1 ? atoi(argv[1]) : 0; n > 0; n--)
		count *= 10;
	printf("hello, world: %ld\n", foo(count));
	return 0;
}
