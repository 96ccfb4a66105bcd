/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Compresses and decompresses zstd files with libzstd. A file may have several frames. Some may be
 * skippable frames, which have no content.
 */
#include <zstd.h>
#include <zstd_errors.h>

#include "runtime/trace/codec/codec.h"

/* The first byte of a frame is 0x28; that of a skippable frame is 0x50 … 0x5f. */
static enum codec_match zstd_detect(const unsigned char *p, size_t n)
{
	static const unsigned char frame[] = { 0x28, 0xb5, 0x2f, 0xfd },
				   skip[] = { 0x50, 0x2a, 0x4d, 0x18 };
	bool is_frame = true, is_skip = true;

	for (size_t i = 0; i < sizeof frame && i < n; i++) {
		is_frame &= p[i] == frame[i];
		is_skip &= (i == 0 ? p[i] & 0xf0 : p[i]) == skip[i];
	}
	return !is_frame && !is_skip ? CODEC_NO : n < sizeof frame ? CODEC_SHORT : CODEC_YES;
}

static void *decompress_new(void)
{
	ZSTD_DStream *d = ZSTD_createDStream();

	if (d != NULL &&
	    !ZSTD_isError(ZSTD_DCtx_setParameter(d, ZSTD_d_windowLogMax, CODEC_WINDOW_BITS)))
		return d;
	ZSTD_freeDStream(d);
	return NULL;
}

static enum codec_state decompress(void *d, struct codec_step *s)
{
	ZSTD_inBuffer in = { s->in, s->nin, 0 };
	ZSTD_outBuffer out = { s->out, s->nout, 0 };
	size_t got = ZSTD_decompressStream(d, &out, &in);

	s->in += in.pos;
	s->nin -= in.pos;
	s->out += out.pos;
	s->nout -= out.pos;
	if (!ZSTD_isError(got))
		return got == 0 ? CODEC_BETWEEN : CODEC_INSIDE;
	switch (ZSTD_getErrorCode(got)) {
	case ZSTD_error_frameParameter_windowTooLarge:
		return CODEC_TOO_LARGE;
	case ZSTD_error_memory_allocation:
		return CODEC_NO_MEMORY;
	default:
		return CODEC_DAMAGED;
	}
}

static void decompress_free(void *d)
{
	ZSTD_freeDStream(d);
}

static void *compress_new(void)
{
	ZSTD_CStream *c = ZSTD_createCStream();

	if (c != NULL && !ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1)))
		return c;
	ZSTD_freeCStream(c);
	return NULL;
}

static enum codec_state compress_step(void *c, struct codec_step *s, bool end)
{
	ZSTD_inBuffer in = { s->in, s->nin, 0 };
	ZSTD_outBuffer out = { s->out, s->nout, 0 };
	size_t left = ZSTD_compressStream2(c, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);

	s->in += in.pos;
	s->nin -= in.pos;
	s->out += out.pos;
	s->nout -= out.pos;
	if (ZSTD_isError(left))
		return CODEC_NO_MEMORY;
	return end && left == 0 ? CODEC_BETWEEN : CODEC_INSIDE;
}

static void compress_free(void *c)
{
	ZSTD_freeCStream(c);
}

const struct codec codec_zstd = { ".zst",          zstd_detect,  decompress_new, decompress,
				  decompress_free, compress_new, compress_step,  compress_free };
