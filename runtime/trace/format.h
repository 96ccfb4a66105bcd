/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * format.h: the table of trace formats. A new format is a constant in nfart.h, a file with its functions,
 * and a row in format.c. Readers, writers, detection, names, the tools' lists of formats and the table in
 * nfacc-trace(5) all follow from the row.
 *
 * Note [chunks, blocks, pieces, shards]
 * Four words for parts of a trace, each for one purpose:
 *
 *   chunk  the unit of a compact or dense file: a header with a CRC, then some 64 KiB of records or rows
 *          (binary.h). A trace in such a format is a *chunked* trace.
 *   block  batches in memory that a reader hands out at once: the records or rows of one chunk, or a buffer
 *          of raw bytes. Formats without blocks hand out single records.
 *   piece  what one thread works on at a time: several chunks of a file, or as many records from a pipe.
 *   shard  what one process or job works on: many pieces, or the messages of some of the lines.
 */
#ifndef NFART_TRACE_FORMAT_H
#define NFART_TRACE_FORMAT_H

#include "runtime/trace/reader.h"
#include "runtime/trace/writer.h"

struct trace_format {
	const char *name, *what; /* on the command line; in nfacc-trace(5) */
	/* Does a trace that begins with these n bytes look like this format? n may be less than
	 * FORMAT_PEEK where the first line is shorter. NULL: its first bytes don't tell. */
	bool (*detect)(const unsigned char *p, size_t n);
	/* Fills r->next and r->state, takes what stands before the first record. False: *e says why.
	 * NULL: the format is for output only. */
	bool (*read)(struct nfart_reader *r, struct nfart_error *e);
	/* As reader_block(); NULL: records come one at a time. */
	int (*block)(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		     struct nfart_batch *b, struct nfart_error *e);
	/* Fills w->put, w->finish and w->state, writes what stands before the first record. False: *e says
	 * why. NULL: the format is for input only. */
	bool (*write)(struct nfart_writer *w, struct nfart_error *e);
};

enum { FORMAT_PEEK = 64 };

/* The row of a format; of NFART_FORMAT_AUTO and values that are no format, one with nothing but a name. */
const struct trace_format *trace_format(enum nfart_format f);

/* The format that the first n bytes look like, of those that can be read; or else, with a row that can only
 * be written. NFART_FORMAT_AUTO: they don't tell. */
enum nfart_format trace_format_detect(const unsigned char *p, size_t n);

/* Number n, from 0, of the formats that can be read, written, or both; NFART_FORMAT_AUTO: there are fewer. */
enum format_use { FORMAT_READ = 1, FORMAT_WRITE = 2, FORMAT_BOTH = 3 };
enum nfart_format trace_format_nth(enum format_use use, size_t n);

/* The functions of the rows. */
bool detect_text(const unsigned char *p, size_t n);
bool detect_records(const unsigned char *p, size_t n);
bool detect_compact(const unsigned char *p, size_t n);
bool detect_dense(const unsigned char *p, size_t n);
bool detect_ila(const unsigned char *p, size_t n);
bool detect_json(const unsigned char *p, size_t n);
bool detect_csv(const unsigned char *p, size_t n);
bool read_text_open(struct nfart_reader *r, struct nfart_error *e);
bool read_records_open(struct nfart_reader *r, struct nfart_error *e);
bool read_chunks_open(struct nfart_reader *r, struct nfart_error *e);
bool read_ila_open(struct nfart_reader *r, struct nfart_error *e);
bool read_dump_open(struct nfart_reader *r, struct nfart_error *e);
bool read_raw_open(struct nfart_reader *r, struct nfart_error *e);
int read_chunks_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		      struct nfart_batch *b, struct nfart_error *e);
int read_raw_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		   struct nfart_batch *b, struct nfart_error *e);
bool write_text_open(struct nfart_writer *w, struct nfart_error *e);
bool write_records_open(struct nfart_writer *w, struct nfart_error *e);
bool write_chunks_open(struct nfart_writer *w, struct nfart_error *e);
bool write_json_open(struct nfart_writer *w, struct nfart_error *e);
bool write_csv_open(struct nfart_writer *w, struct nfart_error *e);

#endif
