/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * text_line.h: takes words and numbers from a line of text. The line needs no 0 after it.
 */
#ifndef NFACC_RISCV_TEXT_LINE_H
#define NFACC_RISCV_TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a line says about tokens. */
enum token_line { TOKEN_LINE_GOOD, TOKEN_LINE_OTHER, TOKEN_LINE_WRONG };

/* The rest of a line. */
struct text {
	const char *at, *end;
};

/* Skips blanks, then the word. Returns false if another word stands there. */
bool text_word(struct text *x, const char *word);

/* Skips blanks. Whether the line ends there. */
bool text_ends(struct text *x);

/* Takes a number of up to `most` digits. Returns false if there is none, or if it is too great. */
bool text_number(struct text *x, unsigned base, unsigned most, uint64_t *value);

/* Takes a hexadecimal number of exactly 16 digits, so that a number that is cut off is found. */
bool text_16_digits(struct text *x, uint64_t *value);

#endif
