/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes the text of --help. Options stand on the left, what they do from column TEXT on:
 *
 * 	  -o, --output FILE       the output: an image, or what --emit
 * 	                          asks for
 */
#include "support/option.h"

#include <stdio.h>
#include <string.h>

#include "include/nfart_status.h"
#include "support/cli.h"

enum { TEXT = 26, WIDTH = 80 };

void option_print_name(const struct option_row *r, struct buf *b)
{
	if (r->name != NULL)
		buf_addf(b, "--%s", r->name);
	else
		buf_addf(b, "-%c%s", r->letter, r->glued != NULL ? r->glued : "");
}

void option_print_values(struct option_value (*value)(size_t i), const char *usual, struct buf *b)
{
	for (size_t i = 0; value(i).name != NULL; i++) {
		const char *name = value(i).name;
		buf_addf(b, "%s%s%s", i == 0 ? "" : value(i + 1).name == NULL ? " or " : ", ", name,
			 usual != NULL && strcmp(usual, name) == 0 ? " (default)" : "");
	}
}

/* Adds the words of `text`, in lines that begin at column `indent`. The first line continues at
 * column `at`. */
static void add_words(const char *text, size_t at, size_t indent, struct buf *b)
{
	bool first = true;

	while (*text != 0) {
		size_t n = strcspn(text, " ");
		if (!first && at + 1 + n > WIDTH) {
			buf_addf(b, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			buf_add(b, " ", 1);
			at++;
		}
		buf_add(b, text, n);
		at += n;
		text += n;
		text += strspn(text, " ");
		first = false;
	}
	buf_add(b, "\n", 1);
}

/* Adds `left`, and the text from `column` on: in the same line, or below it if `left` is too
 * long. */
static void add_line(const char *left, const char *text, size_t column, struct buf *b)
{
	size_t n = strlen(left);

	buf_addf(b, "%s", left);
	if (n + 1 > column)
		buf_addf(b, "\n%*s", (int)column, "");
	else
		buf_addf(b, "%*s", (int)(column - n), "");
	add_words(text, column, column, b);
}

bool option_has_equals(const struct option_row *r)
{
	return r->name != NULL && r->value != NULL &&
	       (r->kind == OPTION_CHOICE || r->take != NULL) && r->kind != OPTION_FILE;
}

/* Adds the left side of a row: `  -o, --output FILE`. */
static void add_left(const struct option_row *r, struct buf *b)
{
	if (r->letter != 0)
		buf_addf(b, "  -%c%s%s", r->letter, r->glued != NULL ? r->glued : "",
			 r->name != NULL ? ", " : "");
	else
		buf_addf(b, "      ");
	if (r->name != NULL)
		buf_addf(b, "--%s", r->name);
	if (r->arg != NULL)
		buf_addf(b, "%s%s", r->glued != NULL ? "" : option_has_equals(r) ? "=" : " ",
			 r->arg);
}

static bool is_listed(const struct option_row *r)
{
	return r->kind == OPTION_CHOICE && r->no_such == NULL;
}

static void add_row(const struct option_row *r, struct buf *b)
{
	bool explained = is_listed(r) && r->value(0).help != NULL;
	struct buf left = { 0 }, text = { 0 };

	add_left(r, &left);
	buf_addf(&text, "%s", r->help);
	if (is_listed(r) && !explained) {
		buf_addf(&text, ": ");
		option_print_values(r->value, r->usual, &text);
	}
	if (r->usual != NULL && (!is_listed(r) || option_choice(r->value, r->usual) < 0))
		buf_addf(&text, " (default: %s)", r->usual);
	if (explained)
		buf_addf(&text, ":");
	b->failed |= left.failed || text.failed;
	if (!b->failed)
		add_line(left.at, text.at, TEXT, b);
	text.n = 0;
	for (size_t i = 0; explained && r->value(i).name != NULL; i++) {
		struct option_value v = r->value(i);
		left.n = 0;
		buf_addf(&left, "%*s%s", TEXT + 2, "", v.name);
		buf_addf(&text, "%s%s", v.help,
			 r->usual != NULL && strcmp(r->usual, v.name) == 0 ? " (default)" : "");
		b->failed |= left.failed || text.failed;
		if (!b->failed)
			add_line(left.at, text.at, TEXT + 11, b);
		text.n = 0;
	}
	buf_free(&left);
	buf_free(&text);
}

void option_print_help(const struct option_table *t, struct buf *b)
{
	for (size_t i = 0; t->forms[i].text != NULL; i++)
		buf_addf(b, "%s %s %s\n", i == 0 ? "usage:" : "      ", t->tool, t->forms[i].text);
	add_words(t->about, 0, 0, b);
	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		if (i == 0 || r->group != r[-1].group)
			buf_addf(b, "\n%s:\n", t->groups[r->group]);
		if (!r->hidden)
			add_row(r, b);
	}
}

int option_help(const struct option_given *g)
{
	struct buf b = { 0 };
	int code = NFART_SYSTEM;

	option_print_help(g->table, &b);
	if (b.failed)
		fprintf(stderr, "%s: error: out of memory\n", g->table->tool);
	else
		code = cli_print(g->table->tool, b.at, b.n);
	buf_free(&b);
	return code;
}

int option_version(const struct option_given *g)
{
	puts(g->table->version);
	return NFART_OK;
}
