/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfa.h: the automaton that the passes work on, from the construction (T figure 6) to the
 * homogeneous form (T 3.1) that an overlay executes.
 *
 * States and transitions are arrays, and refer to each other by index. A pass may renumber states.
 * In a homogeneous NFA every transition into a state has the predicate of that state.
 *
 * Activity is as in nfacc-filter(5), Automata. A `start` state is active before the first batch. A
 * state is active after a batch if the batch satisfies its predicate and a predecessor was active
 * before the batch. A state with `always` needs no predecessor: every batch that satisfies its
 * predicate makes it active.
 *
 * The labels of a state are an interned set; number 0 is the empty set.
 *
 * Note [counters]. A counter (nfacc-filter(5), Counters) is a state of its own kind. No transition
 * enters this state, and it is active after a batch if the counter is. Labels say what makes a
 * counter count or reset. Each counter has two *ports*, one for counting and one for resetting. A
 * port is a label number, after those of the spec; nfa_port() gives it. A state whose label set
 * holds a port makes the counter count (or reset) whenever the state is active after a batch. So a
 * pass that keeps the labels of every batch keeps counters as well. To a pass, a counter is a state
 * that becomes active by itself. The state of a counter may carry ports, too, but only those of
 * counters defined after it.
 */
#ifndef NFACC_IR_NFA_H
#define NFACC_IR_NFA_H

#include "ir/spec.h"
#include "support/hash.h"

typedef uint32_t nfa_state_t;
typedef uint32_t labelset_t; /* index into nfa.labelsets; 0 is the empty set */

enum nfa_kind { NFA_STE, NFA_COUNTER };

struct nfa_state {
	enum nfa_kind kind;
	bool start, always, log;
	labelset_t labels;
	/* meaningful in homogeneous form only: the predicate of the transitions that enter the
	 * state; PRED_NONE: no transition enters it */
	pred_id_t pred;
	/* place in the source of the predicate or automaton state that this state stands for */
	struct diag_range range;
	/* meaningful before homogenisation only: `range` is the place of the predicate which the
	 * transitions that leave the state have */
	bool leaf;
	uint32_t counter;        /* of an NFA_COUNTER: index into nfa.counters */
};

struct nfa_counter {
	const char *name;        /* borrowed from the spec */
	uint32_t k;
	enum counter_mode mode;
	struct diag_range range;
};

struct nfa_edge {
	nfa_state_t from, to;
	pred_id_t pred; /* PRED_EPS: an epsilon transition */
};

struct labelset {
	uint32_t n;
	const uint32_t *labels; /* in rising order */
};

struct nfa {
	struct arena arena;
	const struct spec *spec;    /* borrowed: protocol, label names, window, substream … */
	struct pred_table *preds;   /* borrowed from the spec; passes may intern more */
	bool homogeneous;
	VEC(struct nfa_state) states;
	VEC(struct nfa_edge) edges; /* sorted and without duplicates between passes */
	VEC(struct nfa_counter) counters; /* in order of definition. Each has at most one state, and
					   * the states have the same order. A counter without a
					   * state is dead. */
	VEC(struct labelset) labelsets;
	struct hash_ids hash;       /* finds labelsets */
};

/* Beyond these bounds the compiler gives up with a clean error (NFART_GAVEUP), before the machine
 * runs out of memory. */
enum { NFA_MAX_STATES = 1 << 24, NFA_MAX_EDGES = 1 << 26 };

/* Makes *a an empty NFA over the spec, which is borrowed. False: out of memory. */
bool nfa_init(struct nfa *a, struct spec *s);
void nfa_free(struct nfa *a);

/* nfa_add_state() appends a state and returns its number. nfa_add_edge() appends a transition. If
 * memory is short or a bound above is exceeded, they return UINT32_MAX and false. */
nfa_state_t nfa_add_state(struct nfa *a, struct nfa_state s);
bool nfa_add_edge(struct nfa *a, nfa_state_t from, nfa_state_t to, pred_id_t pred);

/* nfa_labelset() returns the interned set of n labels, which may be in any order and repeated.
 * nfa_labelset_union() returns the union of two sets. UINT32_MAX: out of memory. */
labelset_t nfa_labelset(struct nfa *a, const uint32_t *labels, uint32_t n);
labelset_t nfa_labelset_union(struct nfa *a, labelset_t x, labelset_t y);

/* Compressed adjacency lists. nfa_out() lists for each state the transitions that leave it,
 * nfa_in() those that enter it. The list of state s is edge[first[s]] … edge[first[s + 1] - 1].
 * The entries of a list are indices into a->edges, in rising order. False: out of memory. */
struct nfa_adj {
	uint32_t *first; /* [states + 1]: where the list of each state begins in `edge` */
	uint32_t *edge;  /* [edges]: the lists of all states, one after the other */
};
bool nfa_out(const struct nfa *a, struct nfa_adj *adj);
bool nfa_in(const struct nfa *a, struct nfa_adj *adj);
void nfa_adj_free(struct nfa_adj *adj);

/* Sorts the edges by (from, to, pred) and drops repeats. Linear. False: out of memory. */
bool nfa_sort_edges(struct nfa *a);

/* Removes the states whose keep[s] is false, and their transitions. The other states keep their
 * order. If `map` is not NULL, map[s] becomes the new number of s, or UINT32_MAX if s was removed.
 * False: out of memory. */
bool nfa_keep(struct nfa *a, const bool *keep, uint32_t *map);

/* The label number of a port of the counter (Note [counters]): the port that resets it if `reset`,
 * else the port that makes it count. In a label set ports stand after the labels of the spec. */
uint32_t nfa_port(const struct nfa *a, uint32_t counter, bool reset);

/* The counter to which a port belongs, or UINT32_MAX if `label` is a label of the spec.
 * nfa_port_resets() says whether a port is the one that resets. */
uint32_t nfa_port_counter(const struct nfa *a, uint32_t label);
bool nfa_port_resets(const struct nfa *a, uint32_t label);

/* How many labels of the set are labels of the spec, not ports. */
uint32_t nfa_nlabels(const struct nfa *a, labelset_t l);

/* Makes *of an array, to be freed, with the state of each counter, or UINT32_MAX for a counter
 * without a state. False: out of memory. */
bool nfa_counter_states(const struct nfa *a, nfa_state_t **of);

/* Removes the ports of counters that have no state from all label sets. False: out of memory. */
bool nfa_drop_ports(struct nfa *a);

/* A link is a connection by ports, from a state that carries a port to the state of the port's
 * counter. `count` and `reset` say which ports it carries. nfa_links() returns all *n links, sorted
 * by (from, to), each pair once; a counter without a state has none. The array is to be freed.
 * NULL: out of memory. Linear but for sorting. */
struct nfa_link {
	nfa_state_t from, to;
	bool count, reset;
};
struct nfa_link *nfa_links(const struct nfa *a, size_t *n);

/* Checks the invariants: indices, duplicates, homogeneity, the order of counters. Returns NULL if
 * they hold, else a sentence that says what is wrong. Linear. */
const char *nfa_verify(const struct nfa *a);

/* How many states are STEs, that is, not counters. */
size_t nfa_count_stes(const struct nfa *a);

/* The connections that an overlay must provide: *n pairs u < v of states with a transition or a
 * link between them, in either direction. Each pair stands once; the pairs are sorted. The array is
 * to be freed. NULL: out of memory. Linear but for sorting the links. */
uint32_t (*nfa_connections(const struct nfa *a, size_t *n))[2];

/* How many edges an overlay must provide: distinct pairs (from, to) with a transition or a link to
 * a counter. Loops are not counted (T 5.2) unless `with_loops`. */
size_t nfa_count_edges(const struct nfa *a, bool with_loops);

/* Appends the NFA as filter text (nfacc-filter(5)) with one automaton block. The front end can read
 * this text back (nfa_text.c, Note [IR text]). */
void nfa_print(const struct nfa *a, struct buf *b);

/* Appends the NFA as a graph in the language of Graphviz. */
void nfa_dot(const struct nfa *a, struct buf *b);

#endif
