/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * counterexample.h: prints a counterexample of a proof as batch text (nfacc-trace(5)). A
 * counterexample is a stream of batches on which two automata differ.
 */
#ifndef NFACC_COMPILER_PROOF_COUNTEREXAMPLE_H
#define NFACC_COMPILER_PROOF_COUNTEREXAMPLE_H

#include "ir/decide/decide.h"

/* Appends the first line of a trace to b, which says how long payloads are, if the protocol has
 * them. A stream can only be read as a trace behind it. */
void counterexample_begin(const struct spec *s, struct buf *b);

/* Appends stream w to b, a batch in each line, with the times 1, 2, 3 and so on. An address or a
 * key is the first one that s observes; where a guard looks at a message, its header is printed. A
 * batch with a tick, or with the end, has the item `tick` or `end`. The text can be read as a
 * trace, but ticks come there when the time says so. */
void counterexample_print(const struct spec *s, const struct decide_stream *w, struct buf *b);

#endif
