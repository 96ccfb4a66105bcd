/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/fit.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/map_view.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

enum nfart_status fit_counters(struct pipeline *p)
{
	for (size_t i = 0; i < p->spec.counters.n; i++)
		diag_report(&p->diags, DIAG_ERROR, "no-counters", p->spec.counters.at[i].range,
			    "counter '%s': overlay '%s' has no counters", p->spec.counters.at[i].name,
			    p->options.overlay.name);
	return p->spec.counters.n == 0 ? NFART_OK : NFART_NOFIT;
}

/* How many predicates the states have; SIZE_MAX: out of memory. */
static size_t distinct_preds(const struct nfa *a)
{
	bool *seen = calloc(a->preds->preds.n + 1, 1);
	size_t n = 0;

	for (size_t s = 0; seen != NULL && s < a->states.n; s++) {
		pred_id_t id = a->states.at[s].pred;
		if (id != PRED_NONE && !seen[id]) {
			seen[id] = true;
			n++;
		}
	}
	free(seen);
	return seen != NULL ? n : SIZE_MAX;
}

enum nfart_status fit_overlay(struct pipeline *p)
{
	const struct overlay *o = &p->overlay;
	const struct spec *s = &p->spec;
	const char *name = p->options.overlay.name;
	size_t before = p->diags.errors, preds;

	p->overlay = p->options.overlay.o;
	p->overlay.slots = s->proto->nslots;
	p->overlay.op_bits = s->proto->op_bits;
	if (o->none)
		return NFART_OK;
	if (overlay_check(o) != NULL)
		diag_report(&p->diags, DIAG_ERROR, "no-fit", nowhere, "overlay '%s': %s", name,
			    overlay_check(o));
	if (s->labels.n > o->labels) {
		struct diag_range r = nowhere;
		for (size_t i = 0; i < s->filters.n; i++)
			if (s->filters.at[i].label >= o->labels && r.source == DIAG_NO_SOURCE)
				r = s->filters.at[i].range;
		diag_report(&p->diags, DIAG_ERROR, "no-fit", r,
			    "%zu labels, but overlay '%s' has %" PRIu32, s->labels.n, name, o->labels);
	}
	if (s->by_line && s->nlines > o->lines)
		diag_report(&p->diags, DIAG_ERROR, "no-fit", s->substream_range,
			    "%" PRIu64 " lines, but overlay '%s' observes at most %" PRIu32, s->nlines, name,
			    o->lines);
	if (s->window > o->window)
		diag_report(&p->diags, DIAG_ERROR, "no-fit", s->window_range,
			    "window %" PRIu64 ", but overlay '%s' holds at most %" PRIu32, s->window, name,
			    o->window);
	preds = distinct_preds(&p->nfa);
	if (preds == SIZE_MAX)
		return NFART_SYSTEM;
	if (o->decoder == OVERLAY_BANK && preds > o->bank)
		diag_report(&p->diags, DIAG_ERROR, "no-fit", nowhere,
			    "%zu distinct predicates, but overlay '%s' has %" PRIu32 " shared decoders", preds,
			    name, o->bank);
	return p->diags.errors == before ? NFART_OK : NFART_NOFIT;
}

/* ---- mapping ---- */

/* The NFA as an undirected graph: pairs u < v, each once. NULL: out of memory. */
static uint32_t (*graph_edges(const struct nfa *a, size_t *m))[2]
{
	uint32_t (*e)[2] = malloc((a->edges.n + 1) * sizeof *e);
	struct nfa_adj in;
	size_t n = 0;

	if (e == NULL || !nfa_in(a, &in)) {
		free(e);
		return NULL;
	}
	for (uint32_t u = 0, k = 0; u < a->states.n; u++) {
		/* Neighbours above u: successors (edges are sorted) merged with predecessors. */
		uint32_t i = in.first[u], end = in.first[u + 1], last = u;
		while (k < a->edges.n && a->edges.at[k].from < u)
			k++;
		for (;;) {
			uint32_t x = k < a->edges.n && a->edges.at[k].from == u ? a->edges.at[k].to : UINT32_MAX;
			uint32_t y = i < end ? a->edges.at[in.edge[i]].from : UINT32_MAX;
			uint32_t v = x < y ? x : y;
			if (v == UINT32_MAX)
				break;
			k += v == x;
			i += v == y;
			if (v > u && v != last) {
				e[n][0] = u;
				e[n++][1] = v;
				last = v;
			}
		}
	}
	nfa_adj_free(&in);
	*m = n;
	return e;
}

/* A sentence for why it can't fit. */
static void report_nofit(struct pipeline *p)
{
	const struct map_report *r = &p->map;
	const char *name = p->options.overlay.name;
	struct diag_range at = r->state < p->nfa.states.n ? p->nfa.states.at[r->state].range : nowhere;

	switch (r->reason) {
	case MAP_STATES:
		diag_report(&p->diags, DIAG_ERROR, "no-fit", nowhere,
			    "%" PRIu64 " states, but overlay '%s' has %" PRIu64 " STEs", r->need, name, r->have);
		return;
	case MAP_DEGREE:
		diag_report(&p->diags, DIAG_ERROR, "no-fit", at,
			    "the state of this predicate is connected with %" PRIu64 " others, but an STE of "
			    "overlay '%s' only with %" PRIu64, r->need, name, r->have);
		return;
	case MAP_BALL:
		diag_report(&p->diags, DIAG_ERROR, "no-fit", at,
			    "%" PRIu64 " states are within %" PRIu32 " steps of this one, but overlay '%s' has "
			    "only %" PRIu64 " STEs within that distance", r->need, r->radius, name, r->have);
		return;
	case MAP_COMPONENT:
		diag_report(&p->diags, DIAG_ERROR, "no-fit", at,
			    "%" PRIu64 " states are connected with this one, but only %" PRIu64 " STEs of "
			    "overlay '%s' are connected with each other", r->need, r->have, name);
		return;
	case MAP_COMPONENTS:
		diag_report(&p->diags, DIAG_ERROR, "no-fit", nowhere,
			    "the automaton's parts need %" PRIu64 " separate rings, but overlay '%s' has %" PRIu64,
			    r->need, name, r->have);
		return;
	case MAP_SEARCH:
	case MAP_FITS:
		diag_report(&p->diags, DIAG_ERROR, "no-fit", nowhere,
			    "there is no placement of these %zu states on overlay '%s': all were tried",
			    p->nfa.states.n, name);
		return;
	}
}

static void report_gaveup(struct pipeline *p)
{
	static const char *const limits[] = { "a limit", "the limit of search steps",
		"the limit of rows of the integer program", "the limit of branch and bound nodes",
		"the time limit", "the limit of the problem's size", "the precision of the solver" };

	diag_report(&p->diags, DIAG_ERROR, "gave-up", nowhere,
		    "gave up mapping %zu states onto overlay '%s' at %s; whether they fit is not known",
		    p->nfa.states.n, p->options.overlay.name, limits[p->map.limit]);
}

/* Positions within cliques, in the order of the states; clique[s] becomes the STE of s. */
static bool place_stes(uint32_t *clique, size_t n, const struct overlay *o)
{
	uint32_t *next = calloc((size_t)overlay_ncliques(o) + 1, sizeof *next);

	for (size_t s = 0; next != NULL && s < n; s++)
		clique[s] = clique[s] * o->clique + next[clique[s]]++;
	free(next);
	return next != NULL;
}

enum nfart_status fit_map(struct pipeline *p)
{
	uint32_t (*edges)[2] = NULL, *neighbours = NULL;
	enum nfart_status status = NFART_SYSTEM;
	struct map_overlay view;
	struct map_graph g = { .n = (uint32_t)p->nfa.states.n };

	if (p->overlay.none)
		return NFART_OK;
	p->ste = malloc((p->nfa.states.n + 1) * sizeof *p->ste);
	edges = graph_edges(&p->nfa, &g.m);
	if (p->ste == NULL || edges == NULL || !map_view(&p->overlay, &view, &neighbours))
		goto out;
	g.edges = (const uint32_t (*)[2])edges;
	status = map_place(&g, &view, &p->options.map, p->ste, &p->map);
	if (status == NFART_NOFIT)
		report_nofit(p);
	else if (status == NFART_GAVEUP)
		report_gaveup(p);
	else if (status == NFART_INTERNAL || status == NFART_USAGE)
		diag_report(&p->diags, DIAG_ERROR, "internal", nowhere, "internal error in the mapper: %s",
			    p->map.wrong != NULL ? p->map.wrong : "unknown");
	if (status == NFART_USAGE)
		status = NFART_INTERNAL;
	if (status == NFART_OK && !place_stes(p->ste, g.n, &p->overlay))
		status = NFART_SYSTEM;
out:
	if (status != NFART_OK) {
		free(p->ste);
		p->ste = NULL;
	}
	free(edges);
	free(neighbours);
	return status;
}
