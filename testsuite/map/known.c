/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests methods of the mapper on graphs whose answer is known: for how many hubs there is room, and
 * which graphs a line of columns decides. It prints TAP.
 */
#include <stdio.h>

#include "backends/overlay/map/anneal.h"
#include "backends/overlay/map/columns.h"
#include "backends/overlay/map/hubs.h"
#include "backends/overlay/map/sat/sat.h"
#include "testsuite/map/draw.h"

static struct drawn d;
static unsigned tests;
static bool failed;

static void known_result(bool good, const char *name)
{
	printf("%sok %u - %s\n", good ? "" : "not ", ++tests, name);
	failed |= !good;
}

/* ---- hubs ---- */

static enum nfart_status test_hubs(struct map_report *report)
{
	struct map_problem p = {.reach = 0};
	struct map_options options;
	enum nfart_status status;

	map_options_init(&options);
	*report = (struct map_report){.state = MAP_NO_STATE};
	status = problem_init(&p, &d.graph, &d.overlay, &options, report);
	if (status == NFART_OK)
		status = hubs_test(&p);
	problem_free(&p);
	return status;
}

/* Overlays, and for how many hubs of so many leaves each there is room by Note [hubs]. */
static const struct room {
	uint32_t c, l, r, n, leaves, hubs;
} rooms[] = {
	{5, 20, 3, 1, 17, 15}, {5, 20, 3, 1, 18, 13}, {5, 20, 3, 1, 19, 13},
	{5, 20, 3, 1, 20, 10}, {5, 20, 3, 1, 24, 10}, {5, 20, 3, 1, 8, 36},
	{8, 20, 1, 0, 20, 6},  {5, 4, 1, 0, 5, 5},
};

static bool check_room(const struct room *r)
{
	struct map_report report;
	bool good;

	draw_overlay(&d, r->c, r->l, r->r, r->n);
	draw_hubs(&d, r->hubs, r->leaves);
	good = test_hubs(&report) == NFART_OK;
	draw_hubs(&d, 1, r->leaves);
	good = good && test_hubs(&report) == NFART_NOFIT && report.reason == MAP_HUBS &&
	       report.need == r->hubs + 1 && report.have == r->hubs;
	if (!good)
		printf("# (%u, %u, %u, %u), %u hubs of %u: need %llu, have %llu\n", r->c, r->l,
		       r->r, r->n, r->hubs, r->leaves, (unsigned long long)report.need,
		       (unsigned long long)report.have);
	return good;
}

static void test_rooms(void)
{
	bool good = true;

	for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
		good = check_room(&rooms[i]) && good;
	known_result(good, "the number of hubs for which there is room");
}

/* Of 14 hubs of 18 leaves, all count: a leaf that two of them share makes 13, and so does a hub
 * that is a leaf of another one. States of low degree besides do not hide them. */
static void test_kept_apart(void)
{
	struct map_report report;

	draw_overlay(&d, 5, 20, 3, 1);
	draw_hubs(&d, 14, 18);
	draw_states(&d, 1);
	draw_edge(&d, 0, d.graph.n - 1);
	known_result(test_hubs(&report) == NFART_NOFIT, "14 hubs are too many, one of them larger");
	draw_edge(&d, 19, d.graph.n - 1);
	known_result(test_hubs(&report) == NFART_OK, "unless two share a leaf");
	draw_overlay(&d, 5, 20, 3, 1);
	draw_hubs(&d, 14, 18);
	draw_edge(&d, 0, 19);
	known_result(test_hubs(&report) == NFART_OK, "unless two are adjacent");
	draw_overlay(&d, 5, 20, 3, 1);
	draw_hubs(&d, 1, 2);
	draw_hubs(&d, 14, 18);
	known_result(test_hubs(&report) == NFART_NOFIT && report.need == 14 && report.state != 0,
		     "a small hub besides changes nothing");
}

/* Is the table of n cliques, each with `degree` neighbours, one of rings of `length` cliques? */
static bool known_known(uint32_t n, uint32_t degree, const uint32_t *to, uint32_t length)
{
	size_t first[8] = {0};
	struct map_adj g = {.n = n, .first = first, .to = to};

	for (uint32_t c = 0; c < n; c++)
		first[c + 1] = first[c] + degree;
	return columns_known(&g, length);
}

static void test_columns(void)
{
	static const uint32_t two_rings[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5};
	static const uint32_t twisted[] = {0, 2, 4, 1, 2, 3, 0, 1, 2, 1, 3, 5, 0, 4, 5, 3, 4, 5};
	static const uint32_t square[] = {0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3};
	static const uint32_t pairs[] = {0, 3, 1, 2, 1, 2, 0, 3};
	static const uint32_t path[] = {0, 1, 0, 1, 2, 1, 2};
	const size_t first[] = {0, 2, 5, 7};
	const struct map_adj uneven = {.n = 3, .first = first, .to = path};

	known_result(known_known(6, 3, two_rings, 3), "two rings of three cliques have columns");
	known_result(!known_known(6, 3, twisted, 3), "twisted ones do not");
	known_result(!known_known(4, 3, square, 2), "rings of two cliques do not");
	known_result(!known_known(4, 2, pairs, 3), "four cliques are no rings of three");
	known_result(!columns_known(&uneven, 3), "nor is a path of three");
}

/* The columns are read off the table of neighbours. Where the length that the overlay gives is not
 * that of its rings, nothing is refuted. */
static void test_unknown_columns(void)
{
	static const uint32_t lengths[] = {0, 1, 7, 10, 30, 60};
	struct map_report report;
	bool good = true;

	draw_overlay(&d, 5, 20, 3, 1);
	draw_hubs(&d, 14, 18);
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		d.overlay.length = lengths[i];
		good = good && test_hubs(&report) == NFART_OK;
	}
	known_result(good, "no hubs are refuted where columns are not known");
}

/* ---- lines of columns ---- */

/* Adds a cycle of n states. */
static void draw_cycle(uint32_t n)
{
	uint32_t first = d.graph.n;

	draw_tree(&d, n, 1);
	draw_edge(&d, first, first + n - 1);
}

/* Decides the graph by a method that works for one kind of nodes, and says that there are so many
 * kinds. Lowers *work as sat_run() does. NFART_INTERNAL: the placement is wrong. */
static enum nfart_status known_decide(bool anneal, uint32_t kinds, uint64_t *work)
{
	static uint32_t kind[DRAW_STATES], clique[DRAW_STATES];
	const uint32_t room[] = {d.overlay.clique_size, 1};
	struct map_report report = {.state = MAP_NO_STATE};
	struct map_problem p = {.reach = 0};
	struct arena arena = {0};
	struct map_options options;
	enum nfart_status status;

	draw_shuffle(&d);
	map_options_init(&options);
	status = problem_init(&p, &d.graph, &d.overlay, &options, &report);
	if (status == NFART_OK) {
		struct map_task task = {.p = &p, .nfa = p.nfa, .cliques = p.cliques,
					.kinds = kinds, .room = room, .kind = kind,
					.length = d.overlay.length};
		struct line_input in;

		status = anneal ? anneal_run(&task, 1, 2, clique)
				: sat_measure(&task, &arena, &in);
		if (status == NFART_OK && !anneal)
			status = sat_run(&in, clique, work);
	}
	if (status == NFART_OK && map_check(&d.graph, &d.overlay, clique) != NULL)
		status = NFART_INTERNAL;
	arena_free(&arena);
	problem_free(&p);
	return status;
}

static enum nfart_status unroll(void)
{
	uint64_t work = 10000000;

	return known_decide(false, 1, &work);
}

/* Draws the overlay's own graph on its first columns, with C states in each clique. */
static void draw_full_columns(uint32_t columns)
{
	uint32_t c = d.overlay.clique_size, length = d.overlay.length;
	uint32_t n = columns * c * (d.overlay.ncliques / length);

	draw_states(&d, n);
	for (uint32_t v = 0; v < n; v++)
		for (uint32_t u = 0; u < v; u++) {
			uint32_t a = v / c, b = u / c;
			if (map_overlay_adjacent(&d.overlay, a / columns * length + a % columns,
						 b / columns * length + b % columns))
				draw_edge(&d, u, v);
		}
}

/* A line must hold what fills its columns, whatever their number. If three columns are full, there
 * is no way to add an edge from the first to the last one. */
static void test_full_columns(void)
{
	static const uint32_t shapes[][4] = {
		{3, 9, 3, 1}, {2, 11, 4, 1}, {1, 11, 5, 1}, {4, 8, 1, 0}, {1, 12, 5, 2},
	};
	bool fits = true, refuted = true;

	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		const uint32_t *s = shapes[i];

		for (uint32_t columns = 1; columns <= 3; columns++) {
			draw_overlay(&d, s[0], s[1], s[2], s[3]);
			draw_full_columns(columns);
			fits = fits && unroll() == NFART_OK;
		}
		draw_overlay(&d, s[0], s[1], s[2], s[3]);
		draw_full_columns(3);
		draw_edge(&d, 0, 2 * s[0]);
		refuted = refuted && unroll() == NFART_NOFIT;
	}
	known_result(fits, "graphs that fill columns fit them");
	known_result(refuted, "and with one edge more they do not");
}

/* Decides the cycle of n states on one ring of `length` cliques of c STEs. */
static bool known_cycle(uint32_t n, uint32_t c, uint32_t length, enum nfart_status wanted)
{
	draw_overlay(&d, c, length, 1, 0);
	draw_cycle(n);
	return unroll() == wanted;
}

/* The radius decides, not the diameter. */
static void test_paths(void)
{
	draw_overlay(&d, 1, 8, 1, 0);
	draw_tree(&d, 7, 1);
	known_result(unroll() == NFART_OK,
		     "a path with a radius of 3 is unrolled from a ring of 8");
	draw_overlay(&d, 1, 8, 1, 0);
	draw_tree(&d, 8, 1);
	known_result(unroll() == NFART_GAVEUP, "a path with a radius of 4 is not");
}

/* A cycle that may wind around the ring is not decided. Its radius is n / 2. */
static void test_cycles(void)
{
	known_result(known_cycle(7, 1, 9, NFART_NOFIT),
		     "a cycle does not fit a ring of single STEs");
	known_result(known_cycle(7, 2, 9, NFART_OK), "it fits cliques of two");
	known_result(known_cycle(8, 1, 9, NFART_GAVEUP) && known_cycle(9, 1, 9, NFART_GAVEUP),
		     "a cycle with a radius of 4 is not unrolled from a ring of 9");
	known_result(known_cycle(9, 1, 10, NFART_NOFIT) && known_cycle(10, 1, 10, NFART_GAVEUP),
		     "a cycle with a radius of 5 is not unrolled from a ring of 10");
}

/* A line is known from the table of neighbours, too, and must be connected. */
static void test_undecided(void)
{
	static const uint32_t lengths[] = {0, 1, 3, 12};
	uint64_t work = 10000000;
	bool good = true;

	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		draw_overlay(&d, 1, 12, 2, 1);
		draw_cycle(8);
		d.overlay.length = lengths[i];
		good = good && unroll() == (lengths[i] == 12 ? NFART_OK : NFART_GAVEUP);
	}
	known_result(good, "rings are unrolled only where columns are known");
	draw_overlay(&d, 1, 12, 2, 1);
	draw_cycle(8);
	draw_cycle(8);
	known_result(unroll() == NFART_GAVEUP, "two components are not decided");
	draw_overlay(&d, 2, 12, 1, 0);
	draw_cycle(8);
	known_result(unroll() == NFART_OK && known_decide(false, 2, &work) == NFART_GAVEUP,
		     "rings with counters are not unrolled");
	known_result(known_decide(true, 1, &work) == NFART_OK &&
			     known_decide(true, 2, &work) == NFART_GAVEUP,
		     "nor is annealing tried on them");
}

/* Draws a random graph of n states with three neighbours each: a cycle and pairs. */
static void draw_cubic(uint32_t n)
{
	static uint32_t order[DRAW_STATES];

	draw_cycle(n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = draw_below(&d, i + 1);
		order[i] = order[at];
		order[at] = i;
	}
	for (uint32_t i = 0; i + 1 < n; i += 2)
		draw_edge(&d, order[i], order[i + 1]);
}

/* Without the room of intervals, or without what was proved for one leftmost state, the same graphs
 * take many times as much work. */
static void test_work(void)
{
	const uint64_t most = 10000000;
	uint64_t work = most;
	unsigned fit = 0, refuted = 0;

	for (uint64_t seed = 1; seed <= 12; seed++) {
		enum nfart_status status;

		d.seed = seed * 0x9e3779b97f4a7c15u | 1;
		draw_overlay(&d, 2, 12, 3, 1);
		draw_cubic(28);
		status = known_decide(false, 1, &work);
		fit += status == NFART_OK;
		refuted += status == NFART_NOFIT;
	}
	printf("# %u fit, %u refuted, %llu units of work\n", fit, refuted,
	       (unsigned long long)(most - work));
	known_result(fit == 5 && refuted == 7, "random graphs take little work");
}

int main(void)
{
	d.seed = 1;
	test_rooms();
	test_kept_apart();
	test_columns();
	test_unknown_columns();
	test_full_columns();
	test_paths();
	test_cycles();
	test_undecided();
	test_work();
	printf("1..%u\n", tests);
	return failed;
}
