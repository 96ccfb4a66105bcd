/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * chunks.h: damage to a trace in chunks. It is the damage that is hardest for a reader that begins
 * in the middle of the trace: at the borders between chunks, with right checksums, and with an
 * index that is right about where chunks begin.
 */
#ifndef NFACC_TESTSUITE_PROPERTY_CHUNKS_H
#define NFACC_TESTSUITE_PROPERTY_CHUNKS_H

#include "include/nfart.h"
#include "testsuite/property/gen_draw.h"

/* Repair the checksums of the chunk whose header is at h: that of its header, or that of its
 * payload and that of its header. */
void chunk_seal(unsigned char *h);
void chunk_seal_all(unsigned char *h);

/* Appends an index chunk with an entry for each of n chunks, which begin at offset[i]. Returns
 * where it is. */
size_t chunks_add_index(struct buf *out, const uint64_t *offset, size_t n, uint32_t sequence);

/* Appends a trailer: where the index begins, how many entries it has, and how many chunks are
 * before the trailer. */
void chunks_add_trailer(struct buf *out, uint64_t index, uint64_t entries, uint32_t sequence);

/* Makes the trace anew from its chunks. Some are damaged, missing, doubled or numbered wrongly, and
 * trailers and index chunks stand between them. Leaves data that is no trace in chunks as it is. */
void chunks_damage(struct gen *g, struct buf *trace);

/* Changes a bit of a time or a message in one chunk, and corrects the chunk's checksums. The result
 * is a valid trace with the same file header, size, index and trailer. Returns the offset of the
 * changed chunk, or 0 if no chunk can be changed. */
uint64_t chunks_change(struct gen *g, struct buf *trace);

/* Empties every third row of a dense trace, so that it has no batch there. */
void chunks_empty_rows(const struct nfart_proto *p, struct buf *trace);

/* Makes some batches loss records, and makes times around loss records equal. A loss record may
 * have the time of a neighbour, but it must not hide a wrong time of a batch. */
void chunks_tie_times(struct gen *g, struct nfart_batch *b, size_t n);

#endif
