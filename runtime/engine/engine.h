/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * engine.h: the inside of the software engine, for the fast path (dfa_cache.h), which takes its tables
 * and its single steps from here and hands the copies back where it can't go on.
 */
#ifndef NFART_ENGINE_H
#define NFART_ENGINE_H

#include "contract/image.h"
#include "include/nfart.h"
#include "support/vec.h"

struct copy {
	uint64_t line;
	uint64_t epoch; /* of the states it holds; older ones mean: in its start states */
};

struct nfart_engine {
	const struct nfart_image *im;
	struct arena arena;
	bool lines, reset_on_loss, by_line;
	uint64_t first_line, nlines;
	size_t words, pwords;    /* of a set of states, of predicates */
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
	uint32_t *hash;          /* line to copy: index + 1 */
	size_t nhash;
};

/* The states and counts of the line's copy (line 0 without substreams), as at the start where it is
 * new or was reset; valid until the next call. False: out of memory. */
bool engine_copy(struct nfart_engine *en, uint64_t line, uint64_t **active, uint32_t **counts);

/* Fills en->truth from the codes of n messages. */
void engine_truth(struct nfart_engine *en, const uint32_t *codes, size_t n);

/* Counters, where `active` has the other states after the batch. */
void engine_count(const struct nfart_engine *en, uint64_t *active, uint32_t *counts);

/* One step of the states at `active`, counters left out, with the predicates in en->truth. */
void engine_advance(struct nfart_engine *en, uint64_t *active);

/* A result: begun empty, then what the active states of each copy say is added (false: out of
 * memory), then ended. */
void engine_begin(struct nfart_engine *en, struct nfart_result *r);
bool engine_collect(struct nfart_engine *en, const uint64_t *active, uint64_t line,
		    struct nfart_result *r);
void engine_end(struct nfart_engine *en, struct nfart_result *r);

#endif
