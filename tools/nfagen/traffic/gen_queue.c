/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfagen/traffic/gen_queue.h"

#include <assert.h>

static bool before(const struct gen_event *a, const struct gen_event *b)
{
	return a->time < b->time || (a->time == b->time && a->order < b->order);
}

void gen_queue_push(struct gen_queue *q, uint64_t time, bool at_cpu, const struct gen_flight *f)
{
	assert(q->n < GEN_QUEUE_MAX);
	struct gen_event e = {.time = time, .order = q->order++, .at_cpu = at_cpu, .f = *f};
	uint32_t i = q->n++;

	for (; i > 0 && before(&e, &q->at[(i - 1) / 2]); i = (i - 1) / 2)
		q->at[i] = q->at[(i - 1) / 2];
	q->at[i] = e;
}

void gen_queue_pop(struct gen_queue *q, struct gen_event *e)
{
	assert(q->n > 0);
	*e = q->at[0];
	const struct gen_event *last = &q->at[--q->n];
	uint32_t i = 0;

	for (uint32_t child = 1; child < q->n; child = 2 * i + 1) {
		if (child + 1 < q->n && before(&q->at[child + 1], &q->at[child]))
			child++;
		if (!before(&q->at[child], last))
			break;
		q->at[i] = q->at[child];
		i = child;
	}
	q->at[i] = *last;
}
