/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * factor.h: leaves out the bytes that no match can need (prefix factor_).
 *
 * Note [factors] Most sets of patterns have a *cut*: states through which every path to a state
 * with an output leads. The last letters that a path reads up to a state of the cut are a *gram*, a
 * word of `length` bytes. If no gram of the cut ends at a byte, no state of the cut becomes active
 * there.
 *
 *   before the cut          the cut       after it
 *   a ─▸ [^x]* ─▸ b ─▸ [cd] ─▸ [ce] ─▸ f ─▸ [^y]* ─▸ g
 *                    grams bccf, bcef, bdcf, bdef
 *
 * States after the cut, it included, are stepped, which costs nothing while none is active. Those
 * before it are not stepped at all. Where a gram ends, a walk backwards over the text finds out
 * whether the state of the cut is active: it follows the predecessors until it reaches an always
 * state (yes), or nothing is left (no).
 *
 * Walks go over the last bytes, of which a copy is kept, and over no more: before the cut a state
 * may only repeat by itself, right behind always states. Whether such a *loop* was active at a byte
 * follows from where each letter came last.
 *
 * The search for grams looks at every `stride`-th byte alone. A window of length - stride + 1 bytes
 * that ends there is a part of any gram that ends at it or before the next one:
 *
 *   text      . . . b c c f . .      stride 2: the windows bcc and ccf are looked up
 *   looked at   |   |   |   |
 *
 * All begins at a *base*: a place of the stream at which all active states are known. A text full
 * of grams would be walked over again and again. So if the walks of a block take more steps than it
 * is worth, the states are found out, the cache and the other engines take over, and the factors
 * try again later, from a new base.
 */
#ifndef NFART_FACTOR_H
#define NFART_FACTOR_H

#include "runtime/engine/engine.h"
#include "runtime/engine/fast/factor_teddy.h"
#include "runtime/engine/fast/keys.h"
#include "support/vec.h"

struct nfart_filter;

enum {
	FACTOR_MOST_LENGTH = 8,
	FACTOR_PAST = 256,       /* bytes that are kept; a walk up to a loop takes fewer steps */
	FACTOR_MOST_GRAMS = 1 << 16,
	/* Words and paths are followed with so many steps at most. A hostile image can have far
	 * more paths than words. */
	FACTOR_MOST_STEPS = 1 << 20
};

/* What a state is: a sum of these. */
enum {
	FACTOR_AFTER = 1,   /* it is after the cut, or in it */
	FACTOR_CUT = 2,
	FACTOR_LOOP = 4,    /* it is before the cut, and its own successor */
	FACTOR_OUTPUT = 8   /* it has labels or a log mark */
};

/* The states of the cut to which a gram leads. */
struct factor_gram {
	uint64_t word;        /* the bytes of the gram, the last one highest */
	uint32_t first_plus_1; /* where they begin in factor_tables.of_gram; 0: a free place */
};

struct factor_state {
	uint32_t state;
	uint32_t from;        /* the state that is active after the first byte of the gram */
	uint32_t next_plus_1; /* the next one of the gram, as index plus 1; 0: none */
};

/* Words of the same length, and perhaps others, by a hash. */
struct factor_set {
	uint64_t *has;             /* a set of bits */
	uint64_t last;             /* its highest bit: a power of two, less 1 */
	uint64_t bytes;            /* a mask: the bytes of eight, the last ones, that are a word */
};

/* What is made of the image. */
struct factor_tables {
	unsigned length;           /* of a gram, in bytes */
	unsigned stride;           /* of the search, in bytes; less than the length */
	struct factor_set grams_of, windows; /* the grams, and the windows of the search */
	struct factor_gram *gram;  /* [grams]: a hash table; `grams` is a power of two */
	size_t grams, ngrams;
	struct teddy teddy;        /* finds where grams may end, many bytes at once */
	VEC(struct factor_state) of_gram;
	uint8_t *kind;             /* [nstates] */
	uint64_t (*letters)[4];    /* [npreds]: the set of bytes for which each predicate holds */
	/* The predecessors of state s are pred[pred_first[s]] to pred[pred_first[s + 1] - 1]. */
	uint32_t *pred_first, *pred;
	unsigned depth;            /* the most states of a path before the cut, loops left out */
	bool loops;                /* there are loops */
};

/* How far the stream is. */
struct factor_stream {
	bool on;                   /* the factors run; else another engine does */
	uint64_t at, base;         /* the place: bytes so far; where the base is */
	uint64_t *base_set;        /* the states that were active at the base */
	unsigned char past[FACTOR_PAST]; /* the bytes before `at`; those before the base are not */
	uint64_t seen[256];        /* where each byte came last before `past`, plus 1; 0: nowhere */
	uint64_t pause, wait;      /* how many bytes the last pause took; how many of it are left */
};

struct factor_list {
	uint32_t *at; /* [n] of [cap]: states */
	size_t n, cap;
};

struct factor {
	const struct image_nfa *nfa;
	struct factor_tables table;
	struct factor_stream stream;
	struct factor_list active; /* the states that are active after the cut */
	struct factor_list next, walk[2]; /* scratch */
	uint32_t *stamp, stamps;   /* [nstates]: marks of states in a list */
	uint64_t *set;             /* scratch: a set of states */
	uint64_t work;             /* steps of walks in the current block, or of making grams */
};

/* Returns the bit of a word, which is the last of these eight bytes, the last one highest. */
static inline uint64_t factor_bit(const struct factor_set *s, uint64_t eight)
{
	return (eight & s->bytes) * 0x9e3779b97f4a7c15u >> 44 & s->last;
}

/* May the word be in the set? */
static inline bool factor_has(const struct factor_set *s, uint64_t eight)
{
	uint64_t bit = factor_bit(s, eight);

	return (s->has[bit / 64] >> bit % 64 & 1) != 0;
}

/* Returns the eight bytes whose last ones are a gram; those before it are 0. */
static inline uint64_t factor_eight(const struct factor_tables *t, uint64_t word)
{
	return word << 8 * (8 - t->length);
}

static inline uint64_t factor_gram_hash(uint64_t word)
{
	return word * 0xc2b2ae3d27d4eb4fu >> 32;
}

/* Does the predicate of a state hold for this byte? */
static inline bool factor_holds(const struct factor *x, uint32_t state, unsigned char byte)
{
	uint32_t pred = x->nfa->states[state].pred;

	return pred != IMAGE_NO_PRED && (x->table.letters[pred][byte / 64] >> byte % 64 & 1) != 0;
}

/* Makes the factors of an image of bytes, for these instructions. NULL, and *ok is true: it has no
 * cut that pays. NULL, and *ok is false: out of memory. factor_free(NULL) is fine. Linear in the
 * image and its grams. */
struct factor *factor_new(const struct nfart_image *im, enum nfart_simd level, bool *ok);
void factor_free(struct factor *x);

/* Calls `take` for each word that leads to a state of the cut, with the state `from` that is active
 * after its first byte. False: a call returned false, or there are too many steps, which x->work
 * counts. */
typedef bool factor_take_gram(struct factor_tables *t, uint64_t word, uint32_t state,
			      uint32_t from);
bool factor_each_gram(struct factor *x, factor_take_gram *take);

/* Returns the place of a word in t->gram, or the free one where it belongs. */
struct factor_gram *factor_gram_place(const struct factor_tables *t, uint64_t word);

/* Proves that the factors leave out nothing that the image needs: every path to an output leads
 * through the cut, every word of a path to the cut is a gram, and walks end. factor_new() has its
 * result proved. */
bool factor_check(struct factor *x);

/* The next bytes come at a place where the states in `active` are active: that is the new base.
 * False: out of memory. */
bool factor_begin(struct factor *x, const uint64_t *active);

/* Writes the states that are active now to `active`, and ends the run of the factors. False: out of
 * memory. */
bool factor_leave(struct factor *x, uint64_t *active);

/* Gives the bytes [from, *done) of the filter's block their entries and hits; *done is n, or less
 * if the factors are not worth it. Then the states were given to the cache. False: out of memory.
 * */
bool factor_walk(struct nfart_filter *f, size_t from, size_t n, size_t *done);

#endif
