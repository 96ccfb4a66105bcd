/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * input.h: the bytes of a trace, from a file, a pipe or memory, decompressed if they are
 * compressed. They come through one buffer, in which the readers parse them. The buffer grows to
 * what a reader asks for, and readers ask for bounded amounts only.
 */
#ifndef NFART_INPUT_H
#define NFART_INPUT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/trace/mapped.h"

enum { INPUT_MOST_LINE = 1 << 20, INPUT_MOST = 1 << 26 };

struct decompressor;

struct input {
	const unsigned char *at; /* the n bytes that were read and not yet taken */
	size_t n;
	uint64_t offset;         /* the place of at[0] in the trace */
	uint64_t taken;          /* bytes taken so far, without those that a seek went over */
	uint64_t size;           /* the bytes of the file or memory; 0: not known */
	bool seekable;
	bool ended;              /* no bytes come after those at `at` */
	const char *damage;      /* what happened, if the trace ended too early; else NULL */
	int error;               /* errno of what went wrong. EFBIG: a line above INPUT_MOST_LINE.
				  * ENOTSUP: decompressing takes too much memory. */

	struct {
		int fd;          /* the open file; -1: the bytes are in memory */
		bool own;        /* input_close() closes fd */
		bool pipe;       /* a read may block */
		/* The file is read with pread(), at offsets. The position of fd is not used,
		 * because other inputs share it or because input_skip() did not move it along. */
		bool shared;
		uint64_t base;   /* the position in the file where the trace begins */
		const unsigned char *memory;
	} from;
	struct {
		unsigned char *at;
		size_t cap;
		uint64_t until;  /* the reader stops at this offset: read little beyond it */
		bool hold;       /* all bytes since the last seek stay in the buffer */
	} buffer;
	struct decompressor *decompressor; /* NULL: the file or memory is not compressed */
	struct mapped mapped;    /* a second view of the file; used if its guard is set */
	struct {
		void (*call)(void *ctx); /* called before a read that may block, or NULL */
		void *ctx;
	} wait;
	struct {
		/* If not NULL, the file may grow: at its end input_read() waits for more until
		 * *stop is not 0 (input_follow()). */
		const volatile sig_atomic_t *stop;
		const char *path; /* of the file; NULL: standard input */
		bool stopped;     /* *stop ended the input, maybe inside a record */
	} follow;
};

/* input_open() opens a file; NULL or "-" is standard input. False: see in->error. input_memory()
 * makes an input of the n bytes at p, which must outlive it. The caller must call input_close() in
 * every case. */
bool input_open(struct input *in, const char *path);
void input_memory(struct input *in, const void *p, size_t n);
void input_close(struct input *in);

/* Follows the file at `path` (NULL or "-": standard input), which input_open() has opened and which
 * may grow, until *stop is not 0. `path` must outlive the input. A pipe is not changed: it ends by
 * itself. */
void input_follow(struct input *in, const char *path, const volatile sig_atomic_t *stop);

/* Makes `in` a second view of the seekable input `of`, which must outlive it. It starts at the
 * beginning, and another thread may use it. */
void input_share(struct input *in, const struct input *of);

/* input_lend() gives an input the caller's buffer, `cap` bytes from malloc() or NULL, in place of
 * one of its own. The input must be a seekable file from which nothing was read. All bytes read
 * since the last seek then stay in the buffer, which may grow. input_take_back() returns the
 * buffer, and its size in *cap. */
void input_lend(struct input *in, unsigned char *buffer, size_t cap);
unsigned char *input_take_back(struct input *in, size_t *cap);

/* Reads up to n bytes of the file to p, without decompressing them. Only input_more() and the
 * decompressor call it. Returns how many bytes were read; 0 at the end; -1: see in->error. */
ssize_t input_read(struct input *in, void *p, size_t n);

/* Reads more bytes, and appends them to those at in->at. False: no bytes came, because the trace
 * has ended or because of an error. */
bool input_more(struct input *in);

/* Reads until in->at has at least n bytes. False: the trace ends earlier, or there was an error. */
static inline bool input_need(struct input *in, size_t n)
{
	while (in->n < n)
		if (!input_more(in))
			return false;
	return true;
}

/* Takes n of the bytes at in->at. They can still be read until the next input_more() or seek. */
static inline void input_take(struct input *in, size_t n)
{
	in->at += n;
	in->n -= n;
	in->offset += n;
	in->taken += n;
}

/* Takes the next line. Returns 1 for a line: *line has its *n bytes without the newline, valid
 * until the next call. Returns 0 at the end, and -1 after an error: see in->error. If the input is
 * damaged, or was stopped, a last line that is cut off is not returned. */
int input_line(struct input *in, const char **line, size_t *n);

/* input_view() returns a view of the next n bytes in the page cache (mapped.h), without reading
 * them into the buffer. NULL: there can be no such view. input_skip() takes n bytes that were
 * viewed. */
const unsigned char *input_view(struct input *in, size_t n);
void input_skip(struct input *in, size_t n);

/* Can input_seek() be used? A seek is cheap if the input is seekable. In a compressed file it
 * decompresses from the beginning. */
bool input_can_seek(const struct input *in);

/* Goes to `offset` in the trace. False: see in->error. */
bool input_seek(struct input *in, uint64_t offset);

/* Returns how many bytes of the file or memory were used for the bytes taken so far. These are
 * compressed bytes if the input is compressed. */
uint64_t input_used(const struct input *in);

#endif
