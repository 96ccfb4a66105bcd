/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Two loads, with two instructions of two bytes between them, as python3 has them. Where the program
 * is not PIE, no copy can lie where the bytes of the first of these lead, so it is replaced too.
 * Its jump depends on the other and on the second load, which must be replaced before.
 */
enum { ROUNDS = 100000 };

static int number[16];
static long table[16];

int main(void)
{
	unsigned rounds = ROUNDS;
	__asm__ volatile("1: mov 0x24(%1), %%edx\n"
			 "add %%edx, %%edx\n"
			 "mov %%edx, %%edx\n"
			 "mov %c2(,%%rdx,8), %%rdx\n"
			 "dec %0\n"
			 "jnz 1b"
			 : "+r"(rounds)
			 : "a"(number), "i"(table)
			 : "rdx", "cc", "memory");
	return 0;
}
