/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gensyntax: makes the files by which editors colour filters, from the table of reserved words.
 *
 *	gensyntax vim         a syntax file for Vim
 *	gensyntax textmate    a grammar for TextMate, Visual Studio Code and others
 */
#include <stdio.h>
#include <string.h>

#include "grammar/describe/reserved.h"
#include "include/nfart_status.h"
#include "support/buf.h"
#include "support/cli.h"
#include "support/escape.h"

/* What the two kinds of files call the kinds of words. */
static const struct {
	const char *vim, *scope;
} kinds[] = {
	[RESERVED_STATEMENT] = { "Statement", "keyword.control.nfacc" },
	[RESERVED_SET] = { "Function", "support.function.nfacc" },
	[RESERVED_PREDICATE] = { "Constant", "constant.language.nfacc" },
	[RESERVED_DETAIL] = { "Type", "storage.modifier.nfacc" },
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

/* Appends the words of a kind, with `between` between them. */
static void add_words(struct buf *b, size_t kind, const char *between)
{
	const char *before = "";

	for (size_t i = 0; grammar_reserved[i].text != NULL; i++)
		if (grammar_reserved[i].kind == kind) {
			buf_addf(b, "%s%s", before, grammar_reserved[i].text);
			before = between;
		}
	for (size_t i = 0; grammar_soft[i].text != NULL; i++)
		if (grammar_soft[i].kind == kind) {
			buf_addf(b, "%s%s", before, grammar_soft[i].text);
			before = between;
		}
}

/* What is no word: name, group and expression of Vim ("very magic"), scope and expression of
 * TextMate. Of expressions that match at one place the first one counts. */
static const struct {
	const char *name, *group, *vim, *scope, *textmate;
} rest[] = {
	{ "Glob", "String", "\"[^\"]*\"", "string.quoted.double.nfacc", "\"[^\"\\n]*\"" },
	{ "Character", "Character", "'(\\\\x\\x{2}|\\\\[ntr0\\\\']|[^'\\\\])'",
	  "constant.character.nfacc", "'(?:\\\\x[0-9a-fA-F]{2}|\\\\[ntr0\\\\']|[^'\\\\])'" },
	{ "Counted", "Identifier", "\\@\\h\\w*", "variable.other.counter.nfacc",
	  "@[A-Za-z_][A-Za-z0-9_]*" },
	{ "Channels", "Number", "\\@\\d+(,\\d+)*", "constant.numeric.channel.nfacc",
	  "@[0-9]+(?:,[0-9]+)*" },
	{ "Opcode", "Number", "#(0[xX]\\x+|\\d+)", "constant.numeric.opcode.nfacc",
	  "#(?:0[xX][0-9a-fA-F]+|[0-9]+)" },
	{ "Number", "Number", "<(0[xX]\\x+|\\d+)>", "constant.numeric.nfacc",
	  "\\b(?:0[xX][0-9a-fA-F]+|[0-9]+)\\b" },
	{ "Operator", "Operator", "\\.\\.|-\\>|\\=\\=|!\\=|[|*+?!]", "keyword.operator.nfacc",
	  "\\.\\.|->|==|!=|[|*+?!&=:]" },
};
enum { NREST = sizeof rest / sizeof rest[0] };

/* ---- Vim ---- */

static void make_vim(struct buf *b)
{
	/* REUSE-IgnoreStart: these lines are for the generated file and not for this one. */
	buf_addf(b, "\" SPDX-License-Identifier: BSD-2-Clause\n"
		    "\" SPDX-FileCopyrightText: nfacc contributors\n");
	/* REUSE-IgnoreEnd */
	buf_addf(b, "\" Filters of nfacc (nfacc-filter(5)). Made by tools/editors/gensyntax.\n"
		    "if exists('b:current_syntax')\n  finish\nendif\n"
		    "syntax case match\nsyntax iskeyword @,48-57,_\n");
	/* In Vim the last one counts. */
	for (size_t i = NREST; i-- > 0;)
		buf_addf(b, "syntax match nfacc%s /\\v%s/\n", rest[i].name, rest[i].vim);
	for (size_t k = 0; k < NKINDS; k++) {
		buf_addf(b, "syntax keyword nfacc%s ", kinds[k].vim);
		add_words(b, k, " ");
		buf_addf(b, "\n");
	}
	buf_addf(b, "syntax keyword nfaccIn in contained\n"
		    "syntax region nfaccGuard start=/\\[/ end=/\\]/ "
		    "contains=nfaccIn,nfaccNumber,nfaccOperator,nfaccComment\n"
		    "syntax match nfaccComment /\\/\\/.*/\n"
		    "syntax region nfaccComment start=/\\/\\*/ end=/\\*\\//\n");
	for (size_t i = 0; i < NREST; i++)
		buf_addf(b, "highlight default link nfacc%s %s\n", rest[i].name, rest[i].group);
	for (size_t k = 0; k < NKINDS; k++)
		buf_addf(b, "highlight default link nfacc%s %s\n", kinds[k].vim, kinds[k].vim);
	buf_addf(b, "highlight default link nfaccIn Operator\n"
		    "highlight default link nfaccComment Comment\n"
		    "let b:current_syntax = 'nfacc'\n");
}

/* ---- TextMate ---- */

static void add_pattern(struct buf *b, const char *scope, const char *match)
{
	buf_addf(b, "    { \"name\": \"%s\", \"match\": ", scope);
	escape_json(b, match, strlen(match));
	buf_addf(b, " }");
}

/* Adds statements that begin with one of these words and a name. */
static void add_named(struct buf *b, const char *words, const char *name)
{
	buf_addf(b,
		 "    { \"match\": \"\\\\b(%s)\\\\s+(%s)\",\n      \"captures\": {"
		 " \"1\": { \"name\": \"keyword.control.nfacc\" },"
		 " \"2\": { \"name\": \"entity.name.nfacc\" } } },\n",
		 words, name);
}

static void make_textmate(struct buf *b)
{
	struct buf words = { 0 };

	buf_addf(b, "{\n  \"name\": \"nfacc\",\n  \"scopeName\": \"source.nfacc\",\n"
		    "  \"fileTypes\": [\"re\"],\n  \"patterns\": [\n"
		    "    { \"include\": \"#comment\" },\n"
		    "    { \"begin\": \"\\\\[\", \"end\": \"\\\\]\", \"patterns\": [\n"
		    "      { \"include\": \"#comment\" },\n"
		    "      { \"name\": \"keyword.operator.word.nfacc\", \"match\": \"\\\\bin\\\\b\" },\n"
		    "      { \"include\": \"#rest\" }\n    ] },\n");
	add_named(b, "protocol", "[A-Za-z_][A-Za-z0-9_-]*");
	add_named(b, "filter|let|automaton|state|counter|machine|param", "[A-Za-z_][A-Za-z0-9_]*");
	for (size_t k = 0; k < NKINDS; k++) {
		words.n = 0;
		buf_addf(&words, "\\b(?:");
		add_words(&words, k, "|");
		buf_addf(&words, ")\\b");
		add_pattern(b, kinds[k].scope, words.failed ? "" : words.at);
		buf_addf(b, ",\n");
	}
	buf_addf(b, "    { \"include\": \"#rest\" }\n  ],\n  \"repository\": {\n"
		    "  \"comment\": { \"patterns\": [\n"
		    "    { \"name\": \"comment.line.double-slash.nfacc\", \"match\": \"//.*\" },\n"
		    "    { \"name\": \"comment.block.nfacc\", \"begin\": \"/\\\\*\","
		    " \"end\": \"\\\\*/\" }\n  ] },\n  \"rest\": { \"patterns\": [\n");
	for (size_t i = 0; i < NREST; i++) {
		add_pattern(b, rest[i].scope, rest[i].textmate);
		buf_addf(b, "%s\n", i + 1 < NREST ? "," : "");
	}
	buf_addf(b, "  ] }\n  }\n}\n");
	b->failed |= words.failed;
	buf_free(&words);
}

int main(int argc, char **argv)
{
	struct buf b = { 0 };
	int code = NFART_OK;

	if (argc == 2 && strcmp(argv[1], "vim") == 0) {
		make_vim(&b);
	} else if (argc == 2 && strcmp(argv[1], "textmate") == 0) {
		make_textmate(&b);
	} else {
		fputs("usage: gensyntax vim|textmate\n", stderr);
		return NFART_USAGE;
	}
	if (b.failed) {
		fputs("gensyntax: error: out of memory\n", stderr);
		code = NFART_SYSTEM;
	} else {
		fwrite(b.at, 1, b.n, stdout);
	}
	buf_free(&b);
	return cli_finish("gensyntax", code);
}
