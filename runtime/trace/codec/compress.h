/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * compress.h: what a tool writes to a file that is named like a compressed one.
 */
#ifndef NFART_TRACE_COMPRESS_H
#define NFART_TRACE_COMPRESS_H

#include "include/nfart.h"
#include "support/outfile.h"

/* Compresses what is written to `o`, which is open and empty, where `path` ends as the names of compressed
 * files do; NULL and other paths change nothing. On failure o is as it was. */
enum nfart_status compress_outfile(struct outfile *o, const char *path, struct nfart_error *e);

#endif
