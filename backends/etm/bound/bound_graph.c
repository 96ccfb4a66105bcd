/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/bound/bound_graph.h"

static uint64_t hash_node(const struct bound_node *n)
{
	return hash_add(((uint64_t)n->left << 32 | n->count) * 0x9e3779b97f4a7c15u, n->control);
}

static uint64_t hash_of(const void *graph, uint32_t id)
{
	const struct bound_graph *g = graph;

	return hash_node(&g->nodes.at[id]);
}

static bool same(const void *graph, uint32_t id, const void *key)
{
	const struct bound_node *a = &((const struct bound_graph *)graph)->nodes.at[id], *b = key;

	return a->count == b->count && a->left == b->left && a->control == b->control;
}

/* Writes the index of the node to *index, and adds the node if it is new. */
static enum nfart_status find(struct bound_graph *g, const struct bound_node *n, uint32_t *index)
{
	size_t h;

	if (!hash_room(&g->hash, hash_of, g))
		return NFART_SYSTEM;
	h = hash_find(&g->hash, hash_node(n), same, g, n);
	*index = hash_id(&g->hash, h);
	if (*index != HASH_NONE)
		return NFART_OK;
	if (g->nodes.n == BOUND_NODES)
		return NFART_GAVEUP;
	*index = (uint32_t)g->nodes.n;
	if (!vec_push(&g->nodes, *n))
		return NFART_SYSTEM;
	hash_put(&g->hash, h, *index);
	return NFART_OK;
}

/* Writes to *next where edge e of the node leads. False: the cycle would have a line too many, or a
 * tick right behind another. */
static bool follow(const struct bound_graph *g, const struct bound_node *n, uint32_t e,
		   struct bound_node *next)
{
	const struct bound_form *f = g->form;
	uint32_t input = e % f->ninputs;
	struct bound_move m =
		f->move[n->control][bound_edge_ticks(g, e)][bound_level(f, n->count)][input];

	if (f->throttled[n->control] && f->line[input] && n->left == 0)
		return false;
	if ((n->control & BOUND_LATE_TICK) && bound_edge_ticks(g, e) && f->period > 1)
		return false;
	*next = (struct bound_node){ .count = bound_count(f, n->count, m.act), .control = m.to };
	if (f->throttled[m.to])
		next->left = f->throttled[n->control] ? n->left - f->line[input] : g->overrun;
	return true;
}

enum nfart_status bound_graph_make(struct bound_graph *g, const struct bound_form *f,
				   uint32_t overrun)
{
	struct bound_node n = { .control = f->start, .count = f->start_count,
				.from = BOUND_NOWHERE };
	uint32_t to;
	enum nfart_status s;

	*g = (struct bound_graph){ .form = f, .overrun = overrun, .nedges = 2 * f->ninputs };
	if (f->throttled[f->start])
		n.left = overrun;
	s = find(g, &n, &to);
	for (uint32_t i = 0; s == NFART_OK && i < g->nodes.n; i++) {
		if (!vec_reserve(&g->to, g->nedges))
			return NFART_SYSTEM;
		for (uint32_t e = 0; s == NFART_OK && e < g->nedges; e++) {
			to = BOUND_NOWHERE;
			if (follow(g, &g->nodes.at[i], e, &n)) {
				n.from = i;
				n.via = (uint8_t)e;
				s = find(g, &n, &to);
			}
			g->to.at[g->to.n++] = to;
		}
	}
	return s;
}

void bound_graph_free(struct bound_graph *g)
{
	vec_free(&g->nodes);
	vec_free(&g->to);
	hash_free(&g->hash);
	*g = (struct bound_graph){ 0 };
}
