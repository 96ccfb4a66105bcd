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
#include "runtime/engine/fast/dfa_cache.h"
#include "runtime/engine/fast/factor_teddy.h"
#include "runtime/engine/fast/keys.h"
#include "runtime/engine/fast/visits.h"
#include "support/bits.h"
#include "support/vec.h"

struct nfart_filter;

enum {
	FACTOR_MOST_LENGTH = 8,
	FACTOR_PAST = 256,       /* bytes that are kept; a walk up to a loop takes fewer steps */
	FACTOR_MOST_GRAMS = 1 << 16,
	/* Words and paths are followed with so many steps at most. A hostile image can have far
	 * more paths than words. */
	FACTOR_MOST_STEPS = 1 << 20,
	FACTOR_MOST_WALK = 8,    /* the most states of a struct factor_walk */
	FACTOR_PIECE = FILTER_BLOCK /* so many bytes are searched at once */
};

/* What a state is: a sum of these. */
enum {
	FACTOR_AFTER = 1,   /* it is after the cut, or in it */
	FACTOR_CUT = 2,
	FACTOR_LOOP = 4,    /* it is before the cut, and its own successor */
	FACTOR_OUTPUT = 8   /* it has labels or a log mark */
};

/* A gram: the path of a word to a state of the cut. */
struct factor_gram {
	uint64_t word;        /* the bytes of the gram, the last one highest */
	uint32_t node;        /* of the state of the cut */
	uint32_t walk;        /* where to walk from: the first state of the path */
};

/* A walk from a state: the states before the cut that lead to it. They have numbers, and the state
 * itself has number 0. */
struct factor_walk {
	uint32_t pred[FACTOR_MOST_WALK];  /* the predicate of each of them */
	uint8_t before[FACTOR_MOST_WALK]; /* the set of the predecessors of each of them */
	uint8_t always;                   /* the set of those that are always states */
	uint8_t n;                        /* how many there are; 0: too many */
};

/* A state after the cut. Nodes that follow each other lie side by side. */
struct factor_node {
	uint32_t pred;        /* its predicate; npreds if it has none */
	uint32_t first_succ;  /* where its successors begin in factor_tables.succ */
	uint32_t flags;       /* DFA_ACCEPTED and DFA_LOGGED, by its labels and log mark */
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
	/* The grams whose words have hash h are gram[first[h]] to gram[first[h + 1] - 1]. */
	struct factor_gram *gram;  /* [grams] */
	uint32_t *first;           /* [hashes + 1] */
	size_t grams, hashes;      /* `hashes` is a power of two */
	struct factor_walk *walk;  /* [walks] */
	uint32_t (*walk_state)[FACTOR_MOST_WALK]; /* [walks]: the states of each walk */
	size_t walks;
	struct teddy teddy;        /* finds where grams may end, many bytes at once */
	struct factor_node *node;  /* [nodes + 1] */
	uint32_t *node_of;         /* [nstates]: the node of each state after the cut */
	uint32_t *state_of;        /* [nodes]: and back */
	uint32_t *succ;            /* nodes; those of node k end where those of k + 1 begin */
	size_t nodes;
	uint8_t *kind;             /* [nstates] */
	uint64_t (*letters)[4];    /* [npreds + 1]: the bytes for which each predicate holds */
	/* The same by bytes: [256] sets of holds_words words. Few of them are used by most texts,
	 * and these stay in the cache. */
	uint64_t *holds;
	size_t holds_words;
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

/* A state of the cut that becomes active by a path before the cut. */
struct factor_found {
	uint32_t at;          /* the byte that lets it, in the block */
	uint32_t node;
};

/* Places where a gram may end, on their way to being found. */
struct factor_search {
	uint16_t window[FACTOR_PIECE + 1], end[FACTOR_PIECE + 1]; /* bytes of the piece */
	uint32_t hash[FACTOR_PIECE + 1]; /* of the word that ends at end[] */
};

struct factor {
	const struct image_nfa *nfa;
	struct factor_tables table;
	struct factor_stream stream;
	/* The nodes that are active, and those after the next byte, in `list`: each has room for
	 * all. Pointers are swapped, because lists that were just written to would be slow to copy.
	 * */
	struct factor_list *active, *next, list[2];
	struct factor_list walk[2]; /* scratch: states */
	VEC(struct factor_found) found;   /* in the current piece, by rising byte */
	struct factor_search search;      /* scratch */
	uint32_t *stamp, stamps;   /* [nstates]: marks of states or nodes in a list */
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

/* Returns the hash of a word for t->first. */
static inline uint32_t factor_gram_hash(const struct factor_tables *t, uint64_t word)
{
	return (uint32_t)(word * 0xc2b2ae3d27d4eb4fu >> 32) & (uint32_t)(t->hashes - 1);
}

/* Returns the predicate of a state; npreds, whose set of letters is empty, if it has none. */
static inline uint32_t factor_pred(const struct image_nfa *a, uint32_t state)
{
	return a->states[state].pred != IMAGE_NO_PRED ? a->states[state].pred : a->npreds;
}

/* Returns the flags of a state: DFA_ACCEPTED and DFA_LOGGED. */
static inline uint32_t factor_flags(const struct image_nfa *a, uint32_t state)
{
	const struct image_state *q = &a->states[state];

	return (a->labelsets[q->labelset].n != 0 ? DFA_ACCEPTED : 0) |
	       ((q->flags & STATE_LOG) != 0 ? DFA_LOGGED : 0);
}

/* Returns the set of predicates that hold for a byte. */
static inline const uint64_t *factor_byte_holds(const struct factor_tables *t, unsigned char byte)
{
	return t->holds + byte * t->holds_words;
}

/* Does the predicate of a state hold for this byte? */
static inline bool factor_holds(const struct factor *x, uint32_t state, unsigned char byte)
{
	return bits_get(factor_byte_holds(&x->table, byte), factor_pred(x->nfa, state));
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

/* Makes the grams of the cut, of which there are n at most, and what searches them. False: there
 * are too many, or memory is short and *ok is false. */
bool factor_make_grams(struct factor *x, uint64_t n, bool *ok);

/* Proves that the factors leave out nothing that the image needs: every path to an output leads
 * through the cut, every word of a path to the cut is a gram, and walks end. factor_new() has its
 * result proved. */
bool factor_check(struct factor *x);

/* The next bytes come at a place where the states in `active` are active: that is the new base. */
void factor_begin(struct factor *x, const uint64_t *active);

/* Writes the states that are active now to `active`, and ends the run of the factors. False: out of
 * memory. */
bool factor_leave(struct factor *x, uint64_t *active);

/* The bytes of a block, and those before it. */
struct factor_text {
	/* The byte of place p is at[p - first]. */
	unsigned char at[FACTOR_PAST + FILTER_BLOCK];
	uint64_t first;
};

static inline unsigned char factor_byte(const struct factor_text *t, uint64_t place)
{
	return t->at[place - t->first];
}

/* Begins a list of states, or of nodes: none is marked. */
void factor_list_begin(struct factor *x);

/* Marks a state or node. False: it was marked in this list before. */
static inline bool factor_list_mark(struct factor *x, uint32_t s)
{
	bool new = x->stamp[s] != x->stamps;

	x->stamp[s] = x->stamps;
	return new;
}

static inline void factor_list_swap(struct factor_list *a, struct factor_list *b)
{
	struct factor_list x = *a;

	*a = *b;
	*b = x;
}

/* Is a loop active after the byte behind those in `seen`, for which its predicate holds? */
bool factor_loop_is_active(const struct factor *x, uint32_t s, const uint64_t seen[256]);

/* Finds out whether state s, whose predicate holds for the byte at `place`, is active after it by a
 * path before the cut. False: out of memory. */
bool factor_confirm(struct factor *x, const struct factor_text *t, uint32_t s, uint64_t place,
		    bool *active);

/* Makes x->found for the bytes [i, n) of the block, unless x->work exceeds `worth` then. There are
 * FACTOR_PIECE of them at most, and no gram that ends there begins before the base. False: out of
 * memory. */
bool factor_find(struct factor *x, const struct factor_text *t, size_t i, size_t n,
		 uint64_t worth);

/* Gives the bytes [from, *done) of the filter's block their entries and hits; *done is n, or less
 * if the factors are not worth it. Then the states were given to the cache. False: out of memory.
 * */
bool factor_walk(struct nfart_filter *f, size_t from, size_t n, size_t *done);

#endif
