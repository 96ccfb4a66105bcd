/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fits.h: refuses traces that lack what an image needs.
 */
#ifndef NFART_NFARUN_FITS_H
#define NFART_NFARUN_FITS_H

#include "contract/image/image.h"
#include "tools/nfarun/nfarun_options.h"

/* Have the messages of r, the trace `trace` (NULL: standard input), the payload that im looks at?
 * Returns NFART_OK, or an exit code after an error was reported. */
int fits_payload(const struct nfart_reader *r, const struct nfart_image *im, const char *trace);

/* With --from ring-memory: are the records of the image's overlay of a form that can be read so?
 * `image` is the name of im, which may be NULL: then they are. Returns NFART_OK, or an exit code
 * after an error was reported. */
int fits_ring(const struct nfarun_options *o, const struct nfart_image *im, const char *image);

#endif
