/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Accesses beyond the end of a buffer, and before its beginning. */
#include "cases.h"

static void over_store(int bad)
{
	volatile char *p = malloc(24);

	p[bad ? 24 : 23] = 1;
	free((void *)p);
}

static void over_load(int bad)
{
	volatile char *p = calloc(1, 10);

	sink = p[bad ? 10 : 9];
	free((void *)p);
}

static void over_loop(int bad)
{
	volatile int *p = malloc(10 * sizeof *p);

	for (int i = 0; i < (bad ? 11 : 10); i++)
		p[i] = i;
	free((void *)p);
}

static void over_wide(int bad)
{
	char *p = malloc(20);

	*(volatile long *)(p + (bad ? 16 : 8)) = 1;
	free(p);
}

static void over_next(int bad)
{
	volatile char *p = malloc(64), *q = malloc(64);

	memset((void *)q, 0, 64);
	p[bad ? 100 : 10] = 1;
	sink = q[0];
	free((void *)p);
	free((void *)q);
}

static void over_far(int bad)
{
	volatile char *p = malloc(64);

	p[bad ? 250 : 50] = 1;
	free((void *)p);
}

static void over_large(int bad)
{
	volatile char *p = malloc(100000);

	p[100000 - !bad] = 1;
	free((void *)p);
}

static void over_strcpy(int bad)
{
	const char *volatile text = "sixteen letters.";
	char *p = malloc(strlen(text) + !bad);

	strcpy(p, text);
	free(p);
}

static void over_memcpy(int bad)
{
	static const char from[64];
	volatile size_t n = bad ? 33 : 32;
	char *p = malloc(32);

	memcpy(p, from, n);
	free(p);
}

static void over_memset(int bad)
{
	volatile size_t n = bad ? 41 : 40;
	char *p = malloc(40);

	memset(p, 0, n);
	free(p);
}

static void over_shrunk(int bad)
{
	volatile char *p = calloc(1, 60);

	p = realloc((void *)p, 50);
	sink = p[bad ? 55 : 45];
	free((void *)p);
}

static void over_global(int bad)
{
	static volatile char global[30];

	global[bad ? 30 : 29] = 1;
}

static void under_store(int bad)
{
	volatile char *q = malloc(40), *p = malloc(40);

	p[bad ? -1 : 0] = 1;
	free((void *)p);
	free((void *)q);
}

static void under_load(int bad)
{
	char *q = calloc(1, 48), *p = calloc(1, 48);

	sink = *(volatile long *)(p - (bad ? 8 : 0));
	free(p);
	free(q);
}

static void under_first(int bad)
{
	volatile char *p = malloc(777);

	p[bad ? -1 : 0] = 1;
	free((void *)p);
}

static void under_large(int bad)
{
	volatile char *p = malloc(200000);

	p[bad ? -1 : 0] = 1;
	free((void *)p);
}

int main(int argc, char **argv)
{
	static const struct one_case cases[] = {
		{ "over-store", over_store }, { "over-load", over_load },
		{ "over-loop", over_loop }, { "over-wide", over_wide },
		{ "over-next", over_next }, { "over-far", over_far },
		{ "over-large", over_large }, { "over-strcpy", over_strcpy },
		{ "over-memcpy", over_memcpy }, { "over-memset", over_memset },
		{ "over-shrunk", over_shrunk }, { "over-global", over_global },
		{ "under-store", under_store }, { "under-load", under_load },
		{ "under-first", under_first }, { "under-large", under_large },
		{ NULL, NULL }
	};

	return run_case(cases, argc, argv);
}
