/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * witness.h: a stream that tells two automata apart, as batch text (language.md 7).
 */
#ifndef NFACC_COMPILER_WITNESS_H
#define NFACC_COMPILER_WITNESS_H

#include "ir/decide/decide.h"

/* Appends the stream, one batch a line, times 1, 2, 3 …; messages with an address are of the first line
 * that s observes. What it prints reads back as the same batches. */
void witness_print(const struct spec *s, const struct decide_stream *w, struct buf *b);

#endif
