/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * wrong_file.h: improves the error message for a file of the wrong kind.
 */
#ifndef NFART_WRONG_FILE_H
#define NFART_WRONG_FILE_H

#include "include/nfart.h"

/* The file `image` was refused with error *e, because it is no image. If names and first bytes of
 * the files show why, changes the message in *e: `image` is a filter, or `trace` is the image and
 * the arguments are swapped. `trace` may be NULL. */
void wrong_file_explain(const char *image, const char *trace, struct nfart_error *e);

/* Is the file a trace in a binary form, which names its protocol? NULL is none. */
bool wrong_file_is_trace(const char *path);

/* The trace was refused with error *e, where no image runs. If it is an image, says so, and what to
 * do about it. */
void wrong_file_image(const char *trace, const char *advice, struct nfart_error *e);

#endif
