/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * writer.h: what all formats need to write a trace. A format (format.h) fills in `put`, and also
 * `begin`, `finish` and `state` if it has any.
 */
#ifndef NFART_TRACE_WRITER_H
#define NFART_TRACE_WRITER_H

#include "runtime/trace/binary.h"

struct nfart_writer {
	FILE *f;
	const struct nfart_proto *proto;
	struct nfart_writer_options o;
	const char *key;      /* the name of the field that substreams are of; NULL: lines */
	uint32_t label_words; /* how many 64-bit words a binary record's label set takes */
	uint32_t name_words;  /* and how many its names of lines; 0: it has none */
	const char *trace;    /* the trace of what follows; NULL: none was named */
	uint64_t until;       /* the stream's last time; 0: it is not stated */
	/* The save file for GTKWave, its name and that of the dump; NULL: there is none. */
	struct {
		FILE *f;
		const char *name, *of;
	} save;
	size_t chunk;         /* the most bytes of a payload: TRACE_CHUNK, or less in tests */
	int error;            /* errno of the first failure */
	struct buf out;       /* the format builds its bytes here */
	uint64_t part;        /* how many bytes the current part has */
	void *state;          /* the format's own: one malloc() block, freed with the writer */
	/* How the format is written. */
	struct {
		bool (*put)(struct nfart_writer *w, const struct nfart_batch *b,
			    const struct nfart_result *r);
		/* Writes that what follows is of w->trace; NULL: records do. */
		void (*begin)(struct nfart_writer *w);
		/* Writes the end of the trace; may be NULL. */
		bool (*finish)(struct nfart_writer *w);
		/* Does what writer_show() does; may be NULL. */
		bool (*show)(struct nfart_writer *w);
		/* Writes the end of a part; the next record begins another. NULL: the format has
		 * no parts. */
		bool (*end_part)(struct nfart_writer *w);
	} form;
};

/* What each save file begins with that a writer writes. */
#define WRITER_SAVE_BEGIN "[*] Save file for GTKWave, written by nfarun --to vcd"

/* For value change dumps: when the trace ends, a save file for GTKWave is written to f. It is to be
 * `name`, in the folder of the dump, which is called `dump`. All three must outlive the writer. */
void writer_save(struct nfart_writer *w, FILE *f, const char *name, const char *dump);

/* Returns a time, in cycles, as whole nanoseconds by the clock of w->o, rounded down. A time that
 * 64 bits can't hold becomes UINT64_MAX. */
uint64_t writer_nanoseconds(const struct nfart_writer *w, uint64_t time);

/* Writes n bytes to w->f. False: this write, or one before it, failed; see w->error. */
bool writer_emit(struct nfart_writer *w, const void *p, size_t n);

/* Writes w->out and empties it. False: see w->error. */
bool writer_flush(struct nfart_writer *w);

/* Writes all records that were put so far to w->f, and flushes it, so that the file can be
 * followed. A chunk ends there. False: see w->error. */
bool writer_show(struct nfart_writer *w);

/* Copies the payload of the message in a slot of *b to `words`, o.payload_words of them. What the
 * batch lacks is 0. */
void writer_payload(const struct nfart_writer *w, const struct nfart_batch *b, uint32_t slot,
		    uint64_t words[NFART_PAYLOAD_WORDS]);

/* Appends the file header of a binary trace to w->out. False: *e says why. */
bool writer_head(struct nfart_writer *w, enum trace_kind kind, struct nfart_error *e);

/* Appends a batch or loss record in the record form to w->out, with the labels of r (NULL:
 * none). */
void writer_record(struct nfart_writer *w, const struct nfart_batch *b,
		   const struct nfart_result *r);

#endif
