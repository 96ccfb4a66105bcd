/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bound_path.c: heaviest paths in the graph of configurations.
 *
 * A window of n periods is a path with n ticks from any node to any node. Three layers of labels
 * are computed, each by relaxing edges until nothing changes (Bellman and Ford):
 *
 *	BEFORE	the most lines on a path without ticks that ends at the node
 *	ONE	the same for paths with exactly one tick
 *	MORE	the most of (lines * rate_ticks - ticks * rate_lines) on paths with ticks
 *
 * Labels never settle if a cycle of the graph weighs more than 0. Such a cycle is found in the
 * links that say by which edge each label came. In layer BEFORE it means that no number bounds the
 * lines between two ticks. In layer MORE its own ratio of lines to ticks becomes the rate, and the
 * layer begins anew. Rates rise strictly, and each is that of a simple cycle, so this ends
 * (Dinkelbach's method); the last rate is that of the heaviest cycle.
 *
 * A window that begins right behind a tick ends with a tick, so that it has n periods. Where pulses
 * are seen a cycle late, the first cycle of such a window is special: it sees the tick. So windows
 * that begin at a node with a late tick are a class of their own, and end at such a node. All other
 * windows may begin and end at any node.
 */
#include <string.h>

#include "backends/etm/bound/bound_graph.h"

enum { BEFORE, ONE, MORE, LAYERS };
enum { SEED = 0x80, NO_EDGE = 0x7f }; /* see struct label */
#define NO_LABEL INT64_MIN

struct label {
	int64_t value;
	uint32_t from; /* the node from which the label came */
	/* the edge by which it came, or NO_EDGE; with SEED, `from` is a node of layer BEFORE */
	uint8_t via;
};

struct solver {
	const struct bound_graph *g;
	struct label *layer[LAYERS];
	uint8_t *colour;       /* for links(): 1: on the present walk, 2: done */
	int64_t line, tick;    /* what a line weighs, and what a tick costs */
	bool late;             /* the class of windows: they begin with a late tick */
	uint64_t work;         /* how many edges were looked at */
};

/* Raises the labels of a layer along all edges, or along those without tick, once for each node.
 * Returns whether a label has changed. */
static bool sweep(struct solver *s, struct label *l, bool ticks)
{
	const struct bound_graph *g = s->g;
	uint32_t nedges = ticks ? g->nedges : g->form->ninputs;
	bool changed = false;

	s->work += g->nodes.n * nedges;
	for (uint32_t i = 0; i < g->nodes.n; i++) {
		const uint32_t *to = &g->to.at[(size_t)i * g->nedges];

		if (l[i].value == NO_LABEL)
			continue;
		for (uint32_t e = 0; e < nedges; e++) {
			int64_t v = l[i].value;

			if (to[e] == BOUND_NOWHERE)
				continue;
			if (bound_edge_lines(g, i, e))
				v += s->line;
			if (bound_edge_ticks(g, e))
				v -= s->tick;
			if (v > l[to[e]].value) {
				l[to[e]] = (struct label){ v, i, (uint8_t)e };
				changed = true;
			}
		}
	}
	return changed;
}

/* Returns a node on a cycle of links, or BOUND_NOWHERE. */
static uint32_t links(struct solver *s, const struct label *l)
{
	memset(s->colour, 0, s->g->nodes.n);
	for (uint32_t i = 0; i < s->g->nodes.n; i++) {
		uint32_t j = i;

		while (s->colour[j] == 0) {
			s->colour[j] = 1;
			if (l[j].value == NO_LABEL || (l[j].via & SEED) || l[j].via == NO_EDGE)
				break;
			j = l[j].from;
			if (s->colour[j] == 1)
				return j;
		}
		for (j = i; s->colour[j] == 1; j = l[j].from) {
			s->colour[j] = 2;
			if (l[j].value == NO_LABEL || (l[j].via & SEED) || l[j].via == NO_EDGE)
				break;
		}
	}
	return BOUND_NOWHERE;
}

/* Raises the labels of a layer until nothing changes. Returns a node on a cycle that weighs more
 * than 0, or BOUND_NOWHERE. Looking for cycles costs as much as a sweep, so it is done after 4, 8,
 * 16, … sweeps. Above BOUND_WORK edges it stops, and the labels mean nothing. */
static uint32_t settle(struct solver *s, struct label *l, bool ticks)
{
	for (uint64_t n = 1, check = 4; s->work <= BOUND_WORK && sweep(s, l, ticks); n++) {
		uint32_t node;

		if (n < check)
			continue;
		check *= 2;
		node = links(s, l);
		if (node != BOUND_NOWHERE)
			return node;
	}
	return BOUND_NOWHERE;
}

/* Gives a layer the labels that layer BEFORE has behind one tick. */
static void seed(struct solver *s, struct label *l, int64_t line, int64_t tick)
{
	const struct bound_graph *g = s->g;

	s->line = line;
	s->tick = tick;
	for (size_t i = 0; i < g->nodes.n; i++)
		l[i] = (struct label){ NO_LABEL, 0, NO_EDGE };
	for (uint32_t i = 0; i < g->nodes.n; i++) {
		for (uint32_t e = g->form->ninputs; e < g->nedges; e++) {
			uint32_t to = g->to.at[(size_t)i * g->nedges + e];
			int64_t v;

			if (to == BOUND_NOWHERE || s->layer[BEFORE][i].value == NO_LABEL)
				continue;
			v = s->layer[BEFORE][i].value * line - tick;
			if (bound_edge_lines(g, i, e))
				v += line;
			if (v > l[to].value)
				l[to] = (struct label){ v, i, (uint8_t)(e | SEED) };
		}
	}
}

static void reverse(struct bound_path *p, size_t first)
{
	for (size_t a = first, b = p->edges.n; a + 1 < b; a++) {
		uint8_t edge = p->edges.at[--b];

		p->edges.at[b] = p->edges.at[a];
		p->edges.at[a] = edge;
	}
}

/* Writes to *path the path from the start to the node. */
static bool path_to(const struct bound_graph *g, uint32_t node, struct bound_path *path)
{
	for (; g->nodes.at[node].from != BOUND_NOWHERE; node = g->nodes.at[node].from)
		if (!vec_push(&path->edges, g->nodes.at[node].via))
			return false;
	reverse(path, 0);
	return true;
}

/* Writes to *in the path that gave a node of the layer its label, and to *to a path from the start
 * to where that path begins. */
static bool trace(struct solver *s, unsigned layer, uint32_t node, struct bound_path *to,
		  struct bound_path *in)
{
	to->edges.n = in->edges.n = 0;
	for (;;) {
		const struct label *l = &s->layer[layer][node];

		if (l->via == NO_EDGE)
			break;
		if (!vec_push(&in->edges, (uint8_t)(l->via & ~SEED)))
			return false;
		if (l->via & SEED)
			layer = BEFORE;
		node = l->from;
	}
	reverse(in, 0);
	return path_to(s->g, node, to);
}

/* Writes the cycle of links through the node, and the path to it, to *m. Then writes its lines and
 * ticks to *lines and *ticks. */
static bool take_cycle(struct solver *s, const struct label *l, uint32_t node, struct bound_most *m,
		       uint64_t *lines, uint64_t *ticks)
{
	uint32_t at = node;

	m->to_cycle.edges.n = m->in_cycle.edges.n = 0;
	*lines = *ticks = 0;
	do {
		uint8_t e = l[at].via;

		at = l[at].from;
		if (!vec_push(&m->in_cycle.edges, e))
			return false;
		*lines += bound_edge_lines(s->g, at, e);
		*ticks += bound_edge_ticks(s->g, e);
	} while (at != node);
	reverse(&m->in_cycle, 0);
	return path_to(s->g, node, &m->to_cycle);
}

/* Which nodes a window may begin and end with, see the top. */
static bool in_class(const struct solver *s, uint32_t node)
{
	return (s->g->nodes.at[node].control & BOUND_LATE_TICK) != 0;
}

/* Labels layer BEFORE for windows of the present class. Returns what settle() returns. */
static uint32_t begin(struct solver *s)
{
	s->line = 1;
	s->tick = 0;
	for (uint32_t i = 0; i < s->g->nodes.n; i++)
		s->layer[BEFORE][i] = (struct label){ in_class(s, i) == s->late ? 0 : NO_LABEL, 0,
						      NO_EDGE };
	return settle(s, s->layer[BEFORE], false);
}

/* Returns the node with the greatest label among those that a window of the present class may end
 * with, or BOUND_NOWHERE. */
static uint32_t greatest(const struct solver *s, unsigned layer)
{
	const struct label *l = s->layer[layer];
	uint32_t best = BOUND_NOWHERE;

	for (uint32_t i = 0; i < s->g->nodes.n; i++)
		if (l[i].value != NO_LABEL && (!s->late || in_class(s, i)) &&
		    (best == BOUND_NOWHERE || l[i].value > l[best].value))
			best = i;
	return best;
}

/* Raises m->window to the most lines in one period, of windows of the present class. */
static bool one_period(struct solver *s, struct bound_most *m)
{
	uint32_t node;

	seed(s, s->layer[ONE], 1, 0);
	settle(s, s->layer[ONE], false);
	node = greatest(s, ONE);
	if (node == BOUND_NOWHERE || (uint64_t)s->layer[ONE][node].value < m->window)
		return true;
	m->window = (uint64_t)s->layer[ONE][node].value;
	return trace(s, ONE, node, &m->to_window, &m->in_window);
}

/* Raises m->over to that of windows of the present class, and the rate to that of the heaviest
 * cycle. */
static bool many_periods(struct solver *s, struct bound_most *m)
{
	uint32_t node;

	for (;;) {
		seed(s, s->layer[MORE], (int64_t)m->rate_ticks, (int64_t)m->rate_lines);
		node = settle(s, s->layer[MORE], true);
		if (node == BOUND_NOWHERE)
			break;
		if (!take_cycle(s, s->layer[MORE], node, m, &m->rate_lines, &m->rate_ticks))
			return false;
	}
	node = greatest(s, MORE);
	if (node == BOUND_NOWHERE || (s->late && s->layer[MORE][node].value < m->over))
		return true;
	m->over = s->layer[MORE][node].value;
	return trace(s, MORE, node, &m->to_over, &m->in_over);
}

/* The rate is known after windows of the first class: a path all of whose nodes have a late tick
 * has a tick in every cycle, so at most one line for each tick; and any other cycle has a node with
 * which a window of that class may begin. */
static bool solve(struct solver *s, struct bound_most *m)
{
	uint64_t lines, ticks;
	uint32_t node;

	m->rate_lines = s->g->form->k;
	m->rate_ticks = 1;
	for (unsigned late = 0; late < 2; late++) {
		s->late = late;
		node = begin(s);
		if (node != BOUND_NOWHERE)
			return take_cycle(s, s->layer[BEFORE], node, m, &lines, &ticks);
		if (!one_period(s, m) || !many_periods(s, m))
			return false;
	}
	m->finite = true;
	return true;
}

enum nfart_status bound_most(struct bound_most *m, const struct bound_graph *g)
{
	struct solver s = { .g = g };
	bool ok = true;

	*m = (struct bound_most){ 0 };
	s.colour = malloc(g->nodes.n);
	for (unsigned i = 0; i < LAYERS; i++) {
		s.layer[i] = malloc(g->nodes.n * sizeof *s.layer[i]);
		ok = ok && s.layer[i] != NULL;
	}
	ok = ok && s.colour != NULL && solve(&s, m);
	for (unsigned i = 0; i < LAYERS; i++)
		free(s.layer[i]);
	free(s.colour);
	if (!ok)
		return NFART_SYSTEM;
	return s.work > BOUND_WORK ? NFART_GAVEUP : NFART_OK;
}

void bound_most_free(struct bound_most *m)
{
	vec_free(&m->to_window.edges);
	vec_free(&m->in_window.edges);
	vec_free(&m->to_over.edges);
	vec_free(&m->in_over.edges);
	vec_free(&m->to_cycle.edges);
	vec_free(&m->in_cycle.edges);
	*m = (struct bound_most){ 0 };
}
