/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* program.h: what nfamem finds out about a program before it starts it. */
#ifndef NFACC_NFAMEM_PROGRAM_H
#define NFACC_NFAMEM_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

struct program {
	char path[PATH_MAX];        /* the file that execvp(3) would run */
	char file[PATH_MAX];        /* the same file; for a script, its interpreter */
	/*
	 * Why the program cannot be watched, for example "it is linked statically". NULL if no
	 * reason is known.
	 */
	const char *unwatched;
	bool script;
	bool starts_itself;         /* it uses MadT__start() */
};

/*
 * Looks at the program `name`. Searches PATH as execvp(3) does. If the file is not found or cannot
 * be read, its path is empty and `unwatched` is NULL. execvp(3) will later say what is wrong.
 */
void program_look(struct program *p, const char *name);

#endif
