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
	CHECK_WRONG, /* an error in it was reported; other errors that follow from it are not */
	CHECK_EPS,
	CHECK_PRED,
	CHECK_EXPR
};

struct check_node {
	enum check_class class;
	bool live;           /* part of a statement; false if a syntax error left the node over */
	bool head;           /* the whole expression begins with this node, so it may be @NAME */
	bool inner;          /* operand of Any, None or '!' */
	bool complained;     /* an error about its place was reported */
	bool none;           /* CHECK_PRED: the predicate has mode None */
	const uint64_t *set; /* CHECK_PRED: the codes of the predicate */
	uint64_t positions;  /* with names and bounds expanded; saturating */
	uint64_t leaves;     /* positions, eps and @NAME, expanded in the same way; saturating */
	enum ast_kind shape; /* kind of the node; for the name of a let, kind of the let's value */
	uint32_t depth;      /* nesting of the parentheses that are necessary when all names are
			      * replaced by their values */
};

/* The things that a symbol is the name of. */
struct check_sym {
	/* index of the statement that defines the name, plus 1; 0: none does */
	uint32_t let, counter, automaton, label;
	/* the state last declared with this name: its index in its automaton, and the index plus 1
	 * of the automaton's statement */
	uint32_t state, automaton_of_state;
};

struct check_stmt {
	bool used;                  /* of a let: something uses it */
	ast_id_t head_counter;      /* of a let: node of an @NAME at its head, or AST_NIL */
	ast_id_t misplaced_counter; /* of a let: node of an @NAME elsewhere in it, or AST_NIL */
};

struct check {
	struct front *front;
	struct ast *ast;
	const struct nfart_proto *proto;
	struct arena arena;
	size_t words;            /* words of 64 bits in a set of codes */
	const uint64_t *visible; /* the codes that a filter can see; with substreams only codes that
				  * have an address */
	bool by_line;            /* the unit has a substream statement */
	uint64_t *nothing;       /* the empty set of codes */
	struct check_sym *syms;   /* by symbol */
	struct check_node *nodes; /* by index into ast.nodes */
	struct check_stmt *stmts; /* by index into ast.stmts */
	uint32_t stmt;           /* index of the statement being checked */
	uint32_t first[AST_SUBSTREAM + 1]; /* by kind of statement: index of the first one plus 1 */
	uint64_t positions;      /* of the statements checked so far */
	uint64_t leaves;         /* of the statements checked so far */
	bool too_many;           /* that there are too many positions or leaves was reported */
	bool too_deep;           /* that expressions nest too deeply was reported */
	uint32_t labels;         /* number of labels defined so far */
	bool failed;             /* out of memory */
};

/* Checks node i and fills c->nodes[i]. The operands of the node must have been checked. */
void check_node(struct check *c, ast_id_t i);

/* Checks where @NAME stands among the nodes begin to end - 1, which are those of statement
 * c->stmt. */
void check_places(struct check *c, ast_id_t begin, ast_id_t end);

#endif
