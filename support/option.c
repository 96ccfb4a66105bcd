/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads a command line by a table. getopt_long(3) finds the options, and the rows of the table say
 * what becomes of them.
 */
#include "support/option.h"

#include <assert.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "include/nfart_status.h"
#include "support/cli.h"
#include "support/diag.h"

/* getopt_long(3) returns ROW + the row's index for an option with a name, and the letter for one
 * with a letter. */
enum { ROW = 256 };

int option_choice(struct option_value (*value)(size_t i), const char *s)
{
	for (size_t i = 0; value(i).name != NULL; i++)
		if (strcmp(value(i).name, s) == 0)
			return (int)i;
	return -1;
}

int option_take_dir(const struct option_given *g)
{
	struct option_dirs *dirs = (void *)((char *)g->options + g->row->at);

	if (dirs->n == OPTION_MOST_DIRS)
		return OPTION_WRONG;
	dirs->at[dirs->n++] = g->value;
	return OPTION_GO_ON;
}

uint32_t option_find_verb(const struct option_table *t, const char *word)
{
	for (uint32_t i = 0; t->verbs != NULL && t->verbs[i].name != NULL; i++)
		if (strcmp(t->verbs[i].name, word) == 0)
			return i + 1;
	return 0;
}

/* ---- messages ---- */

/* Says on standard error what is in b, and frees b. Returns the exit code. */
static int wrong_use(const struct option_table *t, struct buf *b)
{
	char command[64];
	int code;

	snprintf(command, sizeof command, "%s%s%s", t->tool, t->verb != 0 ? " " : "",
		 t->verb != 0 ? t->verbs[t->verb - 1].name : "");
	code = b->failed ? NFART_SYSTEM : cli_wrong_use(command, b->at, NULL);

	if (b->failed)
		fprintf(stderr, "%s: error: out of memory\n", t->tool);
	buf_free(b);
	return code;
}

/* The candidates among which diag_nearest() looks: a list of values, or the names of a table. */
struct candidates {
	struct option_value (*value)(size_t i);
	const struct option_table *table;
	size_t at;
};

static const char *next_value(void *ctx)
{
	struct candidates *c = ctx;

	return c->value(c->at++).name;
}

static const char *next_name(void *ctx)
{
	struct candidates *c = ctx;

	while (c->at < c->table->n &&
	       (c->table->rows[c->at].name == NULL ||
		!option_of_verb(&c->table->rows[c->at], c->table->verb)))
		c->at++;
	return c->at < c->table->n ? c->table->rows[c->at++].name : NULL;
}

/* Returns the largest number that the row allows and that fits where it is stored. */
static uint64_t most_of(const struct option_row *r)
{
	uint64_t room = r->size == sizeof(uint32_t) ? UINT32_MAX : UINT64_MAX;

	return r->most != 0 && r->most < room ? r->most : room;
}

static void print_range(const struct option_row *r, struct buf *b)
{
	uint64_t most = most_of(r);

	buf_addf(b, "a number");
	if (r->least != 0)
		buf_addf(b, " from %" PRIu64, r->least);
	if (most != UINT64_MAX)
		buf_addf(b, " %s %" PRIu64, r->least != 0 ? "to" : "up to", most);
}

/* Says that a value is wrong: `--emit takes image, ast or nfa, not x`. Returns the exit code. */
static int wrong_value(const struct option_given *g)
{
	const struct option_row *r = g->row;
	struct candidates c = { .value = r->value };
	const char *near = r->value != NULL ?
				   diag_nearest(g->value, strlen(g->value), next_value, &c) :
				   NULL;
	struct buf b = { 0 };

	if (r->no_such != NULL) {
		buf_addf(&b, "%s %s", r->no_such, g->value);
	} else {
		option_print_name(r, &b);
		buf_addf(&b, " takes ");
		if (r->takes != NULL)
			buf_addf(&b, "%s", r->takes);
		else if (r->kind == OPTION_NUMBER)
			print_range(r, &b);
		else
			option_print_values(r->value, NULL, &b);
		buf_addf(&b, ", not %s", g->value);
	}
	if (near != NULL)
		buf_addf(&b, "; did you mean '%s'?", near);
	return wrong_use(g->table, &b);
}

int option_refuse(const struct option_given *g, const char *why)
{
	struct buf b = { 0 };

	option_print_name(g->row, &b);
	buf_addf(&b, " %s: %s", g->value, why);
	return wrong_use(g->table, &b);
}

/* Says that no option with this letter takes this value: `-O takes 0, 1, 2 or s, not 3`. Returns
 * the exit code. */
static int wrong_glued(const struct option_table *t, char letter, const char *value)
{
	struct buf b = { 0 };
	size_t n = 0, of = 0;

	for (size_t i = 0; i < t->n; i++)
		of += t->rows[i].letter == letter;
	buf_addf(&b, "-%c takes ", letter);
	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		if (r->letter != letter)
			continue;
		buf_addf(&b, "%s%s%s", n == 0 ? "" : n + 1 == of ? " or " : ", ", r->glued,
			 r->arg != NULL ? r->arg : "");
		n++;
	}
	buf_addf(&b, ", not %s", value);
	return wrong_use(t, &b);
}

/* Says that getopt_long(3) does not know a long option, or that it is the beginning of several.
 * Returns the exit code. */
static int unknown_name(const struct option_table *t, const char *word)
{
	size_t n = strcspn(word + 2, "=");
	struct candidates c = { .table = t };
	const char *near = diag_nearest(word + 2, n, next_name, &c);
	struct buf b = { 0 }, several = { 0 };
	size_t of = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i].name != NULL && strncmp(t->rows[i].name, word + 2, n) == 0)
			buf_addf(&several, "%s--%s", of++ != 0 ? ", " : "", t->rows[i].name);
	if (several.n != 0)
		buf_addf(&b, "option '%.*s' is ambiguous: %s", (int)n + 2, word, several.at);
	else
		buf_addf(&b, "unrecognized option '%.*s'", (int)n + 2, word);
	if (several.n == 0 && near != NULL)
		buf_addf(&b, "; did you mean '--%s'?", near);
	b.failed |= several.failed;
	buf_free(&several);
	return wrong_use(t, &b);
}

static const struct option_row *find_letter(const struct option_table *t, int letter)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i].letter == letter)
			return &t->rows[i];
	return NULL;
}

/* Says why getopt_long(3) returned ':' (a value is missing) or '?'. `word` is the word that it
 * looked at last. Returns the exit code. */
static int not_understood(const struct option_table *t, int answer, const char *word)
{
	const struct option_row *r = optopt >= ROW ? &t->rows[optopt - ROW] :
						     find_letter(t, optopt);
	struct buf b = { 0 };

	if (optopt == 0)
		return unknown_name(t, word);
	if (r == NULL) {
		buf_addf(&b, "unrecognized option '-%c'", optopt);
	} else if (answer == ':') {
		if (optopt >= ROW)
			buf_addf(&b, "option '--%s' needs a value", r->name);
		else
			buf_addf(&b, "option '-%c' needs a value", optopt);
	} else {
		buf_addf(&b, "option '--%s' takes no value", r->name);
	}
	return wrong_use(t, &b);
}

/* Says that the option belongs to other verbs: `--histogram belongs to nfarun ask`. Returns the
 * exit code. */
static int wrong_verb(const struct option_table *t, const struct option_row *r)
{
	struct buf b = { 0 };
	uint32_t left = r->verbs;

	option_print_name(r, &b);
	buf_addf(&b, " belongs to");
	for (uint32_t i = 0; left != 0; i++) {
		if ((left >> i & 1) == 0)
			continue;
		left &= ~((uint32_t)1 << i);
		buf_addf(&b, "%s %s %s",
			 left != 0 || (r->verbs & (((uint32_t)1 << i) - 1)) == 0 ? "" : " and",
			 t->tool, t->verbs[i].name);
		if ((left & (left - 1)) != 0)
			buf_addf(&b, ",");
	}
	return wrong_use(t, &b);
}

/* ---- values ---- */

static bool store_number(const struct option_given *g, void *at)
{
	const struct option_row *r = g->row;
	uint64_t v;

	if (!cli_number(g->value, 0, &v, NULL) || v < r->least || v > most_of(r))
		return false;
	if (r->size == sizeof(uint32_t))
		*(uint32_t *)at = (uint32_t)v;
	else
		*(uint64_t *)at = v;
	return true;
}

/* Stores the value where the row says. Returns OPTION_GO_ON or OPTION_WRONG. */
static int store(const struct option_given *g)
{
	const struct option_row *r = g->row;
	void *at = (char *)g->options + r->at;
	int choice;

	switch (r->kind) {
	case OPTION_FLAG:
		assert(r->size == sizeof(bool));
		*(bool *)at = true;
		return OPTION_GO_ON;
	case OPTION_NUMBER:
		return store_number(g, at) ? OPTION_GO_ON : OPTION_WRONG;
	case OPTION_CHOICE:
		assert(r->size == sizeof(int));
		choice = option_choice(r->value, g->value);
		if (choice < 0)
			return OPTION_WRONG;
		memcpy(at, &choice, sizeof choice);
		return OPTION_GO_ON;
	default:
		assert(r->size == sizeof(const char *));
		memcpy(at, &g->value, sizeof g->value);
		return OPTION_GO_ON;
	}
}

static int option_take(const struct option_given *g)
{
	int code;

	if (!option_of_verb(g->row, g->table->verb))
		return wrong_verb(g->table, g->row);
	code = g->row->take != NULL ? g->row->take(g) : store(g);
	return code == OPTION_WRONG ? wrong_value(g) : code;
}

/* Finds the row of this letter whose `glued` is the beginning of the value. Takes the rest of the
 * value for this row. Returns what a handler returns. */
static int take_letter(struct option_given *g, int letter)
{
	const struct option_table *t = g->table;

	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		size_t n = r->glued != NULL ? strlen(r->glued) : 0;
		if (r->letter != letter || (n != 0 && strncmp(g->value, r->glued, n) != 0) ||
		    (n != 0 && r->kind == OPTION_FLAG && g->value[n] != 0))
			continue;
		g->row = r;
		if (g->value != NULL)
			g->value += n;
		return option_take(g);
	}
	return wrong_glued(t, (char)letter, g->value);
}

/* ---- the command line ---- */

/* Whether a value follows the option, as getopt_long(3) wants to know it. */
static int needs(const struct option_row *r)
{
	if (r->without != NULL)
		return optional_argument;
	return r->kind != OPTION_FLAG ? required_argument : no_argument;
}

/* Fills in what getopt_long(3) wants to know: the long options, and the string of letters. */
static void option_fill(const struct option_table *t, struct option *longs, char *letters)
{
	size_t n = 0;

	*letters++ = ':'; /* a leading ":" keeps getopt_long(3) from printing messages */
	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		if (r->name != NULL)
			longs[n++] = (struct option){ r->name, needs(r), NULL,
						      ROW + (int)i - r->hidden };
		if (r->letter == 0 || find_letter(t, r->letter) != r)
			continue;
		*letters++ = r->letter;
		if (r->kind != OPTION_FLAG || r->glued != NULL)
			*letters++ = ':';
	}
}

int option_parse(const struct option_table *t, int argc, char **argv, void *options, bool *given,
		 int *first)
{
	struct option *longs = calloc(t->n + 1, sizeof *longs);
	char *letters = calloc(t->n + 1, 2);
	int c, code = OPTION_GO_ON;

	opterr = 0;
	if (longs != NULL && letters != NULL) {
		option_fill(t, longs, letters);
	} else {
		fprintf(stderr, "%s: error: out of memory\n", t->tool);
		code = NFART_SYSTEM;
	}
	while (code == OPTION_GO_ON && (c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		struct option_given g = { .table = t, .value = optarg, .options = options };
		if (c == '?' || c == ':') {
			code = not_understood(t, c, argv[optind - 1]);
		} else if (c >= ROW) {
			g.row = &t->rows[c - ROW];
			if (g.value == NULL)
				g.value = g.row->without;
			code = option_take(&g);
		} else {
			code = take_letter(&g, c);
		}
		if (given != NULL && g.row != NULL)
			given[g.row - t->rows] = true;
	}
	*first = optind;
	free(longs);
	free(letters);
	return code;
}
