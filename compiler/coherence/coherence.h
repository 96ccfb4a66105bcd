/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * coherence.h: derives checkers from descriptions of coherence protocols (nfacc-coherence(5)). A
 * description goes in, and filter text with an automaton comes out, which the front end then reads
 * like any other filter:
 *
 *   description -> system (system.h) -> beliefs (beliefs.h) -> filter text (print.h)
 *
 * So the proof of an image compares it with the derived automaton; testsuite/property/coherence.c
 * compares the derived automaton with the description.
 */
#ifndef NFACC_COMPILER_COHERENCE_H
#define NFACC_COMPILER_COHERENCE_H

#include "grammar/coherence/coh.h"
#include "support/buf.h"

/* The user's options. */
struct coherence_options {
	bool only; /* the form "only" (print.h, Note [forms of a checker]) */
	/* The projections: for each the names of groups and events that it sees, separated by
	 * commas. Each makes a checker of its own. Without any, one checker sees all events. */
	const char *const *projections;
	size_t nprojections;
};

/* What is known of derived checkers besides their text. */
struct coherence_made {
	bool known; /* they are for streams that begin when the system begins (`start known`) */
	struct diag_range name; /* where the description has their name */
};

/* Derives the checkers of source `source` of d, and appends them to b as filter text. Returns
 * NFART_OK; NFART_INPUT or NFART_GAVEUP (reported); or NFART_SYSTEM. */
enum nfart_status coherence_derive(struct diags *d, uint32_t source, const struct coh_options *find,
				   const struct coherence_options *o, struct buf *b,
				   struct coherence_made *made);

#endif
