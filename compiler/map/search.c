/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/map/search.h"

#include "compiler/map/matching.h"

enum {
	NOWHERE = UINT32_MAX,
	MAX_PAIRS = 1 << 26,  /* of states and cliques; more is left to others */
	CLOCK_STEPS = 256,    /* the clock is read once in so many steps */
	RESTART_FAILURES = 50 /* in the shortest run */
};

struct decision {
	uint32_t state, clique;
	size_t trail; /* its length before */
};

struct search {
	const struct map_problem *p;
	struct domains d;
	struct matching room;
	uint32_t *clique;        /* [n], or NOWHERE */
	uint32_t *last;          /* [n]: where the state was placed last, or NOWHERE */
	uint32_t *used;          /* [K] */
	uint64_t *weight;        /* [n]: 1 + how often the state had nowhere to go */
	uint32_t *order, norder; /* states with edges, near the fixed one first */
	struct decision *stack;  /* [n] */
	uint32_t depth;
	uint64_t failures, runs; /* failures of this run; runs, this one included */
};

/* Propagates what was changed and looks whether there is room for all. `fine`: so far. */
static bool is_possible(struct search *s, bool fine)
{
	uint32_t blamed;

	fine = domain_propagate(&s->d, fine);
	blamed = fine ? matching_repair(&s->room, s->order, s->norder) : s->d.emptied;
	if (fine && blamed == MATCHING_NONE)
		return true;
	s->weight[blamed]++;
	s->failures++;
	return false;
}

/* Puts v into c, which its domain has. False: that leads nowhere, or no memory. */
static bool place(struct search *s, uint32_t v, uint32_t c)
{
	bool fine;

	s->stack[s->depth++] = (struct decision){v, c, s->d.trail.n};
	s->clique[v] = s->last[v] = c;
	s->used[c]++;
	s->p->report->steps++;
	fine = domain_keep(&s->d, v, c);
	if (s->used[c] == s->p->overlay->clique_size)
		for (uint32_t i = 0; i < s->norder && fine; i++)
			if (s->clique[s->order[i]] == NOWHERE)
				fine = domain_remove(&s->d, s->order[i], c);
	return is_possible(s, fine);
}

static struct decision take_back(struct search *s)
{
	struct decision decision = s->stack[--s->depth];

	domain_undo(&s->d, decision.trail);
	s->clique[decision.state] = NOWHERE;
	s->used[decision.clique]--;
	return decision;
}

/* Takes back decisions until another one is left to try. False: there is none, or no memory. */
static bool backtrack(struct search *s)
{
	while (s->depth > 0 && !s->d.no_memory) {
		struct decision last = take_back(s);
		if (is_possible(s, domain_remove(&s->d, last.state, last.clique)))
			return true;
	}
	return false;
}

/* The state to place next: a small domain and a large weight. NOWHERE: all are placed. */
static uint32_t choose_state(const struct search *s)
{
	uint32_t best = NOWHERE;

	for (uint32_t i = 0; i < s->norder; i++) {
		uint32_t v = s->order[i];
		if (s->clique[v] != NOWHERE)
			continue;
		if (best == NOWHERE ||
		    s->d.size[v] * s->weight[best] < s->d.size[best] * s->weight[v])
			best = v;
	}
	return best;
}

/* Where to put it: where it was last, or else where most room is. */
static uint32_t choose_clique(const struct search *s, uint32_t v)
{
	const uint64_t *dom = domain_of(&s->d, v);
	uint32_t best = NOWHERE, k = s->d.ncliques;

	if (s->last[v] != NOWHERE && bits_get(dom, s->last[v]))
		return s->last[v];
	for (size_t c = bits_next(dom, k, 0); c < k; c = bits_next(dom, k, c + 1))
		if (best == NOWHERE || s->used[c] < s->used[best])
			best = (uint32_t)c;
	return best;
}

/* The i-th term, from 1, of Luby's sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 … */
static uint64_t luby(uint64_t i)
{
	for (;;) {
		uint64_t power = 1;
		while (power <= i)
			power *= 2;
		if (i == power - 1)
			return power / 2;
		i -= power / 2 - 1;
	}
}

/* Begins again from the start, with the weights and places learnt. */
static void restart(struct search *s)
{
	while (s->depth > 0)
		take_back(s);
	s->failures = 0;
	s->runs++;
}

static bool is_over(struct search *s)
{
	struct map_report *report = s->p->report;

	if (report->steps >= s->p->options->steps)
		report->limit = MAP_LIMIT_STEPS;
	else if (report->steps % CLOCK_STEPS == 0 && problem_time_left(s->p) == 0)
		report->limit = MAP_LIMIT_TIME;
	return report->limit != MAP_NO_LIMIT;
}

static enum nfart_status run(struct search *s)
{
	uint32_t v;

	if (!is_possible(s, true))
		return s->d.no_memory ? NFART_SYSTEM : NFART_NOFIT;
	while ((v = choose_state(s)) != NOWHERE) {
		if (is_over(s))
			return NFART_GAVEUP;
		if (!place(s, v, choose_clique(s, v)) && !backtrack(s))
			return s->d.no_memory ? NFART_SYSTEM : NFART_NOFIT;
		if (s->failures > luby(s->runs) * RESTART_FAILURES)
			restart(s);
	}
	return NFART_OK;
}

static bool prepare(struct search *s, struct arena *a)
{
	uint32_t n = s->p->nfa.n;

	s->last = arena_array(a, n, sizeof *s->last);
	s->used = arena_array(a, s->p->cliques.n, sizeof *s->used);
	s->weight = arena_array(a, n, sizeof *s->weight);
	s->order = arena_array(a, n, sizeof *s->order);
	s->stack = arena_array(a, n, sizeof *s->stack);
	if (s->last == NULL || s->used == NULL || s->weight == NULL || s->order == NULL ||
	    s->stack == NULL || !domain_init(&s->d, s->p, a) ||
	    !matching_init(&s->room, &s->d, a))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t v = s->p->near_first[i];
		s->clique[v] = s->last[v] = NOWHERE;
		s->weight[v] = 1;
		if (map_degree(&s->p->nfa, v) > 0)
			s->order[s->norder++] = v;
	}
	return true;
}

enum nfart_status search_place(const struct map_problem *p, uint32_t *clique)
{
	uint64_t states = p->nfa.n, cliques = p->cliques.n;
	struct search s = {.p = p, .clique = clique, .runs = 1};
	enum nfart_status status = NFART_SYSTEM;
	struct arena arena = {0};

	if ((states > cliques ? states : cliques) * cliques > MAX_PAIRS) {
		p->report->limit = MAP_LIMIT_SIZE;
		return NFART_GAVEUP;
	}
	if (prepare(&s, &arena))
		status = run(&s);
	domain_free(&s.d);
	arena_free(&arena);
	return status;
}
