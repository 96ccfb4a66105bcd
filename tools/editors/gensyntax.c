/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gensyntax: makes the files by which editors colour filters and descriptions, from tables of their
 * words.
 *
 *	gensyntax vim LANGUAGE         a syntax file for Vim
 *	gensyntax textmate LANGUAGE    a grammar for TextMate, Visual Studio Code and others
 *	gensyntax emacs                modes for Emacs, one a language
 *	gensyntax vscode               package.json, which makes the grammars an extension
 *
 * LANGUAGE is nfacc (filters), nfaccproto, nfacccoh or nfaccov (descriptions of protocols, of rules
 * of coherence, and of overlays).
 */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "contract/contract.h"
#include "contract/proto/reserved.h"
#include "include/nfart_status.h"
#include "support/buf.h"
#include "support/cli.h"
#include "support/escape.h"

/* What the editors call the kinds of words. */
static const struct {
	const char *vim, *scope, *emacs;
} kinds[] = {
	[RESERVED_STATEMENT] = { "Statement", "keyword.control.nfacc", "keyword" },
	[RESERVED_SET] = { "Function", "support.function.nfacc", "builtin" },
	[RESERVED_PREDICATE] = { "Constant", "constant.language.nfacc", "constant" },
	[RESERVED_DETAIL] = { "Type", "storage.modifier.nfacc", "type" },
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

/* ---- words of descriptions ---- */

/* editors.test compares these tables with the words that the parsers accept. */
static const struct reserved_word proto_words[] = {
	{ "protocol", RESERVED_STATEMENT }, { "extends", RESERVED_STATEMENT },
	{ "header", RESERVED_STATEMENT },   { "opcode", RESERVED_STATEMENT },
	{ "idle", RESERVED_STATEMENT },	    { "address", RESERVED_STATEMENT },
	{ "payload", RESERVED_STATEMENT },  { "groups", RESERVED_STATEMENT },
	{ "channels", RESERVED_STATEMENT },
	{ "types", RESERVED_STATEMENT },    { "event", RESERVED_STATEMENT },
	{ "field", RESERVED_STATEMENT },    { "pair", RESERVED_STATEMENT },
	{ "join", RESERVED_STATEMENT },	    { "misses", RESERVED_STATEMENT },
	{ "except", RESERVED_DETAIL },
	{ "line", RESERVED_DETAIL },	    { "from", RESERVED_DETAIL },
	{ "on", RESERVED_DETAIL },	    { "broadcast", RESERVED_DETAIL },
	{ "of", RESERVED_DETAIL },	    { "by", RESERVED_DETAIL },
	{ "in", RESERVED_DETAIL },	    { "order", RESERVED_DETAIL },
	{ "param", RESERVED_STATEMENT },    { "use", RESERVED_STATEMENT },
	{ "clock", RESERVED_STATEMENT },    { "reset", RESERVED_STATEMENT },
	{ "signal", RESERVED_STATEMENT },   { "tap", RESERVED_STATEMENT },
	{ "register", RESERVED_STATEMENT }, { "queue", RESERVED_STATEMENT },
	{ "put", RESERVED_DETAIL },	    { "take", RESERVED_DETAIL },
	{ "auto", RESERVED_DETAIL },	    { "as", RESERVED_DETAIL },
	{ "at", RESERVED_DETAIL },	    { "with", RESERVED_DETAIL },
	{ "or", RESERVED_DETAIL },	    { "when", RESERVED_DETAIL },
	{ "rising", RESERVED_DETAIL },	    { "falling", RESERVED_DETAIL },
	{ "past", RESERVED_PREDICATE },	    { "stable", RESERVED_PREDICATE },
	{ "rose", RESERVED_PREDICATE },	    { "fell", RESERVED_PREDICATE },
	{ NULL, RESERVED_STATEMENT }
};

static const struct reserved_word coh_words[] = {
	{ "protocol", RESERVED_STATEMENT }, { "checker", RESERVED_STATEMENT },
	{ "variable", RESERVED_STATEMENT }, { "legal", RESERVED_STATEMENT },
	{ "ignore", RESERVED_STATEMENT },   { "message", RESERVED_STATEMENT },
	{ "node", RESERVED_STATEMENT },	    { "order", RESERVED_STATEMENT },
	{ "flight", RESERVED_STATEMENT },   { "tap", RESERVED_STATEMENT },
	{ "group", RESERVED_STATEMENT },    { "start", RESERVED_STATEMENT },
	{ "event", RESERVED_STATEMENT },    { "home", RESERVED_STATEMENT },
	{ "between", RESERVED_DETAIL },	    { "at", RESERVED_DETAIL },
	{ "known", RESERVED_DETAIL },	    { "from", RESERVED_DETAIL },
	{ "any", RESERVED_DETAIL },	    { "in", RESERVED_DETAIL },
	{ NULL, RESERVED_STATEMENT }
};

/* The parameters of an overlay are those of the contract (add_words()). */
static const struct reserved_word ov_words[] = {
	{ "overlay", RESERVED_STATEMENT },
	{ "protocol", RESERVED_STATEMENT },
	{ NULL, RESERVED_STATEMENT }
};

/* ---- what is no word ---- */

/* Name, group and expression of Vim ("very magic"), scope and expression of TextMate, face and
 * expression of Emacs, which may be NULL. Of expressions that match at one place the first one
 * counts. */
struct pattern {
	const char *name, *group, *vim, *scope, *textmate, *face, *emacs;
};

#define NUMBER                                                                                     \
	{ "Number", "Number", "<(0[xX]\\x+|\\d+)>", "constant.numeric.nfacc",                        \
	  "\\b(?:0[xX][0-9a-fA-F]+|[0-9]+)\\b", "constant",                                         \
	  "\\_<\\(?:0[xX][0-9a-fA-F]+\\|[0-9]+\\)\\_>" }

static const struct pattern filter_patterns[] = {
	{ "Glob", "String", "\"[^\"]*\"", "string.quoted.double.nfacc", "\"[^\"\\n]*\"", NULL,
	  NULL },
	{ "Character", "Character", "'(\\\\x\\x{2}|\\\\[ntr0\\\\']|[^'\\\\])'",
	  "constant.character.nfacc", "'(?:\\\\x[0-9a-fA-F]{2}|\\\\[ntr0\\\\']|[^'\\\\])'",
	  "string", "'\\(?:\\\\x[0-9a-fA-F]\\{2\\}\\|\\\\[ntr0\\\\']\\|[^'\\\\]\\)'" },
	{ "Counted", "Identifier", "\\@\\h\\w*", "variable.other.counter.nfacc",
	  "@[A-Za-z_][A-Za-z0-9_]*", "variable-name", "@[A-Za-z_][A-Za-z0-9_]*" },
	{ "Channels", "Number", "\\@\\d+(,\\d+)*", "constant.numeric.channel.nfacc",
	  "@[0-9]+(?:,[0-9]+)*", "constant", "@[0-9]+\\(?:,[0-9]+\\)*" },
	{ "Opcode", "Number", "#(0[xX]\\x+|\\d+)", "constant.numeric.opcode.nfacc",
	  "#(?:0[xX][0-9a-fA-F]+|[0-9]+)", "constant",
	  "#\\(?:0[xX][0-9a-fA-F]+\\|[0-9]+\\)" },
	NUMBER,
	{ "Operator", "Operator", "\\.\\.|-\\>|\\=\\=|!\\=|[-|*+?!]", "keyword.operator.nfacc",
	  "\\.\\.|->|==|!=|[-|*+?!&=:/]", NULL, NULL },
	{ NULL, NULL, NULL, NULL, NULL, NULL, NULL }
};

static const struct pattern description_patterns[] = {
	NUMBER,
	{ "Operator", "Operator", "\\.\\.|-\\>|[=:*]", "keyword.operator.nfacc",
	  "\\.\\.|->|[=:*]", NULL, NULL },
	{ NULL, NULL, NULL, NULL, NULL, NULL, NULL }
};

static const struct pattern proto_patterns[] = {
	{ "Place", "String", "\"[^\"]*\"", "string.quoted.double.nfacc", "\"[^\"\\n]*\"", NULL,
	  NULL },
	{ "Sized", "Number", "<\\d+'[bdh]\\x+>", "constant.numeric.sized.nfacc",
	  "\\b[0-9]+'[bdh][0-9a-fA-F]+\\b", "constant", "\\_<[0-9]+'[bdh][0-9a-fA-F]+\\_>" },
	NUMBER,
	{ "Operator", "Operator", "\\.\\.|-\\>|[-=:*!?|<>+&^~@]", "keyword.operator.nfacc",
	  "\\.\\.|->|[-=:*!?|<>+&^~@]", NULL, NULL },
	{ NULL, NULL, NULL, NULL, NULL, NULL, NULL }
};

static const struct pattern coh_patterns[] = {
	NUMBER,
	{ "Operator", "Operator", "-\\>|\\<\\=|\\>\\=|!\\=|[-!?|=:<>#*~&+]", "keyword.operator.nfacc",
	  "->|<=|>=|!=|[-!?|=:<>#*~&+]", NULL, NULL },
	{ NULL, NULL, NULL, NULL, NULL, NULL, NULL }
};

/* ---- languages ---- */

static const struct language {
	const char *name; /* Vim's filetype */
	const char *title;
	const char *scope;
	const char *ending; /* of the names of its files, without the dot */
	const char *mode;   /* of Emacs, without -mode */
	const struct reserved_word *words, *soft; /* soft may be NULL */
	const struct pattern *rest;
	/* Statements that begin with one of these words and a name, in which "-" may stand or not. */
	const char *named_dash, *named;
	bool guards;	 /* "in" is a word within brackets */
	bool parameters; /* those of overlays are words */
} languages[] = {
	{ "nfacc", "Filters of nfacc (nfacc-filter(5))", "source.nfacc", "re", "nfacc",
	  grammar_reserved, grammar_soft, filter_patterns, "protocol",
	  "filter|let|automaton|state|counter|machine|param", true, false },
	{ "nfaccproto", "Descriptions of protocols for nfacc", "source.nfacc.proto", "proto",
	  "nfacc-proto", proto_words, NULL, proto_patterns, "protocol|extends",
	  "types|event|field", false, false },
	{ "nfacccoh", "Rules of coherence for nfacc", "source.nfacc.coh", "coh", "nfacc-coh",
	  coh_words, NULL, coh_patterns, "protocol", "checker|variable|message|node|group", false,
	  false },
	{ "nfaccov", "Descriptions of overlays for nfacc", "source.nfacc.ov", "ov", "nfacc-ov",
	  ov_words, NULL, description_patterns, "overlay|protocol", NULL, false, true },
};
enum { NLANGUAGES = sizeof languages / sizeof languages[0] };

/* A list of words that is being written: what stands before and after a word, and between two. */
struct list {
	struct buf *b;
	const char *open, *close, *between;
	bool any;
};

static void add_word(struct list *l, const char *word)
{
	buf_addf(l->b, "%s%s%s%s", l->any ? l->between : "", l->open, word, l->close);
	l->any = true;
}

static void add_table(struct list *l, const struct reserved_word *words, size_t kind)
{
	for (size_t i = 0; words != NULL && words[i].text != NULL; i++)
		if (words[i].kind == kind)
			add_word(l, words[i].text);
}

/* Adds the values of overlays' parameters that are words, each once. */
static void add_values(struct list *l)
{
	for (size_t i = 0; i < noverlay_values; i++) {
		const char *word = overlay_values[i].word;
		size_t k = 0;
		while (k < i && strcmp(overlay_values[k].word, word) != 0)
			k++;
		if (k == i && strspn(word, "0123456789") != strlen(word))
			add_word(l, word);
	}
}

/* Adds the words of a kind. False: the language has none. */
static bool add_words(struct list *l, const struct language *g, size_t kind)
{
	add_table(l, g->words, kind);
	add_table(l, g->soft, kind);
	for (size_t i = 0; g->parameters && kind == RESERVED_STATEMENT && i < noverlay_params; i++)
		add_word(l, overlay_params[i].name);
	if (g->parameters && kind == RESERVED_DETAIL)
		add_values(l);
	return l->any;
}

/* ---- Vim ---- */

static void make_vim(const struct language *g, struct buf *b)
{
	bool has[NKINDS];
	size_t n = 0;

	/* REUSE-IgnoreStart: these lines are for the generated file and not for this one. */
	buf_addf(b, "\" SPDX-License-Identifier: BSD-2-Clause\n"
		    "\" SPDX-FileCopyrightText: nfacc contributors\n");
	/* REUSE-IgnoreEnd */
	buf_addf(b, "\" %s. Made by tools/editors/gensyntax.\n"
		    "if exists('b:current_syntax')\n  finish\nendif\n"
		    "syntax case match\nsyntax iskeyword @,48-57,_\n",
		 g->title);
	/* In Vim the last one counts. */
	while (g->rest[n].name != NULL)
		n++;
	while (n-- > 0)
		buf_addf(b, "syntax match %s%s /\\v%s/\n", g->name, g->rest[n].name, g->rest[n].vim);
	for (size_t k = 0; k < NKINDS; k++) {
		struct buf words = { 0 };
		struct list l = { .b = &words, .open = "", .close = "", .between = " " };
		has[k] = add_words(&l, g, k);
		if (has[k])
			buf_addf(b, "syntax keyword %s%s %s\n", g->name, kinds[k].vim,
				 words.failed ? "" : words.at);
		b->failed |= words.failed;
		buf_free(&words);
	}
	if (g->guards)
		buf_addf(b, "syntax keyword nfaccIn in contained\n"
			    "syntax region nfaccGuard start=/\\[/ end=/\\]/ "
			    "contains=nfaccIn,nfaccNumber,nfaccOperator,nfaccComment\n");
	buf_addf(b, "syntax match %sComment /\\/\\/.*/\n"
		    "syntax region %sComment start=/\\/\\*/ end=/\\*\\//\n",
		 g->name, g->name);
	for (size_t i = 0; g->rest[i].name != NULL; i++)
		buf_addf(b, "highlight default link %s%s %s\n", g->name, g->rest[i].name,
			 g->rest[i].group);
	for (size_t k = 0; k < NKINDS; k++)
		if (has[k])
			buf_addf(b, "highlight default link %s%s %s\n", g->name, kinds[k].vim,
				 kinds[k].vim);
	if (g->guards)
		buf_addf(b, "highlight default link nfaccIn Operator\n");
	buf_addf(b, "highlight default link %sComment Comment\n"
		    "let b:current_syntax = '%s'\n",
		 g->name, g->name);
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
	if (words == NULL)
		return;
	buf_addf(b,
		 "    { \"match\": \"\\\\b(%s)\\\\s+(%s)\",\n      \"captures\": {"
		 " \"1\": { \"name\": \"keyword.control.nfacc\" },"
		 " \"2\": { \"name\": \"entity.name.nfacc\" } } },\n",
		 words, name);
}

static void make_textmate(const struct language *g, struct buf *b)
{
	struct buf words = { 0 };

	buf_addf(b, "{\n  \"name\": \"%s\",\n  \"scopeName\": \"%s\",\n"
		    "  \"fileTypes\": [\"%s\"],\n  \"patterns\": [\n"
		    "    { \"include\": \"#comment\" },\n",
		 g->name, g->scope, g->ending);
	if (g->guards)
		buf_addf(b, "    { \"begin\": \"\\\\[\", \"end\": \"\\\\]\", \"patterns\": [\n"
			    "      { \"include\": \"#comment\" },\n"
			    "      { \"name\": \"keyword.operator.word.nfacc\", \"match\": \"\\\\bin\\\\b\" },\n"
			    "      { \"include\": \"#rest\" }\n    ] },\n");
	add_named(b, g->named_dash, "[A-Za-z_][A-Za-z0-9_-]*");
	add_named(b, g->named, "[A-Za-z_][A-Za-z0-9_]*");
	for (size_t k = 0; k < NKINDS; k++) {
		struct list l = { .b = &words, .open = "", .close = "", .between = "|" };
		words.n = 0;
		buf_addf(&words, "\\b(?:");
		if (!add_words(&l, g, k))
			continue;
		buf_addf(&words, ")\\b");
		add_pattern(b, kinds[k].scope, words.failed ? "" : words.at);
		buf_addf(b, ",\n");
	}
	buf_addf(b, "    { \"include\": \"#rest\" }\n  ],\n  \"repository\": {\n"
		    "  \"comment\": { \"patterns\": [\n"
		    "    { \"name\": \"comment.line.double-slash.nfacc\", \"match\": \"//.*\" },\n"
		    "    { \"name\": \"comment.block.nfacc\", \"begin\": \"/\\\\*\","
		    " \"end\": \"\\\\*/\" }\n  ] },\n  \"rest\": { \"patterns\": [\n");
	for (size_t i = 0; g->rest[i].name != NULL; i++) {
		add_pattern(b, g->rest[i].scope, g->rest[i].textmate);
		buf_addf(b, "%s\n", g->rest[i + 1].name != NULL ? "," : "");
	}
	buf_addf(b, "  ] }\n  }\n}\n");
	b->failed |= words.failed;
	buf_free(&words);
}

/* ---- Visual Studio Code ---- */

/* Files that end in .proto, and do not begin like a description, are for others. */
static void make_vscode(struct buf *b)
{
	buf_addf(b, "{\n  \"name\": \"nfacc\",\n  \"displayName\": \"nfacc\",\n"
		    "  \"description\": \"Colours of filters and descriptions of nfacc\",\n"
		    "  \"version\": \"" PACKAGE_VERSION "\",\n  \"publisher\": \"nfacc\",\n"
		    "  \"license\": \"BSD-2-Clause\",\n"
		    "  \"engines\": { \"vscode\": \"^1.50.0\" },\n"
		    "  \"contributes\": {\n    \"languages\": [\n");
	for (size_t i = 0; i < NLANGUAGES; i++) {
		const struct language *g = &languages[i];
		buf_addf(b, "      { \"id\": \"%s\", \"aliases\": [\"%s\"],\n        ", g->name, g->title);
		if (strcmp(g->ending, "proto") == 0)
			buf_addf(b, "\"firstLine\": \"^\\\\s*protocol\\\\s+[A-Za-z_][A-Za-z0-9_-]*\\\\s*;\"");
		else
			buf_addf(b, "\"extensions\": [\".%s\"%s]", g->ending,
				 g->guards ? ", \".nfa\"" : "");
		buf_addf(b, ",\n        \"configuration\": \"./language-configuration.json\" }%s\n",
			 i + 1 < NLANGUAGES ? "," : "");
	}
	buf_addf(b, "    ],\n    \"grammars\": [\n");
	for (size_t i = 0; i < NLANGUAGES; i++)
		buf_addf(b,
			 "      { \"language\": \"%s\", \"scopeName\": \"%s\","
			 " \"path\": \"./%s.tmLanguage.json\" }%s\n",
			 languages[i].name, languages[i].scope, languages[i].name,
			 i + 1 < NLANGUAGES ? "," : "");
	buf_addf(b, "    ]\n  }\n}\n");
}

/* ---- Emacs ---- */

/* Adds a string of Lisp. */
static void add_string(struct buf *b, const char *s)
{
	buf_addf(b, "\"");
	for (; *s != 0; s++)
		buf_addf(b, "%s%c", *s == '"' || *s == '\\' ? "\\" : "", *s);
	buf_addf(b, "\"");
}

static void add_mode(const struct language *g, struct buf *b)
{
	buf_addf(b, "\n(defconst %s-font-lock-keywords\n  (list\n", g->mode);
	for (size_t i = 0; g->rest[i].name != NULL; i++) {
		if (g->rest[i].emacs == NULL)
			continue;
		buf_addf(b, "   (cons ");
		add_string(b, g->rest[i].emacs);
		buf_addf(b, " 'font-lock-%s-face)\n", g->rest[i].face);
	}
	for (size_t k = 0; k < NKINDS; k++) {
		struct buf words = { 0 };
		struct list l = { .b = &words, .open = "\"", .close = "\"", .between = " " };
		if (add_words(&l, g, k))
			buf_addf(b, "   (cons (regexp-opt '(%s) 'symbols)\n         'font-lock-%s-face)\n",
				 words.failed ? "" : words.at, kinds[k].emacs);
		b->failed |= words.failed;
		buf_free(&words);
	}
	if (g->guards)
		buf_addf(b, "   '(\"\\\\[\" (\"\\\\_<in\\\\_>\""
			    " (save-excursion (skip-chars-forward \"^]\") (point)) nil\n"
			    "            (0 'font-lock-keyword-face)))\n");
	buf_addf(b, "   )\n  \"What is coloured in `%s-mode'.\")\n\n"
		    ";;;###autoload\n(define-derived-mode %s-mode prog-mode \"%s\"\n  \"%s.\"\n"
		    "  :syntax-table nfacc-syntax-table\n"
		    "  (setq-local comment-start \"// \" comment-end \"\"\n"
		    "              syntax-propertize-function nfacc-syntax-propertize\n"
		    "              font-lock-defaults '(%s-font-lock-keywords)))\n",
		 g->mode, g->mode, g->mode, g->title, g->mode);
}

static void make_emacs(struct buf *b)
{
	/* REUSE-IgnoreStart: these lines are for the generated file and not for this one. */
	buf_addf(b,
		 ";;; nfacc-mode.el --- Filters and descriptions of nfacc -*- lexical-binding: t -*-\n"
		 ";; SPDX-License-Identifier: BSD-2-Clause\n"
		 ";; SPDX-FileCopyrightText: nfacc contributors\n");
	/* REUSE-IgnoreEnd */
	buf_addf(b,
		 ";;; Commentary:\n"
		 ";; Colours filters and descriptions. Made by tools/editors/gensyntax. In ~/.emacs:\n"
		 ";; (require 'nfacc-mode)\n"
		 ";;; Code:\n\n"
		 "(defvar nfacc-syntax-table\n"
		 "  (let ((table (make-syntax-table)))\n"
		 "    (modify-syntax-entry ?/ \". 124b\" table)\n"
		 "    (modify-syntax-entry ?* \". 23\" table)\n"
		 "    (modify-syntax-entry ?\\n \"> b\" table)\n"
		 "    (modify-syntax-entry ?_ \"_\" table)\n"
		 "    (modify-syntax-entry ?# \".\" table)\n"
		 "    (modify-syntax-entry ?' \".\" table)\n"
		 "    (modify-syntax-entry ?| \".\" table)\n"
		 "    table)\n"
		 "  \"Comments, names and strings of all languages of nfacc.\")\n\n"
		 ";; In a character such as '\"' no string begins.\n"
		 "(defconst nfacc-syntax-propertize\n"
		 "  (syntax-propertize-rules (\"'\\\\(\\\"\\\\)'\" (1 \".\")))\n"
		 "  \"Marks quotes that begin no string.\")\n");
	for (size_t i = 0; i < NLANGUAGES; i++)
		add_mode(&languages[i], b);
	buf_addf(b,
		 "\n(defun nfacc-file-p (ending line)\n"
		 "  \"Does the file's name end in ENDING, and does a line of it match LINE?\"\n"
		 "  (and buffer-file-name (string-match-p ending buffer-file-name)\n"
		 "       (save-excursion (goto-char (point-min)) (re-search-forward line nil t))))\n\n"
		 ";; Other languages have these endings, too, so the content decides.\n"
		 "(defun nfacc-filter-p ()\n"
		 "  \"Is the buffer a filter, or the text of an automaton?\"\n"
		 "  (nfacc-file-p \"\\\\.\\\\(?:re\\\\|nfa\\\\)\\\\'\"\n"
		 "                \"^[ \\t]*\\\\(?:protocol\\\\|filter\\\\|automaton\\\\|substream\\\\|log\\\\)\\\\_>\"))\n"
		 "(defun nfacc-proto-p ()\n"
		 "  \"Is the buffer the description of a protocol?\"\n"
		 "  (nfacc-file-p \"\\\\.proto\\\\'\" \"^[ \\t]*protocol[ \\t]+[A-Za-z0-9_-]+[ \\t]*;\"))\n"
		 "(add-to-list 'magic-mode-alist '(nfacc-filter-p . nfacc-mode))\n"
		 "(add-to-list 'magic-mode-alist '(nfacc-proto-p . nfacc-proto-mode))\n"
		 "(add-to-list 'auto-mode-alist '(\"\\\\.coh\\\\'\" . nfacc-coh-mode))\n"
		 "(add-to-list 'auto-mode-alist '(\"\\\\.ov\\\\'\" . nfacc-ov-mode))\n\n"
		 "(provide 'nfacc-mode)\n;;; nfacc-mode.el ends here\n");
}

static const struct language *find_language(const char *name)
{
	for (size_t i = 0; i < NLANGUAGES; i++)
		if (strcmp(languages[i].name, name) == 0)
			return &languages[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct language *g = argc == 3 ? find_language(argv[2]) : NULL;
	struct buf b = { 0 };
	int code = NFART_OK;

	if (g != NULL && strcmp(argv[1], "vim") == 0) {
		make_vim(g, &b);
	} else if (g != NULL && strcmp(argv[1], "textmate") == 0) {
		make_textmate(g, &b);
	} else if (argc == 2 && strcmp(argv[1], "emacs") == 0) {
		make_emacs(&b);
	} else if (argc == 2 && strcmp(argv[1], "vscode") == 0) {
		make_vscode(&b);
	} else {
		fputs("usage: gensyntax vim|textmate LANGUAGE | emacs | vscode\n", stderr);
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
