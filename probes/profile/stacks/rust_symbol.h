/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rust_symbol.h: the words of a symbol of Rust, version 0: numbers, identifiers, lifetimes and
 * references; rust_name.c reads what they are put together to. After an error x->wrong is set, and
 * nothing is read or printed any more. Depth, steps and output are limited, since references
 * multiply what they refer to.
 */
#ifndef NFACC_RISCV_RUST_SYMBOL_H
#define NFACC_RISCV_RUST_SYMBOL_H

#include "support/buf.h"

struct symbol_reader {
	const char *at; /* the symbol behind _R */
	size_t n, next;
	unsigned depth, steps;
	unsigned silent;  /* what is read is not printed if it is above 0 */
	uint64_t bound;   /* lifetimes that the binders around this place have */
	bool wrong;
	size_t limit;     /* the greatest size of b */
	struct buf *b;
};

struct identifier {
	const char *at;
	size_t n;
	bool encoded; /* it is Punycode */
};

/* ---- printing ---- */

void rust_print(struct symbol_reader *x, const char *s, size_t n);
void rust_say(struct symbol_reader *x, const char *s);
void rust_say_number(struct symbol_reader *x, uint64_t number);
void rust_say_identifier(struct symbol_reader *x, struct identifier id);

/* A lifetime counts binders from the inside. The outermost one has the letter a. */
void rust_say_lifetime(struct symbol_reader *x, uint64_t lifetime);

/* ---- reading ---- */

/* Returns the next character; 0 at the end. */
char rust_peek(const struct symbol_reader *x);

/* Does the same, and goes on behind it. The end is an error. */
char rust_take(struct symbol_reader *x);

/* Goes on behind this character, if it is the next one. */
bool rust_take_if(struct symbol_reader *x, char c);

/* Enters a rule that may contain itself. Returns false if that is too deep. The rule ends with
 * x->depth--. */
bool rust_enter(struct symbol_reader *x);

/* Returns the value of a digit to the base 62, which begin as those to the base 16; -1: it is
 * none. */
int rust_digit(char c);

/* Reads digits to the base 62 up to `_`. No digit is 0, and the digit 0 is 1. */
uint64_t rust_read_62(struct symbol_reader *x);

/* Reads such a number that `tag` announces, and adds 1; 0: it is not there. */
uint64_t rust_read_tagged(struct symbol_reader *x, char tag);

/* Goes to the place that a reference names; its tag was read. Returns the place to come back to. */
size_t rust_follow(struct symbol_reader *x);

struct identifier rust_read_identifier(struct symbol_reader *x);

/* Reads and prints the lifetimes that a binder has. They are valid until the caller sets x->bound
 * back. */
void rust_read_binder(struct symbol_reader *x);

#endif
