/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * filter_time.h: gives a filter the ticks of its stream, and the end.
 *
 * Ticks before a loss record are known only when a batch comes after it. Until then the loss record
 * waits, and so do all that follow it.
 */
#ifndef NFART_FILTER_TIME_H
#define NFART_FILTER_TIME_H

#include "runtime/engine/ticker.h"
#include "support/vec.h"

struct nfart_batch;
struct nfart_filter;

struct filter_loss {
	uint64_t time, lost;
};

struct filter_time {
	struct ticker ticker;
	bool any;                        /* a batch came */
	uint64_t latest;                 /* the latest time of all records */
	uint64_t until;                  /* the stream's last time, as it was stated */
	VEC(struct filter_loss) waiting; /* the loss records that wait for a batch */
};

/* Takes the next record, with the ticks before it. False: out of memory, or the sink failed. */
bool filter_time_put(struct nfart_filter *f, const struct nfart_batch *b);

/* The stream ends: takes the ticks up to the stated last time, and the end. */
bool filter_time_end(struct nfart_filter *f);

/* Passes on the loss records that wait, without ticks. */
bool filter_time_cut(struct nfart_filter *f);

#endif
