/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * check.h: what the parts of the checker share: check.c walks over statements, check_expr.c over
 * the nodes of expressions, check_places.c looks where counters stand. Private to them.
 */
#ifndef NFACC_GRAMMAR_CHECK_H
#define NFACC_GRAMMAR_CHECK_H

#include "grammar/parse.h"

/* What an expression is. */
enum check_class {
	CHECK_WRONG, /* an error was reported in it: no more of them */
	CHECK_EPS,
	CHECK_PRED,
	CHECK_EXPR
};

struct check_node {
	enum check_class class;
	bool live;           /* part of a statement: not left over by a syntax error */
	bool head;           /* the whole expression begins here: @NAME may stand here */
	bool inner;          /* operand of Any, None or '!' */
	bool complained;     /* an error about its place was reported */
	bool none;           /* CHECK_PRED: mode None */
	const uint64_t *set; /* CHECK_PRED: its codes */
	uint64_t positions;  /* with names and bounds expanded; saturating */
	uint64_t leaves;     /* the same with eps and @NAME, which need states too */
	enum ast_kind shape; /* of what it is, of a let what that is */
	uint32_t depth;      /* of parentheses, were all names written out; none that is spare */
};

/* What a symbol is the name of; statements and states by index + 1, 0 where there is none. */
struct check_sym {
	uint32_t let, counter, automaton, label;
	uint32_t state, automaton_of_state; /* the state last declared so, and where */
};

struct check_stmt {
	bool used;                  /* of a let */
	ast_id_t head_counter;      /* of a let: an @NAME in it that stands at its head … */
	ast_id_t misplaced_counter; /* … and one that doesn't; AST_NIL */
};

struct check {
	struct front *front;
	struct ast *ast;
	const struct nfart_proto *proto;
	struct arena arena;
	size_t words;            /* of a set of codes */
	const uint64_t *visible; /* codes that a copy of the filters can see */
	bool by_line;            /* there is a substream line */
	uint64_t *nothing;       /* the empty set */
	struct check_sym *syms;
	struct check_node *nodes;
	struct check_stmt *stmts;
	uint32_t stmt;           /* the one being checked */
	uint32_t first[AST_SUBSTREAM + 1]; /* by kind: index + 1 of the first such statement */
	uint64_t positions;      /* so far */
	uint64_t leaves;         /* so far */
	bool too_many;           /* positions or leaves: reported */
	bool too_deep;           /* reported */
	uint32_t labels;         /* so far */
	bool failed;             /* out of memory */
};

/* Checks node i; its operands have been. */
void check_node(struct check *c, ast_id_t i);

/* Checks where @NAME stands among the nodes [begin, end) of statement c->stmt. */
void check_places(struct check *c, ast_id_t begin, ast_id_t end);

#endif
