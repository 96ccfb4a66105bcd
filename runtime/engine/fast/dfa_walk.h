/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * dfa_walk.h: a filter's automata over the batches of a block.
 *
 * Each of these functions gives some batches of the filter's block their entries (dfa_cache.h).
 * Without substreams there is one copy of the automaton, and dfa_walk() calls the others:
 *
 *   dfa_walk()           makes missing entries; steps where the cache does not pay
 *     dfa_speculate()    follows entries that are there, at several places of the block at once
 *       dfa_shuffle()    the same by shuffles of bytes, where there are few states
 *     dfa_walk_counting()  the same where there are counters
 *
 * With substreams each line has a copy, and dfa_lines() does all of it.
 */
#ifndef NFART_DFA_WALK_H
#define NFART_DFA_WALK_H

#include "runtime/engine/fast/visits.h"

/* Whether the cache pays: dfa_walk.c, Note [when the cache pays]. */
struct dfa_pace {
	uint64_t made, walked;   /* since the last look: entries made, batches walked */
	uint64_t before;         /* `walked` when the last look said to stop */
	uint64_t emptied;        /* the cache's, at that time */
	uint64_t look;           /* entries from one look to the next */
	uint64_t worth;          /* batches that an entry must serve */
	uint64_t pause;          /* batches to step before the next try; 0: the cache pays */
	uint64_t steps;          /* of these, still to step */
};

enum { SHUFFLE_STATES = 16, SHUFFLE_SYMBOLS = 63 };

/* The table as bytes: dfa_shuffle.c. */
struct dfa_shuffles {
	_Alignas(16) uint8_t to[SHUFFLE_SYMBOLS + 1][SHUFFLE_STATES]; /* [symbol + 1][state] */
	uint32_t entry[SHUFFLE_STATES];
	uint64_t made, emptied; /* the cache's, when this was made */
	uint32_t nsymbols;      /* likewise; 0: it was never made */
};

/* Whether to walk at several places at once: dfa_speculate.c. */
struct dfa_speculation {
	uint64_t calm;   /* batches since an entry was last missing */
	uint64_t enough; /* so many of them are enough to begin */
	uint32_t alone;  /* attempts to leave out, after one that guessed badly */
	struct dfa_shuffles shuffles;
};

/* Gives the batches [from, *done) their entries. False: out of memory. If *done < n, the caller
 * must use the entries so far before it calls again from *done: some may be forgotten then. */
bool dfa_walk(struct nfart_filter *f, size_t from, size_t n, size_t *done);

/* Follows entries that are there, for the batches [i, n). Returns the first batch without one, or
 * n. */
size_t dfa_speculate(struct nfart_filter *f, size_t i, size_t n);

/* The same for a first part of them, which may be empty. */
size_t dfa_shuffle(struct nfart_filter *f, size_t i, size_t n);

/* The same with counters. False: out of memory. */
bool dfa_walk_counting(struct nfart_filter *f, size_t i, size_t n, size_t *end);

/* Gives the first n batches of the block their entries, with substreams. False: out of memory. */
bool dfa_lines(struct nfart_filter *f, size_t n);

/* The same where the visits of the n batches are known. */
bool dfa_visits(struct nfart_filter *f, const struct line_visit *v, size_t nvisits, size_t n);

#endif
