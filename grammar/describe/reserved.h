/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * reserved.h: the words that no name in a filter or a protocol may be (language.md 3).
 */
#ifndef NFACC_GRAMMAR_RESERVED_H
#define NFACC_GRAMMAR_RESERVED_H

#include <stddef.h>

/* In the order of language.md; NULL after the last. */
extern const char *const grammar_reserved[];

/* The index of a reserved word of n bytes, or -1. */
int grammar_find_reserved(const char *s, size_t n);

#endif
