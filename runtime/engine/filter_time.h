/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filter_time.h: gives a filter the ticks of its stream, and the end.
 *
 * Ticks before a loss record are known only when a batch comes after it. Until then the loss record
 * waits, and so do all that follow it.
 *
 * Note [timed blocks]
 * A block whose batches have ticks among them becomes a *timed* block: its items are the batches,
 * and the ticks between them. Where there are too many ticks between two batches, the block ends,
 * and the copies of the automaton leap over these ticks (leap.h).
 */
#ifndef NFART_FILTER_TIME_H
#define NFART_FILTER_TIME_H

#include "runtime/engine/fast/visits.h"
#include "runtime/engine/leap.h"
#include "runtime/engine/ticker.h"
#include "support/vec.h"

struct nfart_batch;
struct nfart_filter;

struct filter_loss {
	uint64_t time, lost;
};

#define TIMED_ALONE UINT32_MAX

struct timed_item {
	uint64_t time;
	uint32_t source; /* the batch in the source block; TIMED_ALONE: a tick alone */
	uint8_t when;    /* nfart_batch.when */
};

struct timed_block;

struct filter_time {
	struct ticker ticker;
	bool any;                        /* a batch came */
	uint64_t latest;                 /* the latest time of all records */
	uint64_t until;                  /* the stream's last time, as it was stated */
	VEC(struct filter_loss) waiting; /* the loss records that wait for a batch */
	struct timed_block *timed;       /* NULL: the engine steps */
	struct leap *leap;               /* NULL: there were no long gaps */
	/* So many ticks in a row are stepped before a leap is tried. Tests change it; 0: never
	 * leap. */
	uint64_t few;
};

/* What a filter knows of its stream's time, to be saved, loaded and compared with the states of its
 * automata (filter.h, filter_save()). */
struct filter_time_state {
	struct ticker ticker; /* its period need not be set */
	bool any;
	uint64_t latest;
	VEC(struct filter_loss) waiting;
};

/* False: out of memory. Free a state with vec_free(&s->waiting). */
bool filter_time_save(const struct nfart_filter *f, struct filter_time_state *s);
bool filter_time_load(struct nfart_filter *f, const struct filter_time_state *s);
bool filter_time_copy(struct filter_time_state *to, const struct filter_time_state *from);
bool filter_time_same(const struct filter_time_state *a, const struct filter_time_state *b);

/* Prepares f->time for an image with a time slot. False: out of memory. filter_time_free() is fine
 * in either case. */
bool filter_time_init(struct nfart_filter *f);
void filter_time_free(struct nfart_filter *f);

/* Takes the next record, with the ticks before it. False: out of memory, or the sink failed. */
bool filter_time_put(struct nfart_filter *f, const struct nfart_batch *b);

/* Does what filter_run_block() does, with the ticks before and in the batches of the block. */
bool filter_time_block(struct nfart_filter *f, size_t n, size_t *end);

/* The stream ends: takes the ticks up to the stated last time, and the end. */
bool filter_time_end(struct nfart_filter *f);

/* Passes on the loss records that wait, without ticks. */
bool filter_time_cut(struct nfart_filter *f);

#endif
