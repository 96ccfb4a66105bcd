/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bit_parallel.h: one step of all states at once, as words.
 *
 * States are laid out so that most transitions go to the state itself, the next or the one after it
 * within the same 64-bit word (bit_parallel_layout.c); these are masks and shifts of all words together. The
 * other transitions are exceptions, followed one by one from the active states that have any. A state
 * that is reached stays if its predicate holds: a set of states for each symbol, made when the symbol is
 * first met.
 *
 * Up to LANES_STATES states are one block of words, which stays in registers; where its first half is
 * enough, without exceptions, only that is looked at. More of them are as many
 * blocks as it takes, of which a step touches those with an active state, or with one that the symbol
 * begins, or where an exception leads: it costs some ten cycles for each of these and never looks at the
 * others. That is how large automata run whose sets of states never come back (dfa_walk.c, Note [when
 * tables don't pay]).
 */
#ifndef NFART_LANES_H
#define NFART_LANES_H

#include "runtime/engine/fast/dfa_cache.h"

enum {
	LANES = 8,
	LANES_STATES = 64 * LANES,
	LANES_MOST = 1 << 20,      /* states */
	LANES_SYMBOL_BYTES = 1 << 23 /* of the sets for symbols, at most */
};

typedef uint64_t lanes_set __attribute__((vector_size(8 * LANES), aligned(8)));

struct lanes_block {
	lanes_set stay, one, two; /* states entered from themselves, from the one before, and so on */
	lanes_set always;
	lanes_set special;        /* far, accepting or logging */
};

/* Some places of one word. */
struct lanes_word {
	uint32_t word;
	uint64_t places;
};

struct lanes {
	const struct nfart_image *im;
	uint32_t nblocks, busy_words; /* words of a set of blocks */
	bool half;                /* one block, and only the first half of it */
	uint32_t *state;          /* [nblocks * LANES_STATES]: at each place; LANES_NONE at none */
	uint32_t *first, *place;  /* places of state s: place[first[s] … first[s + 1]) */
	struct lanes_block *block;
	lanes_set *far;           /* states with exceptions */
	lanes_set *accepting, *logging;
	uint32_t *to_first;       /* where the exceptions of the state at a place lead: */
	struct lanes_word *to;    /* to[to_first[p] … to_first[p + 1]) */
	lanes_set *to_set;        /* the same as sets, by place; where there is one block */
	uint32_t *pred_first;     /* the places of each predicate, likewise */
	struct lanes_word *pred;

	/* symbols */
	uint64_t forgotten;       /* fast.forgotten, when they were met */
	uint32_t slot[FAST_SYMBOLS]; /* 1 + the number of its sets; 0: not met. Symbol 0 has none */
	uint32_t nslots, cap, most; /* most: with several blocks */
	lanes_set *reach;         /* [cap][nblocks]: the states whose predicate holds */
	uint64_t *begins;         /* [cap][busy_words]: blocks where an always state is among them */

	/* the copy */
	lanes_set *active;
	uint64_t *busy;           /* blocks with an active state */
	lanes_set *pending;       /* where exceptions lead with the next step … */
	uint64_t *late;           /* … and in which blocks */
	uint32_t *hit;            /* scratch: blocks with an active special state */
};

/* NULL with *ok: the image has too many states. NULL without: out of memory. Linear. */
struct lanes *lanes_new(const struct nfart_image *im, bool *ok);
void lanes_free(struct lanes *l);

/* Were all of n symbols met? If not, how many different ones were not? */
bool lanes_met(struct lanes *l, const struct fast *f, const uint16_t *symbol, size_t n);
size_t lanes_unmet(struct lanes *l, const uint16_t *symbol, size_t n);

/* Makes the sets of the symbols; with one block, of all that there are. Answers for how many from the
 * front on they are there, which may be fewer than n, but not none; 0: out of memory. */
size_t lanes_meet(struct lanes *l, struct fast *f, const uint16_t *symbol, size_t n);

/* A set of the engine's becomes the copy's, and back. */
void lanes_from(struct lanes *l, const uint64_t *active);
void lanes_to(const struct lanes *l, uint64_t *active, size_t words);

/* Batches: their symbols; with one block, where `at` is not NULL, bytes and what symbol each has. */
struct lanes_input {
	const uint16_t *symbol, *symbol_of;
	const unsigned char *at;
};

/* Steps over the batches [i, n), whose symbols were met, until one is accepted or logged, which is then
 * the last of those taken. Answers the first that was not; *flags: FAST_ACCEPTED, FAST_LOGGED of the
 * last. */
size_t lanes_run(struct lanes *l, enum nfart_simd level, const struct lanes_input *in, size_t i, size_t n,
		 uint32_t *flags);

/* Adds where the exceptions of the active states of block b lead to what is pending. */
void lanes_follow(struct lanes *l, uint32_t b);

#endif
