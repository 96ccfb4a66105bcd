/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * option.h: the options of a tool as a table, one row each.
 *
 * Everything that knows the options is made from the table: what getopt_long(3) is told, --help, the messages
 * about wrong values, and by tools/completion/genoptions the synopsis of the manual page and the completion for
 * bash and zsh. A row that only stores its value says where; one that does more has a handler.
 */
#ifndef NFACC_SUPPORT_OPTION_H
#define NFACC_SUPPORT_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/buf.h"

/* What the argument is. It says how a value is stored, and what a shell can offer. */
enum option_kind {
	OPTION_FLAG,   /* there is none; stores true in a bool */
	OPTION_TEXT,   /* stored as const char *, like the next two */
	OPTION_FILE,
	OPTION_DIR,
	OPTION_NUMBER, /* stored as uint32_t or uint64_t */
	OPTION_CHOICE  /* stored as an int or enum: the place of the value in the list */
};

/* A value that an argument can have. The list ends with a NULL name; help may be NULL. */
struct option_value {
	const char *name, *help;
};

struct option_table;
struct option_row;

/* An option as it was given. */
struct option_given {
	const struct option_table *table;
	const struct option_row *row;
	const char *value; /* NULL for OPTION_FLAG */
	void *options;     /* the tool's struct */
};

/* What a handler returns, besides exit codes. */
enum {
	OPTION_GO_ON = -1,
	OPTION_WRONG = -2 /* the value is wrong: the caller says so, from `takes` or the list of values */
};

struct option_row {
	unsigned group;         /* index into the table's groups; rows of a group stand together */
	char letter;            /* 0: there is only a name */
	const char *glued;      /* follows the letter in the same word: -O0 and -O1 are two rows of one letter */
	const char *name;       /* NULL: there is only a letter */
	enum option_kind kind;
	const char *arg;        /* the argument as --help shows it */
	struct option_value (*value)(size_t i); /* of OPTION_CHOICE, or what a shell offers for other kinds */
	const char *no_such;    /* "no pass": for lists too long to be shown in --help or in a message */
	uint64_t least, most;   /* of OPTION_NUMBER; most 0: no limit */
	const char *takes;      /* what the handler understands: "a time, first or all" */
	const char *usual;      /* the default, for --help; NULL: it says none */
	size_t at, size;        /* where the value is stored: OPTION_AT() */
	int (*take)(const struct option_given *g); /* the handler; NULL: the value is stored */
	bool repeats;           /* every use counts, not only the last */
	bool hidden;            /* another spelling of the row before: understood and not shown */
	struct option_value (*operand)(size_t i);  /* with this option the operands are these, not files */
	const char *help;       /* without a full stop, of any length */
};

#define OPTION_AT(type, field) .at = offsetof(type, field), .size = sizeof((type *)0)->field

/* A way to call the tool: "[options] FILE... -o CFG.BIN". In the manual page "[options]" becomes the list of
 * those in `groups`, bits 1 << group; 0: it stays as it is. */
struct option_form {
	const char *text;
	uint32_t groups;
};

struct option_table {
	const char *tool;
	const char *version;                 /* what --version prints */
	const struct option_form *forms;     /* the last has no text */
	const char *about;                   /* what --help says before the options */
	const char *const *groups;           /* their headings */
	const struct option_row *rows;
	size_t n;
	struct option_value (*operand)(size_t i); /* what a shell offers besides files; may be NULL */
};

/* Reads the options into the tool's struct, where strings are argv's, and moves the operands to the end of argv.
 * *first is the index of the first of them. given[i] becomes true where row i was used; given may be NULL.
 * OPTION_GO_ON; else an exit code, everything said. */
int option_parse(const struct option_table *t, int argc, char **argv, void *options, bool *given, int *first);

/* Handlers for --help and --version: they print. */
int option_help(const struct option_given *g);
int option_version(const struct option_given *g);

/* The text of --help, at most 80 columns wide. */
void option_print_help(const struct option_table *t, struct buf *b);

/* How the user writes the row: "--output", or "-x", "-O0" where there is no name. */
void option_print_name(const struct option_row *r, struct buf *b);

/* Is the value written after "=" (`--emit=nfa`)? The tools understand both; help and pages show values from a
 * list so, and other values after a blank (`--output FILE`). */
bool option_has_equals(const struct option_row *r);

/* "a, b or c". */
void option_print_values(struct option_value (*value)(size_t i), const char *usual, struct buf *b);

/* The place of s in a list; -1: it is not there. */
int option_choice(struct option_value (*value)(size_t i), const char *s);

#endif
