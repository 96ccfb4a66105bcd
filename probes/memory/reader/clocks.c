/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/clocks.h"

#include <stdlib.h>
#include <string.h>

static bool clock_widen(struct clock *c, uint32_t n)
{
	uint64_t *at;

	if (n <= c->n)
		return true;
	at = realloc(c->at, n * sizeof *at);
	if (at == NULL)
		return false;
	memset(at + c->n, 0, (n - c->n) * sizeof *at);
	c->at = at;
	c->n = n;
	return true;
}

bool clock_join(struct clock *to, const struct clock *from)
{
	if (!clock_widen(to, from->n))
		return false;
	for (uint32_t i = 0; i < from->n; i++)
		if (from->at[i] > to->at[i])
			to->at[i] = from->at[i];
	return true;
}

void clock_free(struct clock *c)
{
	free(c->at);
	*c = (struct clock){ 0 };
}

void clocks_free(struct clocks *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		clock_free(&c->thread[i]);
	free(c->thread);
	*c = (struct clocks){ 0 };
}

struct clock *clocks_of(struct clocks *c, uint32_t thread)
{
	struct clock *own;

	if (thread >= c->n) {
		struct clock *more = realloc(c->thread, (thread + 1) * sizeof *more);

		if (more == NULL)
			return NULL;
		memset(more + c->n, 0, (thread + 1 - c->n) * sizeof *more);
		c->thread = more;
		c->n = thread + 1;
	}
	own = &c->thread[thread];
	if (own->n <= thread && !clock_widen(own, thread + 1))
		return NULL;
	if (own->at[thread] == 0)
		own->at[thread] = 1;
	return own;
}

bool clocks_tick(struct clocks *c, uint32_t thread)
{
	struct clock *own = clocks_of(c, thread);

	if (own != NULL)
		own->at[thread]++;
	return own != NULL;
}

bool clocks_edge(struct clocks *c, uint32_t from, uint32_t to)
{
	if (clocks_of(c, from) == NULL || clocks_of(c, to) == NULL)
		return false;
	return clock_join(&c->thread[to], &c->thread[from]) && clocks_tick(c, from);
}

bool clocks_give(struct clocks *c, uint32_t thread, struct clock *object)
{
	const struct clock *own = clocks_of(c, thread);

	return own != NULL && clock_join(object, own) && clocks_tick(c, thread);
}

bool clocks_take(struct clocks *c, uint32_t thread, const struct clock *object)
{
	struct clock *own = clocks_of(c, thread);

	return own != NULL && clock_join(own, object);
}
