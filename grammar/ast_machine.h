/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ast_machine.h: the part of the syntax tree that holds machines. ast.h includes this file; nothing
 * else does.
 *
 * The items of a machine are in arrays of the tree, and a machine says which of them are its own.
 * States of machines are in the same array as states of automata. The items of one kind keep the
 * order of the text.
 */
#ifndef NFACC_GRAMMAR_AST_MACHINE_H
#define NFACC_GRAMMAR_AST_MACHINE_H

/* A name that stands for something that the same machine declares before. */
struct ast_use {
	struct ast_name name;
	/* The use may name only the first `declared` states, or counters, of the machine. */
	uint32_t declared;
	/* set by the check: index of the state, or counter, in the machine */
	uint32_t at;
};

enum ast_term_kind {
	AST_TERM_PRED,  /* a predicate */
	AST_TERM_AT,    /* `@C` */
	AST_TERM_NOT_AT /* `!@C` */
};

/* A mark of a state: `start`, `log` or `accept`, with a label or without. */
struct ast_mark {
	bool start, log, accept;
	struct ast_name label;
};

/* A term of a condition. */
struct ast_term {
	enum ast_term_kind kind;
	struct ast_expr pred;   /* AST_TERM_PRED; else the id is AST_NIL */
	struct ast_use counter; /* AST_TERM_AT and AST_TERM_NOT_AT */
	struct diag_range range;
};

/* A condition `term & term … when S, …`. */
struct ast_cond {
	uint32_t first_term, /* index of the condition's first term in ast.parts.terms */
		nterms,      /* how many terms the condition has, at least 1 */
		first_when,  /* index of the first state of `when` in ast.parts.whens */
		nwhen;       /* how many states `when` has; 0: no `when` is written */
	struct diag_range range;
};

/* A counter of a machine: `counter NAME at K MODE`. */
struct ast_machine_counter {
	struct ast_name name;
	struct ast_number k;
	enum counter_mode mode;
};

/* A rule `count C : …` or `reset C : …`. */
struct ast_rule {
	bool reset;
	struct ast_use counter;
	struct ast_cond cond;
};

/* A transition `S -> T : …` or `* -> T : …`. */
struct ast_move {
	bool any; /* the transition starts from every state; `from` is not used */
	struct ast_use from, to;
	struct ast_cond cond;
};

struct ast_machine {
	struct ast_number orders; /* `orders N`, with an empty range if it is not written */
	uint32_t first_counter, ncounters, /* in ast.parts.counters */
		first_state, nstates,      /* in ast.parts.states */
		first_rule, nrules,        /* in ast.parts.rules */
		first_move, nmoves;        /* in ast.parts.moves */
	/* The block has syntax errors. So a declaration may be in text that was skipped. */
	bool broken;
};

#endif
