/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * parts.h: which files may be output, and the further files of an output that is too large for one.
 * Part n of the output at `path` is `path`.n; if the name ends like that of a compressed file, n
 * stands before that ending. Parts are there completely or not at all, as other output files are
 * (support/outfile.h).
 */
#ifndef NFARUN_PARTS_H
#define NFARUN_PARTS_H

#include "support/outfile.h"
#include "support/vec.h"

/* The least and the usual size of a part, in bytes. Perfetto's viewer opens no file of 2 GiB, and
 * a part ends a little later than its size says. */
#define PARTS_LEAST 10000u
#define PARTS_USUAL 2000000000u

struct nfarun_options;

struct parts {
	const struct nfarun_options *o;
	VEC(struct outfile) files;
	size_t written;           /* how many parts are complete */
	bool failed;              /* a part could not be opened: `error` says why */
	struct nfart_error error;
};

/* Refuses output file `out` if it is also an input of the options. NULL is standard output. */
enum nfart_status parts_check(const struct nfarun_options *o, const char *out,
			      struct nfart_error *e);

/* Opens the next part. NULL: see parts.failed. The context is a struct parts; the function is one
 * for nfart_writer_options.next_part. */
FILE *parts_next(void *ctx);

/* Complete all parts, or remove them. Both free what *p has. */
enum nfart_status parts_commit(struct parts *p, struct nfart_error *e);
void parts_abort(struct parts *p);

#endif
