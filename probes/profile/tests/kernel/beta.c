/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* beta.c: sorts numbers with a function that it calls through a pointer. */
#include "program.h"

enum { COUNT = 300 };

static unsigned long lesses, sorts;
static unsigned numbers[COUNT];

static NOINLINE int less(unsigned a, unsigned b)
{
	lesses++;
	return a < b;
}

static NOINLINE void sort(unsigned *a, int count, int (*before)(unsigned, unsigned))
{
	int low = 0;

	sorts++;
	if (count < 2)
		return;
	for (int i = 0; i < count - 1; i++)
		if (before(a[i], a[count - 1])) {
			unsigned moved = a[i];

			a[i] = a[low];
			a[low++] = moved;
		}
	unsigned last = a[count - 1];
	a[count - 1] = a[low];
	a[low] = last;
	sort(a, low, before);
	sort(a + low + 1, count - low - 1, before);
}

int main(void)
{
	unsigned random = 1;

	for (int i = 0; i < 10; i++) {
		for (int j = 0; j < COUNT; j++)
			numbers[j] = random = random * 1103515245 + 12345;
		sort(numbers, COUNT, less);
		call(2, 0, 0);
		spin();
	}
	report("less", lesses);
	report("sort", sorts);
	return 0;
}
