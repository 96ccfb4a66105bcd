/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What checks the compiler's own results must refuse: automata after a pass, graphs that are to be
 * mapped, overlays to map them on, and placements.
 */
#include <string.h>

#include "backends/overlay/map/map.h"
#include "backends/overlay/map/overlay_graph.h"
#include "ir/nfa.h"
#include "testsuite/unit/unit.h"

static const char text[] = "counter c = true* R12 at 3; counter d = @c | true* R13 at 2;"
			   "filter f = @d RA2 | true* R13 None(R13)* R12;";

/* Compiles the text up to the automaton. */
static void checks_make(struct pipeline *p, bool homogeneous)
{
	struct pipeline_options o;

	pipeline_options_init(&o);
	o.overlay.o.none = true;
	o.last = STAGE_NFA;
	if (!homogeneous)
		o.passes.stop_after = "epsilon";
	unit_compile(p, &o, text);
	unit_check(p->nfa.homogeneous == homogeneous);
	ck_assert_ptr_null(nfa_verify(&p->nfa));
}

static struct nfa_state *checks_find(struct nfa *a, enum nfa_kind kind)
{
	for (size_t i = 0; i < a->states.n; i++)
		if (a->states.at[i].kind == kind)
			return &a->states.at[i];
	unit_fail("no such state");
}

/* Puts the state `wrong` in the place of q, checks that this is refused, and puts q back. */
static void refuse_state(struct nfa *a, struct nfa_state *q, struct nfa_state wrong,
			 const char *what)
{
	struct nfa_state before = *q;

	*q = wrong;
	ck_assert_pstr_eq(nfa_verify(a), what);
	*q = before;
}

static void refuse_edge(struct nfa *a, size_t i, struct nfa_edge wrong, const char *what)
{
	struct nfa_edge before = a->edges.at[i];

	a->edges.at[i] = wrong;
	ck_assert_pstr_eq(nfa_verify(a), what);
	a->edges.at[i] = before;
}

START_TEST(counters)
{
	static const char order[] = "counters are out of order";
	static const char start[] = "a counter has a predicate or is a start state";
	struct nfa_state *q, wrong;
	struct pipeline p;

	checks_make(&p, true);
	q = checks_find(&p.nfa, NFA_COUNTER);
	wrong = *q;
	wrong.counter = 2;
	refuse_state(&p.nfa, q, wrong, order);
	wrong = q[1];
	ck_assert_int_eq(wrong.kind, NFA_COUNTER);
	wrong.counter = 0; /* the one before it has this number */
	refuse_state(&p.nfa, &q[1], wrong, order);
	wrong = *q;
	wrong.pred = 0;
	refuse_state(&p.nfa, q, wrong, start);
	wrong = *q;
	wrong.start = true;
	refuse_state(&p.nfa, q, wrong, start);
	wrong = *q;
	wrong.always = true;
	refuse_state(&p.nfa, q, wrong, start);
	wrong = *q;
	wrong.labels = nfa_labelset(&p.nfa, (uint32_t[]){ nfa_port(&p.nfa, 0, false) }, 1);
	refuse_state(&p.nfa, q, wrong, "a counter depends on itself or on one after it");
	wrong.labels = nfa_labelset(&p.nfa, (uint32_t[]){ 100 }, 1);
	refuse_state(&p.nfa, q, wrong, "a state has a label that does not exist");
	wrong.labels = 1000;
	refuse_state(&p.nfa, q, wrong, "a state has a label set that does not exist");
	pipeline_free(&p);
}
END_TEST

START_TEST(states)
{
	struct nfa_state *q, wrong;
	struct pipeline p;

	checks_make(&p, true);
	q = checks_find(&p.nfa, NFA_STE);
	wrong = *q;
	wrong.pred = 1000;
	refuse_state(&p.nfa, q, wrong, "a state has a predicate that does not exist");
	wrong.pred = PRED_NONE;
	wrong.always = true;
	refuse_state(&p.nfa, q, wrong, "a state without a predicate is always");
	pipeline_free(&p);
	checks_make(&p, false);
	q = checks_find(&p.nfa, NFA_STE);
	wrong = *q;
	wrong.pred = 0;
	refuse_state(&p.nfa, q, wrong,
		     "a state has a predicate before the NFA is homogeneous");
	wrong.pred = PRED_NONE;
	wrong.always = true;
	refuse_state(&p.nfa, q, wrong,
		     "a state has a predicate before the NFA is homogeneous");
	pipeline_free(&p);
}
END_TEST

START_TEST(edges)
{
	struct nfa_edge wrong;
	struct pipeline p;
	struct nfa *a;

	checks_make(&p, true);
	a = &p.nfa;
	ck_assert_uint_ge(a->edges.n, 2);
	wrong = a->edges.at[0];
	wrong.from = (nfa_state_t)a->states.n;
	refuse_edge(a, 0, wrong, "a transition leads out of the NFA");
	wrong = a->edges.at[0];
	wrong.to = (nfa_state_t)a->states.n;
	refuse_edge(a, 0, wrong, "a transition leads out of the NFA");
	wrong = a->edges.at[0];
	wrong.pred = 1000;
	refuse_edge(a, 0, wrong, "a transition has a predicate that does not exist");
	wrong.pred = PRED_EPS;
	refuse_edge(a, 0, wrong, "a transition is not homogeneous");
	wrong = a->edges.at[0];
	wrong.to = (nfa_state_t)(checks_find(a, NFA_COUNTER) - a->states.at);
	refuse_edge(a, 0, wrong, "a transition enters a counter");
	refuse_edge(a, 1, a->edges.at[0], "a transition stands twice");
	pipeline_free(&p);
}
END_TEST

/* ---- mapping ---- */

/* A ring of four cliques of two nodes. */
static const uint32_t ring[] = { 0, 1, 3, 0, 1, 2, 1, 2, 3, 0, 2, 3 };
static const struct map_overlay overlay = { .clique_size = 2, .ncliques = 4, .nneighbours = 3,
					    .neighbours = ring };

static void refuse_overlay(struct map_overlay o, const char *what)
{
	ck_assert_pstr_eq(map_overlay_check(&o), what);
}

START_TEST(overlays)
{
	static const uint32_t far[] = { 0, 1, 4, 0, 1, 2, 1, 2, 3, 0, 2, 3 };
	static const uint32_t order[] = { 1, 0, 3, 0, 1, 2, 1, 2, 3, 0, 2, 3 };
	static const uint32_t alone[] = { 1, 2, 3, 0, 1, 2, 1, 2, 3, 0, 2, 3 };
	static const uint32_t side[] = { 0, 1, 2, 0, 1, 2, 1, 2, 3, 0, 2, 3 };
	static const uint32_t *const wrong[] = { far, order, alone, side };
	static const char *const what[] = { "a neighbour that is no clique",
		"neighbours out of order", "a clique that is not its own neighbour",
		"neighbours on one side only" };
	struct map_overlay o = overlay;

	ck_assert_ptr_null(map_overlay_check(&o));
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		o.neighbours = wrong[i];
		refuse_overlay(o, what[i]);
	}
	o = overlay;
	o.clique_size = 0;
	refuse_overlay(o, "the overlay is empty");
	o = overlay;
	o.ncliques = 0;
	refuse_overlay(o, "the overlay is empty");
	o = overlay;
	o.nneighbours = 0;
	refuse_overlay(o, "the overlay is empty");
	o.nneighbours = 5;
	refuse_overlay(o, "more neighbours than cliques");
	o = overlay;
	o.more_kinds = MAP_MOST_KINDS;
	refuse_overlay(o, "too many kinds of nodes");
}
END_TEST

START_TEST(placements)
{
	static const uint32_t path[][2] = { { 0, 1 }, { 1, 2 } }, out[][2] = { { 0, 3 } };
	static const uint32_t kinds[] = { 0, 0, 1 };
	struct map_graph g = { .n = 3, .m = 2, .edges = path };

	ck_assert_ptr_null(map_check(&g, &overlay, (uint32_t[]){ 0, 0, 1 }));
	ck_assert_str_eq(map_check(&g, &overlay, (uint32_t[]){ 0, 0, 4 }),
			 "a state in a clique that does not exist");
	ck_assert_str_eq(map_check(&g, &overlay, (uint32_t[]){ 0, 0, 0 }),
			 "more states in a clique than it has room for");
	ck_assert_str_eq(map_check(&g, &overlay, (uint32_t[]){ 0, 0, 2 }),
			 "connected states in cliques that are not adjacent");
	g.kind = kinds;
	ck_assert_str_eq(map_check(&g, &overlay, (uint32_t[]){ 0, 0, 1 }),
			 "a state of a kind that does not exist");
	g = (struct map_graph){ .n = 3, .m = 1, .edges = out };
	ck_assert_str_eq(map_check(&g, &overlay, (uint32_t[]){ 0, 0, 1 }),
			 "an edge of a state that does not exist");
}
END_TEST

START_TEST(graphs)
{
	static const uint32_t loop[][2] = { { 1, 1 } }, back[][2] = { { 1, 0 } };
	static const uint32_t twice[][2] = { { 0, 1 }, { 0, 2 }, { 0, 1 } };
	static const uint32_t out[][2] = { { 0, 3 } };
	const struct map_graph wrong[] = { { .n = 3, .m = 1, .edges = loop },
					   { .n = 3, .m = 1, .edges = back },
					   { .n = 3, .m = 3, .edges = twice },
					   { .n = 3, .m = 1, .edges = out },
					   { .n = UINT32_MAX },
					   { .n = 3, .m = SIZE_MAX / 2 + 1, .edges = out } };

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct arena arena = { 0 };
		struct map_adj g;
		ck_assert_int_eq(map_adj_build(&wrong[i], &arena, &g), NFART_USAGE);
		arena_free(&arena);
	}
}
END_TEST

Suite *suite_checks(void)
{
	const TTest *const tests[] = { counters, states, edges, overlays, placements, graphs,
				       NULL };

	return unit_suite("checks", tests);
}
