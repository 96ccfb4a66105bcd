/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * copies.h: what a process of nfamem does when the program forks or executes another program.
 * follow.h says why it makes copies of nfamem. These functions do not return in a copy.
 */
#ifndef NFACC_NFAMEM_COPIES_H
#define NFACC_NFAMEM_COPIES_H

#include "probes/memory/tool/run.h"

/*
 * Handles an event of the process of x. x->memory has handled it before. On failure returns false
 * and sets *e.
 */
bool copies_event(struct run *x, uint32_t thread, enum mem_event kind, const uint64_t *words,
		  size_t n, struct nfart_error *e);

/* Makes copies for programs that were executed. Does so only in the first process of nfamem. */
bool copies_arrivals(struct run *x, struct nfart_error *e);

/*
 * Call it when the process of x has ended. Makes copies for children whose fork it could not
 * record. Writes a note if the process executed a program that runs unwatched.
 */
bool copies_orphans(struct run *x, struct nfart_error *e);

#endif
