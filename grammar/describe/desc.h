/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * desc.h: the tokens that protocol and overlay descriptions are made of, and the statements that
 * walk over them: words, numbers, `;` `,` `=` `{` `}` `..`, comments as in filter files.
 *
 * A desc is a cursor over one source. The first error is reported to the diagnostics and sticks:
 * `failed` is set and every later call does nothing and answers 0, so a parser is a straight line.
 * A statement that is wrong ends the parse: these files are short and written by experts.
 */
#ifndef NFACC_GRAMMAR_DESC_H
#define NFACC_GRAMMAR_DESC_H

#include "support/diag.h"

enum desc_kind { DESC_END, DESC_WORD, DESC_NUMBER, DESC_PUNCT };

struct desc {
	struct diags *diags;
	uint32_t source;
	const char *text;
	uint32_t n, next;          /* size, and where the next token is looked for */
	bool failed;
	enum desc_kind kind;       /* the token at the cursor */
	struct diag_range range;
	uint64_t number;
};

/* Begins on source `source` of d. */
void desc_init(struct desc *c, struct diags *d, uint32_t source);

/* Reports an error at `range` and fails the parse. */
void desc_error(struct desc *c, struct diag_range range, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Moves to the next token. */
void desc_advance(struct desc *c);

/* Is the token this word or punctuation? desc_accept also moves past it. desc_expect fails the
 * parse where it is not. */
bool desc_is(const struct desc *c, const char *s);
bool desc_accept(struct desc *c, const char *s);
bool desc_expect(struct desc *c, const char *s);

/* A word: its length, its text at *s (inside the source, without a 0 at its end); `what` for the error. */
size_t desc_word(struct desc *c, const char **s, const char *what);

/* A number within [lo, hi]. */
uint64_t desc_number(struct desc *c, const char *what, uint64_t lo, uint64_t hi);

#endif
