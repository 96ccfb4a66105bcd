/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Allocation failures in the mapper, in each of its models, and in the search for the cheapest
 * overlay.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/overlay/fit/fit_search.h"
#include "backends/overlay/map/map_graph.h"
#include "compiler/pipeline.h"
#include "testsuite/unit/allocfail.h"

/* ---- scenarios: a graph is mapped ---- */

struct graph {
	const char *name, *text;
	enum map_model model;
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

/* The cycle of nine states fills its overlay. The second graph has two components and states that
 * are equal. The third has a state of too high a degree, and the last is wrong. */
static const struct graph graphs[] = {
	{ "a cycle", "3 3 1 0 9 9 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 0 8\n", MAP_AUTO },
	{ "a cycle, by search", "3 3 1 0 9 9 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 0 8\n",
	  MAP_SEARCH_ALONE },
	{ "a cycle, by integer program", "2 3 1 0 6 6 0 1 1 2 2 3 3 4 4 5 0 5\n", MAP_ILP },
	{ "a cycle, baseline", "2 2 1 0 4 4 0 1 1 2 2 3 0 3\n", MAP_BASELINE },
	{ "a cycle, symmetry", "2 2 1 0 4 4 0 1 1 2 2 3 0 3\n", MAP_SYMMETRY },
	{ "a cycle, cliques", "2 2 1 0 4 4 0 1 1 2 2 3 0 3\n", MAP_CLIQUE },
	{ "a cycle, cliques and symmetry", "2 2 1 0 4 4 0 1 1 2 2 3 0 3\n", MAP_CLIQUE_SYMMETRY },
	{ "stars", "3 4 3 1 20 16 0 1 0 2 0 3 0 4 0 5 0 6 0 7 0 8 10 11 10 12 10 13 10 14 10 15 "
	  "10 16 10 17 10 18\n", MAP_AUTO },
	{ "components on rings", "2 3 3 0 16 13 0 1 1 2 2 3 3 4 5 6 6 7 7 8 8 9 10 11 11 12 12 13 "
	  "13 14 14 15\n", MAP_AUTO },
	{ "a wheel that does not fit", "2 5 1 0 9 12 0 1 0 2 0 3 0 4 1 2 2 3 3 4 1 4 4 5 5 6 6 7 "
	  "7 8\n", MAP_AUTO },
	{ "too high a degree", "2 3 1 0 8 7 0 1 0 2 0 3 0 4 0 5 0 6 0 7\n", MAP_AUTO },
	{ "a graph that is wrong", "2 3 1 0 3 2 0 1 1 0\n", MAP_AUTO },
};

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
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		inject(t, units[i].name, fit_one, units[i].text);
}
