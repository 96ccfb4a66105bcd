/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * corpus.h: makes filter files from a seed, of any size, in shapes that users write.
 */
#ifndef NFACC_BENCH_CORPUS_H
#define NFACC_BENCH_CORPUS_H

#include "support/buf.h"

enum corpus {
	CORPUS_WORDS,     /* bytes: words with common beginnings and ends, at any place */
	CORPUS_GAPS,      /* bytes: letters, classes, and gaps without a certain letter */
	CORPUS_COHERENCE, /* eci: requests, answers, calls and acknowledgements in wrong orders */
	CORPUS_SEQUENCES, /* eci: events one after the other, with other messages between them */
	CORPUS_KINDS
};
extern const char *const corpus_names[CORPUS_KINDS];

/* Appends a file of n filters to b. */
void corpus_make(struct buf *b, enum corpus kind, uint32_t n, uint64_t seed);

#endif
