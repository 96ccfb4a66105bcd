/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * parse.h: what the scanner, the parser, the YAML reader and the checks of the front end share.
 * Nothing else includes it.
 */
#ifndef NFACC_GRAMMAR_PARSE_H
#define NFACC_GRAMMAR_PARSE_H

#include <stdalign.h>

#include "grammar/describe/reserved.h"
#include "grammar/front.h"

enum parse_what { PARSE_FILE, PARSE_TRIGGER };

/* The state of scanner and parser while one text is read. */
struct parse {
	struct front *front;
	uint32_t source;     /* number of the source in the diagnostics */
	const char *text;    /* the text that is scanned, n bytes */
	size_t n;
	uint32_t base;       /* where text begins in the source; unused with `map` */
	const uint32_t *map; /* place in the source of each byte of text and of its end; or NULL */
	enum parse_what what;

	/* scanner */
	uint32_t at;          /* where the last token ends, in text */
	uint32_t begin, end;  /* where the last token begins and ends, in text */
	bool begun;           /* START_FILE or START_TRIGGER, which tells `what`, was returned */
	ast_sym_t group;      /* the group of a `GROUP.` that begins the next token, or AST_NIL */
	uint32_t group_begin; /* where this group begins, in text */
	const char *problem;  /* why the last text is no token; NULL: it is one */

	/* parser */
	struct diag_range last, previous; /* the last token and the one before it */
	unsigned depth;       /* of open parentheses */
	bool started;         /* a statement was read, so `protocol` may no longer stand here */
	bool broken;          /* the automaton being read has a syntax error */
	struct ast_expr trigger; /* for PARSE_TRIGGER: the trigger that was parsed */

	/* the scanner's own memory: the first `pooled` bytes are in use */
	alignas(max_align_t) unsigned char pool[1024];
	size_t pooled;
};

/* Scans and parses p->text. The caller fills front, source, text, n, base, map and what, and zeroes
 * the rest of *p. Errors are reported. For PARSE_TRIGGER, p->trigger is set unless there were
 * errors. False: out of memory. */
bool parse_run(struct parse *p);

/* Reports an error. Returns its record, to which notes can be added. */
size_t front_error(struct front *f, const char *code, struct diag_range range, const char *format,
		   ...) __attribute__((format(printf, 4, 5)));

/* Returns the protocol of the unit. If no protocol statement was read so far, the protocol is `eci`
 * from now on. NULL: there is no such protocol. */
const struct nfart_proto *front_protocol(struct front *f);

/* Handles a protocol statement. `first`: no statement stands before it in its file. False: the text
 * after it can't be read, because the protocol is unknown or another one (reported). */
bool front_set_protocol(struct front *f, struct diag_range keyword, const struct ast_name *name,
			bool first);

/* Helps a user who wrote NAME* without quotes and may have meant the glob "NAME*". If the glob
 * would match a type, adds suggestions to record `at`: the glob, and how to repeat a type. `both`
 * is the range of name and star; `in_list` says that they stand inside Any( ) or None( ). False: it
 * would match none. */
bool front_star_notes(struct front *f, size_t at, const struct ast_basic *basic,
		      struct diag_range both, bool in_list);

/* Suggests a name similar to the unknown name `sym`: if there is one, adds a note "did you mean" to
 * record `at`. The candidates are the protocol's types and events, the lets among the first `nlets`
 * statements, and `words`, which end with NULL. */
void front_suggest_name(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			size_t nlets, const char *const *words);

/* Suggests one of `words`, which end with NULL, for a text of n bytes. */
void front_suggest_word(struct front *f, size_t at, const char *text, size_t n,
			struct diag_range range, const char *const *words);

/* Suggests a group of the unit's protocol for the unknown name `sym`. */
void front_suggest_group(struct front *f, size_t at, ast_sym_t sym, struct diag_range range);

/* These suggest for the unknown name `sym`: the name of one of the first `nstmts` statements if it
 * is of this kind, a state of automaton m, or a protocol. */
void front_suggest_stmt(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			enum ast_stmt_kind kind, size_t nstmts);
void front_suggest_state(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			 const struct ast_automaton *m);
void front_suggest_protocol(struct front *f, size_t at, ast_sym_t sym, struct diag_range range);

/* Reads an automaton in the YAML form into the tree. Errors are reported. False: out of memory. */
bool yaml_parse(struct front *f, uint32_t source);

/* Checks the whole tree (check.c). Errors are reported. False: out of memory. */
bool check_unit(struct front *f);

#endif
