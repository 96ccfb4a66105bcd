/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * codec.h: the table of compression formats. A new one is a constant in nfart.h, a file that wraps its
 * library, and a row in codec.c.
 */
#ifndef NFART_TRACE_CODEC_H
#define NFART_TRACE_CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "include/nfart.h"

enum codec_state {
	CODEC_INSIDE,    /* a frame (of gzip: a member) has begun and not ended */
	CODEC_BETWEEN,   /* a frame has ended, and all its bytes are out */
	CODEC_DAMAGED,   /* the input is not what a compressor wrote */
	CODEC_TOO_LARGE, /* decompressing takes more memory than CODEC_MOST_WINDOW */
	CODEC_NO_MEMORY
};

/* Bytes of output that a decompressor looks back on: what zstd takes by default. */
enum { CODEC_WINDOW_BITS = 27, CODEC_MOST_WINDOW = 1 << CODEC_WINDOW_BITS };

/* What a step reads and writes. It moves both pointers on. */
struct codec_step {
	const unsigned char *in;
	size_t nin;
	unsigned char *out;
	size_t nout;
};

enum codec_match { CODEC_NO, CODEC_YES, CODEC_SHORT /* too few bytes to tell */ };

struct codec {
	const char *ending; /* of a file's name */
	enum codec_match (*detect)(const unsigned char *p, size_t n);

	/* NULL: out of memory. */
	void *(*decompress_new)(void);
	/* Works until the input is used up, the output full, or a frame has ended. The frame after
	 * that begins with the next call. */
	enum codec_state (*decompress)(void *d, struct codec_step *s);
	void (*decompress_free)(void *d);

	void *(*compress_new)(void);
	/* Works until the input is used up or the output full. With `end`, which ends the frame, call it
	 * again while it answers CODEC_INSIDE. */
	enum codec_state (*compress)(void *c, struct codec_step *s, bool end);
	void (*compress_free)(void *c);
};

extern const struct codec codec_gzip, codec_zstd;

/* NULL: no compression. */
const struct codec *codec_of(enum nfart_compression c);

/* The codec of what begins with these n bytes; NULL: none. *more: there are too few bytes to tell. */
const struct codec *codec_detect(const unsigned char *p, size_t n, bool *more);

#endif
