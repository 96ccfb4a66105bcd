/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * machine_profile.h: makes stacks of what a random machine did, as folded text, and adds them up.
 */
#ifndef NFACC_TESTSUITE_MACHINE_PROFILE_H
#define NFACC_TESTSUITE_MACHINE_PROFILE_H

#include "probes/profile/tests/random_machine.h"

enum { NOBODY = -1 }; /* the file that is left out, if none is */

/* The size of a profile. */
struct profile_size {
	size_t nodes;     /* nodes of the tree */
	size_t shown;     /* nodes of the tree as it is shown */
	size_t processes; /* that are alive, and those that stand for ended ones */
};

/* Makes a machine, writes its modules into the folder, and runs it. */
bool machine_write_all(struct random_machine *x, struct gen_random *random, uint64_t seed,
		       const char *folder, size_t processes, struct machine_rules rules);

/* Removes the files, and frees the machine. */
void machine_clear(struct random_machine *x, const char *folder);

/*
 * Makes stacks from the machine's tokens, with all files but one. Merges processes when `fold_ends`
 * of them have ended. Appends folded stacks to b.
 */
bool machine_profile(const struct random_machine *x, const char *folder, int left_out,
		     size_t fold_ends, struct buf *b, struct profile_size *size);

/* Returns the sum of the cycles of all stacks. */
uint64_t folded_total(const struct buf *b);

/* Returns the cycles of stacks that begin with this name, without what the kernel does for them. */
uint64_t folded_under(const struct buf *b, const char *name);

#endif
