/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * option.h: the options of a tool as a table with a row for each.
 *
 * Everything that knows the options is made from the table: what getopt_long(3) is told, --help,
 * and the messages about wrong values. tools/completion/genoptions makes from it the synopsis of
 * the manual page and the completion for bash, zsh and fish. A row that only stores its value says
 * where. A row that does more has a handler.
 */
#ifndef NFACC_SUPPORT_OPTION_H
#define NFACC_SUPPORT_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/buf.h"

/* What the argument of an option is. This decides how the value is stored, and what a shell can
 * offer. */
enum option_kind {
	OPTION_FLAG,   /* no argument; true is stored in a bool */
	OPTION_TEXT,   /* stored as const char *; so are OPTION_FILE and OPTION_DIR */
	OPTION_FILE,
	OPTION_DIR,
	OPTION_NUMBER, /* stored as uint32_t or uint64_t */
	OPTION_CHOICE  /* stored as an int or enum: the index of the value in the list */
};

/* A value that an argument can have. A list of values ends with a NULL name. `help` may be NULL. */
struct option_value {
	const char *name, *help;
};

struct option_table;
struct option_row;

/* An option as the user gave it. */
struct option_given {
	const struct option_table *table;
	const struct option_row *row;
	const char *value; /* NULL for OPTION_FLAG */
	void *options;     /* the struct of the tool in which values are stored */
};

/* What a handler returns, besides exit codes. */
enum {
	OPTION_GO_ON = -1,
	/* The value is wrong. The caller says so, with the row's `takes` or its list of values. */
	OPTION_WRONG = -2
};

/* It is one flat struct, because each row of a table names the members that it sets. */
struct option_row {
	unsigned group;         /* index into option_table.groups; rows of a group stand together */
	char letter;            /* 0: the option has only a name */
	/* What follows the letter in the same word, such as "0" in -O0. -O0 and -O1 are two rows of
	 * the letter O. */
	const char *glued;
	const char *name;       /* NULL: the option has only a letter */
	enum option_kind kind;
	const char *arg;        /* the argument as --help shows it */
	/* Returns the i-th value of an OPTION_CHOICE. For other kinds: returns the i-th value that
	 * a shell offers. */
	struct option_value (*value)(size_t i);
	/* For lists of values that are too long for --help and for messages: what a message says
	 * before a wrong value, such as "no pass". Else NULL. */
	const char *no_such;
	/* For OPTION_NUMBER: the least and the greatest value. If `most` is 0, there is no greatest
	 * one. */
	uint64_t least, most;
	/* The value if the option is given without one: --check is --check=all. Then a value
	 * stands in the same word, behind a "=". NULL: a value must be given. Only for rows without
	 * a letter. */
	const char *without;
	const char *takes;      /* what the handler accepts: "a time, first or all" */
	const char *usual;      /* the default, for --help; NULL: --help names none */
	/* offset and size of the field for the value, made by OPTION_AT() */
	size_t at, size;
	int (*take)(const struct option_given *g); /* the handler; NULL: the value is stored */
	bool repeats;           /* every use counts, not only the last */
	/* The row is another spelling of the row before it. It is understood, but not shown. */
	bool hidden;
	/* In a table with verbs: bit i is set if the option belongs to verb i. 0: it belongs to
	 * all. */
	uint32_t verbs;
	/* If not NULL: with this option the operands are not files, but these values. */
	struct option_value (*operand)(size_t i);
	const char *help;       /* the text of --help, of any length, without a full stop */
};

#define OPTION_AT(type, field) .at = offsetof(type, field), .size = sizeof((type *)0)->field

/* A way to call the tool: "[options] FILE... -o CFG.BIN". In the manual page "[options]" becomes
 * the list of the options of some groups: `groups` has the bit 1 << group for each of them. If
 * `groups` is 0, "[options]" stays as it is. */
struct option_form {
	const char *text;
	uint32_t groups;
};

/* What a tool is asked to do, as the first word after its name says: `ask` in `nfarun ask`. */
struct option_verb {
	const char *name;  /* the last verb of a table has a NULL name */
	const char *about; /* what the verb does, a sentence for --help */
};

struct option_table {
	const char *tool;
	const struct option_form *forms;     /* the last form has a NULL text */
	const char *about;                   /* what --help says before the options */
	const char *const *groups;           /* the headings of the groups */
	const struct option_row *rows;
	size_t n;
	/* What a shell offers as the first operand besides files; may be NULL. */
	struct option_value (*operand)(size_t i);
	bool operand_no_file; /* the first operand is one of these values, and never a file */
	/* The verbs, at most 32. A form whose text begins with the name of a verb is a form of that
	 * verb. NULL: the tool has none. */
	const struct option_verb *verbs;
	/* The verb that the user gave: 1 + its index. 0: none, and then all options are taken.
	 * option_parse() refuses options that belong to other verbs. */
	uint32_t verb;
	/* Groups that --help of a verb only lists by the names of their options, because it has to
	 * fit on a screen: bit i for group i. */
	uint32_t brief;
};

/* The rows of --help and --version, which belong to a group. */
#define OPTION_ROWS_ABOUT(of_group)                                                                \
	{ .group = of_group, .letter = 'h', .name = "help", .take = option_help,                   \
	  .help = "this text" },                                                                   \
	{ .group = of_group, .letter = 'V', .name = "version", .take = option_version,             \
	  .help = "the version" }

/* The fields `rows` and `n` of a table whose rows are an array. */
#define OPTION_ROWS_OF(array) .rows = (array), .n = sizeof(array) / sizeof(array)[0]

/* Returns 1 + the index of the verb `word` of the table, or 0 if it has no such verb. */
uint32_t option_find_verb(const struct option_table *t, const char *word);

/* Does the option of a row belong to a verb, which is 1 + its index? All belong to verb 0. */
static inline bool option_of_verb(const struct option_row *r, uint32_t verb)
{
	return verb == 0 || r->verbs == 0 || (r->verbs >> (verb - 1) & 1) != 0;
}

/* Reads the options into the tool's struct, where strings are those of argv, and moves the operands
 * to the end of argv. *first is the index of the first operand. given[i] becomes true if row i was
 * used; given may be NULL. Returns OPTION_GO_ON; or an exit code, and then all messages were
 * printed. */
int option_parse(const struct option_table *t, int argc, char **argv, void *options, bool *given,
		 int *first);

/* A handler calls this to refuse a value that has the right form: it says `--option value: why` on
 * standard error. Returns the exit code. */
int option_refuse(const struct option_given *g, const char *why);

/* The folders of an option that can be given several times. */
enum { OPTION_MOST_DIRS = 64 };
struct option_dirs {
	const char *at[OPTION_MOST_DIRS];
	size_t n;
};

/* Handler of such an option, whose row has AT a struct option_dirs. */
int option_take_dir(const struct option_given *g);

/* Handlers for --help and --version, which is `nfarun 0.1.0`. They print, and return an exit code. */
int option_help(const struct option_given *g);
int option_version(const struct option_given *g);

/* Says on standard error how the tool is called, for a user who gave no arguments. Returns the exit
 * code. */
int option_no_arguments(const struct option_table *t);

/* Appends the text of --help to b, at most 80 columns wide. It is that of the table's verb, if it
 * has one. */
void option_print_help(const struct option_table *t, struct buf *b);

/* Appends how the user writes the option of a row: "--output"; or, if it has no name, "-x" or
 * "-O0". */
void option_print_name(const struct option_row *r, struct buf *b);

/* Is the value written after "=", as in `--emit=nfa`? --help and the manual pages show values from
 * a list in this form, and other values after a blank (`--output FILE`). The tools understand both
 * forms. */
bool option_has_equals(const struct option_row *r);

/* Appends the list of values, "a, b or c". The value `usual` (or NULL) is marked as the default. */
void option_print_values(struct option_value (*value)(size_t i), const char *usual, struct buf *b);

/* Returns the index of s in a list of values, or -1 if it is not there. */
int option_choice(struct option_value (*value)(size_t i), const char *s);

#endif
