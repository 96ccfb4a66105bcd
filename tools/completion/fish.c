/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes the completion for fish: a call of `complete` for each option, such as
 *
 *	complete -c nfacc -l verify -x -a 'off bounded full' -d 'prove it'
 *
 * -x: a value follows, and no file; -rF: a value or a file follows. A condition (-n) says when a
 * call counts. fish runs what stands after -a, so texts of values are quoted twice there.
 */
#include <string.h>

#include "tools/completion/completion.h"

/* Adds text, with a backslash before each of the characters in `special`. */
static void add_text(const char *s, const char *special, struct buf *b)
{
	for (; *s != 0; s++)
		buf_addf(b, "%s%c", strchr(special, *s) != NULL ? "\\" : "", *s);
}

/* Adds text as an argument in single quotes. */
static void add_quoted(const char *s, struct buf *b)
{
	buf_addf(b, "'");
	add_text(s, "'\\", b);
	buf_addf(b, "'");
}

/* Adds `-a` with the values, each as NAME or as NAME, a tab and its text. */
static void add_values(struct option_value (*value)(size_t i), struct buf *b)
{
	struct buf list = { 0 };

	for (size_t i = 0; value(i).name != NULL; i++) {
		buf_addf(&list, "%s%s", i != 0 ? " " : "", value(i).name);
		if (value(i).help == NULL)
			continue;
		buf_addf(&list, "\\t\"");
		add_text(value(i).help, "\"$\\", &list);
		buf_addf(&list, "\"");
	}
	buf_addf(b, " -a ");
	add_quoted(list.failed ? "" : list.at, b);
	b->failed |= list.failed;
	buf_free(&list);
}

/* Adds the beginning of a call for the options of a row: the verbs that they belong to. */
static void add_call(const struct option_table *t, const struct option_row *r, struct buf *b)
{
	buf_addf(b, "complete -c %s", t->tool);
	if (r == NULL || r->verbs == 0)
		return;
	buf_addf(b, " -n '__%s_no_verb", t->tool);
	for (uint32_t i = 0; t->verbs[i].name != NULL; i++)
		if (!option_of_verb(r, i + 1))
			buf_addf(b, " %s", t->verbs[i].name);
	buf_addf(b, "'");
}

/* Adds an option whose value is a part of its word: for -W each name that can follow. */
static void add_glued(const struct option_table *t, const struct option_row *r, struct buf *b)
{
	for (size_t i = 0; i == 0 || (r->kind != OPTION_FLAG && r->value(i).name != NULL); i++) {
		add_call(t, r, b);
		buf_addf(b, " -o %c%s%s -d ", r->letter, r->glued,
			 r->kind != OPTION_FLAG ? r->value(i).name : "");
		add_quoted(r->help, b);
		buf_addf(b, "\n");
	}
}

static void add_row(const struct option_table *t, const struct option_row *r, struct buf *b)
{
	if (r->glued != NULL) {
		add_glued(t, r, b);
		return;
	}
	add_call(t, r, b);
	if (r->letter != 0)
		buf_addf(b, " -s %c", r->letter);
	if (r->name != NULL)
		buf_addf(b, " -l %s", r->name);
	if (r->kind == OPTION_FILE)
		buf_addf(b, " -rF");
	else if (r->kind != OPTION_FLAG && r->without == NULL)
		buf_addf(b, " -x");
	if (r->kind == OPTION_DIR)
		buf_addf(b, " -a '(__fish_complete_directories (commandline -ct))'");
	if (r->value != NULL)
		add_values(r->value, b);
	buf_addf(b, " -d ");
	add_quoted(r->help, b);
	buf_addf(b, "\n");
}

/* Adds the verbs, which come first on the line, and the function that conditions of options call. */
static void add_verbs(const struct option_table *t, struct buf *b)
{
	buf_addf(b,
		 "# Is the first word after the command none of these verbs?\n"
		 "function __%s_no_verb\n"
		 "    set -l words (commandline -opc)\n"
		 "    not contains -- \"$words[2]\" $argv\n"
		 "end\n",
		 t->tool);
	for (const struct option_verb *v = t->verbs; v->name != NULL; v++) {
		buf_addf(b, "complete -c %s -n 'test (count (commandline -opc)) = 1' -a %s -d ",
			 t->tool, v->name);
		add_quoted(v->about, b);
		buf_addf(b, "\n");
	}
}

/* Adds the values of the first operand, and the function that says whether the word is that one. */
static void add_first_operand(const struct option_table *t, struct buf *b)
{
	buf_addf(b,
		 "# Is no word before the cursor an operand? A word is none if it begins with \"-\" or is\n"
		 "# the value of an option.\n"
		 "function __%s_no_operand\n"
		 "    set -l words (commandline -opc)\n"
		 "    set words $words[2..-1]\n"
		 "    while set -q words[1]\n"
		 "        switch $words[1]\n"
		 "            case",
		 t->tool);
	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		if (r->kind == OPTION_FLAG || r->glued != NULL)
			continue;
		if (r->letter != 0)
			buf_addf(b, " -%c", r->letter);
		if (r->name != NULL)
			buf_addf(b, " --%s", r->name);
	}
	buf_addf(b,
		 "\n"
		 "                set words $words[2..-1]\n"
		 "            case '-*'\n"
		 "            case '*'\n"
		 "                return 1\n"
		 "        end\n"
		 "        set words $words[2..-1]\n"
		 "    end\n"
		 "end\n"
		 "complete -c %s -n __%s_no_operand%s",
		 t->tool, t->tool, t->operand_no_file ? " -f" : "");
	add_values(t->operand, b);
	buf_addf(b, "\n");
}

void completion_fish(const struct option_table *t, struct buf *b)
{
	completion_licence(b);
	buf_addf(b,
		 "# Completion of %s for fish, made by genoptions from its options (make options).\n",
		 t->tool);
	if (t->verbs != NULL)
		add_verbs(t, b);
	if (t->operand != NULL)
		add_first_operand(t, b);
	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		if (!r->hidden)
			add_row(t, r, b);
		if (r->operand == NULL)
			continue;
		buf_addf(b, "complete -c %s -n '__fish_contains_opt %s' -f", t->tool, r->name);
		add_values(r->operand, b);
		buf_addf(b, "\n");
	}
}
