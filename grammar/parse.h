/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * parse.h: what the scanner, the parser, the YAML reader and the checks of the front end share. No
 * other file includes this header.
 */
#ifndef NFACC_GRAMMAR_PARSE_H
#define NFACC_GRAMMAR_PARSE_H

#include <stdalign.h>

#include "contract/proto/reserved.h"
#include "grammar/front.h"

/* A guard: its tests in ast.tests, and its place in the source. */
struct parse_guard {
	uint32_t first, n;
	struct diag_range range;
};

/* A field as a test names it, with the bits in brackets if there are any. */
struct parse_field {
	struct ast_name name;
	bool of_bits;
	struct ast_number highest, lowest;
};

enum parse_what { PARSE_FILE, PARSE_TRIGGER };

/* What the scanner knows of the last token. Its places are offsets in parse.text. */
struct parse_token {
	uint32_t at;          /* the end of the last token */
	uint32_t begin, end;  /* beginning and end of the last token */
	bool begun;           /* START_FILE or START_TRIGGER, the first token, was returned */
	ast_sym_t group;      /* the group of a `GROUP.` that begins the next token, or AST_NIL */
	uint32_t group_begin; /* where the `GROUP.` begins, if `group` is not AST_NIL */
	const char *problem;  /* why the last text is no token; NULL: it is a token */
};

/* What the parser knows of the text so far. */
struct parse_state {
	struct diag_range last,  /* place of the last token */
		previous;        /* place of the token before the last one */
	unsigned depth;          /* how many parentheses are open */
	bool started;            /* a statement was read, so `protocol` is now an error */
	bool broken; /* the automaton or machine that is being read has a syntax error */
	bool machine;            /* a machine is being read */
	struct ast_expr trigger; /* for PARSE_TRIGGER: the trigger that was parsed */
};

/* The state of scanner and parser while one text is read. */
struct parse {
	struct front *front;
	uint32_t source;  /* number of the source in the diagnostics */
	const char *text; /* the n bytes that are scanned */
	size_t n;
	/* the byte of the source at which `text` begins; not used if `map` is not NULL */
	uint32_t base;
	/* [n + 1]: the place in the source of each byte of `text` and of its end. NULL: `text` is
	 * copied from the source unchanged, from byte `base` on. */
	const uint32_t *map;
	enum parse_what what;

	struct parse_token token;
	struct parse_state state;

	/* memory for the scanner's objects; the first `pooled` bytes are in use */
	alignas(max_align_t) unsigned char pool[1024];
	size_t pooled;
};

/* Scans and parses p->text. Before the call, the caller sets front, source, text, n, base, map and
 * what, and zeroes the rest of *p. Errors are reported. For PARSE_TRIGGER, p->state.trigger is set
 * unless there were errors. False: out of memory. */
bool parse_run(struct parse *p);

/* Reports an error. Returns the index of the record in the diagnostics, to which the caller can add
 * notes. */
size_t front_error(struct front *f, const char *code, struct diag_range range, const char *format,
		   ...) __attribute__((format(printf, 4, 5)));

/* Reports an error if the name of a definition hides a type, an event or a group of the
 * protocol. */
void front_check_hiding(struct front *f, const struct ast_name *name);

/* Returns the protocol of the unit. If no protocol statement was read so far, the protocol is `eci`
 * from now on. NULL: there is no such protocol. */
const struct nfart_proto *front_protocol(struct front *f);

/* Handles a protocol statement. `first` says that no statement stands before it in the file. False:
 * the rest of the file can't be parsed, because the protocol is unknown or differs from that of
 * earlier files. This is reported. */
bool front_set_protocol(struct front *f, struct diag_range keyword, const struct ast_name *name,
			bool first);

/* Helps a user who wrote NAME* without quotes. Adds suggestions to record `at`: the glob "NAME*",
 * if it would match a type, and how to repeat a type. `both` is the range of name and star.
 * `in_list` says that they stand inside Any( ) or None( ). True: the glob was suggested. */
bool front_star_notes(struct front *f, size_t at, const struct ast_basic *basic,
		      struct diag_range both, bool in_list);

/* Suggests a name similar to the unknown name `sym`: if there is one, adds a note "did you mean" to
 * record `at`. The candidates are the protocol's types and events, the lets among the first `nlets`
 * statements, and `words`, which end with NULL. */
void front_suggest_name(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			size_t nlets, const char *const *words);

/* Suggests one of `words`, which end with NULL, for an unknown text of n bytes, in a note to record
 * `at`. */
void front_suggest_word(struct front *f, size_t at, const char *text, size_t n,
			struct diag_range range, const char *const *words);

/* Suggests a group of the unit's protocol for the unknown name `sym`, in a note to record `at`. */
void front_suggest_group(struct front *f, size_t at, ast_sym_t sym, struct diag_range range);

/* Suggests a field of the unit's protocol for the unknown name `sym`, in a note to record `at`.
 * With `addr` the name stands in a guard, and `addr` may be suggested. Otherwise the name is the
 * key of a substream, and `cl` may be suggested. */
void front_suggest_field(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			 bool addr);

/* Returns the known protocol whose name is most similar, or NULL if none is. */
const char *front_nearest_protocol(struct front *f, const char *name);

/* These functions suggest a similar name for the unknown name `sym`, in a note to record `at`.
 * front_suggest_stmt() looks at the first `nstmts` statements, as far as they are of this kind.
 * front_suggest_state() looks at the states of automaton m. front_suggest_protocol() looks at all
 * protocols. */
void front_suggest_stmt(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			enum ast_stmt_kind kind, size_t nstmts);
void front_suggest_state(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			 const struct ast_automaton *m);
void front_suggest_protocol(struct front *f, size_t at, ast_sym_t sym, struct diag_range range);

/* ---- the actions of the grammar (parse_tree.c) ---------------------------------------------- */

/* When memory is short, these functions set ast.failed, and those that return the index of a node
 * return AST_NIL. */

/* Returns the expression with this root and this place. */
struct ast_expr parse_expression(ast_id_t id, struct diag_range range);

/* Returns a statement that has a name and an expression. */
struct ast_stmt parse_define(enum ast_stmt_kind kind, struct diag_range keyword,
			     struct ast_name name, ast_id_t id, struct diag_range range);

/* Appends a statement that is a number, or two numbers of a window. */
void parse_add_number(struct parse *p, enum ast_stmt_kind kind, struct diag_range keyword,
		      struct ast_number number, struct ast_number after);

/* Appends a range of a substream statement that is still to be appended. */
void parse_add_range(struct parse *p, struct ast_number first, struct ast_number count);

/* Appends a substream statement. Its ranges are the last `nranges` that were appended. */
void parse_add_substream(struct parse *p, struct diag_range keyword, struct ast_name key,
			 uint32_t nranges);

/* Counts an open parenthesis. False: parentheses nest too deep, which is reported. */
bool parse_open_parenthesis(struct parse *p, struct diag_range where);

/* Appends a node for node `id` after `count` times '!', and returns its index. `operand` is the
 * place of node `id`. */
ast_id_t parse_negate(struct parse *p, uint32_t count, ast_id_t id, struct diag_range range,
		      struct diag_range operand);

/* Appends a node that repeats node `id` from lo to hi times, and returns its index. `hi` is NULL if
 * there is no upper bound. */
ast_id_t parse_repeat(struct parse *p, ast_id_t id, const struct ast_number *lo,
		      const struct ast_number *hi, struct diag_range range);

/* Appends a node for Any( ) or None( ) over the list, and returns its index. */
ast_id_t parse_members(struct parse *p, enum ast_kind kind, struct ast_list list,
		       struct diag_range range);

/* Returns the basic predicate that is a name, `any`, or a word for batches. */
struct ast_basic parse_named(struct ast_name name, enum ast_basic_kind kind);

/* Appends a basic predicate with a channel list, and returns the index of its node. */
ast_id_t parse_on_channels(struct parse *p, struct ast_basic basic, struct ast_channels channels);

/* Appends a test of a guard. `mask` and `last` are NULL if tests of this kind have none. */
void parse_add_test(struct parse *p, enum ast_test_kind kind, struct parse_field field,
		    const struct ast_number *mask, struct ast_number value,
		    const struct ast_number *last);

/* Returns the guard whose tests are the last `ntests` that were appended. */
struct parse_guard parse_end_guard(struct parse *p, uint32_t ntests, struct diag_range range);

/* Gives node `id`, a basic predicate, the guard. The tests of two guards in a row follow each other
 * in ast.tests. Returns `id`. */
ast_id_t parse_guarded(struct parse *p, ast_id_t id, struct parse_guard guard);

/* Reports a guard that does not stand behind a basic predicate. */
void parse_misplaced_guard(struct parse *p, struct parse_guard guard);

/* Reports a '*' after node `id`, a member of Any( ) or None( ). The author may have meant a glob,
 * which needs quotes, or a repetition, which can't be a member. */
void parse_starred(struct parse *p, ast_id_t id, struct diag_range star);

/* Reports that a new name is a reserved word. */
void parse_reserved(struct parse *p, const struct ast_name *name);

/* Adds a mark to the marks of a state. */
void parse_mark(struct parse *p, struct ast_state *marks, struct ast_mark mark);

/* These add to the machine that is open. A term is a predicate with root node `id`, or `@C` after
 * `nots` times '!'. The rule resets the counter or counts; `from` of a transition is NULL if it
 * starts from every state. */
void parse_add_pred(struct parse *p, ast_id_t id, struct diag_range range);
void parse_add_counted(struct parse *p, struct ast_name counter, uint32_t nots,
		       struct diag_range range);
void parse_add_rule(struct parse *p, bool reset, struct ast_name counter, struct ast_cond cond);
void parse_add_move(struct parse *p, const struct ast_name *from, struct ast_name to,
		    struct ast_cond cond);

/* ---- parameters (param.c) ------------------------------------------------------------------- */

/* Reads the parameters that the options set into f->given. NFART_USAGE: one is not NAME=NUMBER,
 * which is reported. NFART_SYSTEM: memory was short. */
enum nfart_status param_options(struct front *f);

/* Handles a param statement. `usual` is the default, or NULL. An error is reported if the parameter
 * has no value, or if there is one of this name. */
void param_define(struct parse *p, const struct ast_name *name, const struct ast_number *usual);

/* Defines a parameter whose statement has a syntax error, so that uses are not reported as well. */
void param_wrong(struct parse *p, const struct ast_name *name);

/* Fills *value with the value of a parameter, or of one operator between it and a number. `op` is
 * the operator, or 0. False: there is no such parameter, or no such value; this is reported. */
bool param_number(struct parse *p, const struct ast_name *name, int op,
		  const struct ast_number *operand, struct diag_range range,
		  struct ast_number *value);

/* Reports the options that set a parameter which no file has. NFART_USAGE: there was one. */
enum nfart_status param_finish(struct front *f);

/* ---- the parts of the front end ------------------------------------------------------------- */

/* Reads an automaton in the YAML form into the tree. Errors are reported. False: out of memory. */
bool yaml_parse(struct front *f, uint32_t source);

/* Checks the whole tree (check.c). Errors are reported. False: out of memory. */
bool check_unit(struct front *f);

#endif
