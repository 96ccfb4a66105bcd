/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * program.h: shared by the programs of the small kernel. Each has its own copy of this code at the
 * same place. So this code does not tell the programs apart.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

/* Keeps a function as it is in the source: not inlined, not changed. */
#define NOINLINE __attribute__((noipa))

__asm__(".section .text.start, \"ax\"\n"
	".globl _start\n"
	".type _start, @function\n"
	"_start:\n"
	"	call main\n"
	"	li a7, 0\n"
	"	ecall\n"
	".size _start, . - _start\n"
	/* 3000 times two instructions. */
	".globl spin, spin_end\n"
	".type spin, @function\n"
	"spin:\n"
	"	li a0, 3000\n"
	"1:	addi a0, a0, -1\n"
	"	bnez a0, 1b\n"
	"	ret\n"
	"spin_end:\n"
	".size spin, . - spin\n"
	".text\n");
void spin(void);

static NOINLINE void call(unsigned long number, unsigned long x, unsigned long y)
{
	register unsigned long a0 __asm__("a0") = x, a1 __asm__("a1") = y, a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a7) : "memory");
}

/* Reports how often the function `name` was called. The name has up to 7 letters. */
static NOINLINE void report(const char *name, unsigned long count)
{
	unsigned long letters = 0;

	for (int i = 0; i < 7 && name[i]; i++)
		letters |= (unsigned long)name[i] << 8 * i;
	call(1, letters, count);
}

#endif
