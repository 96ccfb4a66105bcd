/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Queues of requests. All requests stand in one pool, and are in two lists: that of their queue,
 * and that of all requests in the order in which they came. Whoever has waited longest of all is
 * therefore at the front of its queue, so requests leave a queue at its front only.
 */
#include "runtime/pairs/queues.h"

#include <stdlib.h>

#include "support/hash.h"

enum { FIRST_PLACES = 64 };

/* ---- the table of queues ---- */

static bool queue_hash(const void *entry, uint64_t *h)
{
	const struct queue *x = entry;

	*h = queues_hash(x->rule_plus_1, x->key);
	return x->rule_plus_1 != 0;
}

static bool queue_ends(const void *queues, size_t place, const void *wanted)
{
	const struct queue *x = (const struct queue *)queues + place, *w = wanted;

	return x->rule_plus_1 == 0 || (x->key == w->key && x->rule_plus_1 == w->rule_plus_1);
}

/* Returns the place of a queue, or the free one where it would stand. */
static size_t queue_place(const struct queues *q, uint16_t rule_plus_1, uint64_t key)
{
	struct queue wanted = { .key = key, .rule_plus_1 = rule_plus_1 };

	return hash_probe(q->places, queues_hash(rule_plus_1, key), queue_ends, q->at, &wanted);
}

/* Makes room for one more queue: at most half of the places are taken. */
static bool queue_room(struct queues *q)
{
	return 2 * (q->n + 1) <= q->places ||
	       hash_widen((void **)&q->at, &q->places, sizeof *q->at, FIRST_PLACES, queue_hash);
}

/* ---- the pool ---- */

/* Returns a free element of the pool, as index plus 1; 0: out of memory. */
static uint32_t pool_new(struct queues *q)
{
	uint32_t i = q->free;

	if (i != 0) {
		q->free = q->pool.at[i - 1].next;
		return i;
	}
	return vec_push(&q->pool, (struct queued){ .next = 0 }) ? (uint32_t)q->pool.n : 0;
}

/* Puts an element behind all others in the order in which they came. */
static void pool_link(struct queues *q, uint32_t i)
{
	q->pool.at[i - 1].older = q->newest;
	q->pool.at[i - 1].newer = 0;
	if (q->newest != 0)
		q->pool.at[q->newest - 1].newer = i;
	else
		q->oldest = i;
	q->newest = i;
	q->waiting++;
}

/* Frees an element. */
static void pool_drop(struct queues *q, uint32_t i)
{
	struct queued *x = &q->pool.at[i - 1];

	if (x->older != 0)
		q->pool.at[x->older - 1].newer = x->newer;
	else
		q->oldest = x->newer;
	if (x->newer != 0)
		q->pool.at[x->newer - 1].older = x->older;
	else
		q->newest = x->older;
	x->next = q->free;
	q->free = i;
	q->waiting--;
}

/* ---- queues ---- */

bool queues_put(struct queues *q, const struct open *request)
{
	struct queue *x;
	uint32_t i;

	if (!queue_room(q) || (i = pool_new(q)) == 0)
		return false;
	q->pool.at[i - 1].request = *request;
	q->pool.at[i - 1].next = 0;
	pool_link(q, i);
	x = &q->at[queue_place(q, request->rule_plus_1, request->key)];
	if (x->rule_plus_1 == 0) {
		*x = (struct queue){ request->key, i, i, request->rule_plus_1 };
		q->n++;
	} else {
		q->pool.at[x->last - 1].next = i;
		x->last = i;
	}
	return true;
}

bool queues_take(struct queues *q, uint16_t rule_plus_1, uint64_t key, struct open *out)
{
	size_t place;
	uint32_t i;

	if (q->n == 0)
		return false;
	place = queue_place(q, rule_plus_1, key);
	if (q->at[place].rule_plus_1 == 0)
		return false;
	i = q->at[place].first;
	*out = q->pool.at[i - 1].request;
	q->at[place].first = q->pool.at[i - 1].next;
	if (q->at[place].first == 0) {
		hash_take_out(q->at, q->places, sizeof *q->at, place, queue_hash);
		q->n--;
	}
	pool_drop(q, i);
	return true;
}

const struct open *queues_oldest(const struct queues *q)
{
	return q->oldest != 0 ? &q->pool.at[q->oldest - 1].request : NULL;
}

void queues_free(struct queues *q)
{
	vec_free(&q->pool);
	free(q->at);
	q->at = NULL;
}
