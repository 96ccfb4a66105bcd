/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * chunks.h: damage to a trace in chunks that is hardest on whoever begins to read in its middle: at
 * the borders between chunks, with checksums that are right, and an index that is right about where
 * chunks begin.
 */
#ifndef NFACC_TESTSUITE_PROPERTY_CHUNKS_H
#define NFACC_TESTSUITE_PROPERTY_CHUNKS_H

#include "include/nfart.h"
#include "testsuite/property/gen_draw.h"

/* Puts the trace together anew from its chunks: some damaged, missing, twice, numbered wrongly, with
 * trailers and index chunks between them. Does nothing to what is no trace in chunks. */
void chunks_damage(struct gen *g, struct buf *trace);

/* Changes a bit of a time or message in one of the chunks, and its checksums with it: another trace,
 * whose file header, size, index and trailer are the same. Where that chunk is; 0: there is none. */
uint64_t chunks_change(struct gen *g, struct buf *trace);

/* Empties every third row of a dense trace: there it has no batch. */
void chunks_empty_rows(const struct nfart_proto *p, struct buf *trace);

/* Makes some batches loss records, and times equal around them: what a loss record may have, and what
 * it may not hide. */
void chunks_tie_times(struct gen *g, struct nfart_batch *b, size_t n);

#endif
