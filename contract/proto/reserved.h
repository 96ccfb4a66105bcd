/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reserved.h: the reserved words of the filter language (nfacc-filter(5), Words). No name in a
 * filter or in a protocol may be one of them.
 */
#ifndef NFACC_CONTRACT_RESERVED_H
#define NFACC_CONTRACT_RESERVED_H

#include <stddef.h>

/* What a word does, by which editors colour it. `tick` begins a statement, too. */
enum reserved_kind {
	RESERVED_STATEMENT, /* begins a statement or a part of an automaton */
	RESERVED_SET,       /* makes a predicate of others: Any and None */
	RESERVED_PREDICATE, /* is a predicate or an expression by itself */
	RESERVED_DETAIL     /* all others */
};

struct reserved_word {
	const char *text;
	enum reserved_kind kind;
};

/* All reserved words, and one without text after the last. The scanner's table of tokens has the
 * same order. */
extern const struct reserved_word grammar_reserved[];

/* Words of the language that may be names, too: each is a keyword only in its place. After the last
 * stands one without text. */
extern const struct reserved_word grammar_soft[];

/* Returns the index of the word s (n bytes) in grammar_soft. -1: it is not there. */
int grammar_find_soft(const char *s, size_t n);

/* Returns the index of the word s (n bytes) in grammar_reserved. -1: the word is not reserved. */
int grammar_find_reserved(const char *s, size_t n);

#endif
