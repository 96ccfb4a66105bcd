/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * shard.h: a run on several machines. Each machine runs a shard of the trace and writes a file of
 * what may matter to the result. Merging these files gives what a single run gives.
 *
 * Note [shards]
 * A shard is a sequence of pieces (piece.h), and merging combines them. Without substreams shard I
 * of N is the I-th of N parts of the trace, which are cut where the index says that a chunk begins.
 * Its first piece begins with a guess, the start states. Each other piece continues from the piece
 * before it. With substreams a shard is a share of the lines, over the whole trace. Merging
 * compares every border and every state with the true one, as threads do. A piece that began with a
 * wrong border or state is read and run again. Mostly this is the first piece of a shard.
 *
 * Ticks and the end depend on the batches before them, which another shard may have. So the shards
 * of an image with a time slot (image.h, Note [letters]) are empty, and merging them runs the whole
 * trace.
 *
 * A file is little-endian 64-bit words:
 *
 *   header                SHARD_HEADER words; the last is the CRC-32C of the others
 *   section, section, …   each is the number n of its words, the n words, and the CRC-32C of these
 *                         n + 1 words
 *
 * The first word of a section is its kind. There is one section for each piece, and then one of
 * kind SHARD_END: the number of pieces, and the CRC-32C of the headers of the chunks that the shard
 * is made from (Note [which trace]). The section of a piece has:
 *
 *   - SHARD_PIECE;
 *   - the border where it begins and the border where it ends, 7 words each: offset, sequence,
 *     flags, and the fields last, last_batch, first and first_batch of the clock;
 *   - piece_source.until;
 *   - the statistics, 8 words;
 *   - the piece_ref after its last record;
 *   - how many words each of the four parts at the end has;
 *   - how many logged batches have no entry;
 *   - the four parts: the engine's state before the piece; its state after it; the entries; and the
 *     records that the entries name, each after its piece_ref.
 *
 * piece.h describes entries and records. Whoever reads a file trusts nothing in it.
 *
 * Note [which trace]
 * A shard identifies its trace by the trace's size and by a checksum of its file header, its
 * trailer and the places of chunks in its index. Every shard and the merge compare these. But a
 * trace that was changed in place can still have all of them. So the last section also has a
 * checksum of the headers of the chunks in the shard's range, each of which holds the checksum of
 * its payload; --resume compares that. This comparison reads 52 bytes for each chunk of 64 KiB. If
 * a payload changed while its header did not, this goes unnoticed: such a chunk is damaged, and the
 * shard has what was there before. Merging does not compare chunks, since one process would have to
 * do it for the whole trace.
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
	SHARD_AT_TRACE_CRC,  /* CRC-32C of the trace's file header, trailer and index */
	/* The options as bits. Bit 0: `lines`; 1: reset_on_loss; 2: has_substream; 3: `strict`; 4:
	 * there are substreams; 5: keep_on_loss. */
	SHARD_AT_OPTIONS,
	SHARD_AT_BASE,
	SHARD_AT_COUNT,
	SHARD_AT_PIECE,      /* bytes of the trace in a piece */
	SHARD_AT_CRC,
	SHARD_HEADER
};

enum {
	SHARD_VERSION = 2,
	SHARD_PIECE = 1, /* kind of a section that has a piece */
	SHARD_END = 2,   /* kind of the last section of a file */
	SHARD_MOST = 1 << 16,       /* the most shards */
	/* the most words in a section, and the greatest n of a piece_ref */
	SHARD_MOST_WORDS = 1 << 26
};

struct shard_key {
	uint64_t word[SHARD_HEADER];
};

/* Fills *k with the header of the file of shard `number` of `total`. False: the trace can't be
 * sharded, *e says why. */
bool shard_key(const struct run *r, uint64_t number, uint64_t total, struct shard_key *k,
	       struct nfart_error *e);

/* ---- the trace ---- */

/* Returns the offset at which shard i of `total` should begin in a trace whose chunks are at
 * [begin, end). The shard then begins with the first chunk at or after this offset. */
uint64_t shard_target(uint64_t begin, uint64_t end, uint64_t i, uint64_t total);

/* Compute the two checksums of Note [which trace]. shard_trace_crc() computes that of the whole
 * trace, in one pass over its index. shard_chunks_crc() computes that of the headers of the chunks
 * at offsets from `from` up to `until`. False: the trace has no index, or can't be read. */
bool shard_trace_crc(const struct nfart_reader *r, uint64_t *crc);
bool shard_chunks_crc(const struct nfart_reader *r, uint64_t from, uint64_t until, uint64_t *crc);

/* Finds where shard `number` of `total` is in the trace that r reads, of which nothing was read:
 * *entry becomes the border where it begins, a guess unless it is the first one, and *until the
 * offset where it ends. False: the shard is empty, or the trace has no index. Cost: linear in the
 * index. */
bool shard_part(const struct nfart_reader *r, uint64_t number, uint64_t total,
		struct trace_border *entry, uint64_t *until);

/* ---- files ---- */

/* How many words a border and statistics have in a file. Those of a reader's damage are left
 * out. */
enum { SHARD_BORDER = 7, SHARD_STATS = 8 };

/* Append them to b, and take them from w. The latter return where the next word is. */
void shard_add_border(struct buf *b, const struct trace_border *x);
void shard_add_stats(struct buf *b, const struct nfart_reader_stats *s);
const uint64_t *shard_take_border(const uint64_t *w, struct trace_border *x);
const uint64_t *shard_take_stats(const uint64_t *w, struct nfart_reader_stats *s);

struct shard_file {
	FILE *f;
	const char *name;
	uint64_t *words; /* [n + 2], the current section: n, its n words, its CRC */
	size_t n, cap;
	uint64_t pieces; /* pieces read so far */
	uint64_t chunks_crc; /* checksum in the last section of the file, after that was read */
	struct shard_key key;
};

bool shard_write_key(FILE *f, const struct shard_key *k);
bool shard_write_piece(FILE *f, const struct nfart_image *im, const struct piece *p,
		       uint32_t share);
bool shard_write_end(FILE *f, uint64_t pieces, uint64_t chunks_crc);

/* Opens a file and reads its header. False: *e says why. Call shard_close() in either case. */
bool shard_open(struct shard_file *s, const char *name, struct nfart_error *e);
void shard_close(struct shard_file *s);

/* Reads the next section. Returns 1 if it is a piece; 0 if it is the last section and the file ends
 * with it; -1 on an error, *e says why. */
int shard_next(struct shard_file *s, struct nfart_error *e);

/* Makes p the piece in the current section. What the shard found becomes p->found[share]. Records
 * that p already has remain. False: out of memory, or the section is malformed; *e says which. */
bool shard_take_piece(const struct shard_file *s, const struct nfart_image *im, struct piece *p,
		      uint32_t share, struct nfart_error *e);

/* ---- runs ---- */

/* Runs shard `number` of `total` and writes its file to f. NFART_PARTIAL: it was interrupted, and
 * the file is useless. On an error *e says why. */
enum nfart_status shard_run(struct run *r, uint64_t number, uint64_t total, FILE *f,
			    struct nfart_error *e);

/* Does the file `name` hold all of this shard, made from the trace as it is now? */
bool shard_done(const struct run *r, const char *name, uint64_t number, uint64_t total);

/* Does what run_all() does, but from the files of shards. `names` has the n files of all shards of
 * run r, in any order. */
enum nfart_status shard_merge(struct run *r, const char *const *names, uint32_t n,
			      struct nfart_error *e);

#endif
