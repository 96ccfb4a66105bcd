/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * wrong_file.h: what a file that is no image seems to be instead.
 */
#ifndef NFART_WRONG_FILE_H
#define NFART_WRONG_FILE_H

#include "include/nfart.h"

/* Where `image` was refused with *e for being no image: says in *e that it is a filter, or that `trace` (or
 * NULL) is the image. Looks at the names and the first bytes of the files; leaves *e as it is where they say
 * nothing. */
void wrong_file_explain(const char *image, const char *trace, struct nfart_error *e);

#endif
