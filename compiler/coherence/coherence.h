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

#include "compiler/coherence/beliefs.h"
#include "compiler/coherence/keep.h"
#include "compiler/coherence/states.h"
#include "support/buf.h"
#include "support/progress.h"

/* The user's options. */
struct coherence_options {
	bool never; /* a checker does not begin anew after an error: it accepts for ever */
	bool small; /* the checker is for an overlay: its automaton is made small (print.h) */
	bool only;  /* the form "only" (print.h, Note [forms of a checker]) */
	bool orders; /* the target executes machines, so that form can be one */
	bool sets;   /* the form "states" (print.h); `only` is said, too */
	bool follow; /* the form "follow" (print.h); `only` is said, too */
	/* The projections: for each the names of groups and events that it sees, separated by
	 * commas. Each makes a checker of its own. Without any, one checker sees all events. */
	const char *const *projections;
	size_t nprojections;
	uint32_t states; /* the most states of the system and of a checker; 0: the usual limits */
	const struct progress *progress; /* shows what is being found; or NULL */
};

/* Returns how rules are explored. */
static inline struct system_options coherence_explores(const struct coherence_options *o)
{
	if (o->states != 0)
		return (struct system_options){ o->states, UINT64_MAX };
	return system_usual;
}

/* Returns how the states of a checker that keeps sets of them are found. */
static inline struct states_options coherence_moves(const struct coherence_options *o)
{
	if (o->states != 0)
		return (struct states_options){ COH_MOST_WEAK_MOVES << 4, UINT64_MAX };
	return (struct states_options){ COH_MOST_WEAK_MOVES, COH_MOST_STEPS };
}

/* Returns how the beliefs of a checker are found. */
static inline struct beliefs_options coherence_beliefs(const struct coherence_options *o)
{
	struct beliefs_options how = beliefs_usual;

	how.anew = !o->never;
	if (o->states != 0) {
		how.most = o->states;
		how.work = UINT64_MAX;
	}
	return how;
}

/* What is known of derived checkers besides their text. */
struct coherence_made {
	bool known; /* they are for streams that begin when the system begins (`start known`) */
	bool follow;            /* an engine follows one of them at least */
	struct diag_range name; /* where the description has their name */
	struct buf kept; /* what an image keeps of the rules (keep.h); the caller frees it */
};

/* Returns the events of a projection: these, and those of messages of the same events of the
 * protocol, from the same nodes, that are for a home without their line. */
uint64_t coherence_with_homes(const struct coh *c, uint64_t events);

/* Derives the checkers of source `source` of d, and appends them to b as filter text. Returns
 * NFART_OK; NFART_INPUT or NFART_GAVEUP (reported); or NFART_SYSTEM. */
enum nfart_status coherence_derive(struct diags *d, uint32_t source, const struct coh_options *find,
				   const struct coherence_options *o, struct buf *b,
				   struct coherence_made *made);

#endif
