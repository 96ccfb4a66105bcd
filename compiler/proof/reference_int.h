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
#include "support/hash.h"

/* A root is the expression of a statement. A batch after which it has matched gets these marks. */
struct root {
	labelset_t labels; /* a label, or a port of a counter (ir/nfa.h, Note [counters]) */
	bool log;
};

/* Note [continuations]. A continuation says what must still follow until a root, the expression of
 * a statement, has matched. It is a list whose tail is the continuation `next`:
 *
 *   END          the root has matched
 *   REST node    the node and its later siblings in a concatenation must follow, then `next`
 *   AGAIN node   `lo` … `hi` copies of the operand of a repetition must follow, then `next`
 *
 * Equal continuations are made once, so their number identifies them. Each state of the reference
 * automaton, but for those of written automata and counters, stands for one continuation.
 */
enum cont_kind { CONT_END, CONT_REST, CONT_AGAIN };

struct cont {
	enum cont_kind kind;
	ast_id_t node;
	uint32_t lo, hi;   /* of CONT_AGAIN: how many copies; hi may be AST_BOUND_INF */
	uint32_t next;     /* the continuation after this one; for CONT_END: the root */
	uint32_t root;     /* the number of the root */
	bool nullable;     /* the root has matched even if nothing follows */
	nfa_state_t state; /* the state of the continuation; UINT32_MAX: none yet */
	uint32_t seen;     /* the last state from which a walk visited the continuation */
};

/* A step that a walk has still to take (derive.c, Note [partial derivatives]). */
struct visit {
	/* `at` is a node, and the continuation `next` follows it; else `at` is a continuation */
	bool is_node;
	uint32_t at, next;
	uint32_t stop; /* the walk ends if it arrives at this continuation */
};

/* The predicates of the tree. */
struct source_preds {
	pred_id_t *of;             /* [nodes]: the predicate; PRED_NONE: the node is no predicate */
	bool *lost;                /* [nodes]: the predicate names a message that `tap` lacks */
	struct hash_ids basics;    /* finds a node by its basic predicate */
	uint64_t *set;             /* scratch space for a set of letters */
	/* which classes of the codes of a shape pass the guard of a basic predicate */
	bool *passing;             /* [ALPHABET_MOST] */
	const struct ast_basic *passing_of;
	uint32_t passing_shape;
};

/* What is known of the nodes and symbols of the tree. */
struct source_tree {
	bool *nullable;            /* [nodes]: the node matches the empty sequence */
	/* [nodes]: the node and all its later siblings match the empty sequence */
	bool *rest_nullable;
	uint32_t *label_of;        /* [symbols]: the number of the label, or AST_NIL */
	bool *named_output;        /* [symbols]: the spec has an output of this name */
	/* [symbols]: the number of the counter. The state of the counter has the same number. */
	uint32_t *counter_of;
};

struct source {
	struct reference *r;
	const struct ast *ast;
	const struct nfart_proto *tap;   /* the protocol of the letters */
	const struct alphabet *letters;
	/* [slots of `tap`]: the same slot in the protocol of the tree, or -1 */
	int slot_of[PROTO_SLOTS];
	bool untapped;             /* some transition has the predicate of a node with lost[] */
	struct source_preds preds;
	struct source_tree tree;
	VEC(struct root) roots;
	VEC(struct cont) conts;
	struct hash_ids hash;      /* finds `conts` */
	VEC(uint32_t) todo;        /* continuations whose states have no transitions yet */
	VEC(struct visit) visits;  /* the steps that the current walk has still to take */
	bool failed;               /* out of memory */
	bool too_large;            /* the bounds of reference.h are exceeded */
};

/* ---- source_pred.c ---- */

/* Fills in s->pred and s->lost for all nodes, and the predicates of the spec, whose statements
 * about substreams must be filled in. False: out of memory. */
bool source_preds(struct source *s);

/* ---- derive.c ---- */

/* Fills in s->nullable and s->rest_nullable. */
void source_nullable(struct source *s);

/* Adds the states and transitions of an expression. A state after which the expression has matched
 * gets the labels and the log mark of `root`. On failure s->failed or s->too_large is set. */
void source_derive(struct source *s, ast_id_t expr, struct root root);

/* Adds a machine of the tree to the spec. Its labels and outputs have their numbers, and predicates
 * are filled in. On failure s->failed is set. (source_machine.c) */
void source_machine(struct source *s, const struct ast_machine *t);

/* source_state() appends a state and returns its number. source_edge() appends a transition. On
 * failure s->failed or s->too_large is set. */
nfa_state_t source_state(struct source *s, struct nfa_state q);
void source_edge(struct source *s, nfa_state_t from, nfa_state_t to, pred_id_t pred);

#endif
