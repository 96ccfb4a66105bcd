/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ast.h: the syntax tree of a unit. A unit is one or more filter files that are compiled together.
 *
 * The tree consists of arrays, and entries refer to each other by index. The nodes of all
 * expressions are in one array: operands come before the node that has them, and the nodes of a
 * statement come before those of the next statement. So a pass walks over the array and never
 * recurses, however deep an expression is. Names are interned as symbols.
 *
 * The parser builds the tree. front_finish() replaces the expression of `log = all` if that is
 * necessary (ast_log_messages()), checks the tree, and fills the fields whose comment begins with
 * "set by the check". Nothing else changes the tree.
 */
#ifndef NFACC_GRAMMAR_AST_H
#define NFACC_GRAMMAR_AST_H

#include "contract/contract.h"
#include "support/arena.h"
#include "support/buf.h"
#include "support/diag.h"
#include "support/hash.h"
#include "support/vec.h"

typedef uint32_t ast_id_t;  /* index into ast.nodes */
typedef uint32_t ast_sym_t; /* index into ast.syms */
enum { AST_NIL = UINT32_MAX };
#define AST_BOUND_INF UINT32_MAX

struct ast_sym {
	const char *text; /* the n bytes of the symbol, then a 0 */
	uint32_t n;
	uint32_t hash;
};

/* A name and its place in the source. */
struct ast_name {
	ast_sym_t sym;
	struct diag_range range;
};

/* A number and its place in the source. `overflow` says that the number is 2^64 or more; `value` is
 * UINT64_MAX then. */
struct ast_number {
	uint64_t value;
	bool overflow;
	struct diag_range range;
};

/* The channel list of a basic predicate, such as `@4,5`. A channel above UINT32_MAX is stored as
 * UINT32_MAX. */
struct ast_channels {
	uint32_t n; /* how many channels the list has; 0: no list is written */
	const uint32_t *at;
	struct diag_range range;
};

enum ast_basic_kind {
	AST_BASIC_ALL,     /* `any`: every type and opcode */
	AST_BASIC_NAME,    /* the name of a type or event; without a group it may name a let */
	AST_BASIC_GLOB,    /* a pattern over type names; the field `name` holds the pattern */
	AST_BASIC_OPCODES, /* a range of opcodes, `#lo..hi` */
	AST_BASIC_CHARS,   /* a range of characters, `'lo'..'hi'` */
	/* The rest has no group, no channels and no guard. */
	AST_BASIC_TICK,    /* `tick`: batches that have a tick */
	AST_BASIC_NOTICK,  /* `notick`: batches that have no tick */
	AST_BASIC_END      /* `end`: the last batch of the stream */
};

enum ast_test_kind {
	AST_TEST_IS,         /* FIELD == value */
	AST_TEST_IS_NOT,     /* FIELD != value */
	AST_TEST_IN,         /* FIELD in value..last */
	AST_TEST_MASK_IS,    /* FIELD & mask == value */
	AST_TEST_MASK_IS_NOT /* FIELD & mask != value */
};

/* One test of a guard, such as `rreqid == 3`. A message that lacks the field fails every test. */
struct ast_test {
	enum ast_test_kind kind;
	struct ast_name name;    /* the name of the field, or `payload` */
	bool of_bits;            /* it is followed by the bits `highest` to `lowest` in brackets */
	struct ast_number highest, lowest;
	struct ast_number mask;  /* AST_TEST_MASK_IS and AST_TEST_MASK_IS_NOT */
	struct ast_number value; /* AST_TEST_IN: the lowest value that passes */
	struct ast_number last;  /* AST_TEST_IN: the highest value that passes */
	/* set by the check: index of the field in proto->fields, PROTO_ADDR, or PROTO_PAYLOAD: bits
	 * of one word of payload */
	uint32_t field;
};

/* Where the bits of payload are that a test looks at: `bits` bits of a word (record_message). */
struct ast_payload {
	uint32_t word, lsb, bits;
	uint64_t ones; /* the highest number of so many bits */
};

static inline struct ast_payload ast_payload_of(const struct ast_test *t)
{
	uint32_t lo = (uint32_t)t->lowest.value, bits = (uint32_t)t->highest.value - lo + 1;

	return (struct ast_payload){ 1 + lo / 64, lo % 64, bits, UINT64_MAX >> (64 - bits) };
}

/* A basic predicate or the name of a let. The parser can't tell these two apart, because a let and
 * a message type are named in the same way. A message matches only if it passes all tests of the
 * guard. The guard of a let adds its tests to each basic predicate in the value of the let; `tick`,
 * `notick` and `end` in the value have no fields, so behind a guard they match nothing. */
struct ast_basic {
	enum ast_basic_kind kind;
	ast_sym_t group;         /* the group; AST_NIL: no group is written */
	ast_sym_t name;
	uint32_t lo, hi;         /* first and last opcode or character, at most UINT32_MAX */
	struct ast_channels channels;
	uint32_t first_test, /* index in ast.tests of the first test of the guard */
		ntests;      /* how many tests the guard has; 0: there is no guard */
	struct diag_range guard_range; /* place of the guard, from its first `[` to its last `]` */
	struct diag_range range; /* place of group and name, without the channel list */
	/* set by the check: index of the let statement that is named, or AST_NIL */
	uint32_t let;
};

enum ast_kind {
	AST_ERROR,   /* stands for an expression that has a syntax error */
	AST_EPS,
	AST_TRUE,
	AST_BASIC,   /* a basic predicate; `data` is its index in ast.basics */
	AST_ANY_OF,  /* Any(…) over the operands */
	AST_NONE_OF, /* None(…) over the operands */
	/* `lo` times '!', then the operand `first`, which begins at byte `hi` of the source */
	AST_NOT,
	AST_CAT,     /* a concatenation of n >= 2 operands */
	AST_ALT,     /* an alternation of n >= 2 operands */
	/* the operand `first`, repeated `lo` to `hi` times. `data` is the index of the bounds in
	 * ast.bounds, or AST_NIL for * + ? */
	AST_REP,
	AST_COUNTED  /* @NAME, which stands for a counter; `data` is the symbol NAME */
};

struct ast_node {
	enum ast_kind kind;
	struct diag_range range; /* place in the source, without parentheses around the node */
	ast_id_t first;          /* the first operand; its field `next` leads to the second one */
	ast_id_t next;           /* the next operand of the same parent; AST_NIL after the last */
	uint32_t n;              /* number of operands */
	uint32_t lo, hi, data;   /* the meaning depends on the kind (enum ast_kind) */
};

/* The places of the two numbers of a repetition `{lo,hi}`. */
struct ast_bounds {
	struct diag_range lo, hi;
};

/* A whole expression: its root node, and its place with the parentheses around it. */
struct ast_expr {
	ast_id_t id; /* the root node; AST_NIL: there is no expression */
	struct diag_range range;
};

struct ast_state {
	struct ast_name name;
	bool start, log;
	uint32_t first_label, /* index of the state's first label in ast.parts.labels */
		nlabels,      /* how many labels the state has */
		first_output, /* index of the state's first output in ast.parts.outputs */
		noutputs;     /* how many outputs the state has; only states of machines have any */
};

#include "grammar/ast_machine.h"

struct ast_edge {
	struct ast_name from, to;
	struct ast_expr trigger;
	/* The edge may name only the first `declared` states of the automaton, which are declared
	 * before the edge. AST_NIL: the edge may name any state. */
	uint32_t declared;
	/* set by the check: indices of both states among the automaton's states */
	uint32_t from_state, to_state;
};

struct ast_automaton {
	uint32_t first_state, /* index of the automaton's first state in ast.parts.states */
		nstates,      /* how many states the automaton has */
		first_edge,   /* index of the automaton's first edge in ast.parts.edges */
		nedges;       /* how many edges the automaton has */
	/* The block has syntax errors. So the declaration of a state may be in text that was
	 * skipped. */
	bool broken;
};

enum ast_stmt_kind {
	AST_LET, AST_FILTER, AST_LOG, AST_COUNTER, AST_AUTOMATON, AST_MACHINE, AST_WINDOW,
	AST_LIMIT, AST_SUBSTREAM, AST_TICK
};

/* A range of a substream: the line that holds byte address `first`, or the value `first` of a
 * field, and the lines or values after it. The range has `count` of them. */
struct ast_range {
	struct ast_number first, count;
};

/* A substream statement. */
struct ast_substream {
	struct ast_name key;  /* the key, a field; AST_NIL: `cl` */
	/* set by the check: index of the key in proto->fields; PROTO_ADDR: the key is `cl` */
	uint32_t field;
	uint32_t first_range, /* index of the first range in ast.ranges */
		nranges;      /* how many ranges there are */
};

struct ast_stmt {
	enum ast_stmt_kind kind;
	struct diag_range range;  /* place of the statement's keyword */
	struct ast_name name;     /* the name of a let, filter, counter, automaton or machine */
	struct ast_expr expr;     /* the expression of a let, filter, log or counter */
	struct ast_expr reset;    /* the expression that resets a counter */
	enum counter_mode mode;   /* the mode of a counter */
	bool all;                 /* a log statement is written `log = all` */
	/* how many batches a window has before an accepted one, a limit, K of a counter, or N of a
	 * tick statement */
	struct ast_number number;
	/* how many batches a window has after an accepted one; `number` again if the statement has
	 * one number */
	struct ast_number after;
	struct ast_substream sub;
	uint32_t automaton,       /* the index of an automaton in ast.automata */
		machine;          /* the index of a machine in ast.machines */
	/* The nodes of the statement in ast.nodes end before this index. They begin at the node_end
	 * of the statement before. */
	ast_id_t node_end;
};

/* The parts of automata and machines. */
struct ast_parts {
	VEC(struct ast_state) states;
	VEC(struct ast_edge) edges;
	VEC(struct ast_name) labels;  /* of states */
	VEC(struct ast_name) outputs; /* of states */
	VEC(struct ast_machine_counter) counters;
	VEC(struct ast_rule) rules;
	VEC(struct ast_move) moves;
	VEC(struct ast_term) terms;
	VEC(struct ast_use) whens;
};

struct ast {
	struct arena arena;
	const struct nfart_proto *proto; /* the protocol, borrowed; NULL: not known yet */
	VEC(struct ast_sym) syms;
	struct hash_ids hash;            /* finds syms */
	VEC(struct ast_node) nodes;
	VEC(struct ast_basic) basics;
	VEC(struct ast_test) tests;
	VEC(struct ast_bounds) bounds;
	VEC(struct ast_stmt) stmts;
	VEC(struct ast_range) ranges;
	VEC(struct ast_automaton) automata;
	VEC(struct ast_machine) machines;
	struct ast_parts parts;
	/* A loss puts every copy back into its start states. The language can't say this; the
	 * compiler sets it for checkers that it derived. */
	bool reset_on_loss;
	bool failed;                     /* memory was short, so the tree is incomplete */
};

/* Frees the tree, but not the protocol. A zeroed struct ast is an empty tree. */
void ast_free(struct ast *a);

/* Returns the symbol for n bytes of text. AST_NIL: out of memory, and a->failed is set. The
 * expected cost is linear in n. */
ast_sym_t ast_intern(struct ast *a, const char *text, size_t n);

/* Returns the text of a symbol; "" for AST_NIL. */
const char *ast_text(const struct ast *a, ast_sym_t sym);

/* Returns the labels of a state, or its outputs. NULL: it has none. */
static inline const struct ast_name *ast_labels_of(const struct ast *a, const struct ast_state *s)
{
	return s->nlabels == 0 ? NULL : &a->parts.labels.at[s->first_label];
}
static inline const struct ast_name *ast_outputs_of(const struct ast *a, const struct ast_state *s)
{
	return s->noutputs == 0 ? NULL : &a->parts.outputs.at[s->first_output];
}

/* ---- building ------------------------------------------------------------------------------- */

/* When memory is short, each of the following functions sets a->failed, and those that return the
 * index of a node return AST_NIL. */

/* The operands of a node that is still to be made. They are linked by ast_node.next. */
struct ast_list {
	ast_id_t first, last;
	uint32_t n;
};

/* Appends the node, gives it the operands of `list`, and returns its index. */
ast_id_t ast_add(struct ast *a, struct ast_node node, struct ast_list list);

/* Appends a node that has a kind and a place and nothing else, and returns its index. */
ast_id_t ast_leaf(struct ast *a, enum ast_kind kind, struct diag_range range);

/* Appends the basic predicate and an AST_BASIC node for it. Returns the index of the node. */
ast_id_t ast_add_basic(struct ast *a, struct ast_basic basic);

/* Adds node `id` to the end of the list and returns the new list. AST_NIL adds nothing. */
struct ast_list ast_append(struct ast *a, struct ast_list list, ast_id_t id);

/* Appends a CAT or ALT node over the list and returns its index. A list of one operand needs no
 * such node: the index of the operand is returned. */
ast_id_t ast_group(struct ast *a, enum ast_kind kind, struct ast_list list,
		   struct diag_range range);

/* Appends a node that repeats node `id` from lo to hi times, and returns its index. `bounds` is the
 * index into ast.bounds, or AST_NIL for `*`, `+` and `?`. */
ast_id_t ast_repeat(struct ast *a, ast_id_t id, uint32_t lo, uint32_t hi, uint32_t bounds,
		    struct diag_range range);

/* Appends a statement. All nodes that were made since the statement before belong to it. If the
 * statement lacks one of the expressions, the id of that expression must be AST_NIL. */
void ast_add_stmt(struct ast *a, struct ast_stmt stmt);

/* An automaton is opened, then its states and transitions are added, then it is closed. Closing it
 * appends the statement. To add a state, zero a struct ast_state, call ast_add_label() with it for
 * each label, then pass it to ast_add_state() as `marks`. A label without symbol stands for the
 * name of the state. `anywhere` says that a transition may stand before the declarations of its
 * states. */
void ast_open_automaton(struct ast *a);
void ast_add_label(struct ast *a, struct ast_state *marks, struct ast_name label);
void ast_add_state(struct ast *a, struct ast_name name, struct ast_state marks);
void ast_add_edge(struct ast *a, struct ast_name from, struct ast_name to, struct ast_expr trigger,
		  bool anywhere);
void ast_close_automaton(struct ast *a, struct diag_range keyword, struct ast_name name,
			 bool broken);

/* A machine is made in the same way, in ast_machine.c: it is opened, its items are added, and it is
 * closed. States are added with ast_add_state(). The terms and the states of a condition are added
 * before ast_cond_of() makes the condition of the last `nterms` terms and the last `nwhen` states.
 * ast_use_state() and ast_use_counter() make a use that may name what the machine declared so
 * far. */
void ast_open_machine(struct ast *a, struct ast_number orders);
void ast_add_output(struct ast *a, struct ast_state *marks, struct ast_name output);
void ast_add_machine_counter(struct ast *a, struct ast_machine_counter counter);
struct ast_use ast_use_state(const struct ast *a, struct ast_name name);
struct ast_use ast_use_counter(const struct ast *a, struct ast_name name);
void ast_add_term(struct ast *a, struct ast_term term);
void ast_add_when(struct ast *a, struct ast_use state);
struct ast_cond ast_cond_of(const struct ast *a, uint32_t nterms, uint32_t nwhen,
			    struct diag_range range);
void ast_add_rule(struct ast *a, struct ast_rule rule);
void ast_add_move(struct ast *a, struct ast_move move);
void ast_close_machine(struct ast *a, struct diag_range keyword, struct ast_name name, bool broken);

/* Makes the statement `log = all` with index `log` mean `log = true* any`. In a unit without ticks
 * and without the end this is the same as `true+`, the expression that the parser gives it. */
void ast_log_messages(struct ast *a, size_t log);

/* ---- using ---------------------------------------------------------------------------------- */

/* Appends the unit to b as the text of one filter file. Parsing this text and printing the new tree
 * gives the same text. The tree must have no errors. The cost is linear in the tree. */
void ast_print(const struct ast *a, struct buf *b);

/* Sets a bit in `set` for each code (slot, opcode) that the basic predicate matches, whatever its
 * guard says. The predicate must not be the name of a let. `set` has proto->ncodes bits and is
 * zeroed by the caller. With `any_channel` the channel list is ignored. False: the protocol lacks
 * the name, the group or the opcode. Linear in the protocol's tables. */
bool ast_basic_codes(const struct ast *a, const struct ast_basic *basic, bool any_channel,
		     uint64_t *set);

#endif
