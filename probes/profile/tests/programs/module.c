/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * module.c: code with the relocations of a module of the kernel: branches near and far, jumps,
 * calls within a section, to another one and to the kernel, loads and stores of its data.
 */
int kernel_help(int x);
int module_entry(int x);
int module_far(int x);
int module_exit(int x);

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
