/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * corpus.h: filter files made up by a seed, as large as asked for, of the shapes that users write.
 */
#ifndef NFACC_BENCH_CORPUS_H
#define NFACC_BENCH_CORPUS_H

#include "support/buf.h"

enum corpus {
	CORPUS_WORDS,     /* bytes: words that share beginnings and ends, anywhere */
	CORPUS_GAPS,      /* bytes: letters, classes and gaps that exclude a letter */
	CORPUS_COHERENCE, /* eci: requests, answers, calls and their acknowledgements, out of order */
	CORPUS_SEQUENCES, /* eci: events in a row, each with other things between them */
	CORPUS_KINDS
};
extern const char *const corpus_names[CORPUS_KINDS];

/* Appends a file of n filters. */
void corpus_make(struct buf *b, enum corpus kind, uint32_t n, uint64_t seed);

#endif
