/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * shard.h: a run on many machines: each runs a shard and writes a file of what may matter; merging
 * them gives what one run gives.
 *
 * Note [shards]
 * A shard is pieces (piece.h), one after the other, and what merging does is joining them. Without
 * substreams shard I of N is a stretch of the trace, cut where the index says a chunk begins. It
 * begins with a guess, start states; its other pieces go on from there. With substreams a shard is
 * a part of the lines, over the whole trace. Merging compares every border and every state with what
 * is true, as several threads do, and reads and runs those pieces of the trace again that went out
 * from something else: mostly the first of a shard.
 *
 * A file is little-endian 64-bit words: a header, blocks, and a last block that tells how many there
 * are, and the CRC-32C of the headers of the chunks that the shard is made from (Note [which trace]).
 * The header is SHARD_HEADER words; the last is the CRC-32C of those before. A block is the number n of
 * its words, the words, and the CRC-32C of n and them. The first word is its kind: PIECE or END. A piece
 * is, after that:
 *
 *   border of the beginning, border of the end (7 words each: offset, sequence, flags, then the
 *   clock's last, last batch, first, first batch); until; statistics (8 words);
 *   places for records in the piece; numbers of words of the four parts that follow; batches that are
 *   logged without entry; then the engine's state before and after, the entries, and the records
 *   that entries name, each behind its place.
 *
 * Of an entry and a record see piece.h. Reading takes nothing on trust.
 *
 * Note [which trace]
 * A shard says of which trace it is by the trace's size and a checksum of its file header, its trailer
 * and where its index says that chunks are: this every shard and the merge compare. A trace that was
 * changed in place can have all of that. So the last block has, besides, a checksum of the headers of
 * the chunks in its range, each of which has the checksum of its payload; --resume compares it. That
 * takes a read of 52 bytes for each chunk of 64 KiB. A payload that changed and left its header as it
 * was is not seen; it is damage, and the shard has what stood there before. Merging does not look at
 * chunks, since one process would do it for the whole trace.
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
	SHARD_PIECE = 1, /* kinds of blocks */
	SHARD_END = 2,
	SHARD_MOST = 1 << 16,       /* shards */
	SHARD_MOST_WORDS = 1 << 26  /* of a block, or of a piece's records */
};

struct shard_key {
	uint64_t word[SHARD_HEADER];
};

/* The header that shard `number` of `total` of this run has. False: the trace is none that can be
 * sharded, *e says why. */
bool shard_key(const struct run *r, uint64_t number, uint64_t total, struct shard_key *k,
	       struct nfart_error *e);

/* ---- the trace ---- */

/* Checksums, see Note [which trace]: of the whole trace, in a pass over its index; of the headers of its
 * chunks at [from, until). False: it has no index, or can't be read. */
bool shard_trace_crc(const struct nfart_reader *r, uint64_t *crc);
bool shard_chunks_crc(const struct nfart_reader *r, uint64_t from, uint64_t until, uint64_t *crc);

/* ---- files ---- */

struct shard_file {
	FILE *f;
	const char *name;
	uint64_t *words; /* of the block at hand: n of them */
	size_t n, cap;
	uint64_t blocks; /* pieces so far */
	uint64_t chunks_crc; /* once the end was taken */
	struct shard_key key;
};

bool shard_write_key(FILE *f, const struct shard_key *k);
bool shard_write_piece(FILE *f, const struct nfart_image *im, const struct piece *p, uint32_t part);
bool shard_write_end(FILE *f, uint64_t blocks, uint64_t chunks_crc);

/* Opens a file and takes its header. False: *e says why; shard_close() in every case. */
bool shard_open(struct shard_file *s, const char *name, struct nfart_error *e);
void shard_close(struct shard_file *s);

/* Takes the next block. 1: a piece; 0: the end, which is where it should be; -1: *e says why. */
int shard_next(struct shard_file *s, struct nfart_error *e);

/* The piece at hand becomes p, with what was found as that of `part`; records of p that are there
 * already stay. False: out of memory, or malformed: *e says so. */
bool shard_take_piece(const struct shard_file *s, const struct nfart_image *im, struct piece *p,
		      uint32_t part, struct nfart_error *e);

/* ---- runs ---- */

/* Runs shard `number` of `total` and writes it to f. NFART_PARTIAL: interrupted; the file is of no
 * use. */
enum nfart_status shard_run(struct run *r, uint64_t number, uint64_t total, FILE *f,
			    struct nfart_error *e);

/* Is there a file `name` with all of this shard, made from the trace as it is? */
bool shard_done(const struct run *r, const char *name, uint64_t number, uint64_t total);

/* run_all() from the n files, which are all the shards of r in any order. */
enum nfart_status shard_merge(struct run *r, const char *const *names, uint32_t n,
			      struct nfart_error *e);

#endif
