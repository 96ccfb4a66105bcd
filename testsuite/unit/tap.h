/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap.h: prints TAP in test programs that do not use Check. Each such program is one file.
 */
#ifndef NFACC_TESTSUITE_TAP_H
#define NFACC_TESTSUITE_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct tap {
	unsigned n, failed;
};

/* Prints one case: whether it passed, and its name as printf() formats it. */
static inline void __attribute__((format(printf, 3, 4)))
tap_case(struct tap *t, bool ok, const char *format, ...)
{
	va_list ap;

	t->n++;
	t->failed += !ok;
	printf("%sok %u - ", ok ? "" : "not ", t->n);
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

/* Prints the plan. Returns the exit code for main(). */
static inline int tap_end(const struct tap *t)
{
	printf("1..%u\n", t->n);
	return t->failed != 0;
}

#endif
