/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/codec/codec.h"

#include <string.h>

static const struct codec *const codecs[] = {
	[NFART_COMPRESSION_NONE] = NULL,
	[NFART_COMPRESSION_GZIP] = &codec_gzip,
	[NFART_COMPRESSION_ZSTD] = &codec_zstd,
};

enum { CODECS = sizeof codecs / sizeof *codecs };

const struct codec *codec_of(enum nfart_compression c)
{
	return (unsigned)c < CODECS ? codecs[c] : NULL;
}

const struct codec *codec_detect(const unsigned char *p, size_t n, bool *more)
{
	*more = false;
	for (unsigned i = 1; i < CODECS; i++) {
		enum codec_match match = codecs[i]->detect(p, n);
		if (match == CODEC_YES)
			return codecs[i];
		*more |= match == CODEC_SHORT;
	}
	return NULL;
}

enum nfart_compression nfart_compression_of_name(const char *path)
{
	size_t n = strlen(path);

	for (unsigned i = 1; i < CODECS; i++) {
		size_t k = strlen(codecs[i]->ending);
		if (n > k && strcmp(path + n - k, codecs[i]->ending) == 0)
			return (enum nfart_compression)i;
	}
	return NFART_COMPRESSION_NONE;
}
