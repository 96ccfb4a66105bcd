/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/against_side.h"

#include <string.h>

#include "contract/proto/proto.h"
#include "runtime/trace/batch.h"
#include "runtime/trace/reader.h"
#include "tools/nfarun/wrong_file.h"

bool against_open(struct against_side *a, const struct nfarun_options *o,
		  const volatile sig_atomic_t *stop, const struct nfart_proto *p,
		  const char *trace)
{
	*a = (struct against_side){ .o = o, .stop = stop, .p = p, .trace = trace,
				    .blocks = blocks_new() };
	return a->blocks != NULL && blocks_series(a->blocks) == 0;
}

void against_close(struct against_side *a)
{
	blocks_free(a->blocks);
	vec_free(&a->rows);
	buf_free(&a->said);
}

/* ---- what comes in ---- */

size_t against_row(struct against_side *a, const struct against_row *r)
{
	if (a->rows.n != 0 && memcmp(&a->rows.at[a->last], r, sizeof *r) == 0)
		return a->last;
	for (size_t i = 0; i < a->rows.n; i++)
		if (memcmp(&a->rows.at[i], r, sizeof *r) == 0)
			return a->last = i;
	if (a->failed || blocks_series(a->blocks) < 0 || blocks_series(a->blocks) < 0 ||
	    !vec_push(&a->rows, *r)) {
		a->failed = true;
		return 0;
	}
	return a->last = a->rows.n - 1;
}

/* Adds to the two sums of a row. */
static void against_add(struct against_side *a, struct against_row r, double top, double bottom)
{
	size_t row = against_row(a, &r);

	if (a->failed)
		return;
	blocks_add(a->blocks, against_dividend(row), top);
	blocks_add(a->blocks, against_dividend(row) + 1, bottom);
}

/* Takes what became of a request. */
static bool take_pair(void *ctx, const struct nfart_pair *pair)
{
	struct against_side *a = ctx;
	const struct nfart_proto *p = a->p;
	bool answered = pair->outcome == NFART_PAIR_ANSWERED;
	struct against_row r = { .rule = pair->rule };

	if (pair->outcome == NFART_PAIR_UNASKED)
		return true;
	if (a->o->ask.question == ASK_OPEN) {
		against_add(a, r, answered ? 0 : 100, 1);
		return !a->failed;
	}
	if (!answered)
		return true;
	if (a->o->ask.by == BY_TYPE) {
		r.request = p->codes.type_of[proto_code(p, pair->slot, pair->header)];
		r.answer = p->codes.type_of[proto_code(p, pair->answer_slot, pair->answer_header)];
	} else if (a->o->ask.by == BY_GROUP) {
		r.request = p->slots[pair->slot].group + 1;
		r.answer = p->slots[pair->answer_slot].group + 1;
	}
	against_add(a, r, (double)(pair->answer_time - pair->time), 1);
	return !a->failed;
}

/* Counts the messages of a batch. */
static void take_counts(struct against_side *a, const struct nfart_batch *b)
{
	const struct nfart_proto *p = a->p;
	uint64_t slots = b->mask & (UINT64_MAX >> (64 - p->nslots));

	blocks_add(a->blocks, 0, (double)bits_count(slots));
	for (; slots != 0; slots &= slots - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(slots);
		uint32_t code = proto_code(p, slot, b->header[slot]);
		struct against_row r = { .request = p->slots[slot].group };
		if (a->o->ask.by != BY_GROUP)
			r.request = p->codes.type_of[code] != 0
					    ? p->codes.type_of[code] - 1u
					    : p->names.ntypes +
						      (code & ((1u << p->header.op_bits) - 1));
		against_add(a, r, 100, 0);
	}
}

/* Counts a record in the rates, and the cycles since the record before. */
static void take_rates(struct against_side *a, const struct nfart_batch *b)
{
	double cycles = a->begun ? (double)(b->time - a->before) : 0;
	double period = (double)a->o->ask.period;

	blocks_add(a->blocks, 0, cycles);
	against_add(a, (struct against_row){ .rule = 0 }, b->mask != 0 ? period : 0, 0);
	against_add(a, (struct against_row){ .rule = 1 }, period * (double)bits_count(b->mask), 0);
	against_add(a, (struct against_row){ .rule = 2 }, batch_is_loss(b) ? period : 0, 0);
	a->before = b->time;
	a->begun = true;
}

/* Takes a batch or a loss record. False: memory is short, or the run was interrupted. */
static bool against_take(void *ctx, const struct nfart_batch *b)
{
	struct against_side *a = ctx;

	if (a->o->ask.question == ASK_RATE)
		take_rates(a, b);
	else if (a->o->ask.question == ASK_COUNT)
		take_counts(a, b);
	else if (!nfart_pairs_put(a->pairs, b))
		a->failed = true;
	blocks_next(a->blocks);
	reading_batch(&a->reading, a->reader);
	return !a->failed && *a->stop == 0;
}

/* Two threads may have something to tell, and the order must not depend on them. */
static void against_say(void *ctx, const char *line)
{
	struct against_side *a = ctx;

	buf_addf(&a->said, "%s\n", line);
}

void against_read(struct against_side *a)
{
	struct nfart_error *e = &a->error;
	struct nfart_reader_options o = a->o->reader;
	struct nfart_wave wave = { 0 };
	struct nfart_reader *r;
	int got;

	if (o.wave != NULL) {
		wave = *o.wave;
		wave.say = against_say;
		wave.say_ctx = a;
		o.wave = &wave;
	}
	r = nfart_reader_open(a->trace, a->p, &o, e);
	a->code = NFART_OK;
	if (r == NULL) {
		wrong_file_image(a->trace, "with -p its protocol is taken", e);
		a->code = e->status;
		return;
	}
	a->reader = r;
	a->pairs = nfart_pairs_new(a->p, take_pair, a, e);
	got = a->pairs != NULL ? reader_each(r, against_take, a, e) : -1;
	reading_end(&a->reading);
	a->stats = *nfart_reader_stats(r);
	a->stats.damage = NULL; /* it belongs to the reader */
	if (a->failed || (got >= 0 && !nfart_pairs_end(a->pairs))) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		got = -1;
	}
	if (a->failed || a->pairs == NULL || (got < 0 && *a->stop == 0))
		a->code = e->status;
	else if (*a->stop != 0 || a->stats.bad_chunks != 0)
		a->code = NFART_PARTIAL;
	nfart_pairs_free(a->pairs);
	nfart_reader_free(r);
}
