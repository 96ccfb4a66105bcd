/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests the methods that help the mapper's search, each alone: clause learning against trying all
 * values, and the test of hubs, unrolling and annealing against a SAT solver. It prints TAP and its
 * seed. NFACC_SEED sets the seed, NFACC_CASES the number of graphs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "backends/overlay/map/anneal.h"
#include "backends/overlay/map/hubs.h"
#include "backends/overlay/map/sat/sat.h"
#include "testsuite/map/draw.h"
#include "testsuite/map/sat.h"
#include "testsuite/setting.h"

enum { CASES = 40, CLAUSE_SETS = 1500, VARIABLES = 8, CONSTRAINTS = 40, ANNEAL_RUNS = 2 };
static const uint64_t most_work = 50000000;

static struct drawn d;
static unsigned tests;
static bool failed;

static void methods_result(bool good, const char *name)
{
	printf("%sok %u - %s\n", good ? "" : "not ", ++tests, name);
	failed |= !good;
}

/* ---- clauses ---- */

/* At most `most` of the literals hold. A clause of n literals says that at most n - 1 of their
 * negations hold. */
struct constraint {
	literal_t literals[VARIABLES];
	uint32_t n, most;
};

static void draw_constraint(struct constraint *c)
{
	c->n = 0;
	for (uint32_t v = 0; v < VARIABLES; v++)
		if (draw_below(&d, 5) < 2)
			c->literals[c->n++] = 2 * v + draw_below(&d, 2);
	c->most = c->n > 0 ? draw_below(&d, c->n) : 0;
}

static bool methods_holds(const struct constraint *c, uint32_t values)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < c->n; i++)
		count += (values >> c->literals[i] / 2 & 1) != (c->literals[i] & 1);
	return count <= c->most;
}

static bool hold_all(const struct constraint *c, uint32_t n, uint32_t values)
{
	while (n > 0 && methods_holds(&c[n - 1], values))
		n--;
	return n == 0;
}

/* Is there a value of all variables with which the n constraints and the assumption hold? */
static bool try_all(const struct constraint *c, uint32_t n, literal_t assumption)
{
	for (uint32_t values = 0; values < 1 << VARIABLES; values++)
		if ((values >> assumption / 2 & 1) != (assumption & 1) && hold_all(c, n, values))
			return true;
	return false;
}

/* Adds a constraint as a clause where it is one, and otherwise as it is. */
static void methods_add(struct clauses *s, const struct constraint *c)
{
	literal_t negated[VARIABLES];

	for (uint32_t i = 0; i < c->n; i++)
		negated[i] = literal_not(c->literals[i]);
	if (c->n > 0 && c->most + 1 == c->n)
		clauses_add(s, negated, c->n);
	else
		clauses_add_most(s, c->literals, c->n, c->most);
}

static bool check_values(const struct clauses *s, const struct constraint *c, uint32_t n)
{
	uint32_t values = 0;

	for (uint32_t v = 0; v < VARIABLES; v++)
		values |= (uint32_t)clauses_holds(s, 2 * v) << v;
	return hold_all(c, n, values);
}

/* Adds constraints one by one, and solves after each with a random assumption. Counts the answers
 * "no" in *refuted. */
static bool check_clauses(unsigned *refuted)
{
	struct constraint c[CONSTRAINTS];
	struct clauses *s = clauses_new(VARIABLES);
	bool good = s != NULL;

	for (uint32_t i = 0; i < CONSTRAINTS && good; i++) {
		literal_t assumption = draw_below(&d, 2 * VARIABLES);
		uint64_t steps = most_work;
		enum nfart_status status;
		bool fits;

		draw_constraint(&c[i]);
		methods_add(s, &c[i]);
		status = clauses_solve(s, assumption, &steps);
		fits = try_all(c, i + 1, assumption);
		good = status == (fits ? NFART_OK : NFART_NOFIT) &&
		       (!fits || (clauses_holds(s, assumption) && check_values(s, c, i + 1)));
		*refuted += !fits;
	}
	clauses_free(s);
	return good;
}

static void test_clauses(uint64_t seed)
{
	unsigned refuted = 0, i = 0;
	bool good = true;

	for (; i < CLAUSE_SETS && good; i++) {
		d.seed = (seed + i) * 0x9e3779b97f4a7c15u | 1;
		good = check_clauses(&refuted);
	}
	printf("# %u sets of constraints, %u answers no\n", i, refuted);
	methods_result(good && refuted > CLAUSE_SETS,
		       "learning from conflicts agrees with trying all values");
}

/* ---- graphs ---- */

struct tally {
	unsigned graphs, by_line, fit, refuted, annealed, hubs;
};

/* Draws a graph with random edges on an overlay of long rings. With few states and many edges, most
 * such graphs are well connected. */
static void draw_connected(void)
{
	uint32_t c = 1 + draw_below(&d, 3), r = 1 + draw_below(&d, 4), l = 8 + draw_below(&d, 4), n;

	draw_overlay(&d, c, l, r, draw_below(&d, 3));
	n = c * r * 2 + draw_below(&d, c * r * 3) + 2;
	n = n < 13 ? n : 13;
	draw_tree(&d, n, 2 + draw_below(&d, n));
	for (uint32_t i = draw_below(&d, n + 1); i > 0; i--)
		draw_edge(&d, draw_below(&d, n), draw_below(&d, n));
	draw_shuffle(&d);
}

/* Draws hubs, of which some may share a leaf, and about as many as there may be room for. */
static void draw_shared_hubs(void)
{
	uint32_t c = 1 + draw_below(&d, 2), l = 3 + draw_below(&d, 3), r = 4 - c;
	uint32_t leaves = 2 + draw_below(&d, 3), room = c * l * r, hub;

	draw_overlay(&d, c, l, r, 1);
	while (d.graph.n + leaves + 1 <= room && d.graph.n < 11) {
		hub = d.graph.n;
		draw_states(&d, leaves + 1);
		for (uint32_t i = 1; i <= leaves; i++)
			draw_edge(&d, hub, hub + i);
		if (hub > 0 && draw_below(&d, 12) == 0)
			draw_edge(&d, hub, hub - 1);
	}
	draw_shuffle(&d);
}

/* Runs unrolling and annealing on the problem, and compares with the SAT solver's answer. */
static bool check_methods(struct map_problem *p, struct tally *t, int answer)
{
	static uint32_t kind[DRAW_STATES], clique[DRAW_STATES];
	struct map_task task = {.p = p, .nfa = p->nfa, .cliques = p->cliques, .kinds = 1,
				.room = &p->overlay->clique_size, .kind = kind,
				.length = p->overlay->length};
	struct arena arena = {0};
	struct line_input in;
	uint64_t work = most_work;
	enum nfart_status status = sat_measure(&task, &arena, &in);
	bool good = true;

	if (status == NFART_OK) {
		t->by_line++;
		status = sat_run(&in, clique, &work);
		good = status == (answer ? NFART_OK : NFART_NOFIT) &&
		       (!answer || map_check(p->graph, p->overlay, clique) == NULL);
		t->fit += status == NFART_OK;
		t->refuted += status == NFART_NOFIT;
		status = anneal_run(&task, 1, ANNEAL_RUNS, clique);
		good = good && (status == NFART_GAVEUP ||
				(answer && map_check(p->graph, p->overlay, clique) == NULL));
		t->annealed += status == NFART_OK;
	}
	arena_free(&arena);
	return good;
}

static bool check_graph(struct tally *t)
{
	struct map_problem p = {.reach = 0};
	struct map_report report = {.state = MAP_NO_STATE};
	struct map_options options;
	enum nfart_status status;
	int answer = sat_fits(&d.graph, &d.overlay);
	bool good = answer >= 0;

	t->graphs++;
	map_options_init(&options);
	status = problem_init(&p, &d.graph, &d.overlay, &options, &report);
	if (status == NFART_OK && d.graph.n <= d.overlay.ncliques * d.overlay.clique_size) {
		status = hubs_test(&p);
		t->hubs += status == NFART_NOFIT;
		good = good && !(status == NFART_NOFIT && answer) && status != NFART_SYSTEM &&
		       check_methods(&p, t, answer);
	}
	problem_free(&p);
	return good;
}

static void test_graphs(uint64_t seed, unsigned cases, void (*draw)(void), struct tally *t)
{
	bool good = true;

	for (unsigned i = 0; i < cases && good; i++) {
		d.seed = (seed + i) * 0x9e3779b97f4a7c15u | 1;
		draw();
		good = check_graph(t);
		if (!good) {
			printf("# seed %llu: %u %u %u %u %u %zu\n", (unsigned long long)(seed + i),
			       d.shape[0], d.shape[1], d.shape[2], d.shape[3], d.graph.n,
			       d.graph.m);
			for (size_t e = 0; e < d.graph.m; e++)
				printf("# %u %u\n", d.edges[e][0], d.edges[e][1]);
		}
	}
	printf("# %u graphs: %u refuted as hubs; %u unrolled, of which %u fit and %u do not; "
	       "%u placed by annealing\n",
	       t->graphs, t->hubs, t->by_line, t->fit, t->refuted, t->annealed);
	methods_result(good, "no method answers other than the SAT solver");
}

int main(void)
{
	bool own = getenv("NFACC_SEED") != NULL || getenv("NFACC_CASES") != NULL;
	uint64_t first = setting("NFACC_SEED", 1);
	unsigned n = (unsigned)setting("NFACC_CASES", CASES);
	struct tally connected = {0}, hubs = {0};

	test_clauses(first);
	test_graphs(first, n, draw_connected, &connected);
	test_graphs(first, n, draw_shared_hubs, &hubs);
	methods_result(own ||
		       (connected.fit > n / 20 && connected.refuted > n / 20 &&
			connected.annealed * 10 > connected.fit * 9 && hubs.hubs > n / 30),
		       "each method gives many answers");
	printf("1..%u\n", tests);
	return failed;
}
