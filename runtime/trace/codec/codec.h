/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * codec.h: the table of compression formats. A new format is a constant in nfart.h, a file that
 * wraps its library, and a row in codec.c.
 */
#ifndef NFART_TRACE_CODEC_H
#define NFART_TRACE_CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "include/nfart.h"

enum codec_state {
	CODEC_INSIDE,    /* a frame has begun and not ended; gzip calls it a member */
	CODEC_BETWEEN,   /* a frame has ended, and all its bytes are out */
	CODEC_DAMAGED,   /* the input is not what a compressor wrote */
	CODEC_TOO_LARGE, /* decompressing would take more than CODEC_MOST_WINDOW bytes */
	CODEC_NO_MEMORY
};

/* A decompressor keeps at most CODEC_MOST_WINDOW bytes of its latest output, because compressed
 * data refers back to it. 2^27 bytes are the limit that zstd has by default. */
enum { CODEC_WINDOW_BITS = 27, CODEC_MOST_WINDOW = 1 << CODEC_WINDOW_BITS };

/* The input and output of a step: nin bytes to read at `in`, and room for nout bytes at `out`. The
 * step moves both pointers on and counts both sizes down. */
struct codec_step {
	const unsigned char *in;
	size_t nin;
	unsigned char *out;
	size_t nout;
};

enum codec_match { CODEC_NO, CODEC_YES, CODEC_SHORT /* there are too few bytes to tell */ };

struct codec {
	const char *ending; /* how the names of compressed files end, such as ".gz" */
	enum codec_match (*detect)(const unsigned char *p, size_t n);

	/* Returns the state of a decompressor. NULL: out of memory. */
	void *(*decompress_new)(void);
	/* Works until the input is used up, the output is full, or a frame has ended. The next call
	 * begins the next frame. */
	enum codec_state (*decompress)(void *d, struct codec_step *s);
	void (*decompress_free)(void *d);

	void *(*compress_new)(void);
	/* Works until the input is used up or the output is full. `end` says that no input follows
	 * and the frame ends; the caller must then call again as long as CODEC_INSIDE is
	 * returned. */
	enum codec_state (*compress)(void *c, struct codec_step *s, bool end);
	void (*compress_free)(void *c);
};

extern const struct codec codec_gzip, codec_zstd;

/* Returns the codec of a compression. NULL: c is NFART_COMPRESSION_NONE, or not known. */
const struct codec *codec_of(enum nfart_compression c);

/* Returns the codec of input that begins with these n bytes. NULL: there is none. *more then says
 * whether n is too small to tell. */
const struct codec *codec_detect(const unsigned char *p, size_t n, bool *more);

#endif
