/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * spec.h: what a filter file says, names resolved, before any automaton is built.
 *
 * The border between syntax and IR: compiler/lower.c makes it from the AST, ir/build.c makes the
 * NFA from it, and the reference matcher executes it directly. Everything lives in one arena.
 *
 * Expressions are a DAG: a name used twice is one node with two parents. The nodes of a spec stand
 * in `nodes` in an order in which every node comes after its operands, so that what is computed
 * bottom-up needs no recursion; the DAG may be deep (a chain of names), so nothing may recurse.
 */
#ifndef NFACC_IR_SPEC_H
#define NFACC_IR_SPEC_H

#include "contract/contract.h"
#include "ir/pred.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/vec.h"

typedef uint32_t rx_id_t; /* index into spec.nodes */
enum { RX_NONE = UINT32_MAX, RX_INF = UINT32_MAX };

enum rx_kind {
	RX_EPS,
	RX_PRED,    /* pred */
	RX_CAT,     /* sub[0 … n), n >= 2 */
	RX_ALT,     /* sub[0 … n), n >= 2 */
	RX_REP,     /* sub[0], lo … hi times, hi may be RX_INF */
	RX_COUNTER  /* @NAME: the prefixes after which counter `counter` is active */
};

struct rx {
	enum rx_kind kind;
	pred_id_t pred;
	uint32_t counter;
	uint32_t lo, hi;
	uint32_t n;
	const rx_id_t *sub;
	struct diag_range range; /* where it stands in the source */
};

struct spec_counter {
	const char *name;
	rx_id_t count;  /* EXPR */
	rx_id_t reset;  /* EXPR2, or RX_NONE */
	uint32_t k;
	enum counter_mode mode;
	bool made;      /* by the compiler, for a repetition: stands in `counted` expressions only */
	struct diag_range range;
};

struct spec_filter {
	uint32_t label;
	rx_id_t rx;
	rx_id_t counted; /* the same with counters for repetitions, or RX_NONE */
	struct diag_range range;
};

struct spec_state {
	const char *name;
	bool start, log;
	uint32_t nlabels;
	const uint32_t *labels;  /* indices into spec.labels, distinct, rising */
	struct diag_range range;
};

struct spec_edge {
	uint32_t from, to; /* indices into the automaton's states */
	pred_id_t pred;    /* or PRED_EPS */
	struct diag_range range;
};

struct spec_automaton {
	const char *name;
	VEC(struct spec_state) states;
	VEC(struct spec_edge) edges;
	struct diag_range range;
};

struct spec {
	struct arena arena;
	const struct nfart_proto *proto; /* borrowed */
	struct pred_table preds;
	VEC(struct rx) nodes;
	VEC(const char *) labels;        /* in order of definition */
	VEC(struct spec_filter) filters;
	VEC(struct spec_automaton) automata;
	VEC(struct spec_counter) counters;
	rx_id_t log;                     /* or RX_NONE */
	rx_id_t log_counted;             /* the same with counters for repetitions, or RX_NONE */
	uint64_t window;
	uint64_t limit;                  /* 0: none */
	bool by_line;                    /* a substream line is there */
	uint64_t first_line, nlines;     /* index of the first line, number of lines */
	struct diag_range window_range, substream_range, limit_range; /* for later complaints */
};

/* A zeroed struct spec with log = RX_NONE is empty. Frees everything but the protocol. */
void spec_free(struct spec *s);

/* Adds a node; its operands must be there already. RX_NONE: out of memory. `sub` is copied. */
rx_id_t spec_add(struct spec *s, struct rx node, const rx_id_t *sub, uint32_t n);

/* Can the expression match the empty sequence? An array of one flag per node, in `a`; a counter
 * never can. NULL: out of memory. Linear. */
const bool *spec_nullable(const struct spec *s, struct arena *a);

#endif
