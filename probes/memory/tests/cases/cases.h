/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A program holds several cases. `PROGRAM NAME bad` runs the variant of a case that has the bug,
 * and `PROGRAM NAME good` the one without. cases.txt says what kind of bug it is.
 */
#ifndef NFACC_PROBES_MEMORY_TESTS_CASES_H
#define NFACC_PROBES_MEMORY_TESTS_CASES_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct one_case {
	const char *name;
	void (*run)(int bad);
};

/* Where values go that nobody needs, so that they are read. */
static volatile long sink;

static int run_case(const struct one_case *cases, int argc, char **argv)
{
	for (; argc == 3 && cases->name; cases++)
		if (strcmp(cases->name, argv[1]) == 0) {
			cases->run(strcmp(argv[2], "bad") == 0);
			return 0;
		}
	return 2;
}
#endif
