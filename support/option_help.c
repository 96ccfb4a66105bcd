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

#include "config.h"
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
	if (r->without != NULL)
		buf_addf(b, "[=%s]", r->arg);
	else if (r->arg != NULL)
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

/* Does the text of a form begin with the name of the verb? */
static bool is_form_of(const struct option_form *f, const struct option_verb *v)
{
	size_t n = strlen(v->name);

	return strncmp(f->text, v->name, n) == 0 && f->text[n] == ' ';
}

static void add_forms(const struct option_table *t, struct buf *b)
{
	bool first = true;

	for (const struct option_form *f = t->forms; f->text != NULL; f++) {
		if (t->verb != 0 && !is_form_of(f, &t->verbs[t->verb - 1]))
			continue;
		buf_addf(b, "%s %s %s\n", first ? "usage:" : "      ", t->tool, f->text);
		first = false;
	}
	add_words(t->verb != 0 ? t->verbs[t->verb - 1].about : t->about, 0, 0, b);
}

/* Adds the verbs, and what they do. */
static void add_verbs(const struct option_table *t, struct buf *b)
{
	struct buf left = { 0 };

	for (const struct option_verb *v = t->verbs; v->name != NULL; v++) {
		left.n = 0;
		buf_addf(&left, "  %s %s", t->tool, v->name);
		b->failed |= left.failed;
		if (!b->failed)
			add_line(left.at, v->about, TEXT, b);
	}
	buf_free(&left);
}

static bool is_brief(const struct option_table *t, const struct option_row *r)
{
	return t->verb != 0 && (t->brief >> r->group & 1) != 0;
}

/* Adds the names of the options that the help of the verb doesn't explain, a line for each group
 * of them. */
static void add_brief(const struct option_table *t, struct buf *b)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		if (!is_brief(t, r) || r->hidden || !option_of_verb(r, t->verb))
			continue;
		buf_addf(&names, "%s", names.n != 0 ? " " : "");
		if (r->letter != 0)
			buf_addf(&names, "-%c", r->letter);
		else
			option_print_name(r, &names);
	}
	b->failed |= names.failed;
	if (names.n != 0 && !b->failed) {
		buf_addf(b, "\nAs '%s --help' explains: ", t->tool);
		add_words(names.at, 22 + strlen(t->tool), 2, b);
	}
	buf_free(&names);
}

void option_print_help(const struct option_table *t, struct buf *b)
{
	const struct option_row *before = NULL;

	add_forms(t, b);
	if (t->verbs != NULL && t->verb == 0)
		add_verbs(t, b);
	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		if (is_brief(t, r) || !option_of_verb(r, t->verb))
			continue;
		if (before == NULL || r->group != before->group)
			buf_addf(b, "\n%s:\n", t->groups[r->group]);
		if (!r->hidden)
			add_row(r, b);
		before = r;
	}
	add_brief(t, b);
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
	printf("%s %s\n", g->table->tool, PACKAGE_VERSION);
	return NFART_OK;
}

int option_no_arguments(const struct option_table *t)
{
	struct buf b = { 0 };
	int code;

	add_forms(t, &b);
	if (b.failed)
		fprintf(stderr, "%s: error: out of memory\n", t->tool);
	else
		fprintf(stderr, "%.*sTry '%s --help'.\n", (int)b.n, b.at, t->tool);
	code = b.failed ? NFART_SYSTEM : NFART_USAGE;
	buf_free(&b);
	return code;
}
