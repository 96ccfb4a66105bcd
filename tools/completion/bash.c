/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes the completion for bash. bash ends a word at "=" (COMP_WORDBREAKS), so `--emit=nf` arrives
 * as the three words `--emit`, `=` and `nf`. The value of an option like -Wno-NAME is a part of its
 * word, so it is offered together with the `-Wno-` before it.
 */
#include <stdio.h>
#include <string.h>

#include "tools/completion/completion.h"

static void add_values(struct option_value (*value)(size_t i), const char *before, struct buf *b)
{
	for (size_t i = 0; value(i).name != NULL; i++)
		buf_addf(b, "%s%s%s", i != 0 ? " " : "", before, value(i).name);
}

/* Adds the lines that fill COMPREPLY with the values of an option, or with files or folders. */
static void add_offer(const struct option_row *r, const char *indent, struct buf *b)
{
	if (r->value != NULL) {
		buf_addf(b, "%s_nfacc_words '", indent);
		add_values(r->value, "", b);
		buf_addf(b, "'\n");
	}
	if (r->kind == OPTION_FILE)
		buf_addf(b, "%s_nfacc_files -f\n", indent);
	if (r->kind == OPTION_DIR)
		buf_addf(b, "%s_nfacc_files -d\n", indent);
	buf_addf(b, "%sreturn ;;\n", indent);
}

/* Adds the pattern of a case for an option, for example `-o | --output`. */
static void add_pattern(const struct option_row *r, struct buf *b)
{
	if (r->letter != 0)
		buf_addf(b, "-%c%s", r->letter, r->name != NULL ? " | " : "");
	if (r->name != NULL)
		buf_addf(b, "--%s", r->name);
}

static bool is_offered(const struct option_row *r)
{
	return r->value != NULL || r->kind == OPTION_FILE || r->kind == OPTION_DIR;
}

/* Whether the value of an option is the word after it. */
static bool has_next(const struct option_row *r)
{
	return r->kind != OPTION_FLAG && r->glued == NULL && r->without == NULL;
}

/* Adds the case that completes the value of an option, which is the word before. */
static void add_after_option(const struct option_table *t, struct buf *b)
{
	bool first = true;

	buf_addf(b, "\tcase $before in\n");
	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		if (!has_next(r) || !is_offered(r))
			continue;
		buf_addf(b, "\t");
		add_pattern(r, b);
		buf_addf(b, ")\n");
		add_offer(r, "\t\t", b);
	}
	for (size_t i = 0; i < t->n; i++) { /* options whose values can't be listed */
		const struct option_row *r = &t->rows[i];
		if (!has_next(r) || is_offered(r))
			continue;
		buf_addf(b, first ? "\t" : " | ");
		first = false;
		add_pattern(r, b);
	}
	buf_addf(b, first ? "\tesac\n" : ") return ;;\n\tesac\n");
}

/* Adds the line that offers the options of a verb (1 + its index; 0: all options), and for -W each
 * name that can follow. */
static void add_words(const struct option_table *t, uint32_t verb, struct buf *b)
{
	bool first = true;

	buf_addf(b, "_nfacc_words '");
	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		char before[32];
		if (r->hidden || !option_of_verb(r, verb))
			continue;
		if (!first)
			buf_addf(b, " ");
		first = false;
		if (r->name != NULL)
			buf_addf(b, "--%s%s", r->name, option_has_equals(r) ? "=" : "");
		else if (r->glued == NULL || r->kind == OPTION_FLAG)
			buf_addf(b, "-%c%s", r->letter, r->glued != NULL ? r->glued : "");
		if (r->glued == NULL || r->kind == OPTION_FLAG)
			continue;
		snprintf(before, sizeof before, "-%c%s", r->letter, r->glued);
		add_values(r->value, before, b);
	}
	buf_addf(b, "'");
}

/* Adds the completion of an option: all options, or those of the verb. */
static void add_options(const struct option_table *t, struct buf *b)
{
	buf_addf(b, "\tif [[ $cur == -* ]]; then\n\t\t");
	if (t->verbs != NULL)
		buf_addf(b, "case ${COMP_WORDS[1]} in\n\t\t");
	for (uint32_t i = 0; t->verbs != NULL && t->verbs[i].name != NULL; i++) {
		buf_addf(b, "%s) ", t->verbs[i].name);
		add_words(t, i + 1, b);
		buf_addf(b, " ;;\n\t\t");
	}
	if (t->verbs != NULL)
		buf_addf(b, "*) ");
	add_words(t, 0, b);
	buf_addf(b, t->verbs != NULL ? " ;;\n\t\tesac\n" : "\n");
	buf_addf(b, "\t\treturn\n\tfi\n");
}

/* Adds the completion of the first operand. It is the first if no word before it is an operand. A
 * word is none if it begins with "-" or is the value of an option. */
static void add_first_operand(const struct option_table *t, struct buf *b)
{
	const char *between = "";

	buf_addf(b, "\tlocal i first=1\n"
		    "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
		    "\t\tcase ${COMP_WORDS[i]} in\n\t\t");
	for (size_t i = 0; i < t->n; i++) {
		if (t->rows[i].kind == OPTION_FLAG || t->rows[i].glued != NULL)
			continue;
		buf_addf(b, "%s", between);
		between = " | ";
		add_pattern(&t->rows[i], b);
	}
	buf_addf(b, ")\n"
		    "\t\t\t[[ ${COMP_WORDS[i + 1]} != = ]] || ((i++))\n"
		    "\t\t\t((i++)) ;;\n"
		    "\t\t-*) ;;\n"
		    "\t\t*) first= ;;\n"
		    "\t\tesac\n"
		    "\tdone\n"
		    "\tif [[ -n $first ]]; then\n"
		    "\t\t_nfacc_words '");
	add_values(t->operand, "", b);
	buf_addf(b, "'\n%s\tfi\n", t->operand_no_file ? "\t\treturn\n" : "");
}

/* Adds the completion of a word that is neither an option nor its value. Such a word is a file, or
 * a value that another option on the line asks for. */
static void add_operands(const struct option_table *t, struct buf *b)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		if (r->operand == NULL)
			continue;
		buf_addf(b,
			 "\tif [[ \" ${COMP_WORDS[*]} \" == *' --%s '* ]]; then\n"
			 "\t\t_nfacc_words '",
			 r->name);
		add_values(r->operand, "", b);
		buf_addf(b, "'\n\t\treturn\n\tfi\n");
	}
	if (t->operand != NULL)
		add_first_operand(t, b);
	if (t->verbs != NULL) {
		buf_addf(b, "\t[[ $COMP_CWORD != 1 ]] || _nfacc_words '");
		for (const struct option_verb *v = t->verbs; v->name != NULL; v++)
			buf_addf(b, "%s%s", v != t->verbs ? " " : "", v->name);
		buf_addf(b, "'\n");
	}
	buf_addf(b, "\t_nfacc_files -f\n");
}

void completion_bash(const struct option_table *t, const char *commands, struct buf *b)
{
	completion_licence(b);
	buf_addf(b,
		 "# Completion of %s for bash, made by genoptions from its options (make "
		 "options).\n"
		 "\n"
		 "# _nfacc_words WORDS: those that begin like the current word. No blank follows "
		 "a \"=\".\n"
		 "_nfacc_words() {\n"
		 "\tlocal word\n"
		 "\tfor word in $(compgen -W \"$1\" -- \"$cur\"); do\n"
		 "\t\tCOMPREPLY+=(\"$word\")\n"
		 "\t\t[[ $word != *= ]] || compopt -o nospace 2>/dev/null\n"
		 "\tdone\n"
		 "}\n"
		 "\n"
		 "# _nfacc_files -f or -d: files or folders.\n"
		 "_nfacc_files() {\n"
		 "\tlocal name\n"
		 "\twhile IFS= read -r name; do\n"
		 "\t\tCOMPREPLY+=(\"$name\")\n"
		 "\tdone < <(compgen \"$1\" -- \"$cur\")\n"
		 "\tcompopt -o filenames 2>/dev/null\n"
		 "}\n"
		 "\n"
		 "_%s() {\n"
		 "\tlocal cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
		 "\tCOMPREPLY=()\n"
		 "\tif [[ $cur == = ]]; then\n"
		 "\t\tcur=\n"
		 "\telif [[ $before == = ]]; then\n"
		 "\t\tbefore=${COMP_WORDS[COMP_CWORD - 2]}\n"
		 "\tfi\n",
		 t->tool, t->tool);
	add_after_option(t, b);
	add_options(t, b);
	add_operands(t, b);
	buf_addf(b, "} && complete -F _%s %s\n", t->tool, commands);
}
