/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfa.h: the automaton that the passes work on, from the construction (T figure 6) to the
 * homogeneous form (T 3.1) that an overlay executes.
 *
 * States and transitions are arrays, linked by index; a pass may renumber. In a homogeneous NFA
 * every transition into a state has the state's own predicate. Activity is as in language.md 3: a
 * `start` state is active before the first batch; a state is active after a batch when the batch
 * satisfies its predicate and a predecessor was active before it, or `always` is set, which makes
 * a predecessor count as active before every batch.
 *
 * Labels of a state are a set, interned: 0 is the empty set.
 *
 * Note [counters]. A counter (language.md 6) is a state of its own kind: nothing enters it, and it is
 * active after a batch when the counter is. What it counts and what resets it are said like labels:
 * a state that is active after a batch makes the counter count (or reset) when its label set holds
 * nfa_port() of the counter. So passes that keep the labels of every batch keep counters as well,
 * whatever a counter does with them; to them a counter is a state that becomes active by itself.
 * Ports are label numbers after those of the spec. A counter may carry ports of counters after it.
 */
#ifndef NFACC_IR_NFA_H
#define NFACC_IR_NFA_H

#include "ir/spec.h"

typedef uint32_t nfa_state_t;
typedef uint32_t labelset_t; /* index into nfa.labelsets; 0 is the empty set */

enum nfa_kind { NFA_STE, NFA_COUNTER };

struct nfa_state {
	enum nfa_kind kind;
	bool start, always, log;
	labelset_t labels;
	pred_id_t pred; /* homogeneous form: the predicate; PRED_NONE where nothing enters */
	struct diag_range range; /* the predicate or automaton state it comes from */
	bool leaf; /* before homogenisation: the range is the predicate of the transitions that leave it */
	uint32_t counter;        /* NFA_COUNTER: index into nfa.counters */
};

struct nfa_counter {
	const char *name;        /* borrowed from the spec */
	uint32_t k;
	enum counter_mode mode;
	struct diag_range range;
};

struct nfa_edge {
	nfa_state_t from, to;
	pred_id_t pred; /* PRED_EPS: epsilon */
};

struct labelset {
	uint32_t n;
	const uint32_t *labels; /* rising */
};

struct nfa {
	struct arena arena;
	const struct spec *spec;    /* borrowed: protocol, label names, window, substream … */
	struct pred_table *preds;   /* borrowed from the spec; passes may intern more */
	bool homogeneous;
	VEC(struct nfa_state) states;
	VEC(struct nfa_edge) edges; /* no order, no duplicates, unless a pass says so */
	VEC(struct nfa_counter) counters; /* in order of definition; at most one state each, these
					   * in the same order; a counter without state is dead */
	VEC(struct labelset) labelsets;
	uint32_t *hash;             /* of labelsets */
	size_t nhash;
};

/* Bounds that end in a clean error (NFART_GAVEUP) instead of a machine without memory. */
enum { NFA_MAX_STATES = 1 << 24, NFA_MAX_EDGES = 1 << 26 };

/* An empty NFA over a spec; false: out of memory. */
bool nfa_init(struct nfa *a, struct spec *s);
void nfa_free(struct nfa *a);

/* Appends; false / UINT32_MAX: out of memory or above the bounds. */
nfa_state_t nfa_add_state(struct nfa *a, struct nfa_state s);
bool nfa_add_edge(struct nfa *a, nfa_state_t from, nfa_state_t to, pred_id_t pred);

/* The set of n labels (any order, repeats allowed) / the union of two. UINT32_MAX: no memory. */
labelset_t nfa_labelset(struct nfa *a, const uint32_t *labels, uint32_t n);
labelset_t nfa_labelset_union(struct nfa *a, labelset_t x, labelset_t y);

/* Compressed adjacency: the indices of the edges that leave (enter) state s are
 * edge[first[s]] … edge[first[s + 1] - 1], in the order of a->edges. */
struct nfa_adj {
	uint32_t *first; /* [n + 1] */
	uint32_t *edge;  /* [m] */
};
bool nfa_out(const struct nfa *a, struct nfa_adj *adj);
bool nfa_in(const struct nfa *a, struct nfa_adj *adj);
void nfa_adj_free(struct nfa_adj *adj);

/* Sorts the edges by (from, to, pred) and drops repeats. Linear. False: out of memory. */
bool nfa_sort_edges(struct nfa *a);

/* Keeps the states with keep[s], in their order, and the edges between them; `map` (n entries, may
 * be NULL) receives new numbers, UINT32_MAX for those dropped. False: out of memory. */
bool nfa_keep(struct nfa *a, const bool *keep, uint32_t *map);

/* The label number that makes a counter count, or reset. Ports stand after the labels in a set. */
uint32_t nfa_port(const struct nfa *a, uint32_t counter, bool reset);

/* The other way round: the counter, UINT32_MAX for a label of the spec; does the port reset? */
uint32_t nfa_port_counter(const struct nfa *a, uint32_t label);
bool nfa_port_resets(const struct nfa *a, uint32_t label);

/* How many labels of the set are labels of the spec, not ports. */
uint32_t nfa_nlabels(const struct nfa *a, labelset_t l);

/* The state of each counter, UINT32_MAX where it has none: *of is to be freed. False: out of memory. */
bool nfa_counter_states(const struct nfa *a, nfa_state_t **of);

/* Takes the ports of counters without state out of all label sets. False: out of memory. */
bool nfa_drop_ports(struct nfa *a);

/* The connections by ports: pairs (state with a port, state of the counter), each pair once, sorted;
 * counters without a state have none. To be freed; NULL: out of memory. Linear but for sorting. */
struct nfa_link {
	nfa_state_t from, to;
	bool count, reset;
};
struct nfa_link *nfa_links(const struct nfa *a, size_t *n);

/* Checks the invariants (indices, duplicates, homogeneity). NULL, or what is broken. Linear. */
const char *nfa_verify(const struct nfa *a);

/* The states that are STEs. */
size_t nfa_count_stes(const struct nfa *a);

/* What an overlay must connect: pairs u < v of states with a transition or a link between them, each
 * once, sorted. To be freed; NULL: out of memory. Linear. */
uint32_t (*nfa_connections(const struct nfa *a, size_t *n))[2];

/* Transitions that an overlay needs an edge for: distinct (from, to), loops not counted (T 5.2); links
 * to counters are among them. */
size_t nfa_count_edges(const struct nfa *a, bool with_loops);

/* The text form: filter text (language.md 3) with one automaton block, so that the front end reads
 * it back. What `always` means is written out, as a start state that stays active (see nfa_text.c). */
void nfa_print(const struct nfa *a, struct buf *b);

/* Graphviz. */
void nfa_dot(const struct nfa *a, struct buf *b);

#endif
