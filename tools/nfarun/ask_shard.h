/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ask_shard.h: answers a question about a part of a trace, into a file, and makes of the files of
 * all parts the answer about the trace (ask.h), byte for byte.
 */
#ifndef NFART_NFARUN_ASK_SHARD_H
#define NFART_NFARUN_ASK_SHARD_H

#include "tools/nfarun/ask_print.h"

/* Answers about the shard that the options name, and writes its file to the output. Nothing was
 * read of the trace. Returns an exit code, after an error was reported. */
int ask_shard_run(struct ask *a, struct nfart_reader *r);

/* So many events of a shard's part are told one by one, if it is asked what is in flight. */
enum { ASK_PREFIX = 1 << 12 };

/* What the shards of a question are. */
enum ask_parts {
	ASK_PARTS_CHUNKS, /* parts of the trace */
	/* Shares of the lines: by label, if the filter has substreams (ask_lines.h). */
	ASK_PARTS_LINES,
	/* Empty, and merging reads the whole trace. So it is by label, if an engine follows rules;
	 * if substreams have ticks or the end; or if there is a limit and a window, for which it
	 * matters what came out before the part and is still near. */
	ASK_PARTS_NONE
};

enum ask_parts ask_parts(const struct ask *a);

/* Does what reading the whole trace does, but from the files that the options name. Where a shard
 * began with a wrong border, its part is read again. Returns 0, or -1 on an error, which *e tells.
 * */
int ask_shard_merge(struct ask *a, struct nfart_reader *r, struct nfart_error *e);

/* Returns what is to be known of requests. */
struct pairs_want ask_wants(const struct nfarun_options *o);

#endif
