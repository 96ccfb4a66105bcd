/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decide_int.h: what the parts of the decision procedure (decide.h) share. Internal to decide*.c.
 *
 *   decide.c            questions, counters, witnesses
 *   decide_side.c       the two NFAs over common literals
 *   decide_batch.c      the batches that literals can tell apart
 *   decide_local.c      what of both NFAs matters to one question
 *   decide_quotient.c   the same with bisimilar states merged
 *   decide_reverse.c    and what it accepts backward
 *   decide_set.c        interned arrays of numbers: sets of states, configurations
 *   decide_congruence.c bisimulation up to congruence, counters' activity being free
 *   decide_config.c     the configurations (states and counts) one by one
 *
 * Note [literals]. Of a batch a predicate sees only whether it hits a set of codes: Any(S) is the hit,
 * None(S) its absence. A set that occurs is an atom, an atom with its sign a literal, number
 * 2 * atom + (None). Behind the atoms of codes stand bits, atoms of their own, one for each counter
 * (both sides' of a pair share one): that the counter is active after the batch.
 *
 * Note [permanent state]. Behind the states of each side one more stands, active before every batch.
 * From it transitions lead to the `always` states and to the counters (by their bits), so that these
 * need no rule of their own.
 */
#ifndef NFACC_IR_DECIDE_INT_H
#define NFACC_IR_DECIDE_INT_H

#include <string.h>

#include "ir/decide/decide.h"

typedef uint32_t lit_t;
enum { LIT_TRUE = UINT32_MAX, LIT_EPS = UINT32_MAX - 1, LIT_NEVER = UINT32_MAX - 2 };

struct side_edge {
	nfa_state_t to;
	lit_t lit;
};

struct side {
	const struct nfa *a;
	uint32_t n;             /* states, the permanent one included: it is state n - 1 */
	uint32_t *first;        /* [n + 1]: out[first[s]] … leave s */
	struct side_edge *out;
	uint32_t *in_first;     /* [n + 1]: in[in_first[s]] … are where transitions into s come from */
	nfa_state_t *in;
	bool *reached;          /* by any stream, counters being free */
	uint32_t *label_first;  /* [labels and ports + 1]: label_state[label_first[l]] … have label l */
	nfa_state_t *label_state;
	bool *useful;           /* of the question at hand; between questions none */
	uint32_t *number;       /* of the question at hand; between questions UINT32_MAX */
	nfa_state_t *counter;   /* [counters]: their states, UINT32_MAX: none */
	uint32_t *bit;          /* [counters]: the atom of its activity */
};

/* Codes of one slot that no atom tells apart; the words of class i in `sigs` say which atoms have it. */
struct code_class {
	uint32_t slot, code;
};

/* The batches that a set of literals can tell apart: which literals hold, and one batch for each. */
struct batches {
	const uint64_t *key;   /* bit set of literals */
	bool all;              /* unions of others are among them */
	uint32_t n, words;     /* batches; words of a row of truth */
	const uint64_t *truth; /* [n * words]: bit j: the j-th literal of the key holds */
	const uint32_t *node;  /* [n]: the batch, as the last of a chain of nodes */
};

/* A message of a batch, and the node of those before it. */
struct batch_node {
	uint32_t before; /* UINT32_MAX: none */
	uint32_t code;
};

/* What is known of the ports of a pair of counters. */
enum decide_ports { PORTS_OPEN, PORTS_EQUAL, PORTS_DIFFER };

enum decide_state { DECIDE_RUNS, DECIDE_AT_LIMIT, DECIDE_SHORT };

struct decider {
	struct arena arena;
	struct side side[2];
	const uint64_t *visible;
	size_t words;                   /* of a set of codes */
	uint32_t op_bits, nslots;
	uint32_t natoms, nbits;         /* of codes; of counters */
	VEC(const uint64_t *) atoms;
	size_t atom_words, lit_words;   /* of a set of atoms of codes; of literals */
	VEC(struct code_class) classes; /* by slot */
	const uint64_t *sigs;
	VEC(struct batches) known;      /* cache */
	uint32_t *hash;                 /* of it: index + 1 */
	size_t nhash;
	VEC(struct batch_node) nodes;
	VEC(uint32_t) first, code;      /* of the last witness */
	uint8_t *ports;                 /* [left counters]: enum decide_ports */
	bool no_witness;
	enum decide_walk walk;
	bool huge;                      /* too many sets of codes: every question is given up */
	enum decide_state state;
	uint64_t work, most;
};

/* Counts n steps. False: the question ends here. */
static inline bool decide_spend(struct decider *d, uint64_t n)
{
	d->work += n;
	if (d->work > d->most && d->state == DECIDE_RUNS)
		d->state = DECIDE_AT_LIMIT;
	return d->state == DECIDE_RUNS;
}

static inline bool decide_no_memory(struct decider *d)
{
	d->state = DECIDE_SHORT;
	return false;
}

/* ---- decide_side.c ---- */

/* Fills sides, atoms and classes. False: out of memory. */
bool side_init(struct decider *d, const struct nfa *a, const struct nfa *b, const uint32_t *counter);
void side_free(struct side *s);

/* Is the counter active after a batch in which its bit is set? The literal of that. */
static inline lit_t side_bit(const struct side *s, uint32_t counter)
{
	return 2 * s->bit[counter];
}

/* ---- decide_batch.c ---- */

/* The batches that the literals of `key` (d->lit_words words) tell apart: all, or all but those that are
 * the union of others (Note [unions of batches]). Lives until the next call. NULL: the question ends. */
const struct batches *batches_find(struct decider *d, const uint64_t *key, bool all);

/* ---- decide_local.c ---- */

/* One move: where the literal holds, states list[at … at + n) become active. */
struct move {
	lit_t lit;
	uint32_t at, n;
};

/* A counter that matters, with the states it makes active. */
struct local_counter {
	uint32_t side, counter; /* its index in its NFA */
	uint32_t k;
	enum counter_mode mode;
	uint32_t at, n;         /* in list */
};

/* The states that matter to a question: those from which a transition leads on or that have an output,
 * and lead to one of the two targets. Epsilon transitions are walked beforehand. Sets hold rising
 * numbers of such states, left side first. */
struct local {
	uint32_t n;
	uint32_t left;        /* states of the left side, which come first, until states are merged */
	uint32_t *first;      /* [n + 1]: moves of a state */
	VEC(struct move) moves;
	VEC(uint32_t) list;
	bool *accepts;        /* [n] */
	uint32_t *port_first; /* [n + 1] */
	VEC(uint32_t) ports;  /* 2 * (place in counters) + (reset) */
	VEC(struct local_counter) counters; /* with configurations: left ones first, in their order */
	uint32_t nleft;       /* of counters */
	VEC(uint32_t) start[2];
};

/* With `free_bits` counters become active by their bits; without, `counters` says how. */
bool local_build(struct decider *d, const struct decide_target t[2], bool free_bits, struct local *l);
void local_free(struct local *l);

/* The counters of a side that matter to target t, as flags for each, in its own activity alone (no
 * ports followed). To be freed; NULL: out of memory. */
bool *local_counters(struct decider *d, int side, const struct decide_target *t);

/* ---- decide_quotient.c ---- */

/* Merges bisimilar states of a local automaton with free counters, where that keeps what every set of states
 * accepts (Note [quotients in proofs]). False: the question ends; the automaton is what it was, or merged
 * already. m log n for n states and m transitions, times the number of rounds, each of which removes a
 * state. */
bool local_quotient(struct decider *d, struct local *l);

/* ---- decide_reverse.c ---- */

/* Fills *out, which is to be freed in any case, with what accepts the streams of l backward. The states of
 * l are not merged. False: the question ends. n log n in the transitions. */
bool local_reverse(struct decider *d, const struct local *l, struct local *out);

/* ---- decide_set.c ---- */

/* Arrays of numbers, each kept once. */
struct sets {
	VEC(uint32_t) pool;
	VEC(struct { uint32_t at; uint32_t n; }) all;
	uint32_t *hash;
	size_t nhash;
	bool full;
};

/* The number of the array; UINT32_MAX: out of memory, or there are too many (`full`). */
uint32_t sets_intern(struct sets *s, const uint32_t *x, size_t n);
void sets_free(struct sets *s);

/* Pairs of numbers, each kept once. */
struct pairs {
	VEC(struct { uint32_t x; uint32_t y; uint32_t from; uint32_t node; }) all;
	uint32_t *hash;
	size_t nhash;
	bool full;
};

/* Ends the question and returns false. The reason is the limit if `full`, else a lack of memory. */
static inline bool decide_no_room(struct decider *d, bool full)
{
	d->state = full ? DECIDE_AT_LIMIT : DECIDE_SHORT;
	return false;
}

/* Adds (x, y), reached from pair `from` by the batch `node`. 1: it is new; 0: it was there; -1: out of
 * memory, or there are too many (`full`). */
int pairs_add(struct pairs *p, uint32_t x, uint32_t y, uint32_t from, uint32_t node);

/* Was the pair added? */
bool pairs_has(const struct pairs *p, uint32_t x, uint32_t y);
void pairs_free(struct pairs *p);

/* Writes the stream that leads to pair `last`, and then `node`, into d->first and d->code. */
bool decide_witness(struct decider *d, const struct pairs *p, uint32_t last, uint32_t node);

/* Turns the order of the batches of that stream round. */
void decide_turn_witness(struct decider *d);

/* What stepping needs: the moves of a set that are to be looked at, and a mark for each state. */
struct stepper {
	struct decider *d;
	const struct local *l;
	bool all;             /* batches that are unions of others, too */
	uint64_t *key;
	uint32_t *place;      /* [literals]: place among those of the key */
	uint64_t *mark;       /* bit set of states */
	size_t low, high;     /* words of it that are not zero: low … high - 1 at most */
	VEC(struct move) moves; /* of the sets being stepped; lit is a place, or LIT_TRUE */
	uint32_t split;       /* moves of the first set */
};

bool stepper_init(struct stepper *s, struct decider *d, const struct local *l, bool all);
void stepper_free(struct stepper *s);

/* Collects the moves of states x[0 … nx) and y[0 … ny), and finds the batches they tell apart. */
const struct batches *stepper_begin(struct stepper *s, const uint32_t *x, size_t nx, const uint32_t *y,
				    size_t ny);

static inline void stepper_add(struct stepper *s, uint32_t state)
{
	size_t w = state / 64;

	bits_set(s->mark, state);
	s->low = w < s->low ? w : s->low;
	s->high = w >= s->high ? w + 1 : s->high;
}

/* Marks what becomes active of the first or second set by batch i. */
bool stepper_mark(struct stepper *s, const struct batches *b, uint32_t i, int which);

/* Takes the marked states into out, rising, and clears the marks. Returns how many. */
size_t stepper_take(struct stepper *s, uint32_t *out);

/* ---- decide_congruence.c, decide_config.c ---- */

/* How one exploration ended: d->state unless DECIDE_RUNS, `holds` then says what it found. */
struct explored {
	bool holds;
	bool left;      /* who accepts after the witness */
	uint64_t depth; /* all streams of up to so many batches were looked at */
};

bool explore_congruence(struct decider *d, const struct decide_target t[2], bool contains,
			struct explored *e);
bool explore_configs(struct decider *d, const struct decide_target t[2], bool contains,
		     struct explored *e);

#endif
