/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * front.h: the front end. Filter files go in, and one checked syntax tree for all of them comes
 * out.
 *
 *	front_init(&f, &diags, &options);
 *	for each file: front_parse(&f, name, text, n, yaml);
 *	front_finish(&f);
 *	… lower(&f.ast, &spec) …
 *	front_free(&f);
 *
 * Errors and warnings become records in the diagnostics. After an error every call goes on as far
 * as it can, so that one run shows all independent errors. Nothing recurses on the depth of the
 * input.
 */
#ifndef NFACC_GRAMMAR_FRONT_H
#define NFACC_GRAMMAR_FRONT_H

#include "grammar/ast.h"

/* The caller's functions that find protocols, and the user's options. */
struct front_options {
	/* Returns the protocol of this name (n bytes); NULL: there is none. The protocol must live
	 * as long as the tree, which borrows it. */
	const struct nfart_proto *(*find_protocol)(void *ctx, const char *name, size_t n);
	/* Returns the name of the i-th known protocol, for the message "did you mean". NULL: there
	 * are not so many. The pointer to this function may be NULL. */
	const char *(*protocol_name)(void *ctx, size_t i);
	void *ctx; /* first argument of find_protocol() and protocol_name() */

	/* Statements that are given as options, because the YAML form lacks them. They are parsed
	 * before the files, as a file with the name `<options>`. */
	const char *usual_protocol; /* that of filters that name none; NULL: eci */
	const char *protocol; /* name of the protocol; NULL: no such option is given */
	const char *log;      /* an expression or `all`; NULL: no such option is given */
	bool has_window;
	uint64_t window,       /* how many batches the window has before an accepted one */
		window_after;  /* how many it has after an accepted one */
	/* the ranges of a substream of lines, as numbers with commas between them: for each range
	 * the byte address of the first line and the number of lines; NULL: no such option is
	 * given */
	const char *substream;
	uint64_t tick; /* how far ticks are apart; 0: no such option is given */

	/* [nparams]: the parameters that are set, as NAME=NUMBER; of two for one name, the last
	 * counts */
	const char *const *params;
	size_t nparams;
};

/* A parameter: of the files, or set by an option. */
struct front_param {
	ast_sym_t name;
	uint64_t value;
	struct diag_range range; /* where the file defines it */
	const char *option;      /* the option's text, NAME=NUMBER */
	bool used;               /* a file defines the parameter that the option sets */
	bool unknown;            /* its statement has an error, so its value is not known */
};

struct front {
	struct diags *diags; /* where errors and warnings are reported; borrowed */
	struct front_options options;
	struct ast ast;
	VEC(struct front_param) params, /* those that the files define */
		given;                  /* those that options set */
	uint32_t last_source; /* source number of the file parsed last, or DIAG_NO_SOURCE */
	size_t errors;        /* how many errors were in the diagnostics before front_init() */
	bool stopped;         /* there is no usable protocol, so no more text can be parsed */
};

/* A warning that the user can turn on and off with -WNAME and -Wno-NAME. */
struct front_warning {
	const char *name; /* the warning's code in the diagnostics; NULL after the last warning */
	const char *text; /* what the warning is about, for --help and completion */
	bool on;          /* the warning is given even if no option asks for it */
};

/* All warnings. The last entry has no name. */
extern const struct front_warning front_warnings[];

/* Begins a unit, and parses the statements that are given as options. Returns NFART_OK, NFART_INPUT
 * if an option is wrong (reported), or NFART_SYSTEM if memory is short. */
enum nfart_status front_init(struct front *f, struct diags *diags,
			     const struct front_options *options);

/* Parses one file into the tree: filter text, or with `yaml` the form of the thesis (T listing 1).
 * Returns NFART_OK, NFART_INPUT after syntax errors (reported), or NFART_SYSTEM if memory is short
 * or the text has 2 GiB or more. The cost is linear in n. */
enum nfart_status front_parse(struct front *f, const char *name, const char *text, size_t n,
			      bool yaml);

/* Checks the unit after its last file. Returns NFART_OK if neither this call nor one before it
 * found an error, NFART_INPUT after an error, NFART_SYSTEM if memory is short. The cost is linear
 * in the tree, times the size of a set of codes. */
enum nfart_status front_finish(struct front *f);

/* Frees the tree, but neither the diagnostics nor the protocol. */
void front_free(struct front *f);

#endif
