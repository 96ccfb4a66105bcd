/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * front.h: the front end. Files go in, one checked syntax tree for the whole unit comes out.
 *
 *	front_init(&f, &diags, &options);
 *	for each file: front_parse(&f, name, text, n, yaml);
 *	front_finish(&f);
 *	… lower(&f.ast, &spec) …
 *	front_free(&f);
 *
 * Errors and warnings are records in the diagnostics; every call goes on after an error as far as
 * it can, so that one run shows all independent errors. Nothing recurses on the depth of the input.
 */
#ifndef NFACC_GRAMMAR_FRONT_H
#define NFACC_GRAMMAR_FRONT_H

#include "grammar/ast.h"

/* What the user chose by options, and where protocols come from. */
struct front_options {
	/* The protocol of that name (n bytes), borrowed for the life of the tree; NULL: none. */
	const struct nfart_proto *(*find_protocol)(void *ctx, const char *name, size_t n);
	/* The i-th name of a protocol, NULL after the last, for "did you mean"; may be NULL. */
	const char *(*protocol_name)(void *ctx, size_t i);
	void *ctx;

	/* Statements by option, for the YAML form, which lacks them; they come before the
	 * files and are treated as if written in a file of the name `<options>`. */
	const char *protocol; /* name, or NULL */
	const char *log;      /* expression or `all`, or NULL */
	bool has_window, has_substream;
	uint64_t window;
	uint64_t address, lines; /* of the substream */
};

struct front {
	struct diags *diags; /* borrowed */
	struct front_options options;
	struct ast ast;
	uint32_t last_source; /* the file parsed last, or DIAG_NO_SOURCE */
	size_t errors;        /* the diagnostics' count at the beginning */
	bool stopped;         /* a protocol is unknown: what follows can't be read */
};

/* A warning, for -WNAME and -Wno-NAME. */
struct front_warning {
	const char *name; /* its code; NULL after the last */
	const char *text; /* what it is about, for --help and completion */
	bool on;          /* unless the user says otherwise */
};

extern const struct front_warning front_warnings[];

/* NFART_OK; NFART_INPUT: an option is wrong (reported); NFART_SYSTEM: out of memory. */
enum nfart_status front_init(struct front *f, struct diags *diags,
			     const struct front_options *options);

/* Parses one file into the tree; `yaml`: the thesis's form (T listing 1) instead of filter text.
 * NFART_OK; NFART_INPUT: syntax errors (reported); NFART_SYSTEM: out of memory, or 2 GiB of text
 * and more. Linear. */
enum nfart_status front_parse(struct front *f, const char *name, const char *text, size_t n,
			      bool yaml);

/* Checks the unit after its last file. NFART_OK only where no call had an error. Linear, times
 * the size of a set of codes. */
enum nfart_status front_finish(struct front *f);

/* Frees the tree, not the diagnostics and the protocol. */
void front_free(struct front *f);

#endif
