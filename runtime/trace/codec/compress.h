/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * compress.h: compresses what a tool writes to a file, if the file's name ends like that of a
 * compressed file.
 */
#ifndef NFART_TRACE_COMPRESS_H
#define NFART_TRACE_COMPRESS_H

#include "include/nfart.h"
#include "support/outfile.h"

/* If `path` ends like the name of a compressed file, everything written to `o` from here on is
 * compressed. `o` must be open and empty. NULL and other paths change nothing. On failure `o` is as
 * it was. */
enum nfart_status compress_outfile(struct outfile *o, const char *path, struct nfart_error *e);

#endif
