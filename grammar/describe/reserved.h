/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reserved.h: the reserved words of the filter language (nfacc-filter(5), Words). No name in a
 * filter or in a protocol may be one of them.
 */
#ifndef NFACC_GRAMMAR_RESERVED_H
#define NFACC_GRAMMAR_RESERVED_H

#include <stddef.h>

/* All reserved words, and NULL after the last. The scanner's table of tokens has the same order. */
extern const char *const grammar_reserved[];

/* Returns the index of the word s (n bytes) in grammar_reserved. -1: the word is not reserved. */
int grammar_find_reserved(const char *s, size_t n);

#endif
