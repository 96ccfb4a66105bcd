/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes the completion for zsh: a call of _arguments with a specification for each option, such as
 *
 *	'(-o --output)'{-o+,--output=}'[the output]:FILE:_files'
 *	'--verify=[prove it]:HOW:((off bounded full))'
 */
#include <string.h>

#include "tools/completion/completion.h"

/* Adds text between single quotes of the shell, and escapes the characters in `special`. */
static void add_text(const char *s, const char *special, struct buf *b)
{
	for (; *s != 0; s++)
		if (*s == '\'')
			buf_addf(b, "'\\''");
		else
			buf_addf(b, "%s%c", strchr(special, *s) != NULL ? "\\" : "", *s);
}

static void add_values(struct option_value (*value)(size_t i), struct buf *b)
{
	bool explained = value(0).help != NULL;

	buf_addf(b, explained ? "((" : "(");
	for (size_t i = 0; value(i).name != NULL; i++) {
		buf_addf(b, "%s%s", i != 0 ? " " : "", value(i).name);
		if (explained) {
			buf_addf(b, "\\:\"");
			add_text(value(i).help, "\"$\\`:", b);
			buf_addf(b, "\"");
		}
	}
	buf_addf(b, explained ? "))" : ")");
}

/* Can the argument of an option be a file or one of some values? A function completes it. */
static bool is_value_or_file(const struct option_row *r)
{
	return r->kind == OPTION_FILE && r->value != NULL;
}

/* Adds the name of the function for values or files of an option, or of operands (`r` is NULL). */
static void add_function_name(const struct option_table *t, const struct option_row *r,
			      struct buf *b)
{
	buf_addf(b, "_%s_", t->tool);
	if (r == NULL)
		buf_addf(b, "operand");
	else if (r->name != NULL)
		buf_addf(b, "%s", r->name);
	else
		buf_addf(b, "%c", r->letter);
}

/* Adds such a function. The texts of values stand in quotes. A specification of _arguments could
 * not hold them within its own, and then zsh would run their words as commands. */
static void add_function(const struct option_table *t, const struct option_row *r,
			 struct option_value (*value)(size_t i), struct buf *b)
{
	add_function_name(t, r, b);
	buf_addf(b, "() { _alternative 'values:value:");
	add_values(value, b);
	buf_addf(b, "' 'files:file:_files' }\n");
}

static void add_functions(const struct option_table *t, struct buf *b)
{
	for (size_t i = 0; i < t->n; i++)
		if (!t->rows[i].hidden && is_value_or_file(&t->rows[i]))
			add_function(t, &t->rows[i], t->rows[i].value, b);
	if (t->operand != NULL && !t->operand_no_file)
		add_function(t, NULL, t->operand, b);
}

/* Adds the part of a specification that says how the argument of an option is completed. */
static void add_argument(const struct option_table *t, const struct option_row *r, struct buf *b)
{
	if (r->kind == OPTION_FLAG)
		return;
	buf_addf(b, r->without != NULL ? "::" : ":");
	add_text(r->arg, ":[]\\", b);
	buf_addf(b, ":");
	if (is_value_or_file(r)) {
		add_function_name(t, r, b);
	} else if (r->value != NULL) {
		add_values(r->value, b);
	} else if (r->kind == OPTION_FILE) {
		buf_addf(b, "_files");
	} else if (r->kind == OPTION_DIR) {
		buf_addf(b, "_files -/");
	} else {
		buf_addf(b, " ");
	}
}

static void add_row(const struct option_table *t, const struct option_row *r, struct buf *b)
{
	const char *star = r->repeats ? "*" : "";

	buf_addf(b, "\t'");
	if (r->name != NULL && (strcmp(r->name, "help") == 0 || strcmp(r->name, "version") == 0))
		buf_addf(b, "(- *)");
	else if (r->letter != 0 && r->name != NULL && !r->repeats)
		buf_addf(b, "(-%c --%s)", r->letter, r->name);
	if (r->letter != 0 && r->name != NULL)
		buf_addf(b, "%s'{-%c%s,--%s%s}'", star, r->letter,
			 r->kind != OPTION_FLAG ? "+" : "", r->name,
			 r->kind != OPTION_FLAG ? "=" : "");
	else if (r->name != NULL)
		buf_addf(b, "%s--%s%s", star, r->name,
			 r->without != NULL	  ? "=-"
			 : r->kind != OPTION_FLAG ? "="
						  : "");
	else if (r->glued != NULL)
		buf_addf(b, "%s-%c%s%s", star, r->letter, r->glued,
			 r->kind != OPTION_FLAG ? "-" : "");
	else
		buf_addf(b, "%s-%c%s", star, r->letter, r->kind != OPTION_FLAG ? "+" : "");
	buf_addf(b, "[");
	add_text(r->help, "[]:\\", b);
	buf_addf(b, "]");
	add_argument(t, r, b);
	buf_addf(b, "' \\\n");
}

/* Returns the option that changes what the operands of the command are. NULL: there is none. */
static const struct option_row *find_operand(const struct option_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i].operand != NULL)
			return &t->rows[i];
	return NULL;
}

/* Adds the call of _arguments for a verb (1 + its index; 0: none was given), indented. */
static void add_arguments(const struct option_table *t, uint32_t verb, struct buf *b)
{
	buf_addf(b, "_arguments -S \\\n");
	for (size_t i = 0; i < t->n; i++)
		if (!t->rows[i].hidden && option_of_verb(&t->rows[i], verb))
			add_row(t, &t->rows[i], b);
	if (t->verbs != NULL && verb == 0) {
		buf_addf(b, "\t'1:verb or file:{_alternative \"verbs\\:verb\\:(");
		for (const struct option_verb *v = t->verbs; v->name != NULL; v++)
			buf_addf(b, "%s%s", v != t->verbs ? " " : "", v->name);
		buf_addf(b, ")\" \"files\\:file\\:_files\"}' \\\n");
	}
	if (t->operand != NULL) {
		buf_addf(b, "\t'1:%s:", t->operand_no_file ? "value" : "value or file");
		if (t->operand_no_file)
			add_values(t->operand, b);
		else
			add_function_name(t, NULL, b);
		buf_addf(b, "' \\\n");
	}
	buf_addf(b, "\t\"*:file:$operand\"\n");
}

void completion_zsh(const struct option_table *t, const char *commands, struct buf *b)
{
	const struct option_row *r = find_operand(t);

	buf_addf(b, "#compdef %s\n", commands);
	completion_licence(b);
	buf_addf(b,
		 "# Completion of %s for zsh, made by genoptions from its options (make options).\n"
		 "local operand=_files\n",
		 t->tool);
	add_functions(t, b);
	if (r != NULL) {
		buf_addf(b, "(( ${words[(I)--%s]} )) && operand='", r->name);
		add_values(r->operand, b);
		buf_addf(b, "'\n");
	}
	if (t->verbs == NULL) {
		add_arguments(t, 0, b);
		return;
	}
	/* The word after the command is a verb only once the cursor is behind it. */
	buf_addf(b, "local verb=\n(( CURRENT == 2 )) || verb=${words[2]}\ncase $verb in\n");
	for (uint32_t i = 0; t->verbs[i].name != NULL; i++) {
		buf_addf(b, "%s)\n\tshift words\n\t(( CURRENT-- ))\n\t", t->verbs[i].name);
		add_arguments(t, i + 1, b);
		buf_addf(b, "\t;;\n");
	}
	buf_addf(b, "*)\n\t");
	add_arguments(t, 0, b);
	buf_addf(b, "\t;;\nesac\n");
}
