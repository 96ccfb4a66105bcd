/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_queue.h: the queue of the future events in the generator's simulation, ordered by time.
 * Events of the same time keep the order in which they were added. It is a binary heap of fixed
 * size.
 */
#ifndef NFART_GEN_QUEUE_H
#define NFART_GEN_QUEUE_H

#include "tools/nfagen/traffic/gen_message.h"

enum { GEN_QUEUE_MAX = 1024 + 128 };

/* A message under way. */
struct gen_flight {
	struct gen_message m;
	uint32_t line; /* index into the simulated lines, or GEN_NO_LINE */
	bool silent;   /* a lost acknowledgement: it has its effect, but is not in the trace */
	bool repeated; /* a request that is sent again; the home ignores it */
	bool wrong;    /* an answer of the wrong type */
	/* In a forward and in its acknowledgement: the time at which the tap saw the forward. */
	uint64_t sent;
};

struct gen_event {
	/* Events are ordered by `time`. Those of one time are ordered by `order`, the number of
	 * events that were added before. */
	uint64_t time, order;
	bool at_cpu; /* true: the message reaches the CPU; false: it comes to the tap */
	struct gen_flight f;
};

struct gen_queue {
	uint32_t n;
	uint64_t order; /* number of events added so far */
	struct gen_event at[GEN_QUEUE_MAX];
};

/* Adds an event. The queue must have room for it. */
void gen_queue_push(struct gen_queue *q, uint64_t time, bool at_cpu, const struct gen_flight *f);

/* Removes the first event and stores it in *e. The queue must not be empty. */
void gen_queue_pop(struct gen_queue *q, struct gen_event *e);

#endif
