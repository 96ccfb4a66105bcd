/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Allocation failures in the mapper, in each of its models, and in the search for the cheapest
 * overlay.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/overlay/fit/fit_search.h"
#include "backends/overlay/map/anneal.h"
#include "backends/overlay/map/graph_file.h"
#include "backends/overlay/map/map_graph.h"
#include "backends/overlay/map/map_view.h"
#include "compiler/pipeline.h"
#include "testsuite/unit/allocfail.h"

/* ---- scenarios: a graph is mapped ---- */

struct graph {
	const char *name, *text;
	enum map_model model;
	uint64_t steps; /* 0: the default */
};

static struct outcome map_one(const void *what)
{
	const struct graph *g = what;
	struct outcome out = { NFART_OK, 0 };
	struct map_options o;
	struct diags d = { .werror = false };
	struct buf b = { 0 };
	const char *places;

	map_options_init(&o);
	o.model = g->model;
	if (g->steps != 0)
		o.steps = g->steps;
	out.status = map_graph(g->name, g->text, strlen(g->text), &o, &d, &b);
	if (b.failed)
		out.status = NFART_SYSTEM;
	/* The first line has the processor time, which differs. */
	places = b.at != NULL ? memchr(b.at, '\n', b.n) : NULL;
	if (out.status != NFART_SYSTEM && places != NULL)
		outcome_add(&out, places, b.n - (size_t)(places - b.at));
	buf_free(&b);
	diag_free(&d);
	return out;
}

/* The cycle of nine states fills its overlay. The stars are states that are equal. With few steps
 * the search soon gives up, and the rings are unrolled. The last graphs are refused by tests. */
static const struct graph graphs[] = {
	{ "a cycle", "3 3 1 0 9 9 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 0 8\n", MAP_AUTO, 0 },
	{ "a cycle, by search", "3 3 1 0 9 9 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 0 8\n",
	  MAP_SEARCH_ALONE, 0 },
	{ "stars", "3 4 3 1 20 16 0 1 0 2 0 3 0 4 0 5 0 6 0 7 0 8 10 11 10 12 10 13 10 14 10 15 "
	  "10 16 10 17 10 18\n", MAP_AUTO, 0 },
	{ "components on rings", "2 3 3 0 16 13 0 1 1 2 2 3 3 4 5 6 6 7 7 8 8 9 10 11 11 12 12 13 "
	  "13 14 14 15\n", MAP_AUTO, 0 },
	{ "a wheel that does not fit", "2 5 1 0 9 12 0 1 0 2 0 3 0 4 1 2 2 3 3 4 1 4 4 5 5 6 6 7 "
	  "7 8\n", MAP_AUTO, 0 },
	{ "unrolled rings", "2 10 1 1 6 8 0 3 0 5 1 3 1 5 2 3 3 4 3 5 4 5\n", MAP_SEARCH_ALONE, 100 },
	{ "unrolled rings without room", "2 8 2 1 13 20 0 1 0 4 0 5 0 7 1 12 2 3 2 6 2 7 3 4 3 9 "
	  "4 6 4 7 5 10 5 12 6 10 7 11 8 9 8 10 9 11 9 12\n", MAP_SEARCH_ALONE, 500 },
	{ "more hubs than room", "1 5 3 1 15 12 0 1 0 2 0 3 0 4 5 6 5 7 5 8 5 9 10 11 10 12 10 13 "
	  "10 14\n", MAP_AUTO, 0 },
	{ "too high a degree", "2 3 1 0 8 7 0 1 0 2 0 3 0 4 0 5 0 6 0 7\n", MAP_AUTO, 0 },
	{ "a graph that is wrong", "2 3 1 0 3 2 0 1 1 0\n", MAP_AUTO, 0 },
};

/* ---- scenario: annealing ---- */

/* Makes two runs of annealing, and adds the cliques of all states to the outcome. */
static enum nfart_status anneal(const struct graph_file *f, const struct map_overlay *view,
				struct outcome *out)
{
	struct map_report report = { .state = MAP_NO_STATE };
	struct map_problem p = { .reach = 0 };
	uint32_t kind[8] = { 0 }, clique[8];
	struct map_options o;
	enum nfart_status status;

	map_options_init(&o);
	status = problem_init(&p, &f->graph, view, &o, &report);
	if (status == NFART_OK) {
		struct map_task task = { .p = &p, .nfa = p.nfa, .cliques = p.cliques, .kinds = 1,
					 .room = &view->clique_size, .kind = kind };
		status = anneal_run(&task, 1, 2, clique);
	}
	if (status == NFART_OK)
		outcome_add(out, clique, f->graph.n * sizeof *clique);
	problem_free(&p);
	return status;
}

static struct outcome anneal_one(const void *what)
{
	const char *text = what;
	struct outcome out = { NFART_OK, 0 };
	struct diags d = { .werror = false };
	uint32_t *neighbours = NULL;
	struct map_overlay view;
	struct graph_file f;

	out.status = graph_file_read(&f, &d, "annealing", text, strlen(text));
	if (out.status == NFART_OK) {
		out.status = NFART_SYSTEM;
		if (map_view(&f.overlay, &view, &neighbours))
			out.status = anneal(&f, &view, &out);
		graph_file_free(&f);
	}
	free(neighbours);
	diag_free(&d);
	return out;
}

/* ---- scenarios: the cheapest overlay is searched ---- */

static struct outcome fit_one(const void *what)
{
	const char *text = what;
	struct pipeline_file file = { "f.re", text, strlen(text), false };
	struct outcome out = { NFART_OK, 0 };
	struct pipeline_options o;
	struct fit_result r = { .complete = true };
	struct fit_options fit;
	struct fit_unit unit;
	struct pipeline p;
	struct buf b = { 0 };

	pipeline_options_init(&o);
	fit_options_init(&fit);
	o.last = STAGE_NFA;
	fit.range = (struct fit_range){ 4, 4, 2, 1, 40 };
	out.status = pipeline_run(&p, &o, &file, 1);
	if (out.status == NFART_OK && !fit_unit_init(&unit, &p.spec, &p.nfa))
		out.status = NFART_SYSTEM;
	if (out.status == NFART_OK)
		out.status = fit_search(&unit, 1, &o.overlay.o, &fit, &r);
	if (out.status == NFART_OK)
		fit_print(&r, &b);
	if (b.failed)
		out.status = NFART_SYSTEM;
	outcome_add(&out, b.at, b.n);
	buf_free(&b);
	fit_result_free(&r);
	pipeline_free(&p);
	return out;
}

static const struct {
	const char *name, *text;
} units[] = {
	{ "the cheapest overlay",
	  "protocol bytes; filter f = true* 'a' ('b' | 'c' 'd')* 'e'; filter g = 'x' 'y'; window 3;"
	  "log = 'a'+;" },
	{ "the cheapest overlay with counters",
	  "protocol bytes; counter c = true* 'a' at 5; filter f = @c 'b';" },
};

void inject_mapping(struct tap *t)
{
	for (size_t i = 0; i < sizeof graphs / sizeof graphs[0]; i++)
		inject(t, graphs[i].name, map_one, &graphs[i]);
	inject(t, "annealing", anneal_one, "3 3 1 0 8 8 0 1 1 2 2 3 3 4 4 5 5 6 6 7 0 7\n");
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		inject(t, units[i].name, fit_one, units[i].text);
}
