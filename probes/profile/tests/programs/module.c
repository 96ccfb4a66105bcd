/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * module.c: code with the relocations of a module of the kernel: branches near and far, jumps,
 * calls within a section, to another one and to the kernel, loads and stores of its data.
 */
int module_shared, module_other[8];
int kernel_help(int x);
int module_entry(int x);
int module_far(int x);
int module_exit(int x);

/* Relocations that the compiler leaves to nobody. */
__asm__(".text\n"
	".globl jumps\n"
	".type jumps, @function\n"
	"jumps:\n"
	"	c.j jumps_end\n"
	"	.rept 200\n"
	"	nop\n"
	"	.endr\n"
	".globl jumps_end\n"
	"jumps_end:\n"
	"1:	auipc t0, %pcrel_hi(module_shared)\n"
	"2:	auipc t2, %pcrel_hi(module_other + 4)\n"
	"	sw t1, %pcrel_lo(1b)(t0)\n"
	"	lw t1, %pcrel_lo(2b)(t2)\n"
	"	c.beqz a0, jumps_end\n"
	"	c.j jumps\n"
	".size jumps, . - jumps\n");

static int count;
static int table[64];

__attribute__((noinline)) static int leaf(int x)
{
	count += x;
	table[x & 63] = count;
	return x < 3 ? kernel_help(x) : table[(x + 1) & 63];
}

__attribute__((noinline)) int module_far(int x)
{
	int sum = 0;

	for (int i = 0; i < x; i++) {
		sum += leaf(i);
		if (sum > 1000) {
			__asm__ volatile(".rept 3000\n\tadd t0, t1, t2\n\t.endr" ::: "t0");
			sum -= 1000;
		}
	}
	return sum;
}

__attribute__((noinline, section(".text.unlikely"))) static int rare(int x)
{
	return leaf(x) + leaf(x + 1);
}

int module_entry(int x)
{
	switch (x) {
	case 1:
		return rare(x);
	case 2:
		return module_far(x);
	default:
		return leaf(x) ? kernel_help(x) : rare(x + 2);
	}
}

__attribute__((section(".exit.text"))) int module_exit(int x)
{
	return kernel_help(x + count);
}
