/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * check.h: the types and functions that the files of the checker share. Nothing else includes this
 * header. check.c walks over the statements, check_expr.c over the nodes of expressions.
 * check_guard.c checks guards, check_keys.c substreams, check_machine.c machines, and
 * check_places.c where @NAME stands. check_warn.c warns of predicates that have the same value on
 * every batch.
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

/* What is known of the messages and batches that a predicate names. (A predicate of mode None is
 * true on a batch in which it names nothing.) The sets are bit sets over codes. A predicate without
 * guards has the same set four times. */
struct check_pred {
	const uint64_t *named; /* the codes that it names, whatever its guards say */
	const uint64_t *has;   /* those of them whose messages have the fields that guards test */
	const uint64_t *some;  /* those of them of which a message can pass each single test */
	const uint64_t *full;  /* those of them all of whose messages pass */
	/* It names opcodes, by `any` or by number. So it names messages without a type, too. */
	bool open;
	unsigned time; /* the kinds of batches that it names, bits 1 << CHECK_PLAIN … */
};

/* The kinds of batches that `tick`, `notick` and `end` tell apart. */
enum { CHECK_PLAIN, CHECK_TICK, CHECK_END, CHECK_TICK_END };

struct check_node {
	enum check_class class;
	bool live;           /* a statement uses the node; after a syntax error it may be unused */
	bool head;           /* the whole expression begins with this node, so it may be @NAME */
	bool inner;          /* the node is an operand of Any, None or '!' */
	bool complained;     /* an error about the place of this node was reported */
	bool none;           /* if the class is CHECK_PRED: the predicate has mode None */
	const struct check_pred *pred; /* if the class is CHECK_PRED: what the predicate names */
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
	uint32_t let, counter, automaton, machine, label, output;
	uint32_t state, /* index, in its automaton, of the last state declared with this name */
		/* index, plus 1, of the statement of the automaton or machine that `state` belongs
		 * to; 0: no state was declared with this name */
		automaton_of_state,
		/* the same for the counters of machines */
		machine_counter, machine_of_counter;
};

struct check_stmt {
	bool used;                  /* for a let: the name of the let is used somewhere */
	ast_id_t head_counter;      /* node of an @NAME at the head of a let, or AST_NIL */
	ast_id_t misplaced_counter; /* node of an @NAME elsewhere in a let, or AST_NIL */
};

/* What a filter of the unit can see. */
struct check_sees {
	/* the set of codes that a filter can see; with substreams, only codes that have the key,
	 * and broadcast ones */
	const uint64_t *visible;
	/* index of the first substream statement in ast.stmts; AST_NIL: there is none */
	uint32_t substream;
	bool ticks;               /* the unit has a tick statement */
	unsigned times;           /* the kinds of batches there can be, bits 1 << CHECK_PLAIN … */
};

/* How much there is in the statements checked so far. */
struct check_sum {
	uint64_t positions; /* how many positions they have together */
	uint64_t leaves;    /* how many leaves they have together */
	uint32_t labels,    /* how many labels they define */
		outputs;    /* how many outputs of machines they define */
};

/* What is reported only once. */
struct check_reported {
	bool too_many;            /* the error "too many positions" */
	bool too_deep;            /* the error "parentheses nest too deeply" */
	bool no_ticks;            /* the error that there is no tick statement */
	uint32_t derived_warned;  /* the last derived source with a warning, plus 1 */
};

struct check {
	struct front *front;
	struct ast *ast;
	const struct nfart_proto *proto;
	struct arena arena;
	size_t words; /* how many words of 64 bits a set of codes has */
	struct check_sees sees;
	struct check_pred nothing; /* names nothing */
	struct check_sym *syms;   /* [ast.syms]: what each symbol names */
	struct check_node *nodes; /* [ast.nodes]: what is known of each node */
	struct check_stmt *stmts; /* [ast.stmts]: what is known of each statement */
	uint32_t stmt;            /* index of the current statement in ast.stmts */
	/* [kind of statement]: index, plus 1, of the first statement of this kind; 0: none yet */
	uint32_t first[AST_TICK + 1];
	struct check_sum sum;
	struct check_reported reported;
	bool failed;        /* memory was short */
};

/* Checks node i and fills c->nodes[i]. The operands of the node must have been checked. */
void check_node(struct check *c, ast_id_t i);

/* Returns what predicate p names if the guard of b is added to it, and sets ast_test.field of the
 * tests. NULL: the guard has errors, which are reported, or memory was short, and then c->failed is
 * set. */
const struct check_pred *check_guard(struct check *c, const struct ast_basic *b,
				     const struct check_pred *p);

/* Reports that b may not have the guard that it has. `why` is the message. */
void check_no_guard(struct check *c, const struct ast_basic *b, const char *why);

/* Returns how many bits the values of a field have that messages with a code of the set can have.
 * `field` is an index into proto->fields, or PROTO_ADDR. 0: no such message has the field. */
uint32_t check_field_bits(const struct check *c, uint32_t field, const uint64_t *set);

/* Returns the set of codes whose messages have the key of the substream statement, and of broadcast
 * codes. NULL: memory was short. */
const uint64_t *check_visible(struct check *c);

/* Checks the current statement, a substream. */
void check_substream(struct check *c, struct ast_stmt *s);

/* Reports an error unless lo <= x <= hi. `what` says what the number is. True: there was none. */
bool check_number(struct check *c, const struct ast_number *x, const char *what, uint64_t lo,
		  uint64_t hi);

/* Reports an error if the statement is the second of its kind. This is called for statements
 * window, limit, log, substream and tick. */
void check_once(struct check *c, const struct ast_stmt *s, const char *word);

/* Declares the states and labels of an automaton or machine. Its states begin at index `first` of
 * ast.parts.states. Returns whether one of them is a start state. */
bool check_states(struct check *c, uint32_t first, uint32_t n);

/* Returns the index of the state with this name among the first `declared` states of the automaton;
 * of a machine, m has states and `broken`. AST_NIL: there is none. That is an error, unless a
 * syntax error in the block may hide the declaration. */
uint32_t check_find_state(struct check *c, const struct ast_automaton *m,
			  const struct ast_name *name, uint32_t declared);

/* Checks the current statement, a machine. */
void check_machine(struct check *c, const struct ast_stmt *s);

/* Warns if the predicate of a node has the same value on every batch. A batch that has neither a
 * tick nor the end has a message. `any` and `!true` get no warning, because their authors mean
 * this. The caller leaves out `true` for the same reason. */
void check_constant(struct check *c, const struct check_node *n, const struct ast_node *node);

/* Warns of a predicate that is true without a message of a type, if the type may happen without a
 * message (`misses` in the protocol). */
void check_missed(struct check *c, const struct check_node *n, const struct ast_node *node);

/* Checks that each @NAME in the current statement stands where it may stand. The nodes of the
 * statement are begin to end - 1. */
void check_places(struct check *c, ast_id_t begin, ast_id_t end);

#endif
