/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * dfa_walk.h: runs a filter's automata over the batches of its block.
 *
 * Each function here gives some batches of the block their entries (dfa_cache.h). Without
 * substreams there is one copy of the automaton. dfa_walk() runs it, and calls the others:
 *
 *   dfa_walk()              makes entries that are missing, and steps where the cache does not pay
 *     dfa_speculate()       follows entries that exist, at several places of the block at once
 *       dfa_shuffle()       follows them by shuffles of bytes, where there are few states
 *     dfa_walk_counting()   follows entries that exist, where the image has counters
 *
 * With substreams each line has a copy, and dfa_lines() runs all of them.
 */
#ifndef NFART_DFA_WALK_H
#define NFART_DFA_WALK_H

#include "runtime/engine/fast/visits.h"
#include "runtime/engine/leap.h"

/* The numbers from which dfa_walk() decides whether the cache pays (dfa_walk.c, Note [when the
 * cache pays]). A *look* is one such decision. If the cache does not pay, a *pause* begins. */
struct dfa_pace {
	uint64_t made,           /* how many entries were made since the last look */
		 walked;         /* how many batches were walked since the last look */
	uint64_t before;         /* the value of `walked` when the last pause began */
	uint64_t emptied;        /* the value of dfa_cache.emptied when the last pause began */
	uint64_t look;           /* how many entries are made from one look to the next */
	uint64_t worth;          /* how many batches each entry must serve on average */
	uint64_t pause;          /* how long the last pause was, in batches; 0: the cache pays */
	uint64_t steps;          /* how many batches of the current pause are left */
};

enum { SHUFFLE_STATES = 16, SHUFFLE_SYMBOLS = 63 };

/* The cache's table in the form that dfa_shuffle.c needs (Note [few states]). */
struct dfa_shuffles {
	/* [symbol + 1][state]: the state to which the symbol leads from this state. */
	_Alignas(16) uint8_t to[SHUFFLE_SYMBOLS + 1][SHUFFLE_STATES];
	uint32_t entry[SHUFFLE_STATES]; /* [state]: the entry that leads to this state */
	/* The cache's `made` and `emptied`, and its number of symbols, when `to` and `entry` were
	 * filled in. nsymbols is 0 if they never were. */
	uint64_t made, emptied;
	uint32_t nsymbols;
};

/* The numbers from which dfa_speculate() decides whether to walk at several places at once
 * (dfa_speculate.c, Note [several walks at once]). */
struct dfa_speculation {
	uint64_t calm;   /* how many batches were walked since an entry was last missing */
	uint64_t enough; /* how high `calm` must be for walks at several places */
	uint32_t alone;  /* how many more walks at several places are left out, after a bad one */
	struct dfa_shuffles shuffles;
};

/* Gives the batches [from, *done) their entries (Note [states, rows, entries]); *done is at most n.
 * False: out of memory. If *done < n, the caller must use these entries before it calls again with
 * from = *done, since that call may forget the rows they lead to. */
bool dfa_walk(struct nfart_filter *f, size_t from, size_t n, size_t *done);

/* Gives the batches from i on their entries (Note [states, rows, entries]), as long as these exist
 * already. Returns the first batch whose entry is missing, or n. */
size_t dfa_speculate(struct nfart_filter *f, size_t i, size_t n);

/* Does what dfa_speculate() does, but may stop at any batch, even at i. */
size_t dfa_shuffle(struct nfart_filter *f, size_t i, size_t n);

/* Does what dfa_speculate() does, for an image that has counters. *end becomes n, or the first
 * batch whose entry is missing, or whose counters need room that the cache lacks. False: out of
 * memory. */
bool dfa_walk_counting(struct nfart_filter *f, size_t i, size_t n, size_t *end);

/* With substreams: gives the first n batches of the block their entries (Note [states, rows,
 * entries]). These have flags, but no row. False: out of memory. */
bool dfa_lines(struct nfart_filter *f, size_t n);

/* ---- batches for all copies (dfa_everyone.c) ---- */

/* Prepares f->at.everyone. False: out of memory. */
bool dfa_everyone_init(struct nfart_filter *f);

/* Puts the rest back into its start states. */
void dfa_everyone_reset(struct nfart_filter *f);

/* Makes the nvisits visits at v, if the image has batches for all copies. */
bool dfa_everyone_visits(struct nfart_filter *f, const struct line_visit *v, size_t nvisits);

/* Notes that the line's row changed, so that a tick may move it. False: out of memory. */
bool dfa_note_moving(struct nfart_filter *f, uint64_t line);

/* Lets all copies leap over up to limits.most ticks, of which *n says how many. A tick was stepped
 * before. False: out of memory. */
bool dfa_everyone_leap(struct nfart_filter *f, struct leap_limits limits, uint64_t *n);

/* ---- in dfa_lines.c, for dfa_everyone.c ---- */

/* dfa_visit_line() makes a visit to a line by the cache, dfa_step_line() by the engine. False: out
 * of memory. */
bool dfa_visit_line(struct nfart_filter *f, const struct line_visit *v, uint64_t line);
bool dfa_step_line(struct nfart_filter *f, const struct line_visit *v, uint64_t line);

/* Makes the visits from i on. Stops before the first visit whose entry is missing, has DFA_COUNT or
 * accepts, or that is for all copies, and returns its number, or n if there is none. */
size_t dfa_follow(struct nfart_filter *f, const struct line_visit *v, size_t i, size_t n);

/* Makes a visit to the rest by the cache, and puts the entry that it took into *entry. If the
 * engine took over instead, nothing was stepped. False: out of memory. */
bool dfa_visit_rest(struct nfart_filter *f, const struct line_visit *v, uint32_t *entry);

/* Writes the states of all lines to the engine's copies. From now on the engine steps them. False:
 * out of memory. */
bool dfa_lines_hand_over(struct nfart_filter *f);

/* Does what dfa_lines() does, for a caller that knows the visits (visits.h) of the n batches: the
 * nvisits visits at v. */
bool dfa_visits(struct nfart_filter *f, const struct line_visit *v, size_t nvisits, size_t n);

#endif
