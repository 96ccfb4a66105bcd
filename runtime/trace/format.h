/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * format.h: the table of trace formats. A new format is a constant in nfart.h, a file with its
 * functions, and a row in format.c. Readers, writers, detection, names, the tools' lists of formats
 * and the table in nfacc-trace(5) all follow from the row.
 *
 * Note [chunks, blocks, pieces, shards]
 * There are four words for parts of a trace, each for one purpose:
 *
 *   chunk  the unit of a compact or dense file: a header with a CRC, then some 64 KiB of
 *          records or rows (binary.h). A trace in such a format is a *chunked* trace.
 *   block  batches in memory that a reader hands out at once: the records or rows of one
 *          chunk, or a buffer of raw bytes. Other formats hand out single records.
 *   piece  what one thread works on at a time: several chunks of a file, or as many records
 *          from a pipe.
 *   shard  what one process or job works on: many pieces, or the messages of some of the
 *          lines.
 */
#ifndef NFART_TRACE_FORMAT_H
#define NFART_TRACE_FORMAT_H

#include "runtime/trace/reader.h"
#include "runtime/trace/writer.h"

struct trace_format {
	const char *name, /* the format's name on the command line */
		   *what; /* its description in --help and nfacc-trace(5) */
	/* Does a trace that begins with these n bytes look like this format? n is FORMAT_PEEK, or
	 * less if the trace or its first line is shorter. The function is NULL if the first bytes
	 * of a trace in this format say nothing. */
	bool (*detect)(const unsigned char *p, size_t n);
	/* Fills in r->next and r->state, and takes what stands before the first record. False: *e
	 * says why. The function is NULL if the format is for output only. */
	bool (*read)(struct nfart_reader *r, struct nfart_error *e);
	/* Does what reader_block() says. The function is NULL if the format has no blocks: its
	 * records come one at a time. */
	int (*block)(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		     struct nfart_batch *b, struct nfart_error *e);
	/* Fills in w->put, w->finish and w->state, and writes what stands before the first record.
	 * False: *e says why. The function is NULL if the format is for input only. */
	bool (*write)(struct nfart_writer *w, struct nfart_error *e);
	bool apart; /* what is written can't be read back: it is not what is read */
	bool payload; /* what is written can have the payload of messages */
};

enum { FORMAT_PEEK = 64 };

/* Returns the row of a format. For NFART_FORMAT_AUTO, and for values that are no format, the row
 * has nothing but a name. */
const struct trace_format *trace_format(enum nfart_format f);

/* Returns the format that the first n bytes look like; it may be one that can't be read.
 * NFART_FORMAT_AUTO: they look like none. A format that looks like nothing in particular (batch
 * text) is only returned if no other format matches. */
enum nfart_format trace_format_detect(const unsigned char *p, size_t n);

/* Returns format number n, counted from 0, among those that can be read, written, or both.
 * NFART_FORMAT_AUTO: there are n formats of this kind or fewer. */
enum format_use { FORMAT_READ = 1, FORMAT_WRITE = 2, FORMAT_BOTH = 3 };
enum nfart_format trace_format_nth(enum format_use use, size_t n);

/* Reads until FORMAT_PEEK bytes or a whole line are there, or the input ends. */
void reader_peek(struct input *in);

/* The functions of the rows in the table. */
bool detect_text(const unsigned char *p, size_t n);
bool detect_records(const unsigned char *p, size_t n);
bool detect_compact(const unsigned char *p, size_t n);
bool detect_dense(const unsigned char *p, size_t n);
bool detect_ila(const unsigned char *p, size_t n);
bool detect_json(const unsigned char *p, size_t n);
bool detect_csv(const unsigned char *p, size_t n);
bool detect_perfetto(const unsigned char *p, size_t n);
bool detect_vcd(const unsigned char *p, size_t n);
bool detect_fst(const unsigned char *p, size_t n);
bool detect_pcapng(const unsigned char *p, size_t n);
bool read_text_open(struct nfart_reader *r, struct nfart_error *e);
bool read_records_open(struct nfart_reader *r, struct nfart_error *e);
bool read_chunks_open(struct nfart_reader *r, struct nfart_error *e);
bool read_ila_open(struct nfart_reader *r, struct nfart_error *e);
bool read_memory_open(struct nfart_reader *r, struct nfart_error *e);
bool read_dump_open(struct nfart_reader *r, struct nfart_error *e);
bool read_raw_open(struct nfart_reader *r, struct nfart_error *e);
bool read_wave_open(struct nfart_reader *r, struct nfart_error *e); /* runtime/wave/ */
int read_chunks_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		      struct nfart_batch *b, struct nfart_error *e);
int read_raw_block(struct nfart_reader *r, struct trace_block *block, const bool *plain,
		   struct nfart_batch *b, struct nfart_error *e);
bool write_text_open(struct nfart_writer *w, struct nfart_error *e);
bool write_records_open(struct nfart_writer *w, struct nfart_error *e);
bool write_chunks_open(struct nfart_writer *w, struct nfart_error *e);
bool write_json_open(struct nfart_writer *w, struct nfart_error *e);
bool write_csv_open(struct nfart_writer *w, struct nfart_error *e);
bool write_pretty_open(struct nfart_writer *w, struct nfart_error *e);
bool write_perfetto_open(struct nfart_writer *w, struct nfart_error *e);
bool write_vcd_open(struct nfart_writer *w, struct nfart_error *e);
bool write_pcapng_open(struct nfart_writer *w, struct nfart_error *e);

#endif
