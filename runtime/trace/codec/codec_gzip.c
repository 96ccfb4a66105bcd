/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Compresses and decompresses gzip files with zlib. A file may have several members, one after the
 * other.
 */
#include <stdlib.h>
#include <zlib.h>

#include "runtime/trace/codec/codec.h"

enum {
	WINDOW_BITS = 15,               /* the largest window of zlib: 2^15 bytes */
	AS_GZIP = 16,                   /* added to the window bits, asks zlib for gzip's form */
	MEMORY_LEVEL = 8,               /* zlib's default for the memory of a compressor */
	MOST_STEP = 1 << 30             /* the most bytes in a step: zlib counts in 32 bits */
};

static enum codec_match gzip_detect(const unsigned char *p, size_t n)
{
	static const unsigned char magic[] = { 0x1f, 0x8b, Z_DEFLATED };

	for (size_t i = 0; i < sizeof magic && i < n; i++)
		if (p[i] != magic[i])
			return CODEC_NO;
	return n < sizeof magic ? CODEC_SHORT : CODEC_YES;
}

static void begin_step(z_stream *z, const struct codec_step *s)
{
	/* zlib only reads the input, although its type does not say so. */
	z->next_in = (unsigned char *)(uintptr_t)s->in;
	z->avail_in = (uInt)(s->nin < MOST_STEP ? s->nin : MOST_STEP);
	z->next_out = s->out;
	z->avail_out = (uInt)(s->nout < MOST_STEP ? s->nout : MOST_STEP);
}

static void end_step(const z_stream *z, struct codec_step *s)
{
	s->nin -= (size_t)(z->next_in - s->in);
	s->in = z->next_in;
	s->nout -= (size_t)(z->next_out - s->out);
	s->out = z->next_out;
}

static void *decompress_new(void)
{
	z_stream *z = calloc(1, sizeof *z);

	if (z != NULL && inflateInit2(z, WINDOW_BITS + AS_GZIP) == Z_OK)
		return z;
	free(z);
	return NULL;
}

static enum codec_state decompress(void *d, struct codec_step *s)
{
	z_stream *z = d;
	int got;

	begin_step(z, s);
	got = inflate(z, Z_NO_FLUSH);
	end_step(z, s);
	if (got == Z_STREAM_END)
		return inflateReset(z) == Z_OK ? CODEC_BETWEEN : CODEC_NO_MEMORY;
	return got == Z_OK || got == Z_BUF_ERROR ? CODEC_INSIDE :
	       got == Z_MEM_ERROR		 ? CODEC_NO_MEMORY : CODEC_DAMAGED;
}

static void decompress_free(void *d)
{
	if (d != NULL)
		inflateEnd(d);
	free(d);
}

static void *compress_new(void)
{
	z_stream *z = calloc(1, sizeof *z);

	if (z != NULL && deflateInit2(z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS + AS_GZIP,
				      MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK)
		return z;
	free(z);
	return NULL;
}

static enum codec_state compress_step(void *c, struct codec_step *s, bool end)
{
	z_stream *z = c;
	int got;

	begin_step(z, s);
	got = deflate(z, end ? Z_FINISH : Z_NO_FLUSH);
	end_step(z, s);
	return got == Z_STREAM_END ? CODEC_BETWEEN : CODEC_INSIDE;
}

static void compress_free(void *c)
{
	if (c != NULL)
		deflateEnd(c);
	free(c);
}

const struct codec codec_gzip = { ".gz",           gzip_detect,  decompress_new, decompress,
				  decompress_free, compress_new, compress_step,  compress_free };
