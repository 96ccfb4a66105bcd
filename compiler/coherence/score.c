/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/score.h"

#include <string.h>

#include "support/bits.h"

/* How many moves a run may take to show SCORE_LENGTH events. */
enum { MOST_MOVES = 1000 };

/* Returns a random number below n, by SplitMix64 (Steele, Lea, Flood 2014). */
static uint32_t score_below(uint64_t *random, uint32_t n)
{
	uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(((z ^ z >> 31) >> 32) * n >> 32);
}

static void draw_run(const struct coh_system *s, uint64_t *random, struct score_run *r)
{
	uint32_t state = score_below(random, s->nstates);

	r->n = 0;
	for (int moves = 0; r->n < SCORE_LENGTH && moves < MOST_MOVES; moves++) {
		uint32_t first = s->first.at[state], n = s->first.at[state + 1] - first;
		const struct coh_edge *e;

		if (n == 0)
			break;
		e = &s->edges.at[first + score_below(random, n)];
		if (e->event != COH_NONE)
			r->event[r->n++] = (uint8_t)e->event;
		state = e->to;
	}
}

static uint32_t sender(const struct coh *c, uint32_t event)
{
	return c->rules ? c->events[event].node : coh_event_group(c, event);
}

/* Returns an event that the sender of `event` sends. It is `event` if there is no other. */
static uint32_t other_event(const struct coh *c, uint64_t *random, uint32_t event)
{
	uint32_t n = 0, chosen = event;

	for (uint32_t i = 0; i < c->nevents; i++)
		if (i != event && sender(c, i) == sender(c, event) && score_below(random, ++n) == 0)
			chosen = i;
	return chosen;
}

static void score_change(const struct coh *c, uint64_t *random, struct score_run *r)
{
	uint32_t at = score_below(random, r->n), how = score_below(random, 10);
	size_t rest = r->n - at;

	if (how == 0) {
		memmove(r->event + at, r->event + at + 1, rest - 1);
		r->n--;
	} else if (how == 1) {
		memmove(r->event + at + 1, r->event + at, rest);
		r->n++;
	} else {
		r->event[at] = (uint8_t)other_event(c, random, r->event[at]);
	}
}

void score_draw(const struct coh *c, const struct coh_system *s, struct score_runs *runs)
{
	uint64_t random = 1;

	for (size_t i = 0; i < SCORE_RUNS; i++) {
		draw_run(s, &random, &runs->run[i]);
		if (runs->run[i].n != 0)
			score_change(c, &random, &runs->run[i]);
	}
}

static bool has_error(const struct score_run *r, const struct beliefs *b)
{
	uint32_t belief = 0;

	for (uint32_t i = 0; i < r->n && belief != COH_NONE; i++)
		if ((b->seen >> r->event[i] & 1) != 0)
			belief = belief_after(b, belief, r->event[i]);
	return belief == COH_NONE;
}

void score_find(const struct score_runs *runs, const struct beliefs *b,
		uint64_t found[static SCORE_WORDS])
{
	for (size_t i = 0; i < SCORE_RUNS; i++)
		if (has_error(&runs->run[i], b))
			bits_set(found, i);
}

uint32_t score_gain(const uint64_t *x, const uint64_t *y)
{
	uint32_t n = 0;

	for (size_t i = 0; i < SCORE_WORDS; i++)
		n += (uint32_t)__builtin_popcountll(x[i] & ~y[i]);
	return n;
}
