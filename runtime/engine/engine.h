/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * engine.h: the inside of the software engine. A filter's faster ways (fast/) use its tables and
 * single steps, and hand the states back to its copies where they can't continue.
 */
#ifndef NFART_ENGINE_H
#define NFART_ENGINE_H

#include "contract/image.h"
#include "include/nfart.h"
#include "support/vec.h"

struct copy {
	uint64_t line;
	uint64_t epoch; /* the engine's when it was last used; an older one: it is in its start states */
};

struct nfart_engine {
	const struct nfart_image *im;
	struct arena arena;
	bool lines, reset_on_loss, by_line;
	uint64_t first_line, nlines;
	size_t words, pwords;    /* in a set of states, in a set of predicates */
	uint64_t *rows;          /* [ncodes][pwords]: the predicates that name a code */
	uint64_t *none;          /* predicates of mode None */
	uint64_t *start, *output; /* states with a start bit; with labels or log */
	uint32_t *always;        /* the always states */
	uint32_t nalways;
	uint64_t *truth, *next;  /* scratch: predicates that hold; states active after the batch */
	uint64_t *labels;        /* of the result */
	VEC(struct nfart_line) found;

	uint64_t epoch;
	VEC(struct copy) copies;
	uint64_t *active;        /* [copies.cap][words] */
	uint32_t *counts;        /* [copies.cap][counters] */
	size_t active_cap;       /* copies that fit */
	uint32_t *hash;          /* by line: 1 + the index of its copy */
	size_t nhash;
};

/* Finds the states and counts of a line's copy (line 0 without substreams), valid until the next
 * call. A copy that is new or was reset is in its start states. False: out of memory. */
bool engine_copy(struct nfart_engine *en, uint64_t line, uint64_t **active, uint32_t **counts);

/* Fills en->truth from the codes of n messages. */
void engine_truth(struct nfart_engine *en, const uint32_t *codes, size_t n);

/* Lets counters count. `active` has the other states after the batch; those of counters are
 * added. */
void engine_count(const struct nfart_engine *en, uint64_t *active, uint32_t *counts);

/* Steps the states at `active`, without counters, by the predicates in en->truth. */
void engine_advance(struct nfart_engine *en, uint64_t *active);

/* Makes a result: begin empties it; collect adds what the active states of a copy say (false: out
 * of memory); end completes it. */
void engine_begin(struct nfart_engine *en, struct nfart_result *r);
bool engine_collect(struct nfart_engine *en, const uint64_t *active, uint64_t line,
		    struct nfart_result *r);
void engine_end(struct nfart_engine *en, struct nfart_result *r);

#endif
