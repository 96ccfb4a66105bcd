/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * models: compares all models of --map, and the integer programs of ilp_run.h, on random tiny
 * graphs. Each must answer what trying all placements answers, and what igraph's LAD says of the
 * graph and the overlay's STEs. The solvers row, anneal and sat are not complete: they may give up,
 * but must answer some of the graphs.
 * Adjacency is computed here from the thesis (T 3.3.2), not taken from the contract.
 *
 *   models [-n GRAPHS] [-s SEED]
 *
 * NFACC_GRAPHS and NFACC_SEED set the same. Graph i has seed SEED + i. A graph that differs is
 * printed in the format of --map-graph, and `models -n 1 -s SEED` tries it alone.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/overlay/map/map_view.h"
#include "testsuite/map/ilp/ilp_run.h"
#include "testsuite/map/lad.h"
#include "testsuite/setting.h"

enum { MOST_STATES = 7, MOST_STES = 12, MOST_EDGES = MOST_STATES * (MOST_STATES - 1) / 2 };
enum { FEW_STEPS = 8000 }; /* of solvers that give up on most graphs that do not fit */

struct instance {
	uint64_t seed, state;
	struct overlay o;
	uint32_t n;
	size_t m;
	uint32_t edges[MOST_EDGES][2];
};

/* Returns a random number below n. xorshift64* gives the same numbers on every machine. */
static uint32_t models_below(struct instance *in, uint32_t n)
{
	in->state ^= in->state >> 12;
	in->state ^= in->state << 25;
	in->state ^= in->state >> 27;
	return (uint32_t)((in->state * 0x2545f4914f6cdd1du >> 32) % n);
}

static uint32_t apart(uint32_t a, uint32_t b, uint32_t ring)
{
	uint32_t d = a > b ? a - b : b - a;

	return d < ring - d ? d : ring - d;
}

/* Are two cliques neighbours, or the same, by T 3.3.2? */
static bool is_adjacent(const struct overlay *o, uint32_t a, uint32_t b)
{
	uint32_t dr = apart(a / o->length, b / o->length, o->rings);
	uint32_t dl = apart(a % o->length, b % o->length, o->length);

	return (dl == 0 && dr <= o->reach) || (dr == 0 && dl <= 1);
}

/* Draws a small overlay. Some are degenerate: rings of 1 or 2 cliques, a reach over all rings. */
static void draw_overlay(struct instance *in)
{
	do
		in->o = (struct overlay){ .clique = 1 + models_below(in, 3),
					  .length = 1 + models_below(in, 6),
					  .rings = 1 + models_below(in, 4),
					  .reach = models_below(in, 3) };
	while (in->o.clique * in->o.length * in->o.rings > MOST_STES);
}

/* Draws a graph. Half of the graphs are drawn on the overlay, so they fit unless an edge is added.
 * The others are drawn anywhere. Many graphs have as many states as the overlay has STEs. */
static void models_draw(struct instance *in, uint64_t seed)
{
	uint32_t stes, slot[MOST_STES], percent;
	bool placed, extra;

	in->seed = seed;
	in->state = (seed + 1) * 0x9e3779b97f4a7c15u;
	draw_overlay(in);
	stes = in->o.clique * in->o.length * in->o.rings;
	in->n = models_below(in, 3) == 0 ? stes + (models_below(in, 8) == 0)
					 : 1 + models_below(in, MOST_STATES);
	in->n = in->n < MOST_STATES ? in->n : MOST_STATES;
	for (uint32_t i = 0; i < stes; i++) {
		uint32_t j = models_below(in, i + 1);
		slot[i] = slot[j];
		slot[j] = i;
	}
	placed = in->n <= stes && models_below(in, 2) == 0;
	extra = models_below(in, 3) == 0;
	percent = 20 + models_below(in, 70);
	in->m = 0;
	for (uint32_t u = 0; u < in->n; u++)
		for (uint32_t v = u + 1; v < in->n; v++) {
			bool fits = !placed || is_adjacent(&in->o, slot[u] / in->o.clique,
							   slot[v] / in->o.clique);
			bool add = fits ? models_below(in, 100) < percent
					: extra && models_below(in, 8) == 0;
			if (add) {
				in->edges[in->m][0] = u;
				in->edges[in->m++][1] = v;
			}
		}
}

/* Can states v, v + 1, … be placed, if the states before v stay where they are? */
static bool try_all(const struct instance *in, uint32_t v, uint32_t *clique, uint32_t *used)
{
	if (v == in->n)
		return true;
	for (uint32_t c = 0; c < in->o.length * in->o.rings; c++) {
		bool fits = used[c] < in->o.clique, found;

		for (size_t i = 0; i < in->m && fits; i++)
			fits = in->edges[i][1] != v ||
			       is_adjacent(&in->o, clique[in->edges[i][0]], c);
		if (!fits)
			continue;
		clique[v] = c;
		used[c]++;
		found = try_all(in, v + 1, clique, used);
		used[c]--;
		if (found)
			return true;
	}
	return false;
}

static void models_print(const struct instance *in)
{
	printf("# seed %" PRIu64 "\n# %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32
	       " %zu\n",
	       in->seed, in->o.clique, in->o.length, in->o.rings, in->o.reach, in->n, in->m);
	for (size_t i = 0; i < in->m; i++)
		printf("# %" PRIu32 " %" PRIu32 "\n", in->edges[i][0], in->edges[i][1]);
}

/* Is this a placement, by the definition alone? */
static bool is_placement(const struct instance *in, const uint32_t *clique)
{
	uint32_t used[MOST_STES] = { 0 };

	for (uint32_t v = 0; v < in->n; v++)
		if (clique[v] >= in->o.length * in->o.rings ||
		    ++used[clique[v]] > in->o.clique)
			return false;
	for (size_t i = 0; i < in->m; i++)
		if (!is_adjacent(&in->o, clique[in->edges[i][0]], clique[in->edges[i][1]]))
			return false;
	return true;
}

static uint64_t answers[MAP_NMODELS]; /* [model]: how many graphs it answered rightly */

static bool gives_up(int model)
{
	return model == MAP_ROW || model == MAP_ANNEAL || model == MAP_SAT;
}

/* Does the model answer `fits`, or may it give up? Prints what differs if not. */
static bool models_check(const struct instance *in, enum map_model model, bool fits)
{
	const struct map_graph g = { .n = in->n, .m = in->m,
				     .edges = (const uint32_t (*)[2])in->edges };
	uint32_t clique[MOST_STATES], *neighbours = NULL;
	enum nfart_status status = NFART_SYSTEM;
	struct map_options options;
	struct map_report report;
	struct map_overlay view;
	bool right;

	map_options_init(&options);
	if (gives_up(model))
		options.steps = FEW_STEPS;
	options.model = model;
	if (map_view(&in->o, &view, &neighbours))
		status = map_place(&g, &view, &options, clique, &report);
	free(neighbours);
	right = status == NFART_GAVEUP ? gives_up(model) :
		status == (fits ? NFART_OK : NFART_NOFIT) && (!fits || is_placement(in, clique));
	answers[model] += right && status != NFART_GAVEUP;
	if (!right) {
		printf("# %s answers %d, a mapping %s\n", map_model_names[model], (int)status,
		       fits ? "exists" : "does not exist");
		models_print(in);
	}
	return right;
}

/* Does the integer program answer `fits`? Prints what differs if not. */
static bool program_check(const struct instance *in, enum ilp_program program, bool fits)
{
	const struct map_graph g = { .n = in->n, .m = in->m,
				     .edges = (const uint32_t (*)[2])in->edges };
	uint32_t clique[MOST_STATES], *neighbours = NULL;
	enum nfart_status status = NFART_SYSTEM;
	struct ilp_report report;
	struct map_overlay view;
	bool right;

	if (map_view(&in->o, &view, &neighbours))
		status = ilp_run(&g, &view, program, &ilp_usual_limits, clique, &report);
	free(neighbours);
	right = status == (fits ? NFART_OK : NFART_NOFIT) && (!fits || is_placement(in, clique));
	if (!right) {
		printf("# %s answers %d, a mapping %s\n", ilp_program_names[program], (int)status,
		       fits ? "exists" : "does not exist");
		models_print(in);
	}
	return right;
}

/* Does LAD say `fits` of the graph and the overlay's STEs? Prints what differs if not. */
static bool check_lad(const struct instance *in, bool fits)
{
	static uint32_t edges[MOST_STES * MOST_STES][2];
	uint32_t stes = in->o.clique * in->o.length * in->o.rings;
	struct lad_graph pattern = { in->n, in->m, in->edges }, target = { stes, 0, edges };
	int answer;

	for (uint32_t u = 0; u < stes; u++)
		for (uint32_t v = u + 1; v < stes; v++)
			if (is_adjacent(&in->o, u / in->o.clique, v / in->o.clique)) {
				edges[target.m][0] = u;
				edges[target.m++][1] = v;
			}
	answer = lad_fits(&pattern, &target);
	if (answer != fits) {
		printf("# LAD answers %d, a mapping %s\n", answer,
		       fits ? "exists" : "does not exist");
		models_print(in);
	}
	return answer == fits;
}

int main(int argc, char **argv)
{
	uint64_t n = setting("NFACC_GRAPHS", 160), seed = setting("NFACC_SEED", 1), fit = 0;
	uint64_t wrong[MAP_NMODELS] = { 0 }, programs[ILP_NPROGRAMS] = { 0 }, lad = 0;
	int failed = 0, tests = 0;

	if (!setting_arguments(argc, argv, &n, &seed, NULL))
		return NFART_USAGE;
	for (uint64_t i = 0; i < n; i++) {
		uint32_t clique[MOST_STATES], used[MOST_STES] = { 0 };
		struct instance in;
		bool fits;

		models_draw(&in, seed + i);
		fits = try_all(&in, 0, clique, used);
		fit += fits;
		for (int m = 0; m < MAP_NMODELS; m++)
			wrong[m] += !models_check(&in, (enum map_model)m, fits);
		for (int p = 0; p < ILP_NPROGRAMS; p++)
			programs[p] += !program_check(&in, (enum ilp_program)p, fits);
		lad += !check_lad(&in, fits);
	}
	printf("# seed %" PRIu64 ", %" PRIu64 " graphs, %" PRIu64 " fit\n1..%d\n", seed, n, fit,
	       (int)MAP_NMODELS + (int)ILP_NPROGRAMS + 1);
	for (int m = 0; m < MAP_NMODELS; m++) {
		if (answers[m] == 0)
			wrong[m]++;
		if (gives_up(m))
			printf("# %s answers %" PRIu64 "\n", map_model_names[m], answers[m]);
		printf("%sok %d - %s is right on random graphs\n", wrong[m] != 0 ? "not " : "",
		       ++tests, map_model_names[m]);
		failed |= wrong[m] != 0;
	}
	for (int p = 0; p < ILP_NPROGRAMS; p++) {
		printf("%sok %d - %s agrees on all of them\n", programs[p] != 0 ? "not " : "",
		       ++tests, ilp_program_names[p]);
		failed |= programs[p] != 0;
	}
	printf("%sok %d - igraph's LAD agrees on all of them\n", lad != 0 ? "not " : "", ++tests);
	return failed || lad != 0;
}
