/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * lanes.h: one step of up to LANES_STATES states at once, as words.
 *
 * States are laid out so that most transitions go to the state itself, the next or the one after it
 * within the same 64-bit word; these are masks and shifts of all words together. The other
 * transitions are exceptions, followed one by one from the active states that have any. A state that
 * is reached stays if its predicate holds: a set of states for each symbol.
 */
#ifndef NFART_LANES_H
#define NFART_LANES_H

#include "runtime/fast.h"

enum { LANES = 8, LANES_STATES = 64 * LANES, LANES_NONE = 0xffff };

typedef uint64_t lanes_set __attribute__((vector_size(8 * LANES), aligned(8)));

struct lanes {
	const struct nfart_image *im;
	lanes_set stay, one,
		two; /* states entered from themselves, from the one before, and so on */
	lanes_set always;
	lanes_set far;            /* states with exceptions */
	lanes_set accepting, logging;
	uint16_t state[LANES_STATES]; /* at each place; a state may stand at several */
	lanes_set *to;            /* [LANES_STATES], by place: where the exceptions of a state lead */
	lanes_set *reach;         /* [nreach]: by symbol, the states whose predicate holds */
	uint32_t nreach, cap;
};

/* NULL with *ok: the image has too many states. NULL without: out of memory. */
struct lanes *lanes_new(const struct nfart_engine *en, bool *ok);
void lanes_free(struct lanes *l);

/* Makes the sets of all symbols there are. False: out of memory. */
bool lanes_symbols(struct lanes *l, struct fast *f);

/* A set of the engine's as words, and back. */
void lanes_from(const struct lanes *l, const uint64_t *active, lanes_set *s);
void lanes_to(const struct lanes *l, const lanes_set *s, uint64_t *active, size_t words);

/* A stretch of batches: their symbols; or, where `at` is not NULL, bytes and what symbol each has. */
struct lanes_input {
	const uint16_t *symbol, *symbol_of;
	const unsigned char *at;
};

/* Steps over the batches [i, n) until one is accepted or logged, which is then the last of those taken.
 * Answers the first that was not taken; *flags: FAST_ACCEPTED, FAST_LOGGED of the last. */
size_t lanes_run(const struct lanes *l, enum nfart_simd level, lanes_set *s,
		 const struct lanes_input *in, size_t i, size_t n, uint32_t *flags);

#endif
