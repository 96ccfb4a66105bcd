/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * engine.h: the inside of the software engine. The faster ways to run a filter (fast/) use the
 * engine's tables and single steps. Where they can't continue, they write their states into the
 * engine's copies and let the engine step.
 */
#ifndef NFART_ENGINE_H
#define NFART_ENGINE_H

#include "contract/image.h"
#include "include/nfart.h"
#include "support/vec.h"

struct copy {
	uint64_t line;
	uint64_t epoch; /* the engine's epoch when the copy was last used. If the engine has a newer
			 * one, the copy is in its start states. */
};

struct nfart_engine {
	const struct nfart_image *im;
	struct arena arena;
	bool lines, reset_on_loss, by_line;
	uint64_t first_line, nlines;
	size_t words,            /* how many 64-bit words a set of states takes */
	       pwords;           /* how many 64-bit words a set of predicates takes */
	uint64_t *rows;          /* [ncodes][pwords]: for each code, the predicates that name it */
	uint64_t *none;          /* the set of predicates of mode None */
	uint64_t *start,         /* the set of states with a start mark */
		 *output;        /* the set of states with labels or a log mark */
	uint32_t *always;        /* [nalways]: the states that need no predecessor to be active */
	uint32_t nalways;
	uint64_t *truth,         /* scratch: the set of predicates that hold for the batch */
		 *next;          /* scratch: the set of states that are active after the batch */
	uint64_t *labels;        /* the set of labels in the current result */
	VEC(struct nfart_line) found;

	uint64_t epoch;
	VEC(struct copy) copies;
	uint64_t *active;        /* [active_cap][words]: the set of active states of each copy */
	uint32_t *counts;        /* [active_cap][ncounters + 1]: the counts of each copy */
	size_t active_cap;       /* how many copies `active` and `counts` have room for */
	/* [nhash]: a hash table by line. A slot has 1 + the index of a copy in `copies`, or 0 if it
	 * is empty. */
	uint32_t *hash;
	size_t nhash;
};

/* Finds the active states and the counts of a line's copy, and makes the copy if there is none.
 * Without substreams the line is 0. A copy that is new, or was reset, is in its start states. The
 * pointers are valid until the next call. False: out of memory. */
bool engine_copy(struct nfart_engine *en, uint64_t line, uint64_t **active, uint32_t **counts);

/* Fills en->truth with the predicates that hold for a batch whose n messages have these codes. */
void engine_truth(struct nfart_engine *en, const uint32_t *codes, size_t n);

/* Lets all counters count, after a batch. On entry `active` has the states that are active after
 * the batch, without those of counters. The states of counters that are active are added to it. */
void engine_count(const struct nfart_engine *en, uint64_t *active, uint32_t *counts);

/* Steps the set of states at `active` by the predicates in en->truth. This does not step counters:
 * the caller calls engine_count() afterwards. */
void engine_advance(struct nfart_engine *en, uint64_t *active);

/* These three make the result of a batch. engine_begin() empties it. engine_collect() adds the
 * labels and the log mark of the active states of one copy; false: out of memory. engine_end()
 * completes the result, which is valid until the next engine_begin(). */
void engine_begin(struct nfart_engine *en, struct nfart_result *r);
bool engine_collect(struct nfart_engine *en, const uint64_t *active, uint64_t line,
		    struct nfart_result *r);
void engine_end(struct nfart_engine *en, struct nfart_result *r);

#endif
