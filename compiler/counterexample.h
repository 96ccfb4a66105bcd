/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * counterexample.h: a stream that tells two automata apart, as batch text (language.md 7).
 */
#ifndef NFACC_COMPILER_COUNTEREXAMPLE_H
#define NFACC_COMPILER_COUNTEREXAMPLE_H

#include "ir/decide/decide.h"

/* Appends the stream, one batch a line, with the times 1, 2, 3 and so on. Addresses are those of the first line
 * that s observes. What is printed reads back as the same batches. */
void counterexample_print(const struct spec *s, const struct decide_stream *w, struct buf *b);

#endif
