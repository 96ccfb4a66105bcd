/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bit_parallel.h: steps all states at once, as bits of words (prefix bp_).
 *
 * Note [bit-parallel steps]
 * Each state of the image has a *place*: a bit of a word. States are laid out so that most
 * transitions are near: they go from a place to itself, to the next place, or to the one after
 * that, in the same word (bit_parallel_layout.c, Note [layout]). Near transitions are taken by
 * masks and shifts, for all places of a word together:
 *
 *   next = (s << 1 & one) | (s << 2 & two) | (s & stay) | always
 *
 * All other transitions are *exceptions*. They are followed one by one, from the active places that
 * have any. A place that is reached remains active only if the predicate of its state holds. To
 * check this at once for all places, each symbol (symbols.h) has the set of places whose predicates
 * hold. This set is *prepared* when the symbol first comes.
 *
 * Words are stepped BP_WORDS at a time, as a *vector*. Up to BP_VECTOR_STATES states are one
 * vector, which stays in registers. If the states fit into its first half without exceptions, only
 * that half is used. More states take several vectors. A step then touches the vectors that have an
 * active place, those in which the symbol can begin something, and those to which an exception
 * leads. It takes some ten cycles for each of them, and none for the others. That is how large
 * automata run whose DFA states never come back (dfa_walk.c, Note [when the cache pays]).
 */
#ifndef NFART_BIT_PARALLEL_H
#define NFART_BIT_PARALLEL_H

#include "runtime/engine/fast/dfa_cache.h"

enum {
	BP_WORDS = 8,
	BP_VECTOR_STATES = 64 * BP_WORDS,
	BP_MOST_STATES = 1 << 20,
	BP_SYMBOL_BYTES = 1 << 23 /* the most bytes of prepared sets, with several vectors */
};

typedef uint64_t bp_vector __attribute__((vector_size(8 * BP_WORDS), aligned(8)));

/* Sets of places of one vector. */
struct bp_masks {
	bp_vector stay,           /* the places with a transition to themselves */
		  one,            /* the places with a transition from one place before */
		  two;            /* the places with a transition from two places before */
	bp_vector always;
	bp_vector special;        /* the places that accept, log or have exceptions */
};

/* A set of places that are all in one word. */
struct bp_word {
	uint32_t word;
	uint64_t places;
};

/* The prepared sets: for each symbol, the places whose predicate holds. */
struct bp_symbols {
	uint64_t forgotten; /* symbol_table.forgotten when the sets were prepared */
	/* [symbol]: 1 + the number of the symbol's prepared set; 0: it has none. Symbol 0 is no
	 * batch and needs no set. */
	uint32_t slot[SYMBOLS_MOST];
	uint32_t n,                  /* how many sets are prepared */
		 cap;                /* how many sets there is room for */
	uint32_t most;               /* how many sets are allowed, if there are several vectors */
	bp_vector *reach;            /* [cap][nvectors]: the prepared sets */
	/* [cap][busy_words]: for the symbol of each prepared set, the set of vectors in which the
	 * predicate of an *always* state holds. */
	uint64_t *begins;
};

/* The copy of the automaton that is stepped: its active places. */
struct bp_copy {
	bp_vector *active;
	uint64_t *busy;     /* the set of vectors that have an active place */
	bp_vector *pending; /* the places that exceptions enter in the next step */
	uint64_t *late;     /* the set of vectors that exceptions enter in the next step */
	uint32_t *hit;      /* scratch: the vectors where a place of bp_masks.special is active */
};

/* Transitions that shifting does not make. */
struct bp_exceptions {
	bp_vector *from;          /* the places from which exceptions lead */
	/* The exceptions of place p lead to the places in at[first[p] … first[p + 1]). */
	uint32_t *first;
	struct bp_word *at;
	/* [place]: the set of places to which its exceptions lead; only if there is one vector. */
	bp_vector *set;
};

struct bit_parallel {
	const struct nfart_image *im;
	uint32_t nvectors,        /* how many vectors hold the places */
		 busy_words;      /* how many 64-bit words a set of vectors takes */
	bool half;                /* only the first half of the only vector is used */
	/* [nvectors * BP_VECTOR_STATES]: the state at each place, or BP_NO_STATE. */
	uint32_t *state;
	/* The places of state s are place[first[s] … first[s + 1]). */
	uint32_t *first, *place;
	struct bp_masks *masks;
	bp_vector *accepting, *logging;
	struct bp_exceptions to;
	/* The places whose states have predicate p are at[first[p] … first[p + 1]). */
	struct {
		uint32_t *first;
		struct bp_word *at;
	} preds;
	struct bp_symbols symbols;
	struct bp_copy copy;
};

/* Lays out the states of an image, which is borrowed, and makes its masks and exceptions. NULL, and
 * *ok is true: the image has too many states. NULL, and *ok is false: out of memory. Linear. */
struct bit_parallel *bp_new(const struct nfart_image *im, bool *ok);
void bp_free(struct bit_parallel *bp);

/* bp_all_prepared() says whether all n symbols have prepared sets (Note [bit-parallel steps]).
 * bp_count_unprepared() says how many different symbols of these have none; bp_all_prepared() must
 * have been called before. */
bool bp_all_prepared(struct bit_parallel *bp, const struct dfa_cache *d, const uint16_t *symbol,
		     size_t n);
size_t bp_count_unprepared(struct bit_parallel *bp, const uint16_t *symbol, size_t n);

/* Prepares the sets of the n symbols (Note [bit-parallel steps]). If there is one vector, it
 * prepares the sets of all symbols that exist. Returns how many of the n symbols, from the first
 * on, are prepared. There may be no room for all of them, but at least one is prepared. 0: out of
 * memory. */
size_t bp_prepare(struct bit_parallel *bp, struct dfa_cache *d, const uint16_t *symbol, size_t n);

/* bp_load() activates the places of the states in the set `active`, and no others. bp_store()
 * writes the set of the states of all active places to `active`, in `words` words. */
void bp_load(struct bit_parallel *bp, const uint64_t *active);
void bp_store(const struct bit_parallel *bp, uint64_t *active, size_t words);

/* The batches to step. If `at` is NULL, `symbol` has the symbol of each batch. Otherwise `at` has a
 * byte for each batch, and symbol_of[b] is the symbol of byte b; this form needs nvectors == 1. */
struct bp_input {
	const uint16_t *symbol, *symbol_of;
	const unsigned char *at;
};

/* Steps over the batches [i, n), whose symbols are prepared, up to the first that is accepted or
 * logged. Returns the batch after the last that was stepped. *flags becomes the flags of this last
 * batch: DFA_ACCEPTED, DFA_LOGGED, both or 0. */
size_t bp_run(struct bit_parallel *bp, enum nfart_simd level, const struct bp_input *in, size_t i,
	      size_t n, uint32_t *flags);

/* Adds to copy.pending the places to which the exceptions (Note [bit-parallel steps]) of the active
 * places of vector v lead. */
void bp_follow(struct bit_parallel *bp, uint32_t v);

#endif
