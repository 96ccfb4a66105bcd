/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * double-free.c: two owners of a buffer. BUG: both free it.
 */
#include <stdio.h>
#include <stdlib.h>

struct owner {
	char *buffer;
	int owns;
};

static void release(struct owner *o)
{
#ifdef BUG
	free(o->buffer);
#else
	if (o->owns)
		free(o->buffer);
#endif
	o->buffer = NULL;
}

int main(void)
{
	struct owner first = { malloc(100), 1 }, second = { first.buffer, 0 };

	puts("begin");
	fflush(stdout);
	release(&first);
	release(&second);
	puts("end");
	return 0;
}
