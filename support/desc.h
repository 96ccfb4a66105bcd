/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * desc.h: reads the tokens of protocol and overlay descriptions, and of rules of coherence. Tokens
 * are words, numbers and the punctuation `;` `,` `=` `{` `}` `:` `..` `->`, in protocols also `*`,
 * in rules also `!` `?` `|` `<` `<=` `>` `>=` `!=` `-`. Comments are those of filter files.
 *
 * A struct desc is a cursor over one source. The first error goes to the diagnostics and sets
 * `failed`. After that the functions do nothing and return false, 0 or the least number allowed, so
 * a parser needs no branches for errors. Only the first error is reported, because these files are
 * short and written by experts.
 */
#ifndef NFACC_SUPPORT_DESC_H
#define NFACC_SUPPORT_DESC_H

#include "support/diag.h"

enum desc_kind { DESC_END, DESC_WORD, DESC_NUMBER, DESC_PUNCT };

struct desc {
	struct diags *diags;
	uint32_t source;
	const char *text;
	uint32_t n,              /* how many bytes `text` has */
		next;            /* the byte of `text` from which the next token is read */
	bool failed;             /* an error was reported */
	bool rules;              /* the punctuation of rules is read, too */
	enum desc_kind kind;     /* kind of the token at the cursor */
	struct diag_range range; /* place of the token at the cursor */
	uint64_t number;         /* value of the token at the cursor if it is a DESC_NUMBER */
};

/* Puts the cursor on the first token of a text. `source` is the index of the text in d->sources. */
void desc_init(struct desc *c, struct diags *d, uint32_t source);

/* The same for a text with the punctuation of rules. A word in it has no `-`. */
void desc_init_rules(struct desc *c, struct diags *d, uint32_t source);

/* Reports an error at `range` and sets `failed`. After an earlier error it does nothing. */
void desc_error(struct desc *c, struct diag_range range, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Moves the cursor to the next token. */
void desc_advance(struct desc *c);

/* Is the token at the cursor the word or punctuation s? If it is, desc_accept() and desc_expect()
 * move past it. If it is not, desc_expect() reports an error. */
bool desc_is(const struct desc *c, const char *s);
bool desc_accept(struct desc *c, const char *s);
bool desc_expect(struct desc *c, const char *s);

/* Reads a word and moves past it. Returns the length of the word and sets *s to its first byte in
 * the source, so there is no 0 after the word. If the token is no word, reports that `what` was
 * expected. */
size_t desc_word(struct desc *c, const char **s, const char *what);

/* Reads a number from lo to hi and moves past it. If the token is no such number, reports an error
 * about `what` and returns lo. */
uint64_t desc_number(struct desc *c, const char *what, uint64_t lo, uint64_t hi);

#endif
