/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * lower_int.h: what the files of lowering share. lower.c lowers statements and expressions,
 * lower_pred.c predicates, lower_terms.c their guards as they were written. Nothing else includes
 * this header. lower_machine.c lowers machines.
 */
#ifndef NFACC_COMPILER_LOWER_INT_H
#define NFACC_COMPILER_LOWER_INT_H

#include "compiler/lower.h"

/* What the users of a node need: its predicate, or a node of the spec's expressions (rx). */
enum { WANT_PRED = 1, WANT_RX = 2 };

/* What a node of the tree is lowered to. */
struct value {
	unsigned want;       /* WANT_PRED, WANT_RX or both; 0: nothing uses the node */
	bool none;           /* the node is a predicate with the mode None */
	const uint64_t *set; /* the letters of a predicate; NULL: the node is no predicate */
	rx_id_t rx;          /* with WANT_RX: the node of the spec that has the same meaning */
	/* in a tree with guards: the terms of a predicate (lower_terms.c) */
	const struct spec_term *terms;
	uint32_t nterms;
	bool untold;         /* these are too many, and none is kept */
};

/* Note [letters first]. Sets of letters can be made only when the letters are known, and these
 * depend on which tests look at messages of which codes. So the nodes of a tree with guards are
 * lowered twice: first to sets of codes, where guards are noted and nothing else is made of them,
 * then to sets of letters. */
struct lower {
	const struct ast *ast;
	struct spec *spec;
	struct alphabet alphabet;    /* the letters of the current pass over the nodes */
	size_t words;                /* how many 64-bit words a set of letters has */
	bool noting;                 /* this is the first pass */
	struct alphabet_draft draft; /* what the first pass notes */
	VEC(struct header_test) tests; /* the tests of the current guard */
	/* which classes pass, of codes of a shape, and which tests */
	struct {
		bool classes[ALPHABET_MOST];
		uint32_t shape;
		VEC(struct header_test) tests;
	} pass;
	struct arena arena;  /* freed when lowering ends */
	struct value *values; /* [nodes of the tree]: what each node is lowered to */
	/* [symbols]: the index of what the symbol names in the spec */
	struct {
		uint32_t *label, *counter, *output;
	} of;
	VEC(rx_id_t) operands; /* the operands of the expression that is being lowered */
	bool failed;         /* out of memory */
};

/* Fills v->none and v->set if the node is a predicate, whose operands have been lowered. In the
 * first pass, notes the guard of the node in l->draft. */
void lower_predicate(struct lower *l, struct value *v, const struct ast_node *node);

/* Is this `tick`, `notick` or `end`? */
bool lower_is_of_time(const struct ast_basic *basic);

/* Gives a predicate its terms, if the tree has guards. Its operands have theirs, and its set of
 * letters is made. */
void lower_terms(struct lower *l, struct value *v, const struct ast_node *node);

/* Notes the terms of the value in the spec, if they have tests. Its predicate was interned as
 * `pred`, and no other value was before. */
void lower_guarded(struct lower *l, const struct value *v, pred_id_t pred);

/* Returns the id of the predicate that the value is. */
pred_id_t lower_intern(struct lower *l, const struct value *v);

/* Returns the text of a symbol, in the arena of the spec. */
const char *lower_name(struct lower *l, ast_sym_t sym);

/* Returns the index of a label in the spec. The first call for a label adds it to the spec. */
uint32_t lower_label(struct lower *l, ast_sym_t sym);

/* Returns the indices that find() gives the n names, each once and in rising order, in the arena of
 * the spec. *count becomes their number. */
const uint32_t *lower_set(struct lower *l, const struct ast_name *names, uint32_t n,
			  uint32_t (*find)(struct lower *, ast_sym_t), uint32_t *count);

/* Lowers a statement that is a machine. */
void lower_machine(struct lower *l, const struct ast_stmt *t);

#endif
