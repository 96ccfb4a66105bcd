/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * must.h: leaves out batches, and visits to lines, that cannot move a copy (prefix must_).
 *
 * Note [messages that a run must have]
 * Most filters wait for few messages. Until one comes, a copy of the automaton is at *rest*. Which
 * messages these are follows from the image:
 *
 *   enter   the states that may become active next: always states, and successors of active ones
 *   rest    the states of `enter` whose predicate is a None: they hold where no message is named
 *   loud    a message is loud if a predicate of a state of `enter` names it; others are quiet
 *
 *   filter f = true* req !ans* req;     always states: none here but those of true* and req
 *   enter = { true, req }   rest = { true }   loud: the messages of req
 *
 * The image has a rest if three things hold, which must_check() proves of it:
 *
 *   1. From the start states, and from `rest`, the states that may become active next are `enter`.
 *   2. No state of `rest` has labels or a log mark.
 *   3. The key of each message that a predicate of `enter` names is loud.
 *
 * Then a copy in the start states, or in `rest`, that sees a batch of quiet messages is in `rest`
 * afterwards, and puts out nothing. So every run to an output must have a loud message, and a quiet
 * visit to a line at rest is left out: before and after it the copy does the same with all batches.
 *
 * Without substreams, quiet batches are left out at the begin of each block that finds the copy in
 * `rest`. With substreams, a set has all lines that are not at rest, and perhaps others: a loud
 * visit adds its line, and now and then those that came to rest again are taken out. If loud visits
 * are frequent, or many lines are not at rest, there is a pause.
 */
#ifndef NFART_MUST_H
#define NFART_MUST_H

#include "runtime/engine/fast/keys.h"
#include "runtime/engine/fast/visits.h"

struct nfart_filter;

/* What is made of the image. */
struct must_tables {
	uint64_t *enter, *rest; /* sets of states */
	uint64_t bits;          /* keys that have one of these bits are loud */
	uint64_t *classes;      /* or, for a single slot: the set of classes that are loud */
};

struct must {
	const struct nfart_engine *en;
	const struct key_table *keys;
	struct must_tables table;
	bool on;                /* `away` is known; else there is a pause, or none began yet */
	uint64_t *away;         /* [lines + 1]: a set that has all lines that are not at rest */
	uint64_t marked, fresh; /* how many are in `away`; how many came since it was made */
	uint64_t pause, wait;   /* how long the last pause was, in visits; how many are left */
	uint64_t seen;          /* how many visits were looked at since the last pause */
	struct share_visits left; /* what must_drop() leaves */
};

/* Is a message or batch with this key loud? */
static inline bool must_is_loud(const struct must *m, uint64_t key)
{
	return m->table.classes != NULL
		       ? bits_get(m->table.classes, key >> KEY_FIRST_SET)
		       : (key & m->table.bits) != 0;
}

/* Makes what an engine without batches for all copies needs. NULL, and *ok is true: its image has
 * no rest. NULL, and *ok is false: out of memory. must_free(NULL) is fine. */
struct must *must_new(const struct nfart_engine *en, const struct key_table *keys, bool *ok);
void must_free(struct must *m);

/* Proves what Note [messages that a run must have] says. must_new() has its result proved. */
bool must_check(const struct must *m);

/* Without substreams: returns the first batch of [from, n) that may not be left out. If that is not
 * `from`, the copy is in the same states before and after those that may. */
size_t must_skip(const struct nfart_filter *f, size_t from, size_t n);

/* Are all lines at rest, and the first n batches of the block quiet? */
bool must_is_quiet(const struct nfart_filter *f, size_t n);

/* Leaves out visits of *n at *v: *v and *n become those that are left. False: out of memory. */
bool must_drop(struct nfart_filter *f, const struct line_visit **v, size_t *n);

#endif
