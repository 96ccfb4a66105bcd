/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Joins the messages of a trace. The events of a chunk are collected while the reader checks the
 * chunk, so its records are decoded once.
 */
#include "runtime/pairs/pairs_priv.h"
#include "runtime/trace/reader.h"

/* Puts in the batches of a block, whose events r->check has collected if they are records. False:
 * memory is short, or the sink failed. */
static bool put_block(struct nfart_pairs *q, struct nfart_reader *r,
		      const struct trace_block *block)
{
	if (nfart_reader_format(r) == NFART_FORMAT_DENSE) {
		pair_events_clear(&q->events);
		if (!pair_events_add_rows(&q->events, block->at, block->count))
			q->failed = true;
	}
	reader_delivered(r, q->events.batches, q->events.messages);
	return pairs_join_all(q);
}

/* Reads what comes next, a block or a record, and puts it in. Returns what pairs_read() does, or 2
 * if there may be more. */
static int read_next(struct nfart_pairs *q, struct nfart_reader *r, struct nfart_error *e)
{
	enum nfart_format format = nfart_reader_format(r);
	struct trace_block block;
	struct nfart_batch b;
	bool ok;
	int got;

	if (format != NFART_FORMAT_COMPACT && format != NFART_FORMAT_DENSE) {
		got = nfart_reader_next(r, &b, e);
	} else {
		r->check = pair_events_check;
		r->check_ctx = &q->events;
		q->events.plain = true;
		got = reader_block(r, &block, &q->events.plain, &b, e);
		r->check = NULL;
	}
	if (got <= 0 && !q->events.failed)
		return got;
	ok = !q->events.failed &&
	     (got == READER_BLOCK ? put_block(q, r, &block) : nfart_pairs_put(q, &b));
	if (ok)
		return 2;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return -1;
}

int pairs_read(struct nfart_pairs *q, struct nfart_reader *r, pairs_go_on *go_on, void *ctx,
	       struct nfart_error *e)
{
	int got;

	do
		got = read_next(q, r, e);
	while (got == 2 && go_on(ctx));
	return got == 2 ? 1 : got;
}
