/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * border.h: the borders between the pieces of a chunked trace, and the index that proposes them.
 *
 * Note [borders]
 * A border is the state of a reader between two chunks. Threads and shards read pieces of a trace at the
 * same time, so most of them begin before the piece in front of theirs has been read. The index says where
 * chunks begin; a reader that gets there from the start of an undamaged trace is in the state that
 * trace_border_guess() makes up. A piece is read from this guess, and trace_border_follows() checks the
 * guess once the true border is known. A wrong index therefore costs time, but changes nothing that is read.
 */
#ifndef NFART_TRACE_BORDER_H
#define NFART_TRACE_BORDER_H

#include "runtime/trace/reader.h"

struct trace_border {
	uint64_t offset;   /* of the next byte to read */
	uint32_t sequence; /* of the chunk that should come next */
	bool closed, scanning, vague; /* as in read_chunks.c */
	struct trace_clock clock;
};

/* The border where r is now: between two chunks. */
void reader_border(const struct nfart_reader *r, struct trace_border *b);

/* The border at `offset` if nothing before it is damaged. */
struct trace_border trace_border_guess(uint64_t offset, uint32_t sequence);

/* A piece was read from the guess `entry` to `exit`. Would it have been read the same from the true
 * border `before`? Then *exit becomes what it would have been. */
bool trace_border_follows(const struct trace_border *before, const struct trace_border *entry,
			  struct trace_border *exit);

/* A second reader of the same trace, which is chunked and seekable; r must outlive it. Each thread may have
 * its own. It reads nothing before reader_enter(). NULL: out of memory. */
struct nfart_reader *reader_another(const struct nfart_reader *r);

/* Puts the reader at border b, with empty statistics. It ends at the first border at or after `until`. */
void reader_enter(struct nfart_reader *r, const struct trace_border *b, uint64_t until);

/* Goes over the index of a chunked trace, entry by entry, beside the trace's reader. */
struct trace_index {
	struct input in;
	uint64_t end;  /* offset where the data chunks end: entries are below it */
	uint64_t last; /* offset in the last entry taken */
	uint32_t n;    /* entries taken */
	uint32_t left; /* entries left in the current index chunk */
};

/* False: no seekable chunked trace, or its trailer is damaged; close in every case. */
bool trace_index_open(struct trace_index *ix, const struct nfart_reader *r);
void trace_index_close(struct trace_index *ix);

/* The next chunk's offset; its sequence is ix->n - 1 then. False: the end, or damage. */
bool trace_index_next(struct trace_index *ix, uint64_t *offset);

#endif
