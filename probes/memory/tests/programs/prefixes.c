/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A load near the low end of the address space, whose jump has no place, unless the second
 * instruction behind it is replaced, too, by a jump with prefixes: the bytes of the load and of
 * what is behind it lead below address 0 or to memory that is mapped here. Link with -no-pie.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/*
 * Nothing near it is a nop, as that could hold the jump, and it is not at the beginning of its
 * function, as calls could lead to a copy of that (stretch.h).
 */
__asm__(".text\n"
	".fill 256, 1, 0xcc\n"
	".type load, @function\n"
	"load:\n"
	"	xor %r8d, %r8d\n"
	".rept 20\n"
	"	inc %edx\n"
	".endr\n"
	"at:	.byte 0x48, 0x8b, 0x07\n"       /* mov rax, [rdi] */
	"	.byte 0x48, 0x89, 0xc2\n"       /* mov rdx, rax */
	"	.byte 0x48, 0x83, 0xca, 0x02\n" /* or rdx, 2 */
	"	.byte 0x45, 0x85, 0xc0\n"       /* test r8d, r8d */
	"	.byte 0x48, 0x0f, 0x44, 0xc2\n" /* cmovz rax, rdx */
	"	ret\n"
	".fill 256, 1, 0xcc\n");
extern long load(volatile long *);
extern const char at[];

/* Takes the memory to which a jump would lead. */
static void take(uintptr_t to)
{
	enum { ROOM = 1 << 16 };
	mmap((void *)((to - ROOM / 2) & ~(uintptr_t)4095), ROOM, PROT_NONE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

int main(void)
{
	enum { ROUNDS = 5000 };
	const uintptr_t pc = (uintptr_t)at;
	volatile long *p = calloc(1, sizeof *p);
	long sum = 0;
	take(pc + 7 + 0x48c28948);  /* the load with two prefixes */
	take(pc + 10 + 0x02ca8348); /* the mov with two prefixes */
	for (long i = 0; i < ROUNDS; i++) {
		*p = i;
		sum += load(p);
	}
	printf("%ld\n", sum);
	return 0;
}
