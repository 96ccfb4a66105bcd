/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * program.h: what is known of a program before it is started.
 */
#ifndef NFACC_NFAMEM_PROGRAM_H
#define NFACC_NFAMEM_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

struct program {
	char path[PATH_MAX];        /* the file that execvp(3) would run */
	char file[PATH_MAX];        /* the same; or, for a script, its interpreter */
	/* Why the program can't be watched: "it is linked statically"; NULL: nothing is known
	 * against it. */
	const char *unwatched;
	bool script;
	bool starts_itself;         /* it refers to MadT__start() */
};

/* Looks at the program `name`, which is searched in PATH as execvp(3) does. A file that is not
 * found, or not readable, has an empty path, and nothing is known against it: execvp(3) will say
 * what is wrong. */
void program_look(struct program *p, const char *name);

#endif
