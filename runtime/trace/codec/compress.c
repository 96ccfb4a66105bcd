/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes a stdio stream that compresses what is written to it, and writes the result to another
 * stream. Code that writes to a FILE can so write compressed files without any change.
 */
#define _GNU_SOURCE /* for fopencookie() */
#include "runtime/trace/codec/compress.h"

#include <errno.h>
#include <stdlib.h>

#include "runtime/trace/codec/codec.h"

enum { OUT_BYTES = 1 << 16, IN_BYTES = 1 << 16 };

struct compressor {
	FILE *f;
	const struct codec *codec;
	void *state;
	unsigned char out[OUT_BYTES];
};

static void compressor_free(struct compressor *c)
{
	if (c != NULL && c->state != NULL)
		c->codec->compress_free(c->state);
	free(c);
}

/* Makes one step over the input in s, and writes its output to c->f. CODEC_DAMAGED: out of memory,
 * or the output can't be written; errno says which. */
static enum codec_state compressor_step(struct compressor *c, struct codec_step *s, bool end)
{
	enum codec_state state;
	size_t n;

	s->out = c->out;
	s->nout = sizeof c->out;
	state = c->codec->compress(c->state, s, end);
	if (state == CODEC_NO_MEMORY) {
		errno = ENOMEM;
		return CODEC_DAMAGED;
	}
	n = sizeof c->out - s->nout;
	errno = 0;
	if (fwrite(c->out, 1, n, c->f) == n)
		return state;
	if (errno == 0)
		errno = EIO;
	return CODEC_DAMAGED;
}

/* The function by which stdio writes n bytes to the stream. Returns n, or 0 after an error. */
static ssize_t write_stream(void *cookie, const char *p, size_t n)
{
	struct codec_step s = { .in = (const unsigned char *)p, .nin = n };

	while (s.nin != 0)
		if (compressor_step(cookie, &s, false) == CODEC_DAMAGED)
			return 0;
	return (ssize_t)n;
}

static int close_stream(void *cookie)
{
	struct codec_step s = { .nin = 0 };
	enum codec_state state;
	int error;

	do
		state = compressor_step(cookie, &s, true);
	while (state == CODEC_INSIDE);
	error = state == CODEC_DAMAGED ? errno : 0;
	compressor_free(cookie);
	errno = error;
	return error != 0 ? -1 : 0;
}

FILE *nfart_compress_open(FILE *f, enum nfart_compression how, struct nfart_error *e)
{
	const cookie_io_functions_t calls = { .write = write_stream, .close = close_stream };
	struct compressor *c = calloc(1, sizeof *c);
	FILE *stream = NULL;

	if (codec_of(how) == NULL) {
		nfart_fail(e, NFART_USAGE, "no compression is chosen");
		free(c);
		return NULL;
	}
	if (c != NULL) {
		c->f = f;
		c->codec = codec_of(how);
		c->state = c->codec->compress_new();
		if (c->state != NULL)
			stream = fopencookie(c, "w", calls);
	}
	if (stream != NULL) {
		setvbuf(stream, NULL, _IOFBF, IN_BYTES);
		return stream;
	}
	compressor_free(c);
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return NULL;
}

enum nfart_status compress_outfile(struct outfile *o, const char *path, struct nfart_error *e)
{
	enum nfart_compression how =
		path != NULL ? nfart_compression_of_name(path) : NFART_COMPRESSION_NONE;
	FILE *f;

	if (how == NFART_COMPRESSION_NONE)
		return NFART_OK;
	f = nfart_compress_open(o->f, how, e);
	if (f == NULL)
		return e->status;
	outfile_on_top(o, f);
	return NFART_OK;
}
