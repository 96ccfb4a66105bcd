/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * images.h: opens the images that the options of nfarun name, or compiles the filter of -e.
 */
#ifndef NFART_NFARUN_IMAGES_H
#define NFART_NFARUN_IMAGES_H

#include "tools/nfarun/nfarun_options.h"

/* Opens the image of the options into *a, and that of --swap, if there is one, into *b. Both are
 * NULL before, and are to be freed with nfart_image_free(), after an error too. Returns an exit
 * code after an error, which was reported. */
int images_open(const struct nfarun_options *o, struct nfart_image **a, struct nfart_image **b);

#endif
