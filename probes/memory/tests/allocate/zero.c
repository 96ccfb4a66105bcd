/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* zero NUMBER: makes blocks of 0 bytes, and does one wrong thing with them, or nothing wrong. */
#include <malloc.h>
#include <stdlib.h>

static volatile long sink;

static void *volatile kept[4];

int main(int argc, char **argv)
{
	volatile char *before, *p, *after;

	/* Blocks of 0 bytes must not be each other's gap. */
	before = kept[0] = malloc(0);
	p = kept[1] = argc > 2 ? calloc(0, 8) : malloc(0);
	after = kept[2] = malloc(0);
	kept[3] = memalign(64, 0);
	switch (argc > 1 ? atoi(argv[1]) : 0) {
	case 1:
		sink = p[0];
		break;
	case 2:
		p[0] = 1;
		break;
	case 3:
		sink = p[15];
		break;
	case 4:
		sink = *(volatile long *)p;
		break;
	case 5:
		sink = p[-1];
		break;
	case 6:
		sink = ((volatile char *)kept[3])[1];
		break;
	case 7:
		free((void *)p);
		sink = p[0];
		return 0;
	case 8:
		free((void *)p);
		free((void *)p);
		return 0;
	case 9: /* nothing is wrong with a block that grew */
		p = kept[1] = realloc((void *)p, 4);
		p[3] = 1;
		sink = p[3];
		break;
	}
	return before == p || p == after;
}
