/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * check.h: the types and functions that the three files of the checker share. check.c walks over
 * the statements, check_expr.c over the nodes of expressions; check_places.c checks where @NAME
 * stands. Nothing else includes this header.
 */
#ifndef NFACC_GRAMMAR_CHECK_H
#define NFACC_GRAMMAR_CHECK_H

#include "grammar/parse.h"

/* The class of an expression decides where it may stand. */
enum check_class {
	CHECK_WRONG, /* an error was reported; errors that only follow from it are not reported */
	CHECK_EPS,
	CHECK_PRED,
	CHECK_EXPR
};

struct check_node {
	enum check_class class;
	bool live;           /* a statement uses the node; after a syntax error it may be unused */
	bool head;           /* the whole expression begins with this node, so it may be @NAME */
	bool inner;          /* the node is an operand of Any, None or '!' */
	bool complained;     /* an error about the place of this node was reported */
	bool none;           /* if the class is CHECK_PRED: the predicate has mode None */
	const uint64_t *set; /* if the class is CHECK_PRED: the codes of the predicate */
	/* how many positions the expression has after names and bounds are expanded; UINT64_MAX: at
	 * least so many */
	uint64_t positions;
	/* how many positions, eps and @NAME the expression has, expanded in the same way */
	uint64_t leaves;
	enum ast_kind shape; /* kind of the node; for the name of a let, kind of the let's value */
	/* how deeply parentheses nest if all names are replaced by their values, and only necessary
	 * parentheses are written */
	uint32_t depth;
};

/* What a symbol names. A symbol can be the name of several things of different kinds. */
struct check_sym {
	/* for each kind of thing: the index, plus 1, of the statement that defines the thing with
	 * this name; 0: there is no such thing */
	uint32_t let, counter, automaton, label;
	uint32_t state, /* index, in its automaton, of the last state declared with this name */
		/* index, plus 1, of the statement of the automaton that `state` belongs to; 0: no
		 * state was declared with this name */
		automaton_of_state;
};

struct check_stmt {
	bool used;                  /* for a let: the name of the let is used somewhere */
	ast_id_t head_counter;      /* node of an @NAME at the head of a let, or AST_NIL */
	ast_id_t misplaced_counter; /* node of an @NAME elsewhere in a let, or AST_NIL */
};

struct check {
	struct front *front;
	struct ast *ast;
	const struct nfart_proto *proto;
	struct arena arena;
	size_t words; /* how many words of 64 bits a set of codes has */
	/* the set of codes that a filter can see; with substreams, only codes with an address */
	const uint64_t *visible;
	bool by_line;             /* the unit has a substream statement */
	uint64_t *nothing;        /* the empty set of codes */
	struct check_sym *syms;   /* [ast.syms]: what each symbol names */
	struct check_node *nodes; /* [ast.nodes]: what is known of each node */
	struct check_stmt *stmts; /* [ast.stmts]: what is known of each statement */
	uint32_t stmt;            /* index of the current statement in ast.stmts */
	/* [kind of statement]: index, plus 1, of the first statement of this kind; 0: none yet */
	uint32_t first[AST_TICK + 1];
	uint64_t positions; /* how many positions the statements checked so far have together */
	uint64_t leaves;    /* how many leaves the statements checked so far have together */
	bool too_many;      /* the error "too many positions" was reported */
	bool too_deep;      /* the error "parentheses nest too deeply" was reported */
	uint32_t labels;    /* how many labels were defined so far */
	bool failed;        /* memory was short */
};

/* Checks node i and fills c->nodes[i]. The operands of the node must have been checked. */
void check_node(struct check *c, ast_id_t i);

/* Checks that each @NAME in the current statement stands where it may stand. The nodes of the
 * statement are begin to end - 1. */
void check_places(struct check *c, ast_id_t begin, ast_id_t end);

#endif
