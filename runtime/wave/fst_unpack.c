/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <limits.h>
#include <lz4.h>
#include <stdlib.h>
#include <zlib.h>

#include "runtime/wave/fst.h"

enum { BEST_RATIO = 1100, SMALL = 64 };

bool fst_may_unpack(uint64_t n, uint64_t unpacked)
{
	return unpacked <= WAVE_MOST_BLOCK && (unpacked <= SMALL || unpacked / BEST_RATIO <= n);
}

/* Window bits of 15 are zlib's own; 16 more are gzip's header. */
static bool unpack_zlib(const unsigned char *in, size_t n, unsigned char *out, size_t nout,
			int bits)
{
	z_stream z = { .next_in = (unsigned char *)(uintptr_t)in, .avail_in = (unsigned)n,
		       .next_out = out, .avail_out = (unsigned)nout };
	int got;

	if (n > UINT_MAX || nout > UINT_MAX || inflateInit2(&z, bits) != Z_OK)
		return false;
	got = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	return (got == Z_STREAM_END || got == Z_BUF_ERROR) && z.avail_out == 0;
}

bool fst_unpack(enum fst_pack pack, const unsigned char *in, size_t n, unsigned char *out,
		size_t nout)
{
	switch (pack) {
	case FST_PACK_ZLIB:
		return unpack_zlib(in, n, out, nout, MAX_WBITS);
	case FST_PACK_GZIP:
		return unpack_zlib(in, n, out, nout, MAX_WBITS + 16);
	case FST_PACK_LZ4:
		return n <= INT_MAX && nout <= INT_MAX &&
		       LZ4_decompress_safe((const char *)in, (char *)out, (int)n, (int)nout) ==
			       (int)nout;
	case FST_PACK_FASTLZ:
		return fst_unpack_fastlz(in, n, out, nout);
	}
	return false;
}

unsigned char *fst_load_packed(struct fst *f, uint64_t at, uint64_t n, uint64_t nout,
			       enum fst_pack pack, struct nfart_error *e)
{
	unsigned char *in, *out = NULL;

	if (!fst_may_unpack(n, nout)) {
		fst_fail(f, e, at, "a packed part that says it has more bytes than it can");
		return NULL;
	}
	in = fst_load(f, at, n, e);
	if (in == NULL)
		return NULL;
	out = malloc((size_t)nout + 1);
	if (out == NULL) {
		wave_fail_memory(f->w, e);
	} else if (!fst_unpack(pack, in, (size_t)n, out, (size_t)nout)) {
		fst_fail(f, e, at, "a packed part is damaged");
		free(out);
		out = NULL;
	}
	free(in);
	return out;
}

unsigned char *fst_load_part(struct fst *f, uint64_t at, uint64_t n, uint64_t nout,
			     struct nfart_error *e)
{
	if (n == nout)
		return fst_load(f, at, n, e);
	return fst_load_packed(f, at, n, nout, FST_PACK_ZLIB, e);
}
