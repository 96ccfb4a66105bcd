/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * input.h: the bytes of a trace, from a file, a pipe or memory, decompressed if they are
 * compressed. They come through one buffer, in which the readers parse them. The buffer grows to
 * what a reader asks for, and readers ask for bounded amounts only.
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
	const unsigned char *at; /* n bytes that were read and not yet taken */
	size_t n;
	uint64_t offset;         /* the place of at[0] in the trace */
	uint64_t taken;          /* bytes taken so far, without those that a seek went over */
	uint64_t size;           /* bytes of the file or memory; 0: not known */
	bool seekable;
	bool ended;              /* nothing comes after the n bytes */
	const char *damage;      /* what happened, if the trace ended too early; else NULL */
	int error;               /* errno of what went wrong. EFBIG: a line above INPUT_MOST_LINE.
				  * ENOTSUP: decompressing takes too much memory. */

	int fd;                  /* -1: the bytes are in memory */
	bool own;                /* input_close() closes fd */
	bool pipe;               /* a read may block */
	bool shared; /* fd's position must not be used: others use it, or it is not kept */
	uint64_t base;           /* the position in the file where the trace begins */
	unsigned char *buffer;
	size_t cap;
	uint64_t until;          /* the reader stops at this offset: read little beyond it */
	bool hold;               /* all bytes since the last seek stay in the buffer */
	const unsigned char *memory;
	struct decompressor *decompressor; /* NULL: the bytes are as they stand in the file */
	struct mapped mapped;    /* a second view of the file; used if its guard is set */
	void (*wait)(void *ctx); /* called before a read that may block, or NULL */
	void *wait_ctx;
};

/* input_open() opens a file; NULL or "-" is standard input. False: see in->error. input_memory()
 * takes n bytes, which must outlive the input. The caller must call input_close() in every case. */
bool input_open(struct input *in, const char *path);
void input_memory(struct input *in, const void *p, size_t n);
void input_close(struct input *in);

/* Makes `in` a second view of the seekable input `of`, which must outlive it. It starts at the
 * beginning, and another thread may use it. */
void input_share(struct input *in, const struct input *of);

/* input_lend() gives an input the caller's buffer, `cap` bytes from malloc() or NULL, in place of
 * one of its own. The input must be a seekable file from which nothing was read. All bytes read
 * since the last seek then stay in the buffer, which may grow. input_take_back() returns the
 * buffer, and its size in *cap. */
void input_lend(struct input *in, unsigned char *buffer, size_t cap);
unsigned char *input_take_back(struct input *in, size_t *cap);

/* For input_more() and the decompressor: reads up to n bytes of the file to p, as they stand there.
 * Returns how many; 0 at the end; -1: see in->error. */
ssize_t input_read(struct input *in, void *p, size_t n);

/* Reads more bytes, and appends them to those at `at`. False: none came; it is the end, or there
 * was an error. */
bool input_more(struct input *in);

/* Makes n bytes be there, by reading if necessary. False: the trace ends before, or there was an
 * error. */
static inline bool input_need(struct input *in, size_t n)
{
	while (in->n < n)
		if (!input_more(in))
			return false;
	return true;
}

/* Takes n of the bytes that are there. They can still be read until the next input_more() or
 * seek. */
static inline void input_take(struct input *in, size_t n)
{
	in->at += n;
	in->n -= n;
	in->offset += n;
	in->taken += n;
}

/* Takes the next line. Returns 1: *line has *n bytes without the newline, valid until the next
 * call; 0: the end; -1: see in->error. If the input is damaged, a last line that is cut off is not
 * returned. */
int input_line(struct input *in, const char **line, size_t *n);

/* input_view() shows the next n bytes, read or not, in the page cache (mapped.h). NULL: it can't.
 * input_skip() takes n bytes shown so. */
const unsigned char *input_view(struct input *in, size_t n);
void input_skip(struct input *in, size_t n);

/* Can input_seek() be used? A seek is cheap if the input is seekable. In a compressed file it
 * decompresses from the beginning. */
bool input_can_seek(const struct input *in);

/* Goes to `offset` in the trace. False: see in->error. */
bool input_seek(struct input *in, uint64_t offset);

/* How many bytes of the file or memory were used for what was taken. */
uint64_t input_used(const struct input *in);

#endif
