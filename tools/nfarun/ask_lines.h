/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ask_lines.h: the labels that shards of lines found, for latencies by label.
 *
 * Note [shards of lines]
 * The states of substreams are too many to guess where a part of the trace begins. So a shard of
 * such a filter is a share of the lines, as one of a run is (runtime/run/shard.h, Note [shards]):
 * it reads the whole trace, runs the copies of its lines, and tells the labels that these give to
 * batches. A batch has the labels that any shard gives it. Requests and answers meet on all lines,
 * so merging reads the trace once more and joins them; the filter, which costs most, does not run.
 */
#ifndef NFART_NFARUN_ASK_LINES_H
#define NFART_NFARUN_ASK_LINES_H

#include "tools/nfarun/ask_print.h"

struct ask_lines;

/* Begins to take what the n files of all shards, which are open and stay so, say of the trace that
 * r reads. All records are checked before that. NULL: *e says why. Free with ask_lines_free(). */
struct ask_lines *ask_lines_new(struct ask *a, const struct nfart_reader *r, FILE *const *file,
				const char *const *name, uint32_t n, struct nfart_error *e);
void ask_lines_free(struct ask_lines *x);

/* Were these the statistics of the trace when the shards read it? */
bool ask_lines_same(const struct ask_lines *x, const struct nfart_reader_stats *s);

/* Makes *time and *labels, a set of bits, those of the next batch that is accepted up to the time
 * `last`, in the order of the trace. *labels is valid until the next call. Returns 1; 0: there is
 * no more; -1: a file can't be read any more, or memory is short, and *e says which. Cost: linear
 * in the shards. */
int ask_lines_next(struct ask_lines *x, uint64_t last, uint64_t *time, const uint64_t **labels,
		   struct nfart_error *e);

#endif
