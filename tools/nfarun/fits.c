/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/fits.h"

#include <inttypes.h>
#include <stdio.h>

#include "support/cli.h"

int fits_payload(const struct nfart_reader *r, const struct nfart_image *im, const char *trace)
{
	uint32_t have = nfart_reader_payload(r), want = im->alphabet.payload_words;

	if (have >= want)
		return NFART_OK;
	fprintf(stderr, "%s: error: the filter looks at payload up to bit %" PRIu32
		", and the messages of the trace have %s",
		trace != NULL ? trace : "-", 64 * want - 1, have == 0 ? "none" : "");
	if (have != 0)
		fprintf(stderr, "bits %" PRIu32 "..0", 64 * have - 1);
	fputs("\n", stderr);
	return NFART_INPUT;
}

int fits_ring(const struct nfarun_options *o, const struct nfart_image *im, const char *image)
{
	if (o->reader.format != NFART_FORMAT_RING_MEMORY || im == NULL || im->overlay.none ||
	    (im->overlay.names == 0 && im->overlay.payload == 0))
		return NFART_OK;
	return cli_wrong_use("nfarun",
			     "--from ring-memory: the records of the image's overlay have names of "
			     "lines or payload, which only nfactl reads:", image);
}
