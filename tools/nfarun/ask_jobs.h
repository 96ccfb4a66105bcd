/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ask_jobs.h: reads a trace in several threads to answer a question about it (ask.h). The answer is
 * the one of a single thread, byte for byte.
 */
#ifndef NFART_NFARUN_ASK_JOBS_H
#define NFART_NFARUN_ASK_JOBS_H

#include "runtime/ask/labelled.h"
#include "runtime/ask/ordered.h"
#include "runtime/trace/batch.h"
#include "support/vec.h"
#include "tools/nfarun/ask_print.h"

/* Reads the whole trace, of which nothing was read yet. Returns what ordered_read() does, without
 * ORDERED_SHORT: then a->failed is set, and it returns ORDERED_ALL. The statistics of the trace are
 * then in `a`. After ORDERED_NONE and ORDERED_AGAIN `a` has nothing of the trace. */
enum ordered_end ask_jobs_read(struct ask *a, struct nfart_reader *r, struct nfart_error *e);

enum { ASK_PIECE_BYTES = 1 << 18 }; /* so much of the trace is collected at once in one thread */

/* What a piece of the trace has for a question. Only what the question needs is not NULL. */
struct ask_slot {
	struct ask *a;
	struct pairs_piece *pairs;
	struct labelled *labelled;   /* the labels of the piece's batches */
	struct tally *tally;         /* of all pieces that were in this slot */
	VEC(struct ask_rate) rates;  /* the periods of the piece */
	uint64_t last;               /* the time of the last batch up to the piece's end */
	bool any;                    /* there is one */
};

/* Prepares a slot; of the second kind, one for the labels that a share of the lines has, and
 * nothing else. False: memory is short. ask_slot_free() is called in either case. */
bool ask_slot_init(struct ask_slot *s, struct ask *a);
bool ask_slot_init_lines(struct ask_slot *s, struct ask *a, uint32_t share, uint32_t shares);
void ask_slot_free(struct ask_slot *s);

/* Puts what the reader has up to its end into a slot. Returns 0 at the end, and -1 on an error,
 * which *e tells. */
int ask_slot_fill(struct ask_slot *s, struct nfart_reader *r, struct nfart_error *e);

/* Reads what is from *border on up to `until`, piece by piece, into the answer, by way of a slot.
 * *border becomes where that ended, and a->trace.stats has it added. False: *e says why. If memory
 * is short, a->failed is set. It ends early when the run is interrupted. */
bool ask_pieces_read(struct ask *a, struct ask_slot *s, const struct nfart_reader *r,
		     struct trace_border *border, uint64_t until, struct nfart_error *e);

/* Reads the whole trace so in this thread, of which nothing was read yet. Returns what
 * ask_jobs_read() does. */
enum ordered_end ask_pieces_all(struct ask *a, const struct nfart_reader *r,
				struct nfart_error *e);

/* Takes a period after those before it: it may go on with the last one. */
void ask_take_rate(struct ask *a, const struct ask_rate *x);

/* Takes pairs: the sink of all that joins requests and answers; the context is a struct ask. */
pairs_sink ask_take_pairs;

/* Makes an empty tally for the question. NULL: out of memory. */
struct tally *ask_tally_new(const struct ask *a);

/* Is the time in this period? */
static inline bool ask_rate_has(const struct ask_rate *x, uint64_t time, uint64_t period)
{
	return time >= x->begin && time - x->begin < period;
}

/* Makes *x the period of a time, in which nothing came yet. */
static inline void ask_rate_begin(struct ask_rate *x, uint64_t time, uint64_t period)
{
	*x = (struct ask_rate){ .begin = time - time % period };
}

/* Counts a record, which is in the period. */
static inline void ask_rate_count(struct ask_rate *x, const struct nfart_batch *b)
{
	x->batches += b->mask != 0;
	x->messages += bits_count(b->mask);
	x->gaps += batch_is_loss(b);
}

#endif
