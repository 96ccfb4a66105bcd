/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes the parts of a manual page that come from the table of options: the synopsis, and lists of
 * the values of options.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tools/completion/completion.h"

/* Adds the name of an option. Two letters such as `Os` would be a macro of mdoc and are escaped. */
static void add_flag(const char *name, struct buf *b)
{
	bool macro = strlen(name) == 2 && isupper((unsigned char)name[0]) &&
		     islower((unsigned char)name[1]);

	buf_addf(b, "%s%s", macro ? "\\&" : "", name);
}

static void add_lower(const char *s, size_t n, struct buf *b)
{
	for (size_t i = 0; i < n; i++) {
		char c = (char)tolower((unsigned char)s[i]);
		buf_add(b, &c, 1);
	}
}

/* Adds an option with its argument, for example `Fl -emit Ns = Ns Ar what`. Options that share a
 * letter are added together, for example `Fl O0 | O1`; row i is the first of them. */
static void add_row(const struct option_table *t, size_t i, struct buf *b)
{
	const struct option_row *r = &t->rows[i];
	char name[32];

	buf_addf(b, "Fl ");
	snprintf(name, sizeof name, "%c%s", r->letter != 0 ? r->letter : '-',
		 r->letter == 0 ? r->name : r->glued != NULL ? r->glued : "");
	add_flag(name, b);
	if (r->without != NULL) {
		buf_addf(b, " Ns Oo = Ns Ar ");
		add_lower(r->arg, strlen(r->arg), b);
		buf_addf(b, " Oc");
	} else if (r->arg != NULL) {
		buf_addf(b, r->glued != NULL				? " Ns Ar "
			    : r->letter == 0 && option_has_equals(r)	? " Ns = Ns Ar "
									: " Ar ");
		add_lower(r->arg, strlen(r->arg), b);
	}
	for (size_t k = i + 1;
	     k < t->n && r->glued != NULL && t->rows[k].letter == r->letter; k++) {
		snprintf(name, sizeof name, "%c%s", r->letter, t->rows[k].glued);
		buf_addf(b, " | ");
		add_flag(name, b);
		if (t->rows[k].arg != NULL) {
			buf_addf(b, " Ns Ar ");
			add_lower(t->rows[k].arg, strlen(t->rows[k].arg), b);
		}
	}
}

/* Does the form of a command line contain the option, as "FILE... -o CFG.BIN" contains -o? */
static bool is_in(const struct option_row *r, const char *form)
{
	char word[64];

	if (r->name != NULL) {
		snprintf(word, sizeof word, "--%s", r->name);
		for (const char *s = form; (s = strstr(s, word)) != NULL; s++)
			if (strchr(" =]", s[strlen(word)]) != NULL)
				return true;
	}
	snprintf(word, sizeof word, "-%c ", r->letter);
	return r->letter != 0 && strstr(form, word) != NULL;
}

/* Returns the verb with which the form begins: 1 + its index, or 0. */
static uint32_t verb_of(const struct option_table *t, const struct option_form *f)
{
	char word[32];

	snprintf(word, sizeof word, "%.*s", (int)strcspn(f->text, " "), f->text);
	return option_find_verb(t, word);
}

static void add_options(const struct option_table *t, const struct option_form *f, struct buf *b)
{
	uint32_t verb = verb_of(t, f);

	if (f->groups == 0)
		buf_addf(b, ".Op Ar option ...\n");
	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		bool again = i != 0 && r->glued != NULL && r[-1].letter == r->letter;
		if ((f->groups >> r->group & 1) == 0 || r->hidden || again || is_in(r, f->text) ||
		    !option_of_verb(r, verb))
			continue;
		buf_addf(b, ".Op ");
		add_row(t, i, b);
		buf_addf(b, "\n");
	}
}

/* Adds a word of a form (n bytes), which is like --emit=WHAT, -o, FILE... or "|". */
static void add_word(const char *s, size_t n, struct buf *b)
{
	size_t name = 0;

	if (s[0] != '-' || n < 2) {
		bool dots = n > 3 && memcmp(s + n - 3, "...", 3) == 0;
		if (n != 1 || s[0] != '|')
			buf_addf(b, "Ar ");
		add_lower(s, dots ? n - 3 : n, b);
		buf_addf(b, dots ? " ..." : "");
		return;
	}
	while (name < n && s[name] != '=')
		name++;
	buf_addf(b, "Fl %.*s", (int)name - 1, s + 1);
	if (name < n) {
		buf_addf(b, " Ns = Ns Ar ");
		add_lower(s + name + 1, n - name - 1, b);
	}
}

/* Adds the words in the first n bytes of s as one line of mdoc that begins with `macro`. */
static void add_words(const char *macro, const char *s, size_t n, struct buf *b)
{
	buf_addf(b, ".%s", macro);
	for (size_t i = 0; i < n;) {
		size_t k = 0;
		while (i + k < n && s[i + k] != ' ')
			k++;
		if (i != 0 || macro[0] != 0)
			buf_addf(b, " ");
		add_word(s + i, k, b);
		i += k + 1;
	}
	buf_addf(b, "\n");
}

static void add_form(const struct option_table *t, const struct option_form *f, struct buf *b)
{
	const char *text = f->text;

	buf_addf(b, ".Nm\n");
	if (verb_of(t, f) != 0) {
		size_t n = strcspn(text, " ");
		buf_addf(b, ".Cm %.*s\n", (int)n, text);
		text += n + strspn(text + n, " ");
	}
	for (const char *s = text; *s != 0; s += strspn(s, " ")) {
		size_t n = s[0] == '[' ? strcspn(s, "]") + 1 : strcspn(s, " ");
		if (strncmp(s, "[options]", n) == 0) {
			add_options(t, f, b);
		} else if (s[0] == '[') {
			add_words("Op", s + 1, n - 2, b);
		} else {
			const char *next = s + n + strspn(s + n, " ");
			if (next[0] == '|') /* "A | B" goes into one line */
				n = (size_t)(next - s) + 2 + strcspn(next + 2, " ");
			add_words("", s, n, b);
		}
		s += n;
	}
}

static bool add_values(const struct option_table *t, const char *name, size_t n, struct buf *b)
{
	const struct option_row *r = t->rows;

	while (r < t->rows + t->n &&
	       (r->name == NULL || strlen(r->name) != n || memcmp(r->name, name, n) != 0))
		r++;
	if (r == t->rows + t->n || r->value == NULL)
		return false;
	for (size_t i = 0; r->value(i).name != NULL; i++) {
		struct option_value v = r->value(i);
		buf_addf(b, ".It Cm %s\n%c%s%s.\n", v.name, toupper((unsigned char)v.help[0]),
			 v.help + 1,
			 r->usual != NULL && strcmp(r->usual, v.name) == 0 ? " (default)" : "");
	}
	return true;
}

static bool add_part(const struct option_table *t, const char *what, size_t n, struct buf *b)
{
	static const char values[] = "values --";

	if (n == 8 && memcmp(what, "synopsis", n) == 0) {
		for (size_t i = 0; t->forms[i].text != NULL; i++)
			add_form(t, &t->forms[i], b);
		return true;
	}
	return n > sizeof values - 1 && memcmp(what, values, sizeof values - 1) == 0 &&
	       add_values(t, what + sizeof values - 1, n - (sizeof values - 1), b);
}

bool completion_manual(const struct option_table *t, const char *page, size_t n, struct buf *b)
{
	static const char begin[] = ".\\\" begin ", end[] = ".\\\" end\n";
	bool inside = false;

	for (const char *s = page, *line_end; s < page + n; s = line_end) {
		size_t k;
		line_end = memchr(s, '\n', (size_t)(page + n - s));
		line_end = line_end != NULL ? line_end + 1 : page + n;
		k = (size_t)(line_end - s);
		if (k == sizeof end - 1 && memcmp(s, end, k) == 0)
			inside = false;
		if (!inside)
			buf_add(b, s, k);
		if (!inside && k > sizeof begin && memcmp(s, begin, sizeof begin - 1) == 0) {
			inside = true;
			if (!add_part(t, s + sizeof begin - 1, k - sizeof begin, b))
				return false;
		}
	}
	return !inside;
}
