/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_queue.h: the events to come in the generator's simulation, by time. Events of the same time
 * come in the order in which they were added. A binary heap of fixed size.
 */
#ifndef NFART_GEN_QUEUE_H
#define NFART_GEN_QUEUE_H

#include "sources/traffic/gen_message.h"

enum { GEN_QUEUE_MAX = 1024 + 128 };

/* A message under way. */
struct gen_flight {
	struct gen_message m;
	uint32_t line; /* index into the simulated lines, or GEN_NO_LINE */
	bool silent;   /* has its effect but is not in the trace: a lost acknowledgement */
	bool repeated; /* a request sent again: the home ignores it */
	bool wrong;    /* an answer of the wrong type */
	uint64_t sent; /* of a forward, and of its acknowledgement: when the tap saw the forward */
};

struct gen_event {
	uint64_t time, order;
	bool at_cpu; /* the message reaches the CPU; else it is at the tap, to be seen */
	struct gen_flight f;
};

struct gen_queue {
	uint32_t n;
	uint64_t order; /* events added so far */
	struct gen_event at[GEN_QUEUE_MAX];
};

/* There must be room. */
void gen_queue_push(struct gen_queue *q, uint64_t time, bool at_cpu, const struct gen_flight *f);

/* Takes the first event out; there must be one. */
void gen_queue_pop(struct gen_queue *q, struct gen_event *e);

#endif
