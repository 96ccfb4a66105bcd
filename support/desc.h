/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * desc.h: reads the tokens of protocol and overlay descriptions, and of rules of coherence. Tokens
 * are words, numbers and the punctuation `;` `,` `=` `{` `}` `:` `..` `->`, in protocols also `*`,
 * in rules also `!` `?` `|` `<` `<=` `>` `>=` `==` `!=` `-` `+` `*` `&` `#` `[` `]`, and a word can
 * end in `#`, `*` or `~`. Comments are those of filter files. The statements of taps have the
 * tokens of Verilog's expressions, and strings (desc_taps()).
 *
 * A struct desc is a cursor over one source. The first error goes to the diagnostics and sets
 * `failed`. After that the functions do nothing and return false, 0 or the least number allowed, so
 * a parser needs no branches for errors. A parser that goes on after an error calls desc_recover().
 */
#ifndef NFACC_SUPPORT_DESC_H
#define NFACC_SUPPORT_DESC_H

#include "support/diag.h"
#include "support/vec.h"

enum desc_kind { DESC_END, DESC_WORD, DESC_NUMBER, DESC_PUNCT, DESC_STRING };

/* A name that may stand for a number. */
struct desc_param {
	const char *name;
	uint64_t value;
};

struct desc_params {
	VEC(struct desc_param) all;
};

struct desc {
	struct diags *diags;
	uint32_t source;
	const char *text;
	uint32_t n,              /* how many bytes `text` has */
		next;            /* the byte of `text` from which the next token is read */
	bool failed;             /* an error was reported */
	bool recovering;         /* in desc_skip(), which reports nothing */
	bool rules;              /* the punctuation of rules is read, too */
	bool taps;               /* the tokens of taps are read */
	const struct desc_params *params; /* names that stand for numbers; NULL: there are none */
	enum desc_kind kind;     /* kind of the token at the cursor */
	struct diag_range range; /* place of the token at the cursor */
	uint64_t number;         /* value of the token at the cursor if it is a DESC_NUMBER */
	uint32_t width;          /* its width in bits if that is written: 4'b1010; 0: it is not */
};

/* Puts the cursor on the first token of a text. `source` is the index of the text in d->sources. */
void desc_init(struct desc *c, struct diags *d, uint32_t source);

/* The same for a text with the punctuation of rules. A word in it has no `-`. */
void desc_init_rules(struct desc *c, struct diags *d, uint32_t source);

/* From the token after the one at the cursor on, reads the tokens of taps, or no longer does. A
 * word has no `-` then. */
static inline void desc_taps(struct desc *c, bool taps)
{
	c->taps = taps;
}

/* Moves to the next token that can be read, and reports nothing. */
void desc_skip(struct desc *c);

/* After an error, goes on behind the next `;`, or in front of the next `}` or of the end. */
void desc_recover(struct desc *c);

/* Is the token at the cursor a number, or a name that stands for one? */
bool desc_is_number(const struct desc *c);

/* Reports an error at `range` and sets `failed`. After an earlier error it does nothing. */
void desc_error(struct desc *c, struct diag_range range, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Sets `failed` after an error that the caller reported, or does not want to report. */
void desc_fail(struct desc *c);

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
