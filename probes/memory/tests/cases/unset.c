/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Reads of heap memory to which nothing was stored, and something depends on what is read. */
#include "cases.h"

#include <fcntl.h>
#include <unistd.h>

static void unset_branch(int bad)
{
	volatile int *p = bad ? malloc(40) : calloc(1, 40);

	if (p[3] > 7)
		puts("large");
	free((void *)p);
}

static void unset_member(int bad)
{
	volatile struct {
		long a, b;
	} *p = malloc(sizeof *p);

	p->a = 1;
	if (!bad)
		p->b = 2;
	if (p->b > 7)
		puts("large");
	free((void *)p);
}

static void unset_byte(int bad)
{
	volatile char *p = malloc(8);

	p[0] = 1;
	if (!bad)
		p[1] = 2;
	if (p[1] > 7)
		puts("large");
	free((void *)p);
}

static void unset_grown(int bad)
{
	volatile long *p = malloc(16);

	p[0] = p[1] = 1;
	p = realloc((void *)p, 400);
	if (p[bad ? 20 : 1] > 7)
		puts("large");
	free((void *)p);
}

static void unset_call(int bad)
{
	char *p = malloc(64);
	int fd = open("/dev/null", O_WRONLY);

	memset(p, 1, bad ? 32 : 64);
	sink = write(fd, p, 64);
	free(p);
}

int main(int argc, char **argv)
{
	static const struct one_case cases[] = {
		{ "unset-branch", unset_branch }, { "unset-member", unset_member },
		{ "unset-byte", unset_byte }, { "unset-grown", unset_grown },
		{ "unset-call", unset_call }, { NULL, NULL }
	};

	return run_case(cases, argc, argv);
}
