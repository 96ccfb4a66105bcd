/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decide_int.h: what the parts of the decision procedure (decide.h) share. Internal to decide*.c.
 *
 *   decide.c            questions, counters, witnesses
 *   decide_side.c       the two NFAs over common literals
 *   decide_batch.c      the batches that literals can tell apart
 *   decide_local.c      the local automaton: the part of both NFAs that matters to one question
 *   decide_quotient.c   the local automaton with bisimilar states merged
 *   decide_reverse.c    the local automaton turned round, which accepts streams backward
 *   decide_set.c        interned arrays of numbers: sets of states, configurations
 *   decide_congruence.c bisimulation up to congruence, counters' activity being free
 *   decide_config.c     the configurations (states and counts) one by one
 *
 * Note [literals]. A predicate sees of a batch only whether it hits a set of letters: Any(S) says
 * that it does, None(S) that it does not. Each set that occurs is an *atom*. An atom with its sign
 * is a *literal*, whose number is 2 * atom, plus 1 for None. After the atoms of letters come
 * *bits*, which are atoms of their own. Each counter has a bit, and a pair of counters, one of each
 * side, shares one. The bit says that the counter is active after the batch.
 *
 * Note [permanent state]. After the states of each side there is one more, which is active before
 * every batch. Transitions lead from it to the `always` states, and by their bits to the counters.
 * So neither of them needs a rule of its own.
 */
#ifndef NFACC_IR_DECIDE_INT_H
#define NFACC_IR_DECIDE_INT_H

#include <string.h>

#include "ir/decide/decide.h"
#include "support/hash.h"

typedef uint32_t lit_t;
enum { LIT_TRUE = UINT32_MAX, LIT_EPS = UINT32_MAX - 1, LIT_NEVER = UINT32_MAX - 2 };

struct side_edge {
	nfa_state_t to;
	lit_t lit;
};

struct side {
	const struct nfa *a;
	uint32_t n;             /* how many states; the last one is the permanent state */
	uint32_t *first;        /* [n + 1]: out[first[s]] … out[first[s + 1] - 1] leave s */
	struct side_edge *out;
	uint32_t *in_first;     /* [n + 1]: in[in_first[s]] … in[in_first[s + 1] - 1] enter s */
	nfa_state_t *in;
	bool *reached;          /* [n]: some stream reaches the state, if all counters are free */
	/* [labels and ports + 1]: the states with label or port l are
	 * label_state[label_first[l]] … label_state[label_first[l + 1] - 1] */
	uint32_t *label_first;
	nfa_state_t *label_state;
	bool *useful;           /* [n]: the state leads to an output of the current question */
	/* [n]: the number of the state in the local automaton; UINT32_MAX: it is not there */
	uint32_t *number;
	nfa_state_t *counter;   /* [counters]: the counter's state; UINT32_MAX: none */
	uint32_t *bit;          /* [counters]: the atom which says that the counter is active */
};

/* A class of letters: letters of one slot that no atom tells apart. `letter` is one of them. Row i
 * of decider.letters.sigs says which atoms contain class i. */
struct letter_class {
	uint32_t slot, letter;
};

/* The batches that a set of literals can tell apart. For each batch there are the literals that
 * hold in it, and one example. */
struct batches {
	const uint64_t *key;   /* the literals, as a bit set */
	bool all;              /* unions of other batches are included (Note [unions of batches]) */
	uint32_t n,            /* how many batches there are */
		words;         /* how many 64-bit words a row of `truth` has */
	/* [n * words]: bit j of row i says whether the j-th literal of the key holds in batch i */
	const uint64_t *truth;
	const uint32_t *node;  /* [n]: the last batch_node of the example of each batch */
};

/* A message of a batch. `before` is the node of the messages before it. */
struct batch_node {
	uint32_t before; /* index into decider.batches.nodes; UINT32_MAX: this message is the first */
	uint32_t letter;
};

/* What is known about the ports of a pair of counters: whether the same streams activate them on
 * both sides. */
enum decide_ports { PORTS_OPEN, PORTS_EQUAL, PORTS_DIFFER };

enum decide_state { DECIDE_RUNS, DECIDE_AT_LIMIT, DECIDE_SHORT };

/* The letters of a question: sets of letters that are atoms, and classes of letters that no atom
 * tells apart. */
struct decide_letters {
	const uint64_t *visible;        /* the set of letters that a copy of the filters sees */
	size_t words;                   /* how many 64-bit words a set of letters has */
	uint32_t nslots,                /* how many slots there are, the time slot included */
		time_slot;              /* the number of the time slot; UINT32_MAX: none */
	uint32_t natoms,                /* how many atoms of letters there are */
		nbits;                  /* how many bits of counters there are */
	VEC(const uint64_t *) atoms;    /* the set of letters of each atom */
	size_t atom_words,              /* how many 64-bit words a set of atoms has */
		lit_words;              /* how many 64-bit words a set of literals has */
	VEC(struct letter_class) classes; /* sorted by slot */
	/* [classes * atom_words]: row i has the atoms that contain class i, as a bit set */
	const uint64_t *sigs;
};

struct decider {
	struct arena arena;
	struct side side[2];
	struct decide_letters letters;
	struct {
		VEC(struct batches) known;     /* what batches_find() has found so far */
		struct hash_ids hash;          /* finds `known` */
		VEC(struct batch_node) nodes;
	} batches;
	struct {
		VEC(uint32_t) first, letter;   /* the last witness (struct decide_stream) */
		bool off;                      /* none is asked for */
	} witness;
	/* [left counters]: an enum decide_ports for the counter and its partner on the right */
	uint8_t *ports;
	enum decide_walk walk;
	struct {
		bool huge;              /* too many sets of letters: every question is given up */
		enum decide_state state;
		uint64_t work,          /* steps of the current question so far */
			most;           /* most steps of the current question */
	} effort;
};

/* Counts n steps. False: the question has ended, at its limit or out of memory. */
static inline bool decide_spend(struct decider *d, uint64_t n)
{
	d->effort.work += n;
	if (d->effort.work > d->effort.most && d->effort.state == DECIDE_RUNS)
		d->effort.state = DECIDE_AT_LIMIT;
	return d->effort.state == DECIDE_RUNS;
}

static inline bool decide_no_memory(struct decider *d)
{
	d->effort.state = DECIDE_SHORT;
	return false;
}

/* ---- decide_side.c ---- */

/* Fills in the sides, atoms and classes. False: out of memory. */
bool side_init(struct decider *d, const struct nfa *a, const struct nfa *b,
	       const uint32_t *counter);
void side_free(struct side *s);

/* The literal of the counter's bit, which says that the counter is active after the batch. */
static inline lit_t side_bit(const struct side *s, uint32_t counter)
{
	return 2 * s->bit[counter];
}

/* ---- decide_batch.c ---- */

/* Returns the batches that the literals of `key` (d->lit_words words) tell apart. Unless `all`,
 * batches that are unions of others are left out (Note [unions of batches]). The result lives until
 * the next call. NULL: at the limit, or out of memory. */
const struct batches *batches_find(struct decider *d, const uint64_t *key, bool all);

/* ---- decide_local.c ---- */

/* A move of a state. A batch in which the literal holds activates the states list[at … at + n) of
 * the local automaton. */
struct move {
	lit_t lit;
	uint32_t at, n;
};

/* A counter that matters to the question, and the states that it activates. */
struct local_counter {
	uint32_t side, counter; /* `counter` is the index of the counter in the NFA of its side */
	uint32_t k;
	enum counter_mode mode;
	uint32_t at, n;         /* the counter activates the states list[at … at + n) */
};

/* A local automaton has the states of both sides that matter to one question. Such a state can be
 * active and leads to an output of the question's targets. It is such an output itself, has a port
 * of a counter that matters, or has a transition that consumes a batch. Epsilon transitions were
 * followed when it was built: a move leads to all states that they reach. A set of states is an
 * array of their numbers, in rising order; numbers of the left side come first. */
struct local {
	uint32_t n;           /* how many states there are */
	uint32_t left;        /* how many states are of the left side; 0 if states were merged */
	uint32_t *first;      /* [n + 1]: where the moves of a state begin in `moves` */
	VEC(struct move) moves;
	VEC(uint32_t) list;   /* lists of states, to which moves and counters lead */
	bool *accepts;        /* [n]: the state is an output */
	uint32_t *port_first; /* [n + 1]: where the ports of a state begin in `ports` */
	/* A port is twice an index into `counters`, plus 1 if it resets that counter. */
	VEC(uint32_t) ports;
	/* only for configurations: the counters of the left side, then those of the right side,
	 * both in the order of their definition */
	VEC(struct local_counter) counters;
	uint32_t nleft;       /* how many of `counters` are on the left side */
	VEC(uint32_t) start[2]; /* the start states of each side */
};

/* Builds the local automaton for the targets t[0] on the left and t[1] on the right. With
 * `free_bits`, counters are active as their bits say; without it, l->counters is filled in.
 * local_free() must be called in any case. False: at the limit, or out of memory. */
bool local_build(struct decider *d, const struct decide_target t[2], bool free_bits,
		 struct local *l);
void local_free(struct local *l);

/* Returns a flag for each counter of a side: does target t depend on its activity? What counts and
 * resets these counters is not followed. The array is to be freed. NULL: at the limit, or out of
 * memory. */
bool *local_counters(struct decider *d, int side, const struct decide_target *t);

/* ---- decide_quotient.c ---- */

/* Merges bisimilar states of a local automaton with free counters, in a way that keeps what every
 * set of states accepts (Note [quotients in proofs]). False: at the limit, or out of memory; the
 * automaton is as it was or partly merged. Cost: O(m log n) a round, for n states and m
 * transitions. Rounds go on until two in a row remove no state. */
bool local_quotient(struct decider *d, struct local *l);

/* ---- decide_reverse.c ---- */

/* Fills *out with a local automaton that accepts the streams of l backward. States of l must not
 * have been merged. *out is to be freed in any case. False: at the limit, or out of memory. O(n log
 * n) for n transitions. */
bool local_reverse(struct decider *d, const struct local *l, struct local *out);

/* ---- decide_set.c ---- */

/* Arrays of numbers in one pool. Equal arrays are kept once. */
struct sets {
	VEC(uint32_t) pool;
	VEC(struct { uint32_t at; uint32_t n; }) all;
	struct hash_ids hash;
	bool full;
};

/* Returns the number of the array x[0 … n), after adding it if it is new. UINT32_MAX: out of
 * memory, or too many arrays (then s->full is set). */
uint32_t sets_intern(struct sets *s, const uint32_t *x, size_t n);
void sets_free(struct sets *s);

/* Pairs (x, y) of set numbers. Each pair is kept once, with the pair `from` and the batch `node`
 * that first led to it. */
struct pairs {
	VEC(struct { uint32_t x; uint32_t y; uint32_t from; uint32_t node; }) all;
	struct hash_ids hash;
	bool full;
};

/* Ends the question and returns false. The reason is the limit if `full`, else a lack of memory. */
static inline bool decide_no_room(struct decider *d, bool full)
{
	d->effort.state = full ? DECIDE_AT_LIMIT : DECIDE_SHORT;
	return false;
}

/* Adds the pair (x, y), to which the batch `node` leads from pair `from`. Returns 1 if the pair is
 * new, 0 if it was there already, and -1 if memory is short or there are too many pairs (then
 * p->full is set). */
int pairs_add(struct pairs *p, uint32_t x, uint32_t y, uint32_t from, uint32_t node);

/* Is the pair (x, y) there? */
bool pairs_has(const struct pairs *p, uint32_t x, uint32_t y);
void pairs_free(struct pairs *p);

/* Writes the stream that leads to pair `last`, and after it the batch `node`, into d->first and
 * d->letter. False: out of memory. */
bool decide_witness(struct decider *d, const struct pairs *p, uint32_t last, uint32_t node);

/* Reverses the order of the batches of the witness in d. */
void decide_turn_witness(struct decider *d);

/* What a step from a pair of sets needs: the moves of both sets, and a mark for each state that
 * they activate. */
struct stepper {
	struct decider *d;
	const struct local *l;
	bool all;             /* unions of batches are tried, too (Note [unions of batches]) */
	uint64_t *key;        /* the literals of the moves, as a bit set */
	uint32_t *place;      /* [literals]: the place of a literal among those of the key */
	uint64_t *mark;       /* the states that the current batch activates, as a bit set */
	size_t low, high;     /* words of `mark` outside low … high - 1 are zero */
	/* the moves of the first set, then those of the second. `lit` is the place of the literal
	 * among those of the key, or LIT_TRUE. */
	VEC(struct move) moves;
	uint32_t split;       /* how many of the moves are those of the first set */
};

bool stepper_init(struct stepper *s, struct decider *d, const struct local *l, bool all);
void stepper_free(struct stepper *s);

/* Collects the moves of the sets x[0 … nx) and y[0 … ny), and returns the batches that their
 * literals tell apart. NULL: at the limit, or out of memory. */
const struct batches *stepper_begin(struct stepper *s, const uint32_t *x, size_t nx,
				    const uint32_t *y, size_t ny);

static inline void stepper_add(struct stepper *s, uint32_t state)
{
	size_t w = state / 64;

	bits_set(s->mark, state);
	s->low = w < s->low ? w : s->low;
	s->high = w >= s->high ? w + 1 : s->high;
}

/* Marks the states that batch i activates from the first set (which = 0) or the second (1). False:
 * at the limit, or out of memory. */
bool stepper_mark(struct stepper *s, const struct batches *b, uint32_t i, int which);

/* Writes the marked states into out, in rising order, and clears the marks. Returns how many there
 * are. */
size_t stepper_take(struct stepper *s, uint32_t *out);

/* ---- decide_congruence.c, decide_config.c ---- */

/* How an exploration ended. The functions below return true if it was completed. Else it found a
 * witness (`holds` is false), or was stopped by the limit or for lack of memory (d->state). */
struct explored {
	bool holds;
	bool left;      /* only the left side accepts after the witness; else only the right side */
	uint64_t depth; /* all streams of up to so many batches were covered */
};

bool explore_congruence(struct decider *d, const struct decide_target t[2], bool contains,
			struct explored *e);
bool explore_configs(struct decider *d, const struct decide_target t[2], bool contains,
		     struct explored *e);

#endif
