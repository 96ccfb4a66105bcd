/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * shard.h: a run on several machines. Each machine runs a shard and writes a file of what may
 * matter to the result. Merging the files gives what a single run gives.
 *
 * Note [shards]
 * A shard is pieces (piece.h), one after the other, and merging combines them. Without substreams
 * shard I of N is the I-th N-th of the trace, cut where the index says that a chunk begins. Its
 * first piece begins with a guess, the start states; each other piece continues from the one
 * before. With substreams a shard is a share of the lines, over the whole trace. Merging compares
 * every border and every state with the true one, as threads do. It reads and runs again those
 * pieces that began with something else, mostly the first of a shard.
 *
 * A file is little-endian 64-bit words:
 *
 *   header                SHARD_HEADER words; the last is the CRC-32C of the others
 *   section, section, …   each: the number n of its words; the words; the CRC-32C of n and the words
 *
 * The first word of a section is its kind. There is one section for each piece, and then SHARD_END:
 * the number of pieces, and the CRC-32C of the headers of the chunks that the shard is made from
 * (Note [which trace]). The section of a piece has:
 *
 *   SHARD_PIECE; the border where it begins and the border where it ends, 7 words each (offset,
 *   sequence, flags, and of the clock: last, last batch, first, first batch); `until`; the statistics, 8
 *   words; the piece_ref after its last record; how many words the four parts below have; how many
 *   logged batches have no entry;
 *   then the engine's state before the piece; its state after it; the entries; and the records that the
 *   entries name, each after its piece_ref.
 *
 * piece.h describes entries and records. Whoever reads a file trusts nothing in it.
 *
 * Note [which trace]
 * A shard identifies its trace by the trace's size and by a checksum of its file header, its
 * trailer and the places of chunks in its index. Every shard and the merge compare these. But a
 * trace that was changed in place can still have all of them. So the last section also has a
 * checksum of the headers of the chunks in the shard's range, each of which holds the checksum of
 * its payload; --resume compares that. It takes a read of 52 bytes for each chunk of 64 KiB. A
 * payload that changed while its header did not goes unnoticed: it is damage, and the shard has
 * what was there before. Merging does not compare chunks, since one process would have to do it for
 * the whole trace.
 */
#ifndef NFART_SHARD_H
#define NFART_SHARD_H

#include "include/nfart.h"
#include "runtime/run/combine.h"

#define SHARD_MAGIC "\211nfshard"

enum shard_word {
	SHARD_AT_MAGIC,
	SHARD_AT_VERSION,
	SHARD_AT_NUMBER,
	SHARD_AT_TOTAL,
	SHARD_AT_IMAGE_SIZE,
	SHARD_AT_IMAGE_CRC,
	SHARD_AT_TRACE_SIZE,
	SHARD_AT_TRACE_CRC,  /* of its file header, trailer and index */
	SHARD_AT_OPTIONS,    /* bits: lines, reset on loss, substream given, strict, by line */
	SHARD_AT_BASE,
	SHARD_AT_COUNT,
	SHARD_AT_PIECE,      /* bytes of the trace in a piece */
	SHARD_AT_CRC,
	SHARD_HEADER
};

enum {
	SHARD_VERSION = 2,
	SHARD_PIECE = 1, /* kinds of sections */
	SHARD_END = 2,
	SHARD_MOST = 1 << 16,       /* shards */
	SHARD_MOST_WORDS = 1 << 26  /* of a section, or of the records of a piece */
};

struct shard_key {
	uint64_t word[SHARD_HEADER];
};

/* Makes the header of shard `number` of `total`. False: the trace can't be sharded, *e says why. */
bool shard_key(const struct run *r, uint64_t number, uint64_t total, struct shard_key *k,
	       struct nfart_error *e);

/* ---- the trace ---- */

/* Checksums, see Note [which trace]: of the whole trace, by one pass over its index; of the headers
 * of the chunks at [from, until). False: the trace has no index, or can't be read. */
bool shard_trace_crc(const struct nfart_reader *r, uint64_t *crc);
bool shard_chunks_crc(const struct nfart_reader *r, uint64_t from, uint64_t until, uint64_t *crc);

/* ---- files ---- */

struct shard_file {
	FILE *f;
	const char *name;
	uint64_t *words; /* [n]: of the current section */
	size_t n, cap;
	uint64_t pieces; /* so far */
	uint64_t chunks_crc; /* known after the last section */
	struct shard_key key;
};

bool shard_write_key(FILE *f, const struct shard_key *k);
bool shard_write_piece(FILE *f, const struct nfart_image *im, const struct piece *p,
		       uint32_t share);
bool shard_write_end(FILE *f, uint64_t pieces, uint64_t chunks_crc);

/* Opens a file and reads its header. False: *e says why; shard_close() in every case. */
bool shard_open(struct shard_file *s, const char *name, struct nfart_error *e);
void shard_close(struct shard_file *s);

/* Reads the next section. 1: it is a piece; 0: it is the end, where it should be; -1: *e says
 * why. */
int shard_next(struct shard_file *s, struct nfart_error *e);

/* Makes p the current piece of the file; what was found becomes p->found[share]. Records that p
 * already has remain. False: out of memory, or malformed; *e says which. */
bool shard_take_piece(const struct shard_file *s, const struct nfart_image *im, struct piece *p,
		      uint32_t share, struct nfart_error *e);

/* ---- runs ---- */

/* Runs shard `number` of `total` and writes it to f. NFART_PARTIAL: it was interrupted; the file is
 * useless. */
enum nfart_status shard_run(struct run *r, uint64_t number, uint64_t total, FILE *f,
			    struct nfart_error *e);

/* Does the file `name` hold all of this shard, made from the trace as it is now? */
bool shard_done(const struct run *r, const char *name, uint64_t number, uint64_t total);

/* As run_all(), from the n files, which are all shards of r in any order. */
enum nfart_status shard_merge(struct run *r, const char *const *names, uint32_t n,
			      struct nfart_error *e);

#endif
