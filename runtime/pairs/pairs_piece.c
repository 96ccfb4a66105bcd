/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The events of a piece of a trace: collected in any thread, and joined in the order of the trace.
 * What a request belongs to depends on all before it, so the pieces are not joined by themselves.
 */
#include <stdlib.h>

#include "runtime/pairs/pairs_priv.h"
#include "runtime/trace/batch.h"
#include "runtime/trace/reader.h"

struct pairs_piece *pairs_piece_new(const struct nfart_proto *p)
{
	struct pairs_piece *x = calloc(1, sizeof *x);

	if (x == NULL || pair_events_init(&x->events, p))
		return x;
	pairs_piece_free(x);
	return NULL;
}

void pairs_piece_free(struct pairs_piece *x)
{
	if (x == NULL)
		return;
	pair_events_free(&x->events);
	vec_free(&x->runs);
	free(x);
}

/* Keeps the events that were collected last. False: out of memory. */
static bool keep(struct pairs_piece *x)
{
	struct pair_events *v = &x->events;
	struct pairs_run *run;

	if ((x->runs.n == 0 || x->runs.at[x->runs.n - 1].loss) &&
	    !vec_push(&x->runs, ((struct pairs_run){ .first = UINT64_MAX })))
		return false;
	run = &x->runs.at[x->runs.n - 1];
	run->events += v->all.n - v->kept;
	run->first = v->first_time < run->first ? v->first_time : run->first;
	run->last = v->last_time > run->last ? v->last_time : run->last;
	v->kept = v->all.n;
	return true;
}

/* Adds a block, whose events r->check has collected if it is one of records. */
static bool add_block(struct pairs_piece *x, struct nfart_reader *r,
		      const struct trace_block *block)
{
	struct pair_events *v = &x->events;

	if (nfart_reader_format(r) == NFART_FORMAT_DENSE) {
		pair_events_clear(v);
		if (!pair_events_add_rows(v, block->at, block->count))
			return false;
	}
	reader_delivered(r, v->batches, v->messages);
	return keep(x);
}

/* Adds a batch or a loss that the reader delivered by itself. */
static bool add_batch(struct pairs_piece *x, const struct nfart_batch *b)
{
	struct pair_events *v = &x->events;
	uint64_t slots = b->mask & (UINT64_MAX >> (64 - v->proto->nslots));

	pair_events_clear(v);
	if (batch_is_loss(b))
		return vec_push(&x->runs, ((struct pairs_run){ 0, b->time, b->time, true }));
	return pair_events_add(v, b->time, slots, b->header) && keep(x);
}

int pairs_piece_read(struct pairs_piece *x, struct nfart_reader *r, struct nfart_error *e)
{
	struct pair_events *v = &x->events;
	struct trace_block block;
	struct nfart_batch b;
	bool ok = true;
	int got;

	x->runs.n = 0;
	v->kept = 0;
	v->failed = false;
	r->check = pair_events_check;
	r->check_ctx = v;
	do {
		v->plain = true;
		got = reader_block(r, &block, &v->plain, &b, e);
		if (got > 0)
			ok = got == READER_BLOCK ? add_block(x, r, &block) : add_batch(x, &b);
		ok &= !v->failed;
	} while (got > 0 && ok);
	r->check = NULL;
	if (ok)
		return got;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return -1;
}

bool pairs_piece_records(const struct pairs_piece *x, size_t i, struct pairs_records *run)
{
	if (i >= x->runs.n)
		return false;
	*run = (struct pairs_records){ x->runs.at[i].first, x->runs.at[i].last,
				       x->runs.at[i].loss };
	return true;
}

bool pairs_put_piece(struct nfart_pairs *q, const struct pairs_piece *x)
{
	const struct pair_event *at = x->events.all.at;
	bool ok = true;

	for (size_t i = 0; i < x->runs.n && ok; i++) {
		const struct pairs_run *run = &x->runs.at[i];
		struct nfart_batch loss = { .time = run->first };
		ok = run->loss ? nfart_pairs_put(q, &loss)
			       : pairs_join_events(q, at, run->events, run->first, run->last);
		at = run->events != 0 ? at + run->events : at;
	}
	return ok;
}
