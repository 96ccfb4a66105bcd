/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * size.h: which part of a description makes its system large, so that a person who is told that it
 * is too large knows where to begin. A part is a variable, or the messages that a node has under
 * way.
 */
#ifndef NFACC_COMPILER_SIZE_H
#define NFACC_COMPILER_SIZE_H

#include "compiler/coherence/symmetry.h"
#include "compiler/coherence/system.h"

/* The states stand for orbits. Finds the part without which the fewest states are left, among the
 * first 8,192. False: out of memory. The cost is that of sorting them once for
 * each part. */
bool size_measure(const struct symmetry *y, const struct state *states, uint32_t n,
		  struct coh_part *largest);

/* Returns where a part is declared; `otherwise` if that is nowhere, or there is no part. */
struct diag_range size_place(const struct coh *c, const struct coh_part *part,
			     struct diag_range otherwise);

/* Reports that n states up to renaming are `all` in all, which is more than `most`. If `more`,
 * there are more than that of both. */
void size_report_all(const struct coh *c, struct diags *d, const struct coh_part *largest,
		     bool more, uint32_t n, uint64_t all, uint64_t most);

/* Adds notes to a record that the system is too large: the part, its factor, and what helps. */
void size_note(const struct coh *c, struct diags *d, size_t record, const struct coh_part *part);

#endif
