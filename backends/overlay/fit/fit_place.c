/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/fit/fit_place.h"

#include <string.h>

#include "backends/overlay/map/map_view.h"

enum {
	ROUNDS = 24, /* most rounds of splitting dense places, for one limit on neighbours */
	/* A search that places split states gets MORE_STEPS steps, plus SPLIT_STEPS for each state.
	 * That is little, because splitting further helps more than searching longer. */
	SPLIT_STEPS = 4,
	MORE_STEPS = 500,
	SPLIT_WORK = 1000000000, /* most work on all searches with split states together */
	/* The work of one step of the search is STEP for each state, clique and connection. As many
	 * steps as there are states are free, because only a step after a failure is slow; so are
	 * FAILURES of these. */
	STEP = 64,
	FAILURES = 64,
	SETUP = 16,     /* work before the search, for each state, clique and connection */
	TESTS = 1 << 18 /* most work of the exact tests, which stop at a bound of their own */
};

/* Gives each state a node of its clique; the states of a clique get its nodes in the order of their
 * numbers. Before the call clique[s] is the clique of state s, after the call it is the node of
 * state s. False: out of memory. */
static bool place_nodes(const struct nfa *a, uint32_t *clique, const struct overlay *o)
{
	size_t n = overlay_ncliques(o);
	uint32_t *next = calloc(2 * n + 1, sizeof *next), stes = overlay_nste(o);

	for (size_t s = 0; next != NULL && s < a->states.n; s++) {
		uint32_t c = clique[s];
		clique[s] = a->states.at[s].kind == NFA_STE
				    ? c * o->clique + next[c]++
				    : stes + c * o->counters + next[n + c]++;
	}
	free(next);
	return next != NULL;
}

/* Makes an array that says which kind of node each state needs: 0 for an STE, 1 for a counter. Sets
 * g->kind and *kind to the array. If all states need STEs, there is no array, and *kind is NULL.
 * The caller frees *kind. False: out of memory. */
static bool find_kinds(const struct nfa *a, struct map_graph *g, uint32_t **kind)
{
	*kind = NULL;
	if (nfa_count_stes(a) == a->states.n)
		return true;
	*kind = malloc(a->states.n * sizeof **kind);
	for (size_t s = 0; *kind != NULL && s < a->states.n; s++)
		(*kind)[s] = a->states.at[s].kind == NFA_COUNTER;
	g->kind = *kind;
	return *kind != NULL;
}

/* Subtracts `work` from *left. If `work` is more than *left, *left becomes 0. */
static void spend(fit_work_t *left, fit_work_t work)
{
	*left -= work < *left ? work : *left;
}

/* Returns how many steps of a search for n states were not free. */
static uint64_t counted_steps(const struct map_report *r, uint64_t n)
{
	uint64_t steps = r->steps > n ? r->steps - n : 0;
	uint64_t failures = r->failures > FAILURES ? r->failures - FAILURES : 0;

	return steps > failures ? steps : failures;
}

/* Calls the mapper once. If it finds a placement, *ste becomes an array with the node of each
 * state, which the caller frees. *left falls by the work done. If too little work is left to call
 * the mapper, the answer is NFART_GAVEUP, and *ste and *report keep their values. */
static enum nfart_status place(const struct nfa *a, const struct overlay *o,
			       const struct map_overlay *view, const struct map_options *options,
			       uint32_t **ste, struct map_report *report, fit_work_t *left)
{
	struct map_graph g = { .n = (uint32_t)a->states.n };
	struct map_options bounded = *options;
	uint64_t n = a->states.n, size = n + view->ncliques + a->edges.n;
	uint64_t straight = n * size / 32 < TESTS ? n * size / 32 : TESTS;
	enum nfart_status status = NFART_SYSTEM;
	struct map_overlay nodes = *view;
	uint32_t(*edges)[2], *kind = NULL;

	if (*left == 0)
		return NFART_GAVEUP;
	spend(left, SETUP * size + (uint64_t)view->ncliques * view->nneighbours);
	if (*left <= straight) {
		*left = 0;
		return NFART_GAVEUP;
	}
	if (bounded.steps > n + (*left - straight) / (STEP * size))
		bounded.steps = n + (*left - straight) / (STEP * size);
	if (bounded.failures == 0 ||
	    bounded.failures > FAILURES + (*left - straight) / (STEP * size))
		bounded.failures = FAILURES + (*left - straight) / (STEP * size);
	edges = nfa_connections(a, &g.m);
	*ste = malloc((a->states.n + 1) * sizeof **ste);
	if (*ste != NULL && edges != NULL && find_kinds(a, &g, &kind)) {
		g.edges = (const uint32_t(*)[2])edges;
		if (kind != NULL) {
			nodes.more_kinds = 1;
			nodes.more_room = &o->counters;
		}
		status = map_place(&g, &nodes, &bounded, *ste, report);
		if (report->steps != 0)
			spend(left, straight + counted_steps(report, n) * STEP * size);
	}
	if (status == NFART_OK && !place_nodes(a, *ste, o))
		status = NFART_SYSTEM;
	if (status != NFART_OK) {
		free(*ste);
		*ste = NULL;
	}
	free(edges);
	free(kind);
	return status;
}

static bool is_dense_somewhere(const struct map_report *r)
{
	return r->reason == MAP_BALL || r->reason == MAP_COMPONENT;
}

/* Splits the states of a copy of `a` until none has more than `most` neighbours. Then splits states
 * wherever the exact tests find the NFA too dense. The mapper tries to place each result. NFART_OK:
 * *p has the placement. NFART_NOFIT: this way of splitting gives no placement. */
static enum nfart_status try_degree(struct placement *p, const struct nfa *a,
				    const struct overlay *o, const struct map_overlay *view,
				    const struct map_options *options, uint32_t most,
				    fit_work_t *left)
{
	uint32_t stes = overlay_nste(o);
	enum nfart_status status;
	struct map_report report = { .reason = MAP_FITS };

	if (!nfa_copy(&p->split, a))
		return NFART_SYSTEM;
	status = split_to_degree(&p->split, most, stes, &p->log);
	spend(left, SETUP * (1 + p->log.splits.n) * (p->split.states.n + p->split.edges.n));
	for (int i = 0; i < ROUNDS && status == NFART_OK && nfa_count_stes(&p->split) <= stes;
	     i++) {
		/* If no state was split, p->split is the same as `a`, which placement_find() has
		 * already tried. */
		status = p->log.splits.n == 0
				 ? NFART_NOFIT
				 : place(&p->split, o, view, options, &p->ste, &report, left);
		if (p->log.splits.n == 0)
			report = p->map;
		if (status == NFART_OK)
			p->map = report;
		if (status != NFART_NOFIT || !is_dense_somewhere(&report))
			break;
		status =
			split_near(&p->split, report.state,
				   report.reason == MAP_BALL ? report.radius : UINT32_MAX, &p->log);
	}
	if (p->ste != NULL)
		return NFART_OK;
	nfa_free(&p->split);
	memset(&p->split, 0, sizeof p->split);
	vec_free(&p->log.splits);
	return status == NFART_OK ? NFART_NOFIT : status;
}

/* Can splitting states help after this answer of the mapper? Splitting can't help if there are too
 * few STEs. */
static bool may_help(const struct map_report *r, enum nfart_status status)
{
	return status == NFART_GAVEUP || (status == NFART_NOFIT && r->reason != MAP_STATES);
}

/* Does every way of splitting states down to `most` neighbours need more than `stes` STEs? Each
 * connection of a state must be on one of its copies, and a copy has at most `most` connections.
 * This gives a lower bound on the number of copies. */
static bool is_hopeless(const struct nfa *a, const uint32_t *degree, uint32_t most, uint32_t stes)
{
	uint64_t need = 0;

	for (size_t s = 0; s < a->states.n; s++)
		if (a->states.at[s].kind == NFA_STE)
			need += degree[s] == 0 ? 1 : (degree[s] + (uint64_t)most - 1) / most;
	return need > stes;
}

/* Tries to place `a` with its states split. At first each state may have as many neighbours as an
 * STE has, then half as many, then a quarter, and so on. *p and *left are as in try_degree(). */
static enum nfart_status split_and_place(struct placement *p, const struct nfa *a,
					 const struct overlay *o, const struct map_overlay *view,
					 const struct map_options *options, fit_work_t *left)
{
	struct map_options less = *options;
	uint32_t most = overlay_npred(o) - 1;
	uint32_t *degree = malloc((a->states.n + 1) * sizeof *degree);
	enum nfart_status status = NFART_SYSTEM;

	less.steps = MORE_STEPS + SPLIT_STEPS * a->states.n;
	if (less.steps > options->steps)
		less.steps = options->steps;
	if (degree != NULL && nfa_degrees(a, degree))
		for (status = NFART_NOFIT;
		     status != NFART_SYSTEM && p->ste == NULL && most >= 2 && *left != 0;
		     most /= 2) {
			if (is_hopeless(a, degree, most, overlay_nste(o)))
				break;
			status = try_degree(p, a, o, view, &less, most, left);
		}
	free(degree);
	return status;
}

enum nfart_status placement_find(struct placement *p, const struct nfa *a, const struct overlay *o,
				 const struct map_options *options, fit_work_t *left)
{
	fit_work_t all = UINT64_MAX, splits = SPLIT_WORK;
	uint32_t *neighbours = NULL;
	struct map_overlay view;
	enum nfart_status status = NFART_SYSTEM, split;

	memset(p, 0, sizeof *p);
	if (map_view(o, &view, &neighbours))
		status = place(a, o, &view, options, &p->ste, &p->map, left != NULL ? left : &all);
	if (may_help(&p->map, status) && (left == NULL || status == NFART_NOFIT)) {
		split = split_and_place(p, a, o, &view, options, left != NULL ? left : &splits);
		if (split == NFART_OK || split == NFART_SYSTEM)
			status = split;
	}
	free(neighbours);
	return status;
}

void placement_free(struct placement *p)
{
	free(p->ste);
	if (p->log.splits.n != 0)
		nfa_free(&p->split);
	vec_free(&p->log.splits);
}
