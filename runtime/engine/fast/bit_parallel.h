/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bit_parallel.h: one step of all states at once, as words (prefix bp_).
 *
 * Note [bit-parallel steps]
 * Each state of the image has a *place*: a bit of a word. States are laid out so that most
 * transitions go from a place to itself, to the next one or to the one after it in the same word
 * (bit_parallel_layout.c). These transitions are masks and shifts, and all words take them
 * together:
 *
 *   next = (s << 1 & one) | (s << 2 & two) | (s & stay) | always
 *
 * The other transitions are *exceptions*: they are followed one by one, from the active places that
 * have any. Whatever is reached remains active only if its predicate holds; for that each symbol
 * has a set of places. It is *prepared* when the symbol first comes.
 *
 * Words are stepped BP_WORDS at a time, as a *vector*. Up to BP_VECTOR_STATES states are one
 * vector, which stays in registers; if its first half is enough, without exceptions, only that half
 * is used. More states take several vectors. A step then touches those with an active place, those
 * in which the symbol can begin something, and those to which an exception leads. It takes some ten
 * cycles for each of them, and none for the others. That is how large automata run whose DFA states
 * never come back (dfa_walk.c, Note [when the cache pays]).
 */
#ifndef NFART_BIT_PARALLEL_H
#define NFART_BIT_PARALLEL_H

#include "runtime/engine/fast/dfa_cache.h"

enum {
	BP_WORDS = 8,
	BP_VECTOR_STATES = 64 * BP_WORDS,
	BP_MOST_STATES = 1 << 20,
	BP_SYMBOL_BYTES = 1 << 23 /* of all prepared sets, at most, unless there is one vector */
};

typedef uint64_t bp_vector __attribute__((vector_size(8 * BP_WORDS), aligned(8)));

/* Of the places of a vector. */
struct bp_masks {
	bp_vector stay, one, two; /* entered from the place itself, one before it, two before it */
	bp_vector always;
	bp_vector special;        /* has exceptions, accepts or logs */
};

/* Some places of one word. */
struct bp_word {
	uint32_t word;
	uint64_t places;
};

/* The prepared sets. */
struct bp_symbols {
	uint64_t forgotten;          /* the symbol table's, when they were prepared */
	uint32_t slot[SYMBOLS_MOST]; /* 1 + the number of the symbol's set; 0: not prepared. Symbol 0 has
				      * no set */
	uint32_t n, cap;
	uint32_t most;               /* allowed, if there are several vectors */
	bp_vector *reach;            /* [cap][nvectors]: places whose predicate holds */
	uint64_t *begins;            /* [cap][busy_words]: vectors where an always state is among them */
};

/* The active places. */
struct bp_copy {
	bp_vector *active;
	uint64_t *busy;     /* vectors with an active place */
	bp_vector *pending; /* where exceptions lead with the next step … */
	uint64_t *late;     /* … and in which vectors */
	uint32_t *hit;      /* scratch: vectors with an active special place */
};

struct bit_parallel {
	const struct nfart_image *im;
	uint32_t nvectors, busy_words; /* words of a set of vectors */
	bool half;                /* one vector, and only its first half */
	uint32_t *state;          /* [nvectors * BP_VECTOR_STATES]: at each place, or BP_NO_STATE */
	uint32_t *first, *place;  /* the places of state s: place[first[s] … first[s + 1]) */
	struct bp_masks *masks;
	bp_vector *far;           /* places with exceptions */
	bp_vector *accepting, *logging;
	uint32_t *to_first;       /* where the exceptions of place p lead: */
	struct bp_word *to;       /* to[to_first[p] … to_first[p + 1]) */
	bp_vector *to_set;        /* the same as a set for each place; if there is one vector */
	uint32_t *pred_first;     /* the places of each predicate, likewise */
	struct bp_word *pred;
	struct bp_symbols symbols;
	struct bp_copy copy;
};

/* NULL with *ok: the image has too many states. NULL without: out of memory. Linear. */
struct bit_parallel *bp_new(const struct nfart_image *im, bool *ok);
void bp_free(struct bit_parallel *bp);

/* Are all n symbols prepared? If not, how many different ones are not? */
bool bp_all_prepared(struct bit_parallel *bp, const struct dfa_cache *d, const uint16_t *symbol,
		     size_t n);
size_t bp_count_unprepared(struct bit_parallel *bp, const uint16_t *symbol, size_t n);

/* Prepares the symbols; if there is one vector, all that exist. Returns how many of the n, from the
 * first on, are prepared: there may not be room for all, but there is for one. 0: out of memory. */
size_t bp_prepare(struct bit_parallel *bp, struct dfa_cache *d, const uint16_t *symbol, size_t n);

/* Makes a set of the engine's the active one, and back. */
void bp_load(struct bit_parallel *bp, const uint64_t *active);
void bp_store(const struct bit_parallel *bp, uint64_t *active, size_t words);

/* Batches. If `at` is NULL, `symbol` has the symbol of each batch. Else `at` has a byte for each batch, and
 * symbol_of[b] is the symbol of byte b; this form needs nvectors == 1. */
struct bp_input {
	const uint16_t *symbol, *symbol_of;
	const unsigned char *at;
};

/* Steps over the batches [i, n), whose symbols are prepared, up to the first that is accepted or
 * logged. Returns the batch after the last that was taken. *flags: DFA_ACCEPTED, DFA_LOGGED of the
 * last one. */
size_t bp_run(struct bit_parallel *bp, enum nfart_simd level, const struct bp_input *in, size_t i,
	      size_t n, uint32_t *flags);

/* Adds to `pending` where the exceptions of the active places of vector v lead. */
void bp_follow(struct bit_parallel *bp, uint32_t v);

#endif
