/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * parse.h: what scanner, parser, YAML reader and checks of the front end share; private to them.
 */
#ifndef NFACC_GRAMMAR_PARSE_H
#define NFACC_GRAMMAR_PARSE_H

#include <stdalign.h>

#include "grammar/describe/reserved.h"
#include "grammar/front.h"

enum parse_what { PARSE_FILE, PARSE_TRIGGER };

/* One text on its way through scanner and parser. */
struct parse {
	struct front *front;
	uint32_t source;
	const char *text; /* what is scanned, n bytes */
	size_t n;
	uint32_t base;    /* where text begins in the source … */
	const uint32_t *map; /* … or, if not NULL, where each byte of text is in it, n + 1 entries */
	enum parse_what what;

	/* scanner */
	uint32_t at;          /* where the last token ends */
	uint32_t begin, end;  /* the last token, in text */
	bool begun;           /* the token that says `what` was given */
	ast_sym_t group;      /* GROUP. was read and belongs to the next token; or AST_NIL */
	uint32_t group_begin;
	const char *problem;  /* why the last token is none; else NULL */

	/* parser */
	struct diag_range last, previous; /* the last token and the one before it */
	unsigned depth;       /* of parentheses */
	bool started;         /* a statement was read */
	bool broken;          /* there was an error in the automaton being read */
	struct ast_expr trigger; /* result of PARSE_TRIGGER */

	alignas(max_align_t) unsigned char pool[1024]; /* the scanner's own memory */
	size_t pooled;
};

/* Scans and parses p->text (p zeroed but for front, source, text, n, base, map, what). Errors are
 * reported. False: out of memory. In PARSE_TRIGGER, p->trigger is set unless there were errors. */
bool parse_run(struct parse *p);

/* Reports an error. Returns the record for notes. */
size_t front_error(struct front *f, const char *code, struct diag_range range, const char *format,
		   ...) __attribute__((format(printf, 4, 5)));

/* The protocol of the unit; where none has been named so far it is `eci` from now on. NULL: there is none. */
const struct nfart_proto *front_protocol(struct front *f);

/* A protocol statement. False: what follows can't be read (reported). */
bool front_set_protocol(struct front *f, struct diag_range keyword, const struct ast_name *name,
			bool first);

/* For an unquoted `NAME*` at `both`, notes on record `at`, where it would be a glob with a match:
 * that glob, and the repetition of a type. in_list: inside Any( ) or None( ). False: it would not. */
bool front_star_notes(struct front *f, size_t at, const struct ast_basic *basic,
		      struct diag_range both, bool in_list);

/* A note "did you mean" on record `at`, where a name near to `sym` exists: among types and events, the
 * lets of the first `nlets` statements, and `words`, which end with NULL. */
void front_suggest_name(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			size_t nlets, const char *const *words);

/* The same for a text of n bytes among words alone. */
void front_suggest_word(struct front *f, size_t at, const char *text, size_t n, struct diag_range range,
			const char *const *words);

/* The same among the groups of the unit's protocol. */
void front_suggest_group(struct front *f, size_t at, ast_sym_t sym, struct diag_range range);

/* The same among the names of statements of a kind, the states of an automaton, the protocols. */
void front_suggest_stmt(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			enum ast_stmt_kind kind, size_t nstmts);
void front_suggest_state(struct front *f, size_t at, ast_sym_t sym, struct diag_range range,
			 const struct ast_automaton *m);
void front_suggest_protocol(struct front *f, size_t at, ast_sym_t sym, struct diag_range range);

/* Reads the YAML form of an automaton. False: out of memory. */
bool yaml_parse(struct front *f, uint32_t source);

/* Checks the tree (check.c). False: out of memory. */
bool check_unit(struct front *f);

#endif
