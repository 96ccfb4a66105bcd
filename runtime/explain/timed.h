/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * timed.h: the records of a trace with the ticks and the end of its stream among them, in the order
 * in which an engine takes them (filter_time.h). The records come from a reader, or one by one from
 * the caller.
 */
#ifndef NFART_TIMED_H
#define NFART_TIMED_H

#include "contract/image/image.h"
#include "include/nfart.h"
#include "runtime/engine/ticker.h"
#include "support/vec.h"

struct timed {
	struct nfart_reader *reader;     /* borrowed; NULL: the caller gives the records */
	struct ticker ticker;
	bool end;                        /* the stream ends with a batch of the end */
	uint64_t until;                  /* the stream's last time, as it was stated */

	/* ---- used inside ---- */
	bool any;                        /* a batch came */
	uint64_t latest;                 /* the latest time of all records */
	VEC(struct nfart_batch) waiting; /* loss records that wait for what comes after them */
	size_t taken;                    /* how many of them were passed on */
	struct nfart_batch batch;        /* the batch behind them, if has_batch */
	bool has_batch, over;            /* over: the trace has no more records */
	/* Without a reader: the next record, borrowed, or NULL; and has the caller said that no
	 * more come? */
	const struct nfart_batch *given;
	bool closed;
};

/* Makes *t the stream that an engine with these options takes of a reader's trace, or with reader
 * NULL of what timed_give() gives. `until` is the stated last time, 0 if none is stated. */
void timed_init(struct timed *t, const struct nfart_image *im,
		const struct nfart_engine_options *o, struct nfart_reader *reader, uint64_t until);
void timed_free(struct timed *t);

/* Without a reader: gives the next record, which must stay until timed_next() has returned 0. */
void timed_give(struct timed *t, const struct nfart_batch *b);

/* Without a reader: states that no record comes at `time` or before, other than those given. So
 * ticks up to that time are due. */
void timed_until(struct timed *t, uint64_t time);

/* Without a reader: no more records come. */
void timed_close(struct timed *t);

/* Fills *b with the next record. 1: there is one. 0: the stream has ended; or without a reader, it
 * waits for what the caller says next. -1: *e says why not. */
int timed_next(struct timed *t, struct nfart_batch *b, struct nfart_error *e);

/* The last record was a tick. Leaves out ticks alone that come next, as long as another one follows
 * them, without anything between, at a time up to `last`. Returns how many; *time becomes the time
 * of the last one that was left out. */
uint64_t timed_skip(struct timed *t, uint64_t last, uint64_t *time);

#endif
