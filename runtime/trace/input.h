/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * input.h: the bytes of a trace, from a file, a pipe or memory, through one window that the readers
 * parse in place. Nothing is copied out; the window grows to what a reader asks for, and readers
 * ask for bounded amounts only.
 */
#ifndef NFART_INPUT_H
#define NFART_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/trace/mapped.h"

enum { INPUT_MOST_LINE = 1 << 20, INPUT_MOST = 1 << 26 };

struct input {
	const unsigned char *at; /* n bytes at hand, not yet taken */
	size_t n;
	uint64_t offset;         /* of at[0] from the beginning of the trace */
	uint64_t taken;          /* bytes taken so far, seeks left out */
	uint64_t size;           /* of the trace; 0: not known */
	bool seekable;
	bool ended;              /* nothing comes after the bytes at hand */
	int error;               /* errno of what went wrong; EFBIG: a line above INPUT_MOST_LINE */

	int fd;                  /* -1: memory */
	bool own;                /* fd is ours to close */
	bool shared;             /* fd's position is for others, or not kept: it is left alone */
	uint64_t base;           /* file position of offset 0 */
	unsigned char *buffer;
	size_t cap;
	uint64_t until;          /* what lies behind is not wanted, or not yet; 0: no such place */
	bool hold;               /* all bytes since the last seek stay in the buffer */
	const unsigned char *memory;
	struct mapped mapped;    /* where the file can be seen besides, if its guard is set */
	void (*wait)(void *ctx); /* called before a read that may block, or NULL */
	void *wait_ctx;
};

/* Opens a file (NULL or "-": standard input), or n bytes that must outlive it. False: see error.
 * input_close() in every case. */
bool input_open(struct input *in, const char *path);
void input_memory(struct input *in, const void *p, size_t n);
void input_close(struct input *in);

/* A second view of a seekable input, which must outlive it; it begins where that began, and may be
 * used in another thread. */
void input_share(struct input *in, const struct input *of);

/* Makes a buffer from malloc() (or NULL), of `cap` bytes, that of a seekable file that is nowhere yet.
 * All bytes read since the last seek then stay in it. The buffer may grow: it goes back to the caller
 * with input_take_back(), *cap being its size. */
void input_lend(struct input *in, unsigned char *buffer, size_t cap);
unsigned char *input_take_back(struct input *in, size_t *cap);

/* Reads on, once. False: nothing came (the end, or an error). */
bool input_more(struct input *in);

/* Are there n bytes at hand, after reading on as far as needed? */
static inline bool input_need(struct input *in, size_t n)
{
	while (in->n < n)
		if (!input_more(in))
			return false;
	return true;
}

/* Takes n bytes of those at hand. They stay readable until the next input_more() or seek. */
static inline void input_take(struct input *in, size_t n)
{
	in->at += n;
	in->n -= n;
	in->offset += n;
	in->taken += n;
}

/* Takes the next line. 1: *line has *n bytes, without the newline, valid until the next call;
 * 0: the end; -1: see error. */
int input_line(struct input *in, const char **line, size_t *n);

/* The next n bytes, at hand or not, without a copy, and as they are at the moment (mapped.h); NULL:
 * there is no such view of them. They are taken by input_skip(), with what is at hand of them. */
const unsigned char *input_view(struct input *in, size_t n);
void input_skip(struct input *in, size_t n);

/* Goes to `offset`; only where seekable. False: see error. */
bool input_seek(struct input *in, uint64_t offset);

#endif
