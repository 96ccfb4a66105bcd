/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ast.h: the syntax tree of a unit: one or more filter files that are compiled as one.
 *
 * Everything is in arrays and linked by index. Expressions are nodes in one array in which operands
 * come before what they are operands of, and the nodes of a statement before those of the next:
 * passes walk the array and never recurse, whatever the depth. Names are interned symbols. The
 * parser builds the tree, front_finish() checks it and fills what is marked "check"; nothing else
 * changes it.
 */
#ifndef NFACC_GRAMMAR_AST_H
#define NFACC_GRAMMAR_AST_H

#include "contract/contract.h"
#include "support/arena.h"
#include "support/buf.h"
#include "support/diag.h"
#include "support/vec.h"

typedef uint32_t ast_id_t;  /* index into ast.nodes */
typedef uint32_t ast_sym_t; /* index into ast.syms */
enum { AST_NIL = UINT32_MAX };
#define AST_BOUND_INF UINT32_MAX

struct ast_sym {
	const char *text; /* a 0 follows them */
	uint32_t n;
	uint32_t hash;
};

/* A name where it stands. */
struct ast_name {
	ast_sym_t sym;
	struct diag_range range;
};

/* A number where it stands; `overflow`: it is 2^64 or more, and value is UINT64_MAX. */
struct ast_number {
	uint64_t value;
	bool overflow;
	struct diag_range range;
};

/* The channels of a predicate, `@4,5`; those above UINT32_MAX are UINT32_MAX. */
struct ast_channels {
	uint32_t n; /* 0: none written */
	const uint32_t *at;
	struct diag_range range;
};

enum ast_basic_kind {
	AST_BASIC_ALL,     /* any */
	AST_BASIC_NAME,    /* a type, an event or, without group, a let name */
	AST_BASIC_GLOB,    /* name: the pattern */
	AST_BASIC_OPCODES, /* #lo..hi */
	AST_BASIC_CHARS    /* 'lo'..'hi' */
};

/* A basic predicate, or the name of something. */
struct ast_basic {
	enum ast_basic_kind kind;
	ast_sym_t group;        /* AST_NIL: none written */
	ast_sym_t name;
	uint32_t lo, hi;        /* at most UINT32_MAX */
	struct ast_channels channels;
	struct diag_range range; /* with the group, without the channels */
	uint32_t let;           /* check: the statement it names, or AST_NIL */
};

enum ast_kind {
	AST_ERROR,   /* stands where the text was wrong */
	AST_EPS,
	AST_TRUE,
	AST_BASIC,   /* data: index into basics */
	AST_ANY_OF,  /* Any(first, …) */
	AST_NONE_OF, /* None(first, …) */
	AST_NOT,     /* `lo` times '!' before `first`, which begins at byte `hi` of the source */
	AST_CAT,     /* n >= 2 operands */
	AST_ALT,     /* n >= 2 operands */
	AST_REP,     /* `first`, lo … hi times; data: index into bounds, or AST_NIL for * + ? */
	AST_COUNTED  /* @NAME; data: symbol */
};

struct ast_node {
	enum ast_kind kind;
	struct diag_range range; /* parentheses around it left out */
	ast_id_t first;          /* operand, linked by `next` */
	ast_id_t next;           /* AST_NIL: the last */
	uint32_t n;              /* operands */
	uint32_t lo, hi, data;
};

/* Where the numbers of a `{lo,hi}` stand. */
struct ast_bounds {
	struct diag_range lo, hi;
};

/* An expression as a whole, parentheses included. */
struct ast_expr {
	ast_id_t id; /* AST_NIL: there is none */
	struct diag_range range;
};

struct ast_state {
	struct ast_name name;
	bool start, log;
	uint32_t first_label, nlabels; /* in ast.state_labels */
};

struct ast_edge {
	struct ast_name from, to;
	struct ast_expr trigger;
	uint32_t declared;           /* how many states are declared before the edge: it may name
				      * only these; AST_NIL: it may name any state */
	uint32_t from_state, to_state; /* check: indices into the automaton's states */
};

struct ast_automaton {
	uint32_t first_state, nstates, first_edge, nedges;
	bool broken; /* there are syntax errors inside, so what seems to be missing may have been there */
};

enum ast_stmt_kind {
	AST_LET, AST_FILTER, AST_LOG, AST_COUNTER, AST_AUTOMATON, AST_WINDOW, AST_LIMIT,
	AST_SUBSTREAM
};

struct ast_stmt {
	enum ast_stmt_kind kind;
	struct diag_range range;    /* its keyword */
	struct ast_name name;       /* of a let, filter, counter, automaton */
	struct ast_expr expr;       /* of a let, filter, log, counter */
	struct ast_expr reset;      /* of a counter */
	enum counter_mode mode;     /* of a counter */
	struct ast_number number;   /* window, limit, count of a counter, address of a substream */
	struct ast_number lines;    /* of a substream */
	uint32_t automaton;         /* index into automata */
	ast_id_t node_end;          /* where its nodes end; they begin where those of the last one end */
};

struct ast {
	struct arena arena;
	const struct nfart_proto *proto; /* borrowed; NULL until it is known */
	VEC(struct ast_sym) syms;
	uint32_t *hash;                  /* of syms: index + 1, or 0 */
	size_t nhash;
	VEC(struct ast_node) nodes;
	VEC(struct ast_basic) basics;
	VEC(struct ast_bounds) bounds;
	VEC(struct ast_stmt) stmts;
	VEC(struct ast_automaton) automata;
	VEC(struct ast_state) states;
	VEC(struct ast_edge) edges;
	VEC(struct ast_name) state_labels;
	bool failed;                     /* out of memory; the tree is incomplete */
};

/* A zeroed struct ast is empty. Frees all of it but the protocol. */
void ast_free(struct ast *a);

/* The symbol of n bytes of text; AST_NIL (and failed): out of memory. Expected linear in n. */
ast_sym_t ast_intern(struct ast *a, const char *text, size_t n);

/* The text of a symbol, "" for AST_NIL. */
const char *ast_text(const struct ast *a, ast_sym_t sym);

/* ---- building; all of these set `failed`, and answer AST_NIL, where memory is short --------- */

/* Operands that a node is being made for. */
struct ast_list {
	ast_id_t first, last;
	uint32_t n;
};

/* Appends node (its operands from `list`) and returns its index. */
ast_id_t ast_add(struct ast *a, struct ast_node node, struct ast_list list);

/* A leaf without further content. */
ast_id_t ast_leaf(struct ast *a, enum ast_kind kind, struct diag_range range);

ast_id_t ast_add_basic(struct ast *a, struct ast_basic basic);

/* The list with one more operand at its end. */
struct ast_list ast_append(struct ast *a, struct ast_list list, ast_id_t id);

/* A CAT or ALT of the list, or its only operand. */
ast_id_t ast_group(struct ast *a, enum ast_kind kind, struct ast_list list,
		   struct diag_range range);

/* `id` repeated. */
ast_id_t ast_repeat(struct ast *a, ast_id_t id, uint32_t lo, uint32_t hi, uint32_t bounds,
		    struct diag_range range);

/* Appends a statement; its nodes are those made since the one before. The expressions it doesn't
 * have are AST_NIL. */
void ast_add_stmt(struct ast *a, struct ast_stmt stmt);

/* An automaton is opened, its states and transitions are added, and it is closed: only that makes
 * it a statement. `marks` collects what is said of a state, starting from zeroes; a label without
 * symbol is the state's name. `anywhere`: the transition may stand before the states it names. */
void ast_open_automaton(struct ast *a);
void ast_add_label(struct ast *a, struct ast_state *marks, struct ast_name label);
void ast_add_state(struct ast *a, struct ast_name name, struct ast_state marks);
void ast_add_edge(struct ast *a, struct ast_name from, struct ast_name to, struct ast_expr trigger,
		  bool anywhere);
void ast_close_automaton(struct ast *a, struct diag_range keyword, struct ast_name name,
			 bool broken);

/* ---- using ---------------------------------------------------------------------------------- */

/* Appends the unit as the text of one filter file. Parsing that and printing it again gives the
 * same text. The tree has no errors. Linear. */
void ast_print(const struct ast *a, struct buf *b);

/* The messages that a basic predicate other than a let name stands for: sets their bits in `set`
 * (proto->ncodes bits, zeroed by the caller), channels regarded unless `any_channel`. False: a
 * name, group or opcode that the protocol doesn't have. Linear in the protocol's tables. */
bool ast_basic_codes(const struct ast *a, const struct ast_basic *basic, bool any_channel,
		     uint64_t *set);

#endif
