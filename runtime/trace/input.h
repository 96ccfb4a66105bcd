/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * input.h: the bytes of a trace, from a file, a pipe or memory, decompressed where they are compressed. They
 * come through one buffer, in which the readers parse them. The buffer grows to what a reader asks for, and
 * readers ask for bounded amounts only.
 */
#ifndef NFART_INPUT_H
#define NFART_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/trace/mapped.h"

enum { INPUT_MOST_LINE = 1 << 20, INPUT_MOST = 1 << 26 };

struct decompressor;

struct input {
	const unsigned char *at; /* n bytes, read and not yet taken */
	size_t n;
	uint64_t offset;         /* of at[0] from the beginning of the trace */
	uint64_t taken;          /* bytes taken so far, without those that a seek went over */
	uint64_t size;           /* of the file or memory; 0: not known */
	bool seekable;
	bool ended;              /* nothing comes after the n bytes */
	const char *damage;      /* ended, but the trace went on: what happened; or NULL */
	int error;               /* errno of what went wrong; EFBIG: a line above INPUT_MOST_LINE;
				  * ENOTSUP: decompressing it takes too much memory */

	int fd;                  /* -1: memory */
	bool own;                /* close fd at the end */
	bool pipe;               /* a read may block */
	bool shared;             /* leave fd's position alone: others use it, or it is not kept */
	uint64_t base;           /* file position of offset 0 */
	unsigned char *buffer;
	size_t cap;
	uint64_t until;          /* the reader stops there: don't read much beyond; 0: no such place */
	bool hold;               /* all bytes since the last seek stay in the buffer */
	const unsigned char *memory;
	struct decompressor *decompressor; /* NULL: the bytes are as they stand in the file */
	struct mapped mapped;    /* a second view of the file, if its guard is set */
	void (*wait)(void *ctx); /* called before a read that may block, or NULL */
	void *wait_ctx;
};

/* Opens a file (NULL or "-": standard input), or n bytes that must outlive it. False: see error.
 * input_close() in every case. */
bool input_open(struct input *in, const char *path);
void input_memory(struct input *in, const void *p, size_t n);
void input_close(struct input *in);

/* Makes `in` a second view of a seekable input, which must outlive it, from its beginning. Another thread
 * may use it. */
void input_share(struct input *in, const struct input *of);

/* Gives `in`, a seekable file from which nothing was read, its buffer: `cap` bytes from malloc(), or NULL.
 * All bytes read since the last seek then stay in it. The buffer may grow: input_take_back() returns it,
 * and its size in *cap. */
void input_lend(struct input *in, unsigned char *buffer, size_t cap);
unsigned char *input_take_back(struct input *in, size_t *cap);

/* Reads up to n bytes of the file into p, as they stand there: how many, 0 at the end, -1 and in->error.
 * For input_more() and the decompressor. */
ssize_t input_read(struct input *in, void *p, size_t n);

/* Reads more bytes, after those that are there. False: none came (the end, or an error). */
bool input_more(struct input *in);

/* Are n bytes there, after reading as far as needed? */
static inline bool input_need(struct input *in, size_t n)
{
	while (in->n < n)
		if (!input_more(in))
			return false;
	return true;
}

/* Takes n of the bytes that are there. They stay readable until the next input_more() or seek. */
static inline void input_take(struct input *in, size_t n)
{
	in->at += n;
	in->n -= n;
	in->offset += n;
	in->taken += n;
}

/* Takes the next line. 1: *line has *n bytes, without the newline, valid until the next call;
 * 0: the end; -1: see error. The beginning of a line that a damaged input ends in is no line. */
int input_line(struct input *in, const char **line, size_t *n);

/* A view of the next n bytes, read or not, in the page cache (mapped.h); NULL: there is none. input_skip()
 * takes them. */
const unsigned char *input_view(struct input *in, size_t n);
void input_skip(struct input *in, size_t n);

/* Can input_seek() be used? It is cheap where the input is seekable; in a compressed file it decompresses
 * from the beginning. */
bool input_can_seek(const struct input *in);

/* Goes to `offset`. False: see error. */
bool input_seek(struct input *in, uint64_t offset);

/* Bytes of the file or memory that were used for what was taken. */
uint64_t input_used(const struct input *in);

#endif
