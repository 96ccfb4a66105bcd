/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bound_replay.c: executes a witness at the real period.
 *
 * A path in the graph has few cycles between two ticks. At the real period more cycles pass, so
 * idle cycles are put in, at a node that an idle cycle leads back to, as late before the tick as
 * possible. In the segment in which the window begins there are two places: some idle cycles come
 * before the window, so that what follows the window's last tick fits into n periods, and the
 * others in it.
 *
 *	start ... tick ..[. idle ...... idle tick ... idle tick .....]
 *	                 window: n periods
 *
 * The path of a window without ticks gets no idle cycles behind the last tick; it must end before
 * the next one.
 */
#include "backends/etm/bound/bound.h"

struct spread {
	const struct bound_graph *g;
	const struct bound_run *run;
	uint64_t first;      /* cycles up to and with the first tick */
	size_t nto, n;       /* edges before the window; of the whole run */
	uint32_t *node;      /* [n + 1]: the node before each edge */
};

static uint32_t edge(const struct spread *s, size_t i)
{
	return i < s->nto ? s->run->to->edges.at[i]
			  : s->run->in->edges.at[(i - s->nto) % s->run->in->edges.n];
}

static void find_nodes(struct spread *s)
{
	s->node[0] = 0;
	for (size_t i = 0; i < s->n; i++)
		s->node[i + 1] = s->g->to.at[(size_t)s->node[i] * s->g->nedges + edge(s, i)];
}

/* Puts `idle` cycles before the last edge of first … last where that is possible. */
static bool put_idle(struct spread *s, size_t first, size_t last, uint64_t idle)
{
	for (size_t i = last + 1; idle != 0 && i-- > first;)
		if (s->g->to.at[(size_t)s->node[i] * s->g->nedges] == s->node[i]) {
			s->run->idle[i] += idle;
			return true;
		}
	return idle == 0;
}

/* Spreads the segment first … tick, which ends with a tick, over the `cycles` cycles of a period.
 * In the segment in which the window begins, at least `after` cycles of the period do not belong to
 * the window. */
static bool put_segment(struct spread *s, size_t first, size_t tick, uint64_t cycles, size_t after)
{
	size_t n = tick - first + 1, before;
	uint64_t early = 0;

	if (n > cycles)
		return false;
	if (first > s->nto || tick < s->nto)
		return put_idle(s, first, tick, cycles - n);
	before = s->nto - first;
	if (after > before)
		early = after - before;
	return n + early <= cycles && put_idle(s, first, s->nto, early) &&
	       put_idle(s, s->nto, tick, cycles - n - early);
}

/* Finds out where idle cycles go. False: the path does not fit into the periods. */
static bool spread(struct spread *s)
{
	uint64_t cycles = s->first;
	size_t after = 0, first = 0;

	find_nodes(s);
	while (after < s->n && !bound_edge_ticks(s->g, edge(s, s->n - 1 - after)))
		after++;
	for (size_t i = 0; i < s->n; i++) {
		s->run->idle[i] = 0;
		if (!bound_edge_ticks(s->g, edge(s, i)))
			continue;
		if (!put_segment(s, first, i, cycles, after))
			return false;
		first = i + 1;
		cycles = s->g->form->period;
	}
	return s->n - first < cycles;
}

/* The machine with its real counters, and how many lines may still come. */
struct live {
	struct etm_config config;
	uint32_t left;
};

/* Executes a cycle. Returns false if its line is not allowed. *tick says whether it had a tick. */
static bool step(const struct etm_bound_parts *p, uint32_t overrun, struct live *x, uint32_t input,
		 bool *tick)
{
	const struct bound_form *f = &p->form;
	bool throttled = f->throttled[x->config.state * BOUND_LATE];
	struct etm_cycle y;

	if (throttled && f->line[input]) {
		if (x->left == 0)
			return false;
		x->left--;
	}
	y = etm_step(p->machine, &x->config, f->inputs[input]);
	if (!throttled)
		x->left = overrun;
	*tick = y.pulses >> p->tick & 1;
	return true;
}

/* Executes idle cycles, which must have no tick. If one of them changes nothing but the counter of
 * cycles, the others do not either. */
static bool wait(const struct etm_bound_parts *p, uint32_t overrun, struct live *x, uint64_t idle)
{
	while (idle > 0) {
		struct etm_config before = x->config;
		uint16_t *value = &x->config.value[p->tick];
		bool tick;

		if (!step(p, overrun, x, 0, &tick) || tick)
			return false;
		idle--;
		if (before.state == x->config.state && before.pulses == x->config.pulses &&
		    before.value[p->lines] == x->config.value[p->lines] && idle < *value) {
			*value = (uint16_t)(*value - idle);
			idle = 0;
		}
	}
	return true;
}

/* Executes the run. Returns whether all ticks come where they should, and whether the window has
 * the lines and the ticks that its path has. */
static bool execute(const struct etm_bound_parts *p, const struct spread *s)
{
	struct live x = { .left = s->g->overrun };

	etm_start(p->machine, &x.config);
	for (size_t i = 0; i < s->n; i++) {
		uint32_t e = edge(s, i);
		const struct bound_node *n;
		bool tick;

		if (!wait(p, s->g->overrun, &x, s->run->idle[i]) ||
		    !step(p, s->g->overrun, &x, e % s->g->form->ninputs, &tick) ||
		    tick != bound_edge_ticks(s->g, e))
			return false;
		n = &s->g->nodes.at[s->node[i + 1]];
		if (n->control / BOUND_LATE != x.config.state)
			return false;
	}
	return true;
}

bool bound_replay(const struct etm_bound_parts *p, const struct bound_graph *g,
		  struct bound_run *run)
{
	struct spread s = { .g = g, .run = run, .nto = run->to->edges.n };
	bool ok;

	s.n = s.nto + run->turns * run->in->edges.n;
	s.first = p->machine->counters[p->tick].start + 1u - p->machine->reading.zero;
	if (s.first == 0)
		s.first = 1;
	s.node = malloc((s.n + 1) * sizeof *s.node);
	ok = s.node != NULL && spread(&s) && execute(p, &s);
	free(s.node);
	return ok;
}
