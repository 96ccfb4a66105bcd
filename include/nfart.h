/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfart.h: the nfacc runtime library. It loads the images that nfacc writes, executes them in
 * software over batches of messages, and reads and writes traces.
 *
 * There is no global state. Every object stands alone, and different objects may be used by
 * different threads at once. Nothing here prints or exits. Pointer arguments are borrowed for the
 * call unless the comment on the function says otherwise. If that comment names a function that
 * frees the result, the caller must call it. All times are in clock cycles of the tap. All
 * addresses are byte addresses of lines as they stand in message headers.
 *
 * If a function fails with NFART_SYSTEM because a file can't be opened or read, errno says why, and
 * nfart_error.file names the file.
 *
 * The comment on a function says what it costs. Where it says nothing the cost is constant;
 * functions that free cost time linear in what they free. A loaded image does not change, so any
 * number of engines and filters can share it, in any threads. Each engine, filter, reader, writer
 * and window may be used by one thread at a time.
 */
#ifndef NFART_H
#define NFART_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "nfart_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. NFART_VERSION is one number, for comparisons: 10203 is 1.2.3. */
#define NFART_VERSION_MAJOR 0
#define NFART_VERSION_MINOR 1
#define NFART_VERSION_PATCH 0
#define NFART_VERSION                                                                              \
	(NFART_VERSION_MAJOR * 10000 + NFART_VERSION_MINOR * 100 + NFART_VERSION_PATCH)

/* Returns the NFART_VERSION with which the library was built. It may be later than that of this
 * header. */
uint32_t nfart_version(void);

enum { NFART_SLOTS = 64 }; /* the most slots a protocol can have */

/* ---- protocols ------------------------------------------------------------------------------ */

/* A protocol (opaque): its table of slots, opcodes and names. It belongs to its image, or was
 * opened by itself. It does not change, so any threads can share it. */
struct nfart_proto;

/* Opens a protocol without an image, to read traces and to ask about them. `name` is that of a
 * shipped protocol, such as "eci"; or, if there is a '.' or '/' in it, the path of a description
 * (nfacc-protocol(5)). A description may extend another one in its folder. NULL: *e says why, with
 * the first error of the description (NFART_USAGE: no shipped protocol has this name). Cost: linear
 * in the description and in the protocol's opcodes. Free with nfart_proto_free(), which is not for
 * protocols of images. */
struct nfart_proto *nfart_proto_open(const char *name, struct nfart_error *e);

/* Makes a protocol of a description in memory, which has n bytes. `name` is the name of the
 * description in errors. It can extend shipped protocols only. NULL: *e says why. Cost and the end
 * are as above. */
struct nfart_proto *nfart_proto_parse(const char *text, size_t n, const char *name,
				      struct nfart_error *e);
void nfart_proto_free(struct nfart_proto *p);

const char *nfart_proto_name(const struct nfart_proto *p);
uint32_t nfart_proto_nslots(const struct nfart_proto *p);

/* Returns the number of the slot called `name`, such as "cpu@6" or "b"; -1: there is none. Cost:
 * linear in the slots. */
int nfart_proto_slot(const struct nfart_proto *p, const char *name);

/* Returns a number by which protocols are compared: those of which it is the same have the same
 * slots, types, opcodes, addresses and events, by the same names. nfacc --emit=monitor writes
 * it. */
uint64_t nfart_proto_fingerprint(const struct nfart_proto *p);

/* Writes the name of a slot to out, cut off at n bytes. False: there is no such slot. */
bool nfart_proto_slot_name(const struct nfart_proto *p, uint32_t slot, char *out, size_t n);

/* Puts into *header the header of a message of type `type` (such as "MREQ_RLDD") in a slot, for the
 * line at byte address `address` (0 if the type has none). False: the slot never carries that type,
 * the type has no address and one is given, or `address` is not the address of a line. Cost: linear
 * in the protocol's types and opcodes. */
bool nfart_proto_header(const struct nfart_proto *p, uint32_t slot, const char *type,
			uint64_t address, uint64_t *header);

/* nfart_proto_type() returns the name of a message's type, or NULL if its opcode has none in this
 * slot. nfart_proto_address() puts the byte address of the message's line into *address; false: the
 * message has no address. */
const char *nfart_proto_type(const struct nfart_proto *p, uint32_t slot, uint64_t header);
bool nfart_proto_address(const struct nfart_proto *p, uint32_t slot, uint64_t header,
			 uint64_t *address);

/* ECI hashes addresses: a header has the hash of the physical address of its line (T 4.1).
 * nfart_eci_hash() returns the byte address in headers for a physical one. nfart_eci_unhash() is
 * its inverse. Both keep the place in the line, which is the lowest 7 bits, and bits 40 and up. */
uint64_t nfart_eci_hash(uint64_t address);
uint64_t nfart_eci_unhash(uint64_t address);

/* The fields that the protocol names: how many there are, and the name of one (NULL: there is no
 * such field). An image of a protocol without fields, or of an older nfacc, has none. */
uint32_t nfart_proto_nfields(const struct nfart_proto *p);
const char *nfart_proto_field_name(const struct nfart_proto *p, uint32_t field);

/* Puts into *value the value that a field has in a message. False: there is no such field or slot,
 * or the message lacks the field. Cost: linear in the places that the protocol gives the field. */
bool nfart_proto_field(const struct nfart_proto *p, uint32_t field, uint32_t slot, uint64_t header,
		       uint64_t *value);

/* Puts a value into a field of a message. False: as above, or the value is wider than the field, or
 * it would make another type of the message; *header is then as it was. */
bool nfart_proto_set_field(const struct nfart_proto *p, uint32_t field, uint32_t slot,
			   uint64_t *header, uint64_t value);

/* ---- batches -------------------------------------------------------------------------------- */

/* What arrives in one clock cycle, or a loss record, which says that messages were lost
 * (nfacc-trace(5)). */
struct nfart_batch {
	uint64_t time;
	/* If bit s is set there is a message in slot s. If `mask` and `when` are 0 this is a loss
	 * record. The engine ignores bits of slots that the protocol does not have. */
	uint64_t mask;
	/* In a loss record: the number of lost messages, or NFART_LOST_UNKNOWN. */
	uint64_t lost;
	/* The source had two messages of one slot at one time, and this batch begins with the
	 * second. */
	bool damaged;
	/* What the time of the batch is, as a sum of these: NFART_TICK, the batch has a tick;
	 * NFART_END, it is the batch of the end. A batch without messages that has one of them is
	 * no loss record. Engines whose image has no ticks, and no end, ignore this. */
	uint8_t when;
	/* How many words of 64 bits are kept beside each header, at most NFART_PAYLOAD_WORDS. 0:
	 * the messages have no payload, and `payload` is not looked at. */
	uint8_t payload_words;
	uint64_t header[NFART_SLOTS]; /* valid where mask has the slot's bit */
	/* The payload: payload_words words for each bit of `mask`, lowest slot first; word 0 of a
	 * message has its bits 63 to 0. It belongs to whoever made the batch. That of a reader's
	 * batch is valid until the reader is used again. */
	const uint64_t *payload;
};
#define NFART_LOST_UNKNOWN UINT64_MAX
enum { NFART_TICK = 1, NFART_END = 2, NFART_PAYLOAD_WORDS = 8 };

/* Returns the payload of the message in a slot, payload_words words of the batch; NULL: the batch
 * has no payload, or the slot no message. */
const uint64_t *nfart_batch_payload(const struct nfart_batch *b, uint32_t slot);

/* With substreams each line has a copy of the filters. This is a line whose copy accepts a batch,
 * and the label with which it does. */
struct nfart_line {
	uint32_t label;   /* index of the label in the image's order */
	uint64_t address; /* byte address of the line; or value, where substreams are of a field */
};

/* What the filters say of one batch. Its arrays belong to the engine, and are valid until the
 * engine's next call. */
struct nfart_result {
	/* (nlabels + 63) / 64 words; bit l: label l accepts, or output l of a machine is on. NULL:
	 * no label does, and the batch is only logged. */
	const uint64_t *labels;
	uint32_t nlabels;
	bool accepted;                  /* some label accepts */
	bool logged;
	/* The lines whose copies accept the batch, ordered by label and then as the image's ranges
	 * are; within a range they rise. Filled only if engine_options.lines is set and the image
	 * has substreams. */
	const struct nfart_line *lines;
	size_t nlines;
	bool by_line;                   /* a writer is to show lines in place of labels */
	/* Other lines accept, too, which are not in `lines`. Then a label may have no line
	 * there. */
	bool more_lines;
};

/* ---- reading traces ------------------------------------------------------------------------- */

enum nfart_format {
	NFART_FORMAT_AUTO,    /* the first bytes of the trace decide */
	NFART_FORMAT_TEXT,    /* batch text, .bt */
	NFART_FORMAT_RECORDS, /* binary records, one after the other, without chunks */
	NFART_FORMAT_COMPACT, /* records in chunks with CRCs, and an index */
	NFART_FORMAT_DENSE,   /* rows in chunks; each row has all slots */
	NFART_FORMAT_ILA,     /* Vivado logic analyser CSV */
	NFART_FORMAT_DUMP,    /* raw 128-bit samples */
	NFART_FORMAT_RAW,     /* bytes of protocol `bytes` */
	NFART_FORMAT_JSON,    /* a JSON object in each line; output only */
	NFART_FORMAT_CSV,     /* a message in each row; output only */
	NFART_FORMAT_PERFETTO, /* a trace for Perfetto; output only */
	NFART_FORMAT_VCD,     /* a value change dump; input is read through taps */
	NFART_FORMAT_PCAPNG,  /* a packet for each message, for Wireshark; output only */
	NFART_FORMAT_PRETTY,  /* columns with fields, for people; output only */
	NFART_FORMAT_FST,     /* GTKWave's waveform, read through taps; input only */
	NFART_FORMAT_RING_MEMORY /* memory to which an engine wrote records, a ring; input only */
};

/* nfart_format_name() returns the name that a format has on the command line ("text", "records",
 * "compact", "dense", "ila", "dump", "raw", "json", "csv", "perfetto", "vcd", "pcapng",
 * "pretty", "fst", "ring-memory").
 * nfart_format_parse() finds the format of a name; false: there is none. */
const char *nfart_format_name(enum nfart_format f);
bool nfart_format_parse(const char *name, enum nfart_format *f);

/* Can what is written in this format have the payload of messages (nfart_batch.payload)? */
bool nfart_format_payload(enum nfart_format f);

/* The part of a file that a reader has mapped into memory. If another process truncates the file
 * meanwhile, reading the part that is gone raises SIGBUS. So a program that lets readers map files
 * catches SIGBUS. */
struct nfart_mapping {
	/* The reader sets the address at which the mapping begins and the one after its last byte.
	 * Both are 0 while nothing is mapped. */
	volatile uintptr_t begin, end;
};

/* Call this in a SIGBUS handler, with `address` from the siginfo_t. It is async-signal-safe. If the
 * address is in the mapping, zeros are mapped there and the function returns true: the interrupted
 * code can go on, and the reader will report a trace that was cut off. False: this SIGBUS has
 * another cause. */
bool nfart_mapping_fill(const struct nfart_mapping *m, const void *address);

/* How a waveform (formats vcd, fst) becomes messages, by the taps of a protocol
 * (nfacc-protocol(5)). */
struct nfart_wave {
	/* [nat]: PREFIX, or USE=PREFIX for one of several interfaces: what stands before the names
	 * of signals. None: they are looked for. */
	const char *const *at;
	size_t nat;
	const char *const *signals; /* [nsignals]: NAME=PATH: where one signal is */
	size_t nsignals;
	bool end;              /* the values at the end of the waveform are a last sample */
	bool wave_time;        /* times are those of the waveform, not cycles */
	/* How many threads read a VCD that is a plain file, the caller's included; 0 means 1. What
	 * is read, and its order, does not depend on it. */
	unsigned jobs;
	/* The protocol whose taps are used; it must outlive the reader. NULL: the one of the
	 * trace. That of an image has none, so a description is opened for it. */
	const struct nfart_proto *taps;
	/* Called with a line, without its newline, for what could not be told. NULL: it is not
	 * said. */
	void (*say)(void *ctx, const char *line);
	void *say_ctx;
};

struct nfart_reader_options {
	enum nfart_format format;
	bool unchecked;        /* do not compare the CRCs of chunks' payloads */
	bool strict;           /* make a bad chunk an error, not a loss record */
	bool has_ring_start;   /* the caller has set ring_start */
	bool as_is;            /* decompress nothing, whatever the first bytes look like */
	/* A capture may be a ring, whose oldest sample can be anywhere in the file. This is the
	 * place of that sample, counted in samples from 0. */
	uint64_t ring_start;
	/* JSON text that says what the sources of a capture mean (ila, dump); NULL: the built-in
	 * map. */
	const char *map;
	const char *map_name;  /* name of the text in `map`, for errors; may be NULL */
	/* Called before a read from a pipe, because the read may block, and before waiting for a
	 * file that is followed. NULL: nothing is called. */
	void (*wait)(void *ctx);
	void *wait_ctx;
	/* If not NULL, the reader maps the rows of a dense trace in a file, and filters read them
	 * without a copy. The caller must have a SIGBUS handler that calls nfart_mapping_fill(). If
	 * another process overwrites the rows meanwhile, what it writes may be filtered. The
	 * mapping must outlive the reader, and no two readers may share one. */
	struct nfart_mapping *mapping;
	/* Read only a part of the trace: the batches and loss records with begin <= time < end. If
	 * `end` is 0 the part goes on to the end of the trace. What is not in the part may be
	 * skipped unread, and its damage then stays unnoticed. Messages that damage at the border
	 * of the part may have lost are reported as a loss record in it. */
	uint64_t begin, end;
	/* If not NULL, a file is followed while it grows: at its end the reader waits for more,
	 * until a compact or dense trace has its trailer, or *follow is not 0. Then a record that
	 * is written in part is left out. If the file becomes shorter, or its name becomes that of
	 * another file, the trace ends there with a loss record (with options.strict: with an
	 * error). The reader looks for more 20 times a second, and calls `wait` before each look.
	 * Compressed traces and captures (ila, dump) can't be followed. */
	const volatile sig_atomic_t *follow;
	/* How a waveform is read; it must outlive the reader. NULL: as if it were zeroed. */
	const struct nfart_wave *wave;
};

struct nfart_reader_stats {
	uint64_t batches, messages; /* batches and messages read so far */
	uint64_t losses;            /* loss records read so far */
	uint64_t lost;              /* lost messages, as far as loss records count them */
	/* some loss record did not say how many messages it stands for */
	bool lost_unknown;
	uint64_t damaged;           /* batches with nfart_batch.damaged set */
	uint64_t bad_chunks;        /* number of damaged chunks and other damaged places */
	uint64_t bytes;             /* bytes taken from the source */
	uint64_t size;              /* bytes of the source; 0: not known, as of a pipe */
	/* Why compressed input could not be decompressed to its end, or a file could not be
	 * followed; NULL: it could. */
	const char *damage;
};

struct nfart_reader;

/* Open a trace for reading: the file at `path` (NULL or "-": standard input), or the n bytes at p,
 * which must outlive the reader. `name` stands for the bytes in errors. Options may be NULL. NULL
 * on failure, *e says why. Free with nfart_reader_free().
 *
 * Memory does not grow with the length of the trace. So a ring (ila, dump) must be in a seekable
 * file. Compressed input (gzip, zstd), which is known by its first bytes, is decompressed while it
 * is read, in at most some 128 MiB. If compressed input is damaged or cut off, the trace ends there
 * with a loss record (with options.strict: with an error).
 *
 * Cost: only the first bytes are read. But a capture (ila, dump) is read completely, to find where
 * its ring begins; and of a compact or dense trace of which only a part is wanted, the index is
 * read. To read such a part costs as much as the part, in other formats as much as all that stands
 * before its end. */
struct nfart_reader *nfart_reader_open(const char *path, const struct nfart_proto *p,
				       const struct nfart_reader_options *o, struct nfart_error *e);
struct nfart_reader *nfart_reader_memory(const void *p, size_t n, const char *name,
					 const struct nfart_proto *proto,
					 const struct nfart_reader_options *o,
					 struct nfart_error *e);
void nfart_reader_free(struct nfart_reader *r);

/* Reads the next batch or loss record. Returns 1 and fills *b; 0 at the end; -1 on an error and
 * fills *e. Cost: linear in the record's bytes; a chunk is checked as a whole before its first
 * record. */
int nfart_reader_next(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e);

/* Columns of messages, arrays of the caller: element i of each belongs to message i. */
struct nfart_message_columns {
	uint64_t *time, *header;
	uint8_t *slot;
};

/* Reads what comes next, and writes its messages into the columns, in the order of time and then
 * slot. Loss records are read, and are in nfart_reader_stats() alone. `room` is how many elements
 * each column has, at least NFART_SLOTS, since a batch is never divided. *n becomes the number of
 * messages that were written, also after an error. Returns 1 if there may be more, and *n may be 0
 * then; 0 at the end; -1 on an error and fills *e (NFART_USAGE: too little room). Cost: that of
 * nfart_reader_next() for each record, of which a call reads at most 65,536. */
int nfart_reader_messages(struct nfart_reader *r, const struct nfart_message_columns *c,
			  size_t room, size_t *n, struct nfart_error *e);

/* Returns the stream's last time, as far as what was read so far states it: a compact or dense
 * trace may state it at its end. 0: it is not stated, as of a part that
 * ends before the trace. */
uint64_t nfart_reader_until(const struct nfart_reader *r);

/* Returns nfart_batch.payload_words of the trace's batches; 0: they have no payload. */
uint32_t nfart_reader_payload(const struct nfart_reader *r);

const struct nfart_reader_stats *nfart_reader_stats(const struct nfart_reader *r);
enum nfart_format nfart_reader_format(const struct nfart_reader *r);

/* ---- writing traces ------------------------------------------------------------------------- */

struct nfart_writer;

/* A note on where an output comes from, such as the name of the trace or the text of the filter. */
struct nfart_note {
	const char *name, *value;
};

/* How the pretty format shows times: as they are, or from the first record or the one before. */
enum nfart_times { NFART_TIMES_ABSOLUTE, NFART_TIMES_RELATIVE, NFART_TIMES_DELTA };

/* It is one flat struct, because programs that use the library name its members. */
struct nfart_writer_options {
	enum nfart_format format;
	const char *const *labels; /* [nlabels]: names that must outlive the writer */
	uint32_t nlabels;
	/* For the text format: print the labels of each batch as `[…]`. The output of a filter has
	 * them; a trace does not. */
	bool with_labels;
	/* Cycles a second of the tap, for formats whose times are in seconds. 0: a cycle is written
	 * as one nanosecond. */
	uint64_t clock;
	/* For formats whose files may not be too large (perfetto): when a file has this many bytes,
	 * the next batch goes to the stream that next_part returns, in a trace by itself. The
	 * caller keeps that stream, too. NULL from next_part: the writer has failed. 0: there is
	 * one file, however large. */
	uint64_t part_bytes;
	FILE *(*next_part)(void *ctx);
	void *next_part_ctx;
	/* Results name lines (nfart_result.by_line). Value change dumps declare variables for
	 * them; binary records have room for the first four lines; other formats write the lines
	 * that results have, whether this is set or not. */
	bool by_line;
	bool fields;  /* for JSON: each message has an object with its fields */
	/* The batches are of several traces: nfart_writer_trace() names each before its batches.
	 * Only text, pretty, JSON and CSV can tell traces apart; other formats are refused. */
	bool several;
	/* [nnotes]: notes, which must outlive the writer. With `provenance` text, pretty, CSV and
	 * value change dumps begin with them as comments, and JSON with an object. A pcapng trace
	 * has them in any case, as comments of its section. */
	const struct nfart_note *notes;
	uint32_t nnotes;
	bool provenance;
	bool unhash;  /* for pretty and JSON: messages have nfart_eci_unhash() of their address */
	enum nfart_times times; /* for pretty */
	bool colour;            /* for pretty: colours of a terminal */
	/* Words of payload that each message is written with, at most NFART_PAYLOAD_WORDS. Batches
	 * with another number of words are written with zeros in place of what they lack. 0: the
	 * payload of batches is left out. */
	uint32_t payload_words;
};

/* Makes a writer that writes to f. The caller keeps f, and must not close it before
 * nfart_writer_close(), which writes the begin of a value change dump again if f is a regular file.
 * NULL: the format can't carry the protocol (dense needs an idle opcode; raw is never written) or
 * the payload (nfart_format_payload()), it has no parts but options.part_bytes is set, or memory is
 * short; *e says why. */
struct nfart_writer *nfart_writer_new(FILE *f, const struct nfart_proto *p,
				      const struct nfart_writer_options *o, struct nfart_error *e);

/* Names the field whose values substreams are of: nfart_line.address is then written as a value of
 * this field. The string must outlive the writer. NULL: it is written as an address. */
void nfart_writer_name_key(struct nfart_writer *w, const char *key);

/* With options.several: what follows is of the trace `name`, a string that must outlive what
 * follows. */
void nfart_writer_trace(struct nfart_writer *w, const char *name);

/* Appends a batch with its result (NULL: it has none), or a loss record. False: f failed or memory
 * is short, which nfart_writer_close() reports. Cost: linear in messages, labels and lines; a full
 * chunk is written at once. */
bool nfart_writer_put(struct nfart_writer *w, const struct nfart_batch *b,
		      const struct nfart_result *r);

/* States the stream's last time, at which a recording was stopped. Compact and dense traces that
 * have batches keep it, other forms ignore it. */
void nfart_writer_until(struct nfart_writer *w, uint64_t time);

/* Writes what is left (the last chunk, the index) and frees w, which may be NULL. f is flushed but
 * not closed. Returns NFART_OK, or the first error of the writer, with *e filled. */
enum nfart_status nfart_writer_close(struct nfart_writer *w, struct nfart_error *e);

enum nfart_compression { NFART_COMPRESSION_NONE, NFART_COMPRESSION_GZIP, NFART_COMPRESSION_ZSTD };

/* Returns the compression that the ending of a file's name stands for: `.gz`, `.zst`, or none. */
enum nfart_compression nfart_compression_of_name(const char *path);

/* Opens a stream that compresses what is written to it, and writes the result to f. fclose()
 * completes the compressed data and says whether all of it was written; f is neither flushed nor
 * closed. NULL: memory is short, or `how` is NFART_COMPRESSION_NONE. */
FILE *nfart_compress_open(FILE *f, enum nfart_compression how, struct nfart_error *e);

/* ---- images --------------------------------------------------------------------------------- */

struct nfart_image;

/* Verify and decode an image, as nfacc writes it: the n bytes at p, or the file at `path`. `name`
 * stands for the bytes in errors. NULL on failure, *e says why. Every changed bit and every
 * truncation is refused. Cost: linear in n and in the states, predecessors and predicates that the
 * image describes. Free with nfart_image_free(). */
struct nfart_image *nfart_image_load(const void *p, size_t n, const char *name,
				     struct nfart_error *e);
struct nfart_image *nfart_image_open(const char *path, struct nfart_error *e);
void nfart_image_free(struct nfart_image *im);

const struct nfart_proto *nfart_image_proto(const struct nfart_image *im);
/* The labels, and after them the outputs of machines, which accept nothing. The names of outputs
 * begin with '|'. */
uint32_t nfart_image_nlabels(const struct nfart_image *im);
const char *const *nfart_image_labels(const struct nfart_image *im);
/* How many logged batches the window outputs before an accepted batch, and after it. */
uint64_t nfart_image_window(const struct nfart_image *im);
uint64_t nfart_image_window_after(const struct nfart_image *im);
uint64_t nfart_image_limit(const struct nfart_image *im); /* in batches; 0: no limit */
/* The name of the field whose values substreams are of; NULL: there are no substreams, or they are
 * of lines. */
const char *nfart_image_key(const struct nfart_image *im);
uint64_t nfart_image_tick(const struct nfart_image *im); /* in cycles; 0: no ticks */
uint32_t nfart_image_nstates(const struct nfart_image *im);
/* How many words of payload the image looks at in each message: word 0 up to the highest one. In
 * messages that lack them they are 0. */
uint32_t nfart_image_payload(const struct nfart_image *im);

/* ---- the engine ----------------------------------------------------------------------------- */

struct nfart_engine;

struct nfart_engine_options {
	bool lines;           /* fill nfart_result.lines */
	bool has_substream;   /* `base` and `count` replace the ranges of the image */
	/* With has_substream: `base` is the byte address of the first observed line, or the first
	 * observed value, and `count` is the number of observed lines or values. */
	uint64_t base, count;
	/* What a loss record does. `reset_on_loss` puts every copy back into its start states, and
	 * `keep_on_loss` leaves the copies as they are. At most one of them is set; with neither,
	 * the image decides: copies stay as they are unless it is a checker that nfacc derived. */
	bool reset_on_loss, keep_on_loss;
	uint32_t tick;        /* cycles between two ticks; 0, or an image without ticks: its own */
};

/* Makes an engine in its start states. The image must outlive it. NULL: *e says why (NFART_NOFIT: a
 * substream with more lines than the overlay provides). Cost: linear in the image, and in opcodes
 * times predicates; lines cost nothing before they are seen. Free with nfart_engine_free(). */
struct nfart_engine *nfart_engine_new(const struct nfart_image *im,
				      const struct nfart_engine_options *o, struct nfart_error *e);
void nfart_engine_free(struct nfart_engine *en);

/* Puts the engine back to its start states; with substreams the copies of all lines. */
void nfart_engine_reset(struct nfart_engine *en);

/* Steps over one batch and fills *r. After a loss record *r says that nothing accepted. False: out
 * of memory, or options.lines is set and a tick, the end or a broadcast message is accepted on more
 * than 2^24 lines that had no message. Cost: for each line that the batch touches, its active
 * states times their successors. */
bool nfart_engine_step(struct nfart_engine *en, const struct nfart_batch *b,
		       struct nfart_result *r);

/* ---- explaining ----------------------------------------------------------------------------- */

/*
 * An engine that says why it accepts a batch, in the words of nfarun --explain=all, while the
 * stream still comes. It takes in records one by one:
 *
 *	nfart_explainer_put(x, &batch, &e);
 *	while ((got = nfart_explainer_next(x, &said, &e)) > 0)
 *		printf("%s", said.text);
 *
 * Ticks and the end are put in as nfart_filter_put() does it, and the limit of the image holds. So
 * several batches, or none, may be accepted after one record was put.
 */
struct nfart_explainer;

/* A batch that is accepted, which may be a tick alone or the end. All belongs to the explainer, and
 * is valid until its next call. */
struct nfart_explained {
	const struct nfart_batch *batch;
	struct nfart_result result;
	/* Lines, each of which ends with a newline. The last one says so if more sets of states of
	 * rules came up than are remembered: errors may be missing (nfacc-coherence(5)). */
	const char *text;
};

/* Makes an explainer in its start states. The image must outlive it; options may be NULL. NULL: *e
 * says why, as for nfart_engine_new() (NFART_GAVEUP: labels times states are more than 2^24). Cost:
 * that of nfart_engine_new(), and labels times transitions. Free with nfart_explainer_free(). */
struct nfart_explainer *nfart_explainer_new(const struct nfart_image *im,
					    const struct nfart_engine_options *o,
					    struct nfart_error *e);
void nfart_explainer_free(struct nfart_explainer *x);

/* nfart_explainer_put() takes in the next batch or loss record, which is copied. Nothing of it is
 * checked: times must rise, and headers must be ones that the protocol has.
 * nfart_explainer_until() states that no batch comes any more at `time` or before, so that ticks up
 * to that time are due. nfart_explainer_end() ends the stream.
 *
 * After each of them call nfart_explainer_next() until it returns 0. False: that was not done, the
 * explainer failed before, or the stream has ended; *e says which. Cost: constant. */
bool nfart_explainer_put(struct nfart_explainer *x, const struct nfart_batch *b,
			 struct nfart_error *e);
bool nfart_explainer_until(struct nfart_explainer *x, uint64_t time, struct nfart_error *e);
bool nfart_explainer_end(struct nfart_explainer *x, struct nfart_error *e);

/* Goes on to the next batch that is accepted. Returns 1 and fills *out; 0 if there is none, and
 * more may be put, unless the limit is reached; -1 if memory is short, and *e says so. Cost: some
 * three engine steps for each record. */
int nfart_explainer_next(struct nfart_explainer *x, struct nfart_explained *out,
			 struct nfart_error *e);

/* ---- windows, limit ------------------------------------------------------------------------- */

/* Decides which batches are output: see window and limit in nfacc-filter(5). It holds back at most
 * as many batches as it outputs before an accepted one. */
struct nfart_window;

/* A function that is called for every record that is output, in order. If it returns false, the
 * call that led to it fails. */
typedef bool nfart_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r);

/* Makes a window of `before` batches before an accepted batch and `after` batches after it, with a
 * limit of `limit` batches (0: no limit). nfart_window_new() makes one whose two sizes are the
 * same. NULL: out of memory. Free with nfart_window_free(). */
struct nfart_window *nfart_window_new(uint64_t window, uint64_t limit, nfart_sink *sink, void *ctx);
struct nfart_window *nfart_window_new_sides(uint64_t before, uint64_t after, uint64_t limit,
					    nfart_sink *sink, void *ctx);
void nfart_window_free(struct nfart_window *w);

/* Takes in the next record with its result. A record is passed to the sink as soon as it is decided
 * that it is output. False: out of memory, or the sink failed. Cost: linear in the record's
 * messages; each record is held and passed on at most once. */
bool nfart_window_put(struct nfart_window *w, const struct nfart_batch *b,
		      const struct nfart_result *r);

/* Has the limit been reached? Then nothing more will be output. */
bool nfart_window_full(const struct nfart_window *w);

/* Ends the stream: decides on the batches that are held, and passes on the loss records that are
 * held. False: the sink failed. Cost: linear in what is held. */
bool nfart_window_end(struct nfart_window *w);

/* ---- pairs ---------------------------------------------------------------------------------- */

/*
 * Joins requests to their answers. The protocol's rules for pairs say which messages answer which
 * (nfacc-protocol(5)). A request is open until its answer comes. Losses cut pairs: at a loss record
 * nothing stays open, because the answers may be among what was lost.
 *
 * Of a rule in order, several requests with the same keys can be open, and an answer belongs to the
 * one that came first. At most 2^20 requests of such rules are open. When one more comes, the one
 * that came first is given up, and its outcome is NFART_PAIR_LOST.
 */
struct nfart_pairs;

/* What became of a request. */
enum nfart_pair_outcome {
	NFART_PAIR_ANSWERED,
	NFART_PAIR_OPEN,     /* it was open when the stream ended */
	NFART_PAIR_REPLACED, /* another request with the same keys came first */
	NFART_PAIR_LOST,     /* messages were lost while it was open, or it was given up */
	NFART_PAIR_UNASKED   /* an answer for which no request is open; there is no request */
};

struct nfart_pair {
	uint32_t rule;              /* index of the rule in the protocol's order */
	enum nfart_pair_outcome outcome;
	uint64_t time, header;      /* the request, unless the outcome is NFART_PAIR_UNASKED */
	uint32_t slot;
	/* The answer, if the outcome is NFART_PAIR_ANSWERED or NFART_PAIR_UNASKED. */
	uint32_t answer_slot;
	uint64_t answer_time, answer_header;
	/* What the function of nfart_pairs_on_request() returned for the request; else 0. */
	uint32_t mark;
};

/* A function that is called for every pair, every request that gets no answer, and every answer
 * without a request, once that is known. If it returns false, the call that led to it fails. */
typedef bool nfart_pair_sink(void *ctx, const struct nfart_pair *pair);

/* A function that is called for every request when it comes; its outcome is NFART_PAIR_OPEN. What
 * the function returns is nfart_pair.mark when the sink is called for this request. If the request
 * replaces another one, or has another one given up, the sink is called for that one first. */
typedef uint32_t nfart_pair_request(void *ctx, const struct nfart_pair *pair);

/* The protocol's rules: how many there are, and the name of one (NULL: there is no such rule). */
uint32_t nfart_proto_npairs(const struct nfart_proto *p);
const char *nfart_proto_pair_name(const struct nfart_proto *p, uint32_t rule);

/* Begins to join the messages of a stream. The protocol must outlive the result. NULL: memory is
 * short, and *e says so. Cost: linear in the protocol's opcodes and rules. Memory: at most some 200
 * bytes for each request that is open at once. Free with nfart_pairs_free(). */
struct nfart_pairs *nfart_pairs_new(const struct nfart_proto *p, nfart_pair_sink *sink, void *ctx,
				    struct nfart_error *e);
void nfart_pairs_free(struct nfart_pairs *q);

/* Has `request` called for every request from now on, with the context of the sink. NULL: nothing
 * is called. */
void nfart_pairs_on_request(struct nfart_pairs *q, nfart_pair_request *request);

/* Takes in the next batch or loss record. False: memory is short, or the sink failed. Cost: a table
 * look-up for each message, and one for each request or answer; a loss record costs what sorting
 * the open requests costs. */
bool nfart_pairs_put(struct nfart_pairs *q, const struct nfart_batch *b);

/* Returns how many requests of a rule are open. */
uint64_t nfart_pairs_in_flight(const struct nfart_pairs *q, uint32_t rule);

/* Ends the stream: passes the requests that are open to the sink, in the order of their times.
 * False: memory is short, or the sink failed. */
bool nfart_pairs_end(struct nfart_pairs *q);

/* Columns of pairs, arrays of the caller: element i of each belongs to pair i. They have the
 * members of struct nfart_pair, with 0 for what a pair lacks. */
struct nfart_pair_columns {
	uint8_t *rule, *outcome, *slot, *answer_slot;
	uint64_t *time, *header, *answer_time, *answer_header;
};

/* Joins the messages of a reader to pairs, and gives these as columns. */
struct nfart_pair_reader;

/* Makes one for what a reader has left. The reader, and the protocol with which it was opened, must
 * outlive it, and nothing else may read from the reader meanwhile. NULL: memory is short, and *e
 * says so. Cost and memory: those of nfart_pairs_new(). Free with nfart_pair_reader_free(). */
struct nfart_pair_reader *nfart_pair_reader_new(struct nfart_reader *r, const struct nfart_proto *p,
						struct nfart_error *e);
void nfart_pair_reader_free(struct nfart_pair_reader *x);

/* Writes the pairs that come next into the columns, in the order in which nfart_pairs_put() and
 * nfart_pairs_end() pass them to a sink. `room` is how many elements each column has, at least 1.
 * *n becomes the number of pairs that were written, also after an error. Returns 1 if there may be
 * more, and *n may be 0 then; 0 at the end, when requests without an answer were written, too; -1
 * on an error and fills *e. Cost: those of nfart_reader_next() and nfart_pairs_put() for each
 * record, of which a call reads at most 65,536. Pairs for which the columns had no room take 64
 * bytes each until they are fetched. */
int nfart_pair_reader_next(struct nfart_pair_reader *x, const struct nfart_pair_columns *c,
			   size_t room, size_t *n, struct nfart_error *e);

/* ---- filtering at speed --------------------------------------------------------------------- */

/*
 * Engine and window in one, over many batches at a time. The results are those of stepping an
 * engine and putting each result into a window, but a filter is faster.
 *
 * States are determinised as they are met, in tables of at most 48 MiB. What does not fit into the
 * tables is stepped in another way: as the engine does it if the image has counters, else as words
 * of states, which take some 100 bytes for each state. An image with more than 64 counters is
 * always stepped as the engine steps it.
 *
 * Memory does not grow with the trace. With substreams a filter takes 4 bytes for each line
 * observed, and up to 8 more for each line seen. A line whose counters have counted takes as much
 * memory as it does in an engine. So does every line seen if there are more than 2^26 lines, or if
 * the lines are in too many different sets of states.
 */
struct nfart_filter;

/* Which instructions of the processor a filter uses. The results are the same with all of them. */
enum nfart_simd { NFART_SIMD_BEST, NFART_SIMD_PORTABLE, NFART_SIMD_AVX2, NFART_SIMD_AVX512 };

/* nfart_simd_best() returns the best level that this processor has; nfart_simd_name() returns the
 * name of a level. */
enum nfart_simd nfart_simd_best(void);
const char *nfart_simd_name(enum nfart_simd level);

struct nfart_filter_options {
	struct nfart_engine_options engine;
	nfart_sink *sink;     /* called for each record that is output, in order; or NULL */
	void *ctx;
	/* A level above the best of this processor means the best. */
	enum nfart_simd simd;
	bool stepwise;        /* use no tables: give every batch to nfart_engine_step() */
	bool matches;         /* keep matches for nfart_filter_matches() */
};

struct nfart_filter_stats {
	uint64_t batches, accepted, logged, output;
	const uint64_t *labels; /* [labels of the image]: how many batches each label accepts */
};

/* Makes a filter in its start states, with the window and limit of the image, which must outlive
 * it. NULL: *e says why, as for nfart_engine_new(). Cost: that of nfart_engine_new(), and linear in
 * the lines observed, up to 2^26 of them. Free with nfart_filter_free(). */
struct nfart_filter *nfart_filter_new(const struct nfart_image *im,
				      const struct nfart_filter_options *o, struct nfart_error *e);
void nfart_filter_free(struct nfart_filter *f);

/* Filters what comes next from a reader: a chunk of a dense or compact trace, a buffer of raw
 * bytes, or one record of any other form. Returns 1 if there is more to do; 0 at the end of the
 * trace, or once the limit is reached; -1 if *e says why it failed (NFART_USAGE: the reader was
 * opened with a protocol whose messages look different from those of the image's). Cost: a few
 * table look-ups for each message and one for each batch; dense traces are filtered at the speed of
 * the memory. */
int nfart_filter_read(struct nfart_filter *f, struct nfart_reader *r, struct nfart_error *e);

/* nfart_filter_put() filters one batch or loss record. nfart_filter_rows() filters n rows of a
 * dense trace: a row is its time and then a header for each slot, idle ones included, as
 * little-endian 64-bit words. nfart_filter_messages() filters n batches of one message each: batch
 * i has the time `time` + i, and header[i] in slot[i]. nfart_filter_bytes() filters n bytes for
 * protocol `bytes`; `time` is the time of the first byte.
 *
 * Nothing is checked: times must rise, and headers must be ones that the protocol has. Payload that
 * messages lack is 0 (nfart_image_payload()); only batches have any. False: as
 * for nfart_engine_step(), or the sink failed, or traces of the protocol have no rows or no bytes.
 * Cost: nfart_filter_put() takes at most one engine step; the others cost what nfart_filter_read()
 * costs. Of batches of one message each, messages are filtered faster than rows. */
bool nfart_filter_put(struct nfart_filter *f, const struct nfart_batch *b);
bool nfart_filter_rows(struct nfart_filter *f, const void *rows, size_t n);
bool nfart_filter_messages(struct nfart_filter *f, const uint8_t *slot, const uint64_t *header,
			   size_t n, uint64_t time);
bool nfart_filter_bytes(struct nfart_filter *f, const void *p, size_t n, uint64_t time);

/* Which messages change nothing? Returns a set of opcodes: bit o is set if every message with
 * opcode o in this slot, of the line that `header` names, would be neither accepted nor logged, and
 * would leave the line in the states that it is in. The header of the message has the bits of
 * `header`, except for the opcode and for the bits in `varies`, which may have any value. Such
 * messages may be left out: all else is then accepted and logged as it would be with them, but
 * nfart_filter_stats() does not count them. The answer holds until the filter takes another message
 * of this line, or one that is for all lines. It is 0 where it is not known: without substreams,
 * for a line that had no message yet, and for filters with ticks, the end, or substreams by a
 * field. Cost: two look-ups; now and then a step for each opcode and each kind of header that the
 * filter tells apart. */
uint64_t nfart_filter_quiet(struct nfart_filter *f, uint32_t slot, uint64_t header,
			    uint64_t varies);

/* Has the limit been reached? Then nothing more will be output. */
bool nfart_filter_full(const struct nfart_filter *f);

/* A label that accepts a batch. With engine_options.lines and substreams: a label that accepts it
 * on one line. */
struct nfart_match {
	uint64_t time;    /* time of the batch; no two batches have the same time */
	uint64_t address; /* byte address of the line; 0 if the match is not of one line */
	uint32_t label;   /* index of the label in the image's order */
};

/* Returns the matches since the last call of this function, *n of them, in the order of time, then
 * label, then address. A match is here once the call that took in its batch returns: it waits
 * neither for the window nor for a sink. The array is valid until the filter is used again. It is
 * empty without options.matches. Cost: constant; a match takes 24 bytes until it is fetched, so
 * fetch them after every buffer. */
const struct nfart_match *nfart_filter_matches(struct nfart_filter *f, size_t *n);

/* States that the stream's last time is `time`, although no batch comes any more. So ticks up to
 * that time are filtered when the stream ends. A time that is not later than the last batch changes
 * nothing. */
void nfart_filter_until(struct nfart_filter *f, uint64_t time);

/* Ends the stream: filters the ticks up to the stated last time, and the end, if the image has
 * them, and decides on the batches that the window holds. False: out of memory, or the sink failed.
 * Cost: linear in what the window holds. */
bool nfart_filter_end(struct nfart_filter *f);

/* Returns the counts so far. The array `labels` belongs to the filter. */
struct nfart_filter_stats nfart_filter_stats(const struct nfart_filter *f);

/* How many answers the joins of the protocol (nfacc-protocol(5)) gave the substream of their
 * request; how many came after their request was answered; and how many came without a request.
 * All are 0 without substreams. */
struct nfart_joins {
	uint64_t joined, late, wrong;
};
struct nfart_joins nfart_filter_joins(const struct nfart_filter *f);

#ifdef __cplusplus
}
#endif

#endif
