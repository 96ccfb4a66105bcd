/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/parts.h"

#include <stdlib.h>

#include "backends/overlay/map/packing.h"
#include "backends/overlay/map/portfolio.h"

struct parts {
	const struct map_problem *p;
	struct arena arena;
	uint32_t *clique_of; /* [K]: the cliques of the overlay, part after part */
	uint32_t nparts, ncomponents;
	uint32_t *states, *begin; /* the states of component i begin at states[begin[i]] */
	uint32_t *room;           /* [kinds]: nodes of each kind in a clique */
	uint32_t *number;         /* [n]: the number of a state in the current task */
};

/* Finds the connected parts of the overlay: sets nparts and clique_of. The parts need not be
 * numbered alike, so each one gets its own adjacency later (build_part()). False: out of memory. */
static bool split_overlay(struct parts *s)
{
	const struct map_adj *g = &s->p->cliques;
	uint32_t *dist = arena_array(&s->arena, g->n, sizeof *dist);

	s->clique_of = arena_array(&s->arena, g->n, sizeof *s->clique_of);
	if (dist == NULL || s->clique_of == NULL)
		return false;
	for (uint32_t c = 0; c < g->n; c++)
		dist[c] = MAP_FAR;
	for (uint32_t c = 0, reached = 0; c < g->n; c++) {
		if (dist[c] != MAP_FAR)
			continue;
		reached += map_bfs(g, c, MAP_FAR, dist, s->clique_of + reached);
		s->nparts++;
	}
	return true;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Makes the adjacency of a part. Its cliques are renumbered from 0 in rising order:
 * number[c] becomes the new number of clique c; `number` is as long as the overlay has
 * cliques. False: out of memory. */
static bool build_part(const struct parts *s, uint32_t part, uint32_t *number, struct arena *arena,
		       struct map_adj *out)
{
	const struct map_adj *g = &s->p->cliques;
	uint32_t k = g->n / s->nparts, *of = s->clique_of + (size_t)part * k, *to;
	size_t *first = arena_array(arena, (size_t)k + 1, sizeof *first), n = 0;

	to = arena_array(arena, (size_t)k * s->p->overlay->nneighbours, sizeof *to);
	if (first == NULL || to == NULL)
		return false;
	qsort(of, k, sizeof *of, by_number);
	for (uint32_t i = 0; i < k; i++)
		number[of[i]] = i;
	for (uint32_t i = 0; i < k; i++) {
		for (size_t j = g->first[of[i]]; j < g->first[of[i] + 1]; j++)
			to[n++] = number[g->to[j]];
		first[i + 1] = n;
	}
	*out = (struct map_adj){.n = k, .first = first, .to = to};
	return true;
}

/* Finds the components of the NFA, without states that have no edges. False: out of memory. */
static bool split_nfa(struct parts *s)
{
	const struct map_adj *g = &s->p->nfa;
	uint32_t *dist = arena_array(&s->arena, g->n, sizeof *dist), reached = 0;

	s->states = arena_array(&s->arena, g->n, sizeof *s->states);
	s->begin = arena_array(&s->arena, (size_t)g->n + 1, sizeof *s->begin);
	s->number = arena_array(&s->arena, g->n, sizeof *s->number);
	if (dist == NULL || s->states == NULL || s->begin == NULL || s->number == NULL)
		return false;
	for (uint32_t v = 0; v < g->n; v++)
		dist[v] = MAP_FAR;
	for (uint32_t v = 0; v < g->n; v++) {
		if (dist[v] != MAP_FAR || map_degree(g, v) == 0)
			continue;
		reached += map_bfs(g, v, MAP_FAR, dist, s->states + reached);
		s->begin[++s->ncomponents] = reached;
	}
	return true;
}

/* Makes the adjacency of the states in a share: of all components i with share[i]. The
 * states are renumbered from 0 in rising order: (*states)[v] is the state that v stands
 * for. False: out of memory. */
static bool build_states(struct parts *s, const bool *share, struct arena *arena,
			 struct map_adj *out, uint32_t **states)
{
	const struct map_adj *g = &s->p->nfa;
	uint32_t n = 0, *list, *to;
	size_t *first, m = 0;

	for (uint32_t i = 0; i < s->ncomponents; i++)
		for (uint32_t j = s->begin[i]; share[i] && j < s->begin[i + 1]; j++, n++)
			m += map_degree(g, s->states[j]);
	list = arena_array(arena, n, sizeof *list);
	first = arena_array(arena, (size_t)n + 1, sizeof *first);
	to = arena_array(arena, m, sizeof *to);
	if (list == NULL || first == NULL || to == NULL)
		return false;
	n = 0;
	for (uint32_t i = 0; i < s->ncomponents; i++)
		for (uint32_t j = s->begin[i]; share[i] && j < s->begin[i + 1]; j++)
			list[n++] = s->states[j];
	qsort(list, n, sizeof *list, by_number);
	for (uint32_t v = 0; v < n; v++)
		s->number[list[v]] = v;
	m = 0;
	for (uint32_t v = 0; v < n; v++) {
		for (size_t j = g->first[list[v]]; j < g->first[list[v] + 1]; j++)
			to[m++] = s->number[g->to[j]];
		first[v + 1] = m;
	}
	*out = (struct map_adj){.n = n, .first = first, .to = to};
	*states = list;
	return true;
}

/* Maps the components of a share onto a part: clique[] receives the cliques, in the overlay's
 * numbers. */
static enum nfart_status place_share(struct parts *s, const bool *share, uint32_t part,
				     uint32_t *clique, struct arena *arena)
{
	struct map_task t = {.p = s->p, .kinds = s->p->overlay->more_kinds + 1, .room = s->room,
			     .length = s->p->overlay->length};
	uint32_t *states, *kind, *out, *number;
	enum nfart_status status;

	number = arena_array(arena, s->p->cliques.n, sizeof *number);
	if (number == NULL || !build_part(s, part, number, arena, &t.cliques) ||
	    !build_states(s, share, arena, &t.nfa, &states))
		return NFART_SYSTEM;
	if (t.nfa.n == 0)
		return NFART_OK;
	kind = arena_array(arena, t.nfa.n, sizeof *kind);
	out = arena_array(arena, t.nfa.n, sizeof *out);
	if (kind == NULL || out == NULL)
		return NFART_SYSTEM;
	for (uint32_t v = 0; v < t.nfa.n; v++)
		kind[v] = problem_kind(s->p, states[v]);
	t.kind = kind;
	status = portfolio_run(&t, out);
	for (uint32_t v = 0; status == NFART_OK && v < t.nfa.n; v++)
		clique[states[v]] = s->clique_of[(size_t)part * t.cliques.n + out[v]];
	return status;
}

struct call {
	struct parts *s;
	uint32_t *clique;
};

static enum nfart_status on_share(void *context, const bool *share, uint32_t part)
{
	struct call *call = context;
	struct arena arena = {0};
	enum nfart_status status = place_share(call->s, share, part, call->clique, &arena);

	arena_free(&arena);
	return status;
}

/* The sizes of the components as things to pack: [ncomponents * kinds], how many states of each
 * kind each one has. NULL: out of memory. */
static uint32_t *count_kinds(struct parts *s, uint32_t kinds)
{
	uint32_t *size = arena_array(&s->arena, (size_t)s->ncomponents * kinds, sizeof *size);

	for (uint32_t i = 0; size != NULL && i < s->ncomponents; i++)
		for (uint32_t j = s->begin[i]; j < s->begin[i + 1]; j++)
			size[(size_t)i * kinds + problem_kind(s->p, s->states[j])]++;
	return size;
}

static enum nfart_status place_parts(struct parts *s, uint32_t *clique)
{
	const struct map_overlay *o = s->p->overlay;
	uint32_t kinds = o->more_kinds + 1;
	struct call call = {s, clique};
	struct packing packing = {.kinds = kinds, .p = s->p, .place = on_share, .context = &call};
	uint64_t room[MAP_MOST_KINDS];

	s->room = arena_array(&s->arena, kinds, sizeof *s->room);
	if (s->room == NULL || !split_overlay(s) || !split_nfa(s))
		return NFART_SYSTEM;
	for (uint32_t i = 0; i < kinds; i++) {
		s->room[i] = map_overlay_room(o, i);
		room[i] = (uint64_t)s->room[i] * (o->ncliques / s->nparts);
	}
	packing.nbins = s->nparts;
	packing.nthings = s->ncomponents;
	packing.room = room;
	packing.size = count_kinds(s, kinds);
	return packing.size == NULL ? NFART_SYSTEM : packing_run(&packing);
}

enum nfart_status parts_place(const struct map_problem *p, uint32_t *clique)
{
	struct parts s = {.p = p};
	enum nfart_status status = place_parts(&s, clique);

	arena_free(&s.arena);
	return status;
}
