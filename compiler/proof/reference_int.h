/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reference_int.h: what the parts of the reference automaton (reference.h) share.
 *
 *   reference.c     statements: registers, labels, counters, automata
 *   derive.c        expressions
 *   source_pred.c   predicates
 */
#ifndef NFACC_COMPILER_PROOF_REFERENCE_INT_H
#define NFACC_COMPILER_PROOF_REFERENCE_INT_H

#include "compiler/proof/reference.h"

/* What the matches of an expression of a statement mean. */
struct root {
	labelset_t labels; /* a label, or a port of a counter (ir/nfa.h) */
	bool log;
};

/* Note [continuations]. A state of the reference automaton is a continuation: what has to follow for a
 * match. Continuations are lists in which equal ones are one, so that a number names a continuation:
 *
 *   END                    nothing has to follow: the match of a root is complete
 *   REST node, then next   the node and its later siblings in a concatenation, then `next`
 *   AGAIN node, then next  `lo` … `hi` more of the operand of a repetition, then `next`
 */
enum cont_kind { CONT_END, CONT_REST, CONT_AGAIN };

struct cont {
	enum cont_kind kind;
	ast_id_t node;
	uint32_t lo, hi;   /* CONT_AGAIN; hi may be AST_BOUND_INF */
	uint32_t next;     /* a continuation; CONT_END: the root */
	uint32_t root;
	bool nullable;     /* the empty sequence matches */
	nfa_state_t state; /* UINT32_MAX: it has none yet */
	uint32_t seen;     /* the last state whose transitions led through here */
};

/* A step that is still to be taken when the transitions of a state are collected (derive.c). */
struct visit {
	bool is_node;      /* `at` is a node, which `next` follows; else a continuation */
	uint32_t at, next;
	uint32_t stop;     /* a continuation at which this way ends */
};

struct source {
	struct reference *r;
	const struct ast *ast;
	const struct nfart_proto *tap;
	int slot_of[PROTO_SLOTS];  /* of `tap`: the slot of the tree's protocol, or -1 */
	bool untapped;             /* a predicate that `tap` does not see was used */

	pred_id_t *pred;           /* [nodes]: PRED_NONE: no predicate */
	bool *lost;                /* [nodes]: it names a message that `tap` does not see */
	uint32_t *basics;          /* hash of basic predicates: node + 1, or 0 */
	size_t nbasics;
	uint64_t *set;             /* one set of codes */

	bool *nullable, *rest_nullable; /* [nodes]: of the node; of the node and its later siblings */
	uint32_t *label_of;        /* [symbols]: number of the label, or AST_NIL */
	uint32_t *counter_of;      /* [symbols]: number of the counter, which is also its state */
	VEC(struct root) roots;
	VEC(struct cont) conts;
	uint32_t *hash;            /* of conts: index + 1, or 0 */
	size_t nhash;
	VEC(uint32_t) todo;        /* continuations that are states, transitions not yet collected */
	VEC(struct visit) visits;
	bool failed;               /* out of memory */
	bool too_large;
};

/* ---- source_pred.c ---- */

/* Fills s->pred and s->lost for all nodes, and the set of codes that a copy sees. False: out of memory. */
bool source_preds(struct source *s, bool by_line);

/* ---- derive.c ---- */

/* Fills s->nullable and s->rest_nullable. */
void source_nullable(struct source *s);

/* Adds the states and transitions of an expression whose matches mean `root`. On failure s->failed or
 * s->too_large says why. */
void source_derive(struct source *s, ast_id_t expr, struct root root);

/* Appends a state, or a transition. */
nfa_state_t source_state(struct source *s, struct nfa_state q);
void source_edge(struct source *s, nfa_state_t from, nfa_state_t to, pred_id_t pred);

#endif
