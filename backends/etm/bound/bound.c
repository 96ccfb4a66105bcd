/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/bound/bound.h"

#include <string.h>

bool etm_bound_holds(const struct etm_bound *b)
{
	return b->most.finite && b->most.rate_lines == b->k && b->most.rate_ticks == 1;
}

/* Executes a witness at the real period. */
static bool attained(const struct etm_bound_parts *p, const struct bound_graph *g,
		     const struct bound_path *to, const struct bound_path *in, unsigned turns)
{
	struct bound_run run = { .to = to, .in = in, .turns = turns };
	bool ok;

	run.idle = calloc(to->edges.n + turns * in->edges.n + 1, sizeof *run.idle);
	ok = run.idle != NULL && bound_replay(p, g, &run);
	free(run.idle);
	return ok;
}

/* Executes the cycle of a machine without a finite bound as often as fits between two ticks.
 * Returns how many lines that are. */
static uint64_t endless(const struct etm_bound_parts *p, const struct bound_graph *g,
			const struct bound_most *m)
{
	size_t length = m->in_cycle.edges.n, before = 0, turns;
	uint64_t lines = 0;
	uint32_t node = 0;

	while (before < m->to_cycle.edges.n &&
	       !bound_edge_ticks(g, m->to_cycle.edges.at[m->to_cycle.edges.n - 1 - before]))
		before++;
	turns = before < p->form.period ? (p->form.period - 1 - before) / length : 0;
	for (size_t i = 0; i < m->to_cycle.edges.n + length; i++) {
		bool in = i >= m->to_cycle.edges.n;
		uint32_t e = in ? m->in_cycle.edges.at[i - m->to_cycle.edges.n]
				: m->to_cycle.edges.at[i];

		lines += in ? bound_edge_lines(g, node, e) : 0;
		node = g->to.at[(size_t)node * g->nedges + e];
	}
	if (turns < 2 || !attained(p, g, &m->to_cycle, &m->in_cycle, (unsigned)turns))
		return 0;
	return turns * lines;
}

/* ---- lost pulses ---- */

/* Returns the state after a cycle that begins in state s and sees the pulses `pulses`
 * (BOUND_LATE_…). Pulses are seen a cycle late if `late`. */
static unsigned state_after(const struct bound_form *f, unsigned s, bool late, uint32_t input,
			    unsigned pulses)
{
	unsigned tick = !late && (pulses & BOUND_LATE_TICK),
		 level = !late && (pulses & BOUND_LATE_LINES) ? BOUND_LAST : BOUND_LOW;

	return f->move[s * BOUND_LATE + (late ? pulses : 0)][tick][level][input].to / BOUND_LATE;
}

/* Does a cycle that begins at node n with edge e see both pulses at once? */
static bool both(const struct bound_form *f, const struct bound_node *n, uint32_t e)
{
	if ((n->control & (BOUND_LATE - 1)) == (BOUND_LATE_TICK | BOUND_LATE_LINES))
		return true;
	return e >= f->ninputs && bound_level(f, n->count) == BOUND_LAST &&
	       f->move[n->control][1][BOUND_LAST][e % f->ninputs].act == BOUND_COUNT &&
	       f->move[n->control][0][BOUND_LAST][e % f->ninputs].act == BOUND_COUNT;
}

/* Notes whether a pulse is lost in a cycle that begins in state s and sees both. None is if the
 * state afterwards is what one pulse after the other would give, in either order. */
static void note_lost(struct etm_bound *b, unsigned s, bool late, uint32_t input)
{
	enum { TICK = BOUND_LATE_TICK, LINES = BOUND_LATE_LINES };
	const struct bound_form *f = &b->form;
	unsigned tick = state_after(f, s, late, input, TICK),
		 lines = state_after(f, s, late, input, LINES),
		 all = state_after(f, s, late, input, TICK | LINES);

	if (all == state_after(f, tick, late, input, LINES) ||
	    all == state_after(f, lines, late, input, TICK))
		return;
	if (all == lines)
		b->tick_lost |= (uint8_t)(1u << s);
	if (all == tick)
		b->lines_lost |= (uint8_t)(1u << s);
}

static void find_lost(struct etm_bound *b, const struct bound_graph *g)
{
	for (uint32_t i = 0; i < g->nodes.n; i++) {
		const struct bound_node *n = &g->nodes.at[i];
		bool late = n->control % BOUND_LATE == (BOUND_LATE_TICK | BOUND_LATE_LINES);

		for (uint32_t e = 0; e < g->nedges; e++)
			if (g->to.at[(size_t)i * g->nedges + e] != BOUND_NOWHERE &&
			    both(&b->form, n, e))
				note_lost(b, n->control / BOUND_LATE, late, e % b->form.ninputs);
	}
}

/* ---- the bound at one budget ---- */

static enum nfart_status judge(struct etm_bound *b, const struct etm_bound_parts *p,
			       uint32_t overrun)
{
	const struct bound_most *m = &b->most;
	struct bound_graph g;
	enum nfart_status s = bound_graph_make(&g, &p->form, overrun);

	if (s == NFART_OK)
		s = bound_most(&b->most, &g);
	if (s == NFART_OK) {
		b->nodes = g.nodes.n;
		find_lost(b, &g);
		for (uint32_t i = 0; i < g.nodes.n; i++)
			if (!bound_judges(&p->form, g.nodes.at[i].control))
				b->outside |= (uint8_t)(1u << g.nodes.at[i].control / BOUND_LATE);
		if (m->finite) {
			b->attained.window = attained(p, &g, &m->to_window, &m->in_window, 1);
			b->attained.over = attained(p, &g, &m->to_over, &m->in_over, 1);
		}
		if (!m->finite)
			b->endless = endless(p, &g, m);
		else if (m->in_cycle.edges.n > 0)
			b->attained.rate = attained(p, &g, &m->to_cycle, &m->in_cycle, 2);
	}
	bound_graph_free(&g);
	return s;
}

/* Writes to *holds whether there is a bound with this budget. */
static enum nfart_status has_bound(const struct bound_form *form, uint32_t less, uint32_t budget,
				   uint32_t overrun, bool *holds)
{
	struct bound_form f = *form;
	struct bound_graph g;
	struct bound_most m = { 0 };
	enum nfart_status s;

	f.k = budget - less;
	if (f.start_count >= f.k)
		f.start_count = f.k - 1;
	s = bound_graph_make(&g, &f, overrun);
	if (s == NFART_OK)
		s = bound_most(&m, &g);
	*holds = s == NFART_OK && m.finite && m.rate_lines == f.k && m.rate_ticks == 1;
	bound_most_free(&m);
	bound_graph_free(&g);
	return s;
}

/* Finds the smallest budget that has a bound: doubles until one has, then halves the range. Above
 * the overrun, the lines that come while the output is on make at most one pulse, so a machine
 * without a bound there has none; the search goes a little beyond. */
static enum nfart_status find_least(struct etm_bound *b, uint32_t overrun)
{
	uint32_t less = b->reading.zero && b->form.roll, most = 2 * overrun + 4;
	uint32_t none = less, some = less + 1; /* `none` has no bound */
	enum nfart_status s;
	bool holds;

	if (most > UINT16_MAX + 1u)
		most = UINT16_MAX + 1u;
	b->searched = most;
	for (;;) {
		s = has_bound(&b->form, less, some, overrun, &holds);
		if (s != NFART_OK || holds)
			break;
		none = some;
		if (some == most)
			return NFART_OK;
		some = 2 * some < most ? 2 * some : most;
	}
	while (s == NFART_OK && some - none > 1) {
		uint32_t middle = none + (some - none) / 2;

		s = has_bound(&b->form, less, middle, overrun, &holds);
		if (holds)
			some = middle;
		else
			none = middle;
	}
	b->least = some;
	return s;
}

enum nfart_status etm_bound(struct etm_bound *b, const struct etm_regs *r, bool ete,
			    struct etm_reading reading, uint32_t overrun)
{
	struct etm_machine m;
	struct etm_bound_parts p;
	enum nfart_status s;

	memset(b, 0, sizeof *b);
	b->reading = reading;
	etm_decode(&m, r, ete, reading);
	b->unjudged = etm_bound_form(&p, &m);
	if (b->unjudged != NULL)
		return NFART_OK;
	b->form = p.form;
	b->k = p.form.k;
	b->period = p.form.period;
	s = judge(b, &p, overrun);
	return s == NFART_OK ? find_least(b, overrun) : s;
}

void etm_bound_free(struct etm_bound *b)
{
	bound_most_free(&b->most);
}
