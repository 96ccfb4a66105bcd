/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * border.h: the borders between the pieces of a chunked trace, and the index that proposes them.
 *
 * Note [borders]
 * A *border* is the state of a reader between two chunks. Threads and shards read pieces of a trace
 * at the same time, so most of them begin before the piece in front of theirs has been read. The
 * index says where chunks begin. There trace_border_guess() makes up a border: the state that a
 * reader has if nothing before this place is damaged. A piece is read from this guess. When the
 * true border is known, trace_border_follows() checks the guess. So a wrong index costs time, but
 * never changes what is read.
 */
#ifndef NFART_TRACE_BORDER_H
#define NFART_TRACE_BORDER_H

#include "runtime/trace/reader.h"

struct trace_border {
	uint64_t offset;   /* where in the trace the next byte to read is */
	uint32_t sequence; /* the number of the chunk that should come next */
	bool closed,       /* the trailer was seen */
	     scanning,     /* the reader is looking for the next good chunk header */
	     vague;        /* the last loss covers all up to the next good chunk */
	struct trace_clock clock;
	/* That loss began before the part that is wanted, and was not told. Shards have no parts,
	 * so their files don't have this. */
	bool owed;
};

/* Writes the border at which r is now to *b. r must be between two chunks. */
void reader_border(const struct nfart_reader *r, struct trace_border *b);

/* Returns the border at `offset`, where chunk number `sequence` begins, as it is if nothing before
 * `offset` is damaged. */
struct trace_border trace_border_guess(uint64_t offset, uint32_t sequence);

/* A piece was read from the guess `entry`, and its reading ended at `exit`. Returns whether it
 * would have been read the same from the true border `before`. If so, *exit becomes the border at
 * which the reading from `before` would have ended. */
bool trace_border_follows(const struct trace_border *before, const struct trace_border *entry,
			  struct trace_border *exit);

/* Makes a second reader of the trace that r reads, so that each thread can have its own. The trace
 * must be chunked and seekable. r must outlive the second reader, which must not read before
 * reader_enter() was called. NULL: out of memory. */
struct nfart_reader *reader_another(const struct nfart_reader *r);

/* Puts the reader at border b, with empty statistics. It will end at the first border at or after
 * the offset `until`. */
void reader_enter(struct nfart_reader *r, const struct trace_border *b, uint64_t until);

/* Reads the index of a chunked trace, entry by entry. It has its own view of the trace, so the
 * trace's reader is not disturbed. */
struct trace_index {
	struct input in;
	uint64_t end;  /* the offset where the data chunks end: all entries must be below it */
	uint64_t last; /* the offset in the last entry taken */
	uint64_t time; /* the time of that chunk's first record */
	uint32_t n;    /* how many entries were taken */
	uint32_t left; /* how many entries are left in the current index chunk */
};

/* Opens the index of the trace that r reads. False: the trace is not chunked or not seekable, or
 * its trailer is damaged. Of the whole trace all entries come, whatever part of it is wanted. The
 * caller must call trace_index_close() in every case. */
bool trace_index_open(struct trace_index *ix, const struct nfart_reader *r);
void trace_index_close(struct trace_index *ix);

/* Takes the next entry: *offset is where a chunk begins, and ix->n - 1 is then that chunk's number.
 * False: there are no more entries, or the index is damaged. */
bool trace_index_next(struct trace_index *ix, uint64_t *offset);

/* Finds by the index where the chunks are that have the part of the trace that r is to read
 * (reader.h, Note [parts]). *entry becomes a border before the part, from which on it can be read,
 * and *until an offset at which it has ended: `after`, the end of the file header, and UINT64_MAX
 * if nothing better is known. Both were compared with the headers of the chunks there, so a wrong
 * index does no harm. Cost: linear in the index up to the end of the part, some 1/2700 of the
 * trace. */
void trace_part_find(const struct nfart_reader *r, uint64_t after, struct trace_border *entry,
		     uint64_t *until);

#endif
