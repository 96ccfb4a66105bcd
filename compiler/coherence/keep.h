/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * keep.h: makes of a description and its system what an image keeps of them
 * (contract/image/kept.h).
 */
#ifndef NFACC_COMPILER_KEEP_H
#define NFACC_COMPILER_KEEP_H

#include "compiler/coherence/compose.h"
#include "contract/image/kept.h"

/* Checkers of one description, in order. A zeroed one is empty. */
struct keep {
	VEC(struct kept_checker) checkers; /* each owns its label */
};

/* Adds a checker. False: out of memory. */
bool keep_checker(struct keep *keep, const char *label, uint64_t seen, uint32_t how);
void keep_free(struct keep *keep);

/* Why can an engine not follow so many checkers of the rules? Returns why; or NULL if it can. */
const char *keep_refuses(const struct coh *c, const struct coh_system *s, size_t checkers);

/* Appends the description to a section: source `source` of d is its text. Appends nothing if its
 * system, which is `composed` if that has parts, has more than KEPT_MOST_MOVES moves, or
 * KEPT_MOST_FOLLOWED if an engine follows a checker, if it has more nodes than KEPT_NODES, if its
 * states times the checkers are more than KEPT_MOST_STATES, or if it has more messages or tests of
 * them than KEPT_MESSAGES and KEPT_GUARDS.
 * False: out of memory. */
bool keep_write(const struct keep *keep, const struct coh *c, const struct coh_system *s,
		const struct composed *composed, const struct diag_source *source, struct buf *b);

#endif
