/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * state.h: a state of the nodes and of what is between them, as rules.c explores it.
 *
 * Note [messages under way]. A message has one copy for each node that receives it. A copy is on
 * one side of the tap: the tap has not seen it, or it has, or never will. If the tap is between the
 * nodes, a message is one until it passes the tap, whoever receives it, and its receiver is TO_ALL.
 * If the tap is at a node, that node's messages are seen when they are sent, and those for it when
 * it receives them, and what others send each other is never seen.
 *
 * The copies are ordered by queue: by sender, receiver, side and class. Within a queue they are
 * ordered by age. So states that differ only in the order of messages that may overtake each other
 * are one state. The first message of a queue leaves it.
 */
#ifndef NFACC_COMPILER_STATE_H
#define NFACC_COMPILER_STATE_H

#include <string.h>

#include "grammar/coherence/coh.h"
#include "support/hash.h"

enum { UNSEEN, SEEN };
enum { TO_ALL = COH_NODES, MOST_UNDER_WAY = COH_NODES * COH_FLIGHT };

/* A copy of a message that is under way. There can be a million states, so it is small. */
struct under_way {
	uint8_t event;
	uint8_t place; /* twice the node that receives it, or TO_ALL, plus the side of the tap */
};

static inline struct under_way under_way_new(uint32_t event, uint32_t to, uint32_t side)
{
	return (struct under_way){ (uint8_t)event, (uint8_t)(2 * to + side) };
}

/* A state of the system; unused bytes are 0. */
struct state {
	uint8_t var[COH_VARS];
	uint8_t n; /* how many messages are under way, of all nodes */
	struct under_way m[MOST_UNDER_WAY];
};

static inline uint64_t state_hash(const struct state *x)
{
	size_t used = offsetof(struct state, m) + x->n * sizeof x->m[0];
	uint64_t words[(sizeof *x + 7) / 8] = { 0 };

	memcpy(words, x, used);
	return hash_words(0, words, (used + 7) / 8);
}

/* Returns the number of the queue that a message is in. */
static inline uint32_t queue_of(const struct coh *c, const struct under_way *m)
{
	const struct coh_event *event = &c->events[m->event];

	return (event->node * 2 * (TO_ALL + 1) + m->place) * COH_EVENTS + event->class;
}

/* Puts a message behind the others of its queue. */
static inline void put_message(const struct coh *c, struct state *x, struct under_way m)
{
	uint32_t i = x->n++;

	for (; i > 0 && queue_of(c, &x->m[i - 1]) > queue_of(c, &m); i--)
		x->m[i] = x->m[i - 1];
	x->m[i] = m;
}

/* How many messages does this count for in `flight`? */
static inline uint32_t under_way_count(const struct coh *c, const struct under_way *m)
{
	return m->place / 2 != TO_ALL ? 1
				      : (uint32_t)__builtin_popcount(c->events[m->event].receivers);
}

#endif
