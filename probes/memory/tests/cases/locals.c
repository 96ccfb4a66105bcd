/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Variables on the stack: accesses beyond them, and after their function or scope has ended. */
#include "cases.h"

#include <fcntl.h>
#include <unistd.h>

static void fill(char *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = 'x';
}

static void local_index(int bad)
{
	volatile int a[10];

	for (int i = 0; i < (bad ? 11 : 10); i++)
		a[i] = i;
	sink = a[3];
}

static void local_index_load(int bad)
{
	volatile int a[5] = { 0 };
	volatile int i = bad ? -1 : 0;

	sink = a[i];
}

static void local_pointer(int bad)
{
	char text[21];

	fill(text, bad ? 22 : 21);
	sink = text[0];
}

static void local_neighbour(int bad)
{
	long count = 5;
	char text[8];

	fill(text, bad ? 9 : 8);
	sink = count + text[0];
}

static void local_strcpy(int bad)
{
	const char *volatile from = bad ? "sixteen letters." : "fifteen letters";
	char to[16];

	strcpy(to, from);
	sink = to[0];
}

static void local_memset(int bad)
{
	volatile size_t n = bad ? 41 : 40;
	char to[40];

	memset(to, 0, n);
	sink = to[0];
}

static void local_memcpy(int bad)
{
	volatile size_t n = bad ? 48 : 32;
	char from[32] = "", *to = malloc(64);

	memcpy(to, from, n);
	free(to);
}

static void local_call(int bad)
{
	char to[30] = "";
	int fd = open("/dev/zero", O_RDONLY);

	sink = read(fd, to, bad ? 34 : 30);
	close(fd);
}

static void local_member(int bad)
{
	struct {
		short kind;
		int list[3];
	} s = { 0 };
	int *p = s.list;

	sink = p[bad ? 3 : 2];
}

static int *place(void)
{
	int local = 3;
	int *p = &local;

	*p = 4;
	return p;
}

static void local_returned(int bad)
{
	int own = 1, *p = bad ? place() : &own;

	sink = *p;
}

static char *text_of(void)
{
	char text[600];
	char *p = text;

	fill(p, 600);
	return p;
}

static void local_returned_far(int bad)
{
	char own[600] = "", *p = bad ? text_of() : own;

	p[3] = 1;
}

static void local_scope(int bad)
{
	int outer = 1, *p = &outer;

	{
		int inner = 2, *q = &inner;

		if (bad)
			p = q;
	}
	sink = *p;
}

int main(int argc, char **argv)
{
	static const struct one_case cases[] = {
		{ "local-index", local_index }, { "local-index-load", local_index_load },
		{ "local-pointer", local_pointer }, { "local-neighbour", local_neighbour },
		{ "local-strcpy", local_strcpy }, { "local-memset", local_memset },
		{ "local-memcpy", local_memcpy }, { "local-call", local_call },
		{ "local-member", local_member }, { "local-returned", local_returned },
		{ "local-returned-far", local_returned_far }, { "local-scope", local_scope },
		{ NULL, NULL }
	};

	return run_case(cases, argc, argv);
}
