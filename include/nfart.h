/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfart.h: the nfacc runtime library. Loads the images nfacc writes, executes them over batches of
 * messages in software, and reads and writes traces.
 *
 * There is no global state: every object stands alone, and different objects may be used by
 * different threads at once. Nothing here prints or exits. Pointer arguments are borrowed for the
 * call unless a function says "takes"; what a function returns is the caller's to free with the
 * function named beside it. All times are in clock cycles of the tap, all addresses are byte
 * addresses of lines as they stand in message headers.
 *
 * What a call costs is said with it; where nothing is said it is constant, and linear in what is
 * freed for the functions that free. An image is only read once it is loaded, so any number of engines
 * and filters share one; each of these, and each reader, writer and window, is one thread's at a time.
 */
#ifndef NFART_H
#define NFART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "nfart_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. A number for comparisons: 10203 is 1.2.3. */
#define NFART_VERSION_MAJOR 0
#define NFART_VERSION_MINOR 1
#define NFART_VERSION_PATCH 0
#define NFART_VERSION (NFART_VERSION_MAJOR * 10000 + NFART_VERSION_MINOR * 100 + NFART_VERSION_PATCH)

/* NFART_VERSION of the library, which may be a later one than this header. */
uint32_t nfart_version(void);

enum { NFART_SLOTS = 64 }; /* the most slots a protocol can have */

/* ---- protocols ------------------------------------------------------------------------------ */

/* The table of slots, opcodes and names that an image carries (opaque). Borrowed from its image. */
struct nfart_proto;

const char *nfart_proto_name(const struct nfart_proto *p);
uint32_t nfart_proto_nslots(const struct nfart_proto *p);

/* The slot called `name`, as in "cpu@6" or "b"; -1: there is none. Cost: linear in the slots. */
int nfart_proto_slot(const struct nfart_proto *p, const char *name);

/* Writes the name of a slot into out, cut off at n bytes. False: there is no such slot. */
bool nfart_proto_slot_name(const struct nfart_proto *p, uint32_t slot, char *out, size_t n);

/* The header of a message of type `type` ("MREQ_RLDD") in a slot, for the line at byte address
 * `address` (0 where the type has none). False: the slot never carries that type, the type has no
 * address and one is given, or it is not the address of a line. Cost: linear in the protocol's types
 * and opcodes. */
bool nfart_proto_header(const struct nfart_proto *p, uint32_t slot, const char *type,
			uint64_t address, uint64_t *header);

/* The name of a message's type, NULL where its opcode has none in this slot; and its line's byte
 * address (false: it has none). */
const char *nfart_proto_type(const struct nfart_proto *p, uint32_t slot, uint64_t header);
bool nfart_proto_address(const struct nfart_proto *p, uint32_t slot, uint64_t header,
			 uint64_t *address);

/* ---- batches -------------------------------------------------------------------------------- */

/* What arrives in one clock cycle, or a loss record (nfacc-trace(5)). */
struct nfart_batch {
	uint64_t time;
	uint64_t mask; /* bit s: a message in slot s. 0: this is a loss record. Bits of
				       * slots that the protocol lacks are ignored by the engine */
	uint64_t lost; /* of a loss record: how many messages, or NFART_LOST_UNKNOWN */
	bool damaged;                 /* two messages of one slot stood at one time in the source */
	uint64_t header[NFART_SLOTS]; /* valid where mask has the slot's bit */
};
#define NFART_LOST_UNKNOWN UINT64_MAX

/* One accepting line of a batch, for --lines. */
struct nfart_line {
	uint32_t label;   /* index of the label in the image's order */
	uint64_t address; /* byte address of the line */
};

/* What the filters say of one batch. Borrowed from the engine until its next call. */
struct nfart_result {
	const uint64_t *labels;         /* bit l: label l accepts; (nlabels + 63) / 64 words */
	uint32_t nlabels;
	bool accepted;                  /* some label is set */
	bool logged;
	const struct nfart_line *lines; /* by label, then address; only where they were asked for */
	size_t nlines;                  /* and the image has substreams */
	bool by_line;                   /* lines are to be shown in place of labels */
};

/* ---- reading traces ------------------------------------------------------------------------- */

enum nfart_format {
	NFART_FORMAT_AUTO,    /* from the first bytes */
	NFART_FORMAT_TEXT,    /* batch text, .bt */
	NFART_FORMAT_RECORDS, /* the record form as a plain stream */
	NFART_FORMAT_COMPACT, /* records in chunks with a CRC each, and an index */
	NFART_FORMAT_DENSE,   /* every slot in every batch, in chunks */
	NFART_FORMAT_ILA,     /* Vivado logic analyser CSV */
	NFART_FORMAT_DUMP,    /* raw 128-bit samples */
	NFART_FORMAT_RAW,     /* bytes of protocol `bytes` */
	NFART_FORMAT_JSON,    /* one object a line; output only */
	NFART_FORMAT_CSV      /* one message a row; output only */
};

/* The name a format has on the command line ("text", "records", "compact", "dense", "ila", "dump",
 * "raw", "json", "csv"), and back (false: no such name). */
const char *nfart_format_name(enum nfart_format f);
bool nfart_format_parse(const char *name, enum nfart_format *f);

/* What a reader has mapped of a file. If another process truncates the file meanwhile, reading what is gone
 * raises SIGBUS: a program that lets readers map files catches it. */
struct nfart_mapping {
	volatile uintptr_t begin, end; /* kept by the reader; both 0: nothing is mapped */
};

/* For a SIGBUS handler (async-signal-safe): is `address` (siginfo's) in the mapping? Then zeros are mapped
 * there, the interrupted code can go on, and the reader will report a trace that was cut off. False: this
 * SIGBUS has another cause. */
bool nfart_mapping_fill(const struct nfart_mapping *m, const void *address);

struct nfart_reader_options {
	enum nfart_format format;
	bool unchecked;        /* payload CRCs of chunks are not compared */
	bool strict;           /* a bad chunk is an error, not a loss record */
	bool has_ring_start;   /* ring_start counts samples from 0 */
	bool as_is;            /* nothing is decompressed, whatever the first bytes look like */
	uint64_t ring_start;   /* where the oldest sample of a ring stands */
	const char *map; /* JSON text that says what sources mean (ila, dump); NULL: built in */
	const char *map_name;  /* of that text, for errors; may be NULL */
	void (*wait)(void *ctx); /* called before a read from a pipe, which may block; or NULL */
	void *wait_ctx;
	/* Not NULL: the rows of a dense trace in a file are filtered in the page cache, without a copy; the
	 * caller has a SIGBUS handler as above. If another process overwrites the rows meanwhile, what it
	 * writes may be filtered. Outlives the reader; each reader has its own. */
	struct nfart_mapping *mapping;
};

struct nfart_reader_stats {
	uint64_t batches, messages; /* read so far */
	uint64_t losses;            /* loss records */
	uint64_t lost;              /* messages they count */
	bool lost_unknown;          /* some loss record had no count */
	uint64_t damaged;           /* batches begun because a slot came twice at one time */
	uint64_t bad_chunks;        /* chunks whose CRC was wrong */
	uint64_t bytes;             /* consumed from the source */
	uint64_t size;              /* of the source; 0: not known (a pipe) */
	const char *damage;         /* NULL, or why compressed input ended before its end */
};

struct nfart_reader;

/* Opens the file at `path` (NULL or "-": standard input), or the n bytes at p, which must outlive
 * the reader. NULL on failure, *e says why. Constant memory in the trace's length, except that a
 * ring (ila, dump) is read from a seekable file. Input that is compressed (gzip, zstd) is decompressed as it
 * is read, in some 128 MiB at most; its first bytes tell. Where it is damaged or cut off the trace ends with a
 * loss record (with options.strict: an error). Cost: the first bytes are read; of a capture (ila, dump) all,
 * to find the ring's beginning. Free with nfart_reader_free(). */
struct nfart_reader *nfart_reader_open(const char *path, const struct nfart_proto *p,
				       const struct nfart_reader_options *o, struct nfart_error *e);
struct nfart_reader *nfart_reader_memory(const void *p, size_t n, const char *name,
					 const struct nfart_proto *proto,
					 const struct nfart_reader_options *o,
					 struct nfart_error *e);
void nfart_reader_free(struct nfart_reader *r);

/* The next batch or loss record: 1 and *b filled; 0 at the end; -1 on an error, *e filled. Cost:
 * linear in the record's bytes; a chunk is checked as a whole before its first record. */
int nfart_reader_next(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e);

const struct nfart_reader_stats *nfart_reader_stats(const struct nfart_reader *r);
enum nfart_format nfart_reader_format(const struct nfart_reader *r);

/* ---- writing traces ------------------------------------------------------------------------- */

struct nfart_writer;

struct nfart_writer_options {
	enum nfart_format format;
	const char *const *labels; /* nlabels names, borrowed while the writer lives */
	uint32_t nlabels;
	bool with_labels; /* text: print `[…]` (a filter's output has it, a trace has not) */
};

/* Writes to f, which stays the caller's and must stay open until nfart_writer_close().
 * NULL where the format can't carry the protocol (dense without idle, raw) or memory is short. */
struct nfart_writer *nfart_writer_new(FILE *f, const struct nfart_proto *p,
				      const struct nfart_writer_options *o, struct nfart_error *e);

/* Appends a batch with its result (NULL: none), or a loss record. False: an error in f or memory,
 * which nfart_writer_close() reports. Cost: linear in messages, labels and lines; a full chunk is
 * written at once. */
bool nfart_writer_put(struct nfart_writer *w, const struct nfart_batch *b,
		      const struct nfart_result *r);

/* Writes what is left (index, last chunk) and frees w; NULL is fine. f is flushed, not closed. */
enum nfart_status nfart_writer_close(struct nfart_writer *w, struct nfart_error *e);

enum nfart_compression { NFART_COMPRESSION_NONE, NFART_COMPRESSION_GZIP, NFART_COMPRESSION_ZSTD };

/* The compression that the ending of a file's name stands for: `.gz`, `.zst`, or none. */
enum nfart_compression nfart_compression_of_name(const char *path);

/* A stream for a writer, or anything else, that writes what comes to f, compressed. fclose() completes it
 * and says whether all was written; f is neither flushed nor closed. NULL: memory is short, or `how` is
 * NFART_COMPRESSION_NONE. */
FILE *nfart_compress_open(FILE *f, enum nfart_compression how, struct nfart_error *e);

/* ---- images --------------------------------------------------------------------------------- */

struct nfart_image;

/* Verifies and decodes the n bytes of a cfg.bin. NULL on failure. Every changed bit and every
 * truncation is refused. Cost: linear in n and in the states, predecessors and predicates that it
 * describes. Free with nfart_image_free(). */
struct nfart_image *nfart_image_load(const void *p, size_t n, const char *name,
				     struct nfart_error *e);
struct nfart_image *nfart_image_open(const char *path, struct nfart_error *e);
void nfart_image_free(struct nfart_image *im);

const struct nfart_proto *nfart_image_proto(const struct nfart_image *im);
uint32_t nfart_image_nlabels(const struct nfart_image *im);
const char *const *nfart_image_labels(const struct nfart_image *im);
uint64_t nfart_image_window(const struct nfart_image *im);
uint64_t nfart_image_limit(const struct nfart_image *im); /* 0: none */
uint32_t nfart_image_nstates(const struct nfart_image *im);

/* ---- the engine ----------------------------------------------------------------------------- */

struct nfart_engine;

struct nfart_engine_options {
	bool lines;           /* fill nfart_result.lines */
	bool has_substream;   /* base and count below replace the image's */
	uint64_t base, count; /* byte address of the first line, number of lines */
	bool reset_on_loss;
};

/* An engine in its start states. The image must outlive it. NULL: *e says why (a substream above
 * what the overlay provides is NFART_NOFIT). Cost: linear in the image, and in opcodes times
 * predicates; lines cost nothing before they are seen. Free with nfart_engine_free(). */
struct nfart_engine *nfart_engine_new(const struct nfart_image *im,
				      const struct nfart_engine_options *o, struct nfart_error *e);
void nfart_engine_free(struct nfart_engine *en);

/* Every copy back to its start states. */
void nfart_engine_reset(struct nfart_engine *en);

/* One batch (or loss record: then *r says nothing accepted). False: out of memory. The cost is
 * one step per line the batch touches: active states times their successors. */
bool nfart_engine_step(struct nfart_engine *en, const struct nfart_batch *b,
		       struct nfart_result *r);

/* ---- windows, limit ------------------------------------------------------------------------- */

/* Decides which batches are output (window and limit in nfacc-filter(5)), with at most `window` batches
 * held back. */
struct nfart_window;

/* What is called for every record that is output, in order. False stops with an error. */
typedef bool nfart_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r);

/* limit 0: none. NULL: out of memory. Free with nfart_window_free(). */
struct nfart_window *nfart_window_new(uint64_t window, uint64_t limit, nfart_sink *sink, void *ctx);
void nfart_window_free(struct nfart_window *w);

/* Takes in the next record with its result. A record is passed to the sink as soon as it is
 * decided. False: out of memory, or the sink failed. Cost: linear in its messages; each record is held
 * and passed on at most once. */
bool nfart_window_put(struct nfart_window *w, const struct nfart_batch *b,
		      const struct nfart_result *r);

/* True once the limit is reached: nothing more will be output. */
bool nfart_window_full(const struct nfart_window *w);

/* The end of the stream: what is held is decided. Loss records still held are passed on. Cost: linear
 * in what is held. */
bool nfart_window_end(struct nfart_window *w);

/* ---- filtering at speed --------------------------------------------------------------------- */

/*
 * Engine and window in one, over many batches at a time: the same results as stepping an engine and
 * putting each result into a window, sooner. States are determinised as they are met, in tables of
 * at most 48 MiB; what does not fit there is stepped as words of states, which takes some 100 bytes for
 * each state, and where there are counters as the engine does. So is what has more than 64 counters.
 * Memory does not grow with the trace; with substreams it takes 4 bytes for each line observed and up to
 * 8 more for each line seen. Above 2^26 lines, or where lines stand in too many different sets of states,
 * it takes for each line seen what an engine does; so it does for each line whose counters counted.
 */
struct nfart_filter;

/* Which instructions a filter uses; the results are the same. */
enum nfart_simd { NFART_SIMD_BEST, NFART_SIMD_PORTABLE, NFART_SIMD_AVX2, NFART_SIMD_AVX512 };

/* The best this processor has; a level's name. */
enum nfart_simd nfart_simd_best(void);
const char *nfart_simd_name(enum nfart_simd level);

struct nfart_filter_options {
	struct nfart_engine_options engine;
	nfart_sink *sink;     /* called for what is output, in order; NULL: only count */
	void *ctx;
	enum nfart_simd simd; /* above the best of this processor: the best */
	bool stepwise;        /* no tables: every batch through nfart_engine_step() */
	bool matches;         /* keep what is accepted for nfart_filter_matches() */
};

struct nfart_filter_stats {
	uint64_t batches, accepted, logged, output;
	const uint64_t *labels; /* [labels of the image]: batches accepted with each */
};

/* A filter in its start states, with the window and limit of the image, which must outlive it.
 * NULL: *e says why, as nfart_engine_new(). Cost: as nfart_engine_new(), and linear in the lines
 * observed, up to 2^26 of them. Free with nfart_filter_free(). */
struct nfart_filter *nfart_filter_new(const struct nfart_image *im,
				      const struct nfart_filter_options *o, struct nfart_error *e);
void nfart_filter_free(struct nfart_filter *f);

/* Filters what comes next from a reader: a chunk of a dense or compact trace, a buffer of raw
 * bytes, or one record of any other form. 1: go on; 0: the end of the trace, or of interest in it
 * (the limit is reached); -1: *e says why. Cost: a few table look-ups a message and one a batch;
 * the memory's speed for dense traces. */
int nfart_filter_read(struct nfart_filter *f, struct nfart_reader *r, struct nfart_error *e);

/* Filters one batch or loss record; n rows of the dense form (trace format dense: 64-bit time,
 * then a header for each slot, idle ones included, little-endian); n bytes of protocol bytes, the
 * first of which has this time. Nothing is checked: times must rise and headers be ones that the
 * protocol has. False: out of memory, or the sink failed, or (rows, bytes) the protocol has no such
 * form. Cost: put as one engine step at most; rows and bytes as nfart_filter_read(). */
bool nfart_filter_put(struct nfart_filter *f, const struct nfart_batch *b);
bool nfart_filter_rows(struct nfart_filter *f, const void *rows, size_t n);
bool nfart_filter_bytes(struct nfart_filter *f, const void *p, size_t n, uint64_t time);

/* The limit is reached: nothing more will be output. */
bool nfart_filter_full(const struct nfart_filter *f);

/* A label that accepts a batch; with engine.lines and substreams, on one line. */
struct nfart_match {
	uint64_t time;    /* of the batch: no two have the same */
	uint64_t address; /* byte address of the line; 0 where lines are not told apart */
	uint32_t label;   /* index of the label in the image's order */
};

/* The matches since the last call of this, *n of them, in the order of time, then label, then
 * address. Each is here once the call that its batch was given to returns, whatever the window does:
 * the sink is not needed. Borrowed until the filter is used again. Empty without options.matches.
 * Cost: constant; keeping them costs 24 bytes for each until it is fetched, so fetch them after every
 * buffer. */
const struct nfart_match *nfart_filter_matches(struct nfart_filter *f, size_t *n);

/* The end of the stream: what the window holds is decided. False: the sink failed. Cost: linear in
 * what it holds. */
bool nfart_filter_end(struct nfart_filter *f);

/* So far; labels is borrowed. */
struct nfart_filter_stats nfart_filter_stats(const struct nfart_filter *f);

#ifdef __cplusplus
}
#endif

#endif
