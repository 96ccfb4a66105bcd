/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Joins the messages of a reader to pairs, and writes these into the columns of a caller. One
 * record can end more pairs than the columns have room for: what does not fit waits.
 */
#include <assert.h>
#include <stdlib.h>

#include "contract/proto/proto.h"
#include "include/nfart.h"
#include "support/vec.h"

static_assert(PROTO_PAIRS <= UINT8_MAX + 1, "a column holds the index of every rule");

/* How many records a call reads at most, so that it returns soon on a trace with few pairs. */
enum { MOST_RECORDS = 1 << 16 };

struct nfart_pair_reader {
	struct nfart_reader *reader;
	struct nfart_pairs *pairs;
	const struct nfart_pair_columns *columns; /* those of the current call */
	size_t room, n;                           /* of `columns`; how many pairs they hold */
	VEC(struct nfart_pair) waiting;           /* pairs that come after those in `columns` */
	size_t told;                              /* how many of these the caller has */
	bool ended;                               /* the reader is at its end */
};

static void pair_reader_write(struct nfart_pair_reader *x, const struct nfart_pair *pair)
{
	const struct nfart_pair_columns *c = x->columns;

	c->rule[x->n] = (uint8_t)pair->rule;
	c->outcome[x->n] = (uint8_t)pair->outcome;
	c->time[x->n] = pair->time;
	c->slot[x->n] = (uint8_t)pair->slot;
	c->header[x->n] = pair->header;
	c->answer_time[x->n] = pair->answer_time;
	c->answer_slot[x->n] = (uint8_t)pair->answer_slot;
	c->answer_header[x->n] = pair->answer_header;
	x->n++;
}

/* The sink: writes a pair into the columns, or lets it wait if they are full. */
static bool pair_reader_take(void *ctx, const struct nfart_pair *pair)
{
	struct nfart_pair_reader *x = ctx;

	if (x->n == x->room)
		return vec_push(&x->waiting, *pair);
	pair_reader_write(x, pair);
	return true;
}

/* Writes those pairs that wait, as far as there is room. */
static void pair_reader_drain(struct nfart_pair_reader *x)
{
	while (x->told < x->waiting.n && x->n < x->room)
		pair_reader_write(x, &x->waiting.at[x->told++]);
	if (x->told == x->waiting.n)
		x->told = x->waiting.n = 0;
}

/* Reads a record, or ends the stream. Returns what nfart_pair_reader_next() does. */
static int pair_reader_step(struct nfart_pair_reader *x, struct nfart_error *e)
{
	struct nfart_batch b;
	int got = nfart_reader_next(x->reader, &b, e);

	if (got < 0)
		return -1;
	x->ended = got == 0;
	if (x->ended ? nfart_pairs_end(x->pairs) : nfart_pairs_put(x->pairs, &b))
		return 1;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return -1;
}

int nfart_pair_reader_next(struct nfart_pair_reader *x, const struct nfart_pair_columns *c,
			   size_t room, size_t *n, struct nfart_error *e)
{
	int got = 1;

	x->columns = c;
	x->room = room;
	x->n = 0;
	pair_reader_drain(x);
	for (size_t i = 0; i < MOST_RECORDS && got > 0 && !x->ended && x->n < room; i++)
		got = pair_reader_step(x, e);
	*n = x->n;
	return got < 0 ? -1 : !x->ended || x->waiting.n != 0;
}

struct nfart_pair_reader *nfart_pair_reader_new(struct nfart_reader *r, const struct nfart_proto *p,
						struct nfart_error *e)
{
	struct nfart_pair_reader *x = calloc(1, sizeof *x);

	if (x == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	x->reader = r;
	x->pairs = nfart_pairs_new(p, pair_reader_take, x, e);
	if (x->pairs == NULL) {
		free(x);
		return NULL;
	}
	return x;
}

void nfart_pair_reader_free(struct nfart_pair_reader *x)
{
	if (x == NULL)
		return;
	nfart_pairs_free(x->pairs);
	vec_free(&x->waiting);
	free(x);
}
