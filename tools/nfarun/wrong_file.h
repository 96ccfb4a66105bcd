/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * wrong_file.h: improves the error message for a file that is no image.
 */
#ifndef NFART_WRONG_FILE_H
#define NFART_WRONG_FILE_H

#include "include/nfart.h"

/* The file `image` was refused with error *e, because it is no image. If names and first bytes of
 * the files show why, changes the message in *e: `image` is a filter, or `trace` is the image and
 * the arguments are swapped. `trace` may be NULL. */
void wrong_file_explain(const char *image, const char *trace, struct nfart_error *e);

#endif
