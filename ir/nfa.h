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
 */
#ifndef NFACC_IR_NFA_H
#define NFACC_IR_NFA_H

#include "ir/spec.h"

typedef uint32_t nfa_state_t;
typedef uint32_t labelset_t; /* index into nfa.labelsets; 0 is the empty set */

enum nfa_kind { NFA_STE };   /* other node kinds (counters) join here */

struct nfa_state {
	enum nfa_kind kind;
	bool start, always, log;
	labelset_t labels;
	pred_id_t pred; /* homogeneous form: the predicate; PRED_NONE where nothing enters */
	struct diag_range range; /* the predicate or automaton state it comes from */
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

/* Checks the invariants (indices, duplicates, homogeneity). NULL, or what is broken. Linear. */
const char *nfa_verify(const struct nfa *a);

/* Transitions that an overlay needs an edge for: distinct (from, to), loops not counted (T 5.2). */
size_t nfa_count_edges(const struct nfa *a, bool with_loops);

/* The text form: filter text (language.md 3) with one automaton block, so that the front end reads
 * it back. What `always` means is written out, as a start state that stays active (see nfa_text.c). */
void nfa_print(const struct nfa *a, struct buf *b);

/* Graphviz. */
void nfa_dot(const struct nfa *a, struct buf *b);

#endif
