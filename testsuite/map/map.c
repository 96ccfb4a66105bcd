/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests the mapper's search against a SAT solver on small random graphs, and on large graphs whose
 * answer is known. It prints TAP and its seed. NFACC_SEED sets the seed, NFACC_CASES the number of
 * graphs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "testsuite/map/draw.h"
#include "testsuite/map/sat.h"
#include "testsuite/setting.h"

enum { CASES = 3000, STEPS = 200000 };

static struct drawn d;
static unsigned tests;
static bool failed;

/* `failures` is the limit of contradictions, or 0. */
static enum nfart_status map_map(struct map_report *report, uint64_t failures)
{
	static uint32_t clique[DRAW_STATES];
	struct map_options options;
	enum nfart_status status;

	map_options_init(&options);
	options.steps = STEPS;
	options.failures = failures;
	status = map_place(&d.graph, &d.overlay, &options, clique, report);
	if (status == NFART_OK && map_check(&d.graph, &d.overlay, clique) != NULL)
		status = NFART_INTERNAL;
	return status;
}

static void print_case(void)
{
	printf("# %s: %u %u %u %u %u %zu\n", d.family, d.shape[0], d.shape[1], d.shape[2],
	       d.shape[3], d.graph.n, d.graph.m);
	for (size_t i = 0; i < d.graph.m && i < 100; i++)
		printf("# %u %u\n", d.edges[i][0], d.edges[i][1]);
	for (uint32_t v = 0; d.graph.kind != NULL && v < d.graph.n && v < 100; v++)
		printf("# state %u of kind %u\n", v, d.kind[v]);
}

/* Maps again with fewer contradictions than an answer took. The answer is the same, or the limit is
 * told. */
static bool few_failures(enum nfart_status wanted, uint64_t met, uint64_t seed, unsigned *given_up)
{
	uint64_t most = 1 + seed % met;
	struct map_report report;
	enum nfart_status status = map_map(&report, most);

	if (status == wanted)
		return true;
	++*given_up;
	return status == NFART_GAVEUP && report.limit == MAP_LIMIT_FAILURES &&
	       report.failures >= most && report.failures <= met;
}

static bool check_random(void)
{
	bool own = getenv("NFACC_SEED") != NULL || getenv("NFACC_CASES") != NULL;
	unsigned n = (unsigned)setting("NFACC_CASES", CASES), fits = 0, full = 0, by_search = 0,
		 given_up = 0;
	uint64_t next = setting("NFACC_SEED", 1);

	for (unsigned i = 0; i < n; i++, next++) {
		struct map_report report;
		enum nfart_status status;
		int answer;

		d.seed = next * 0x9e3779b97f4a7c15u | 1;
		draw_any(&d);
		status = map_map(&report, 0);
		answer = sat_fits(&d.graph, &d.overlay);
		if (answer < 0 || status != (answer ? NFART_OK : NFART_NOFIT)) {
			printf("# seed %llu: status %d, SAT %d\n", (unsigned long long)next, status,
			       answer);
			print_case();
			return false;
		}
		if (report.failures != 0 &&
		    !few_failures(status, report.failures, next, &given_up)) {
			printf("# seed %llu: with few contradictions\n", (unsigned long long)next);
			return false;
		}
		fits += answer == 1;
		full += answer == 1 &&
			d.graph.n == d.overlay.ncliques * map_overlay_all_room(&d.overlay);
		by_search += status == NFART_NOFIT && report.reason == MAP_SEARCH;
	}
	printf("# %u graphs: %u fit, %u of them full; %u refuted by search; %u given up\n", n, fits,
	       full, by_search, given_up);
	return own || (fits > n / 4 && full > n / 50 && by_search > n / 50 && given_up > n / 100);
}

static void map_result(bool good, const char *name)
{
	printf("%sok %u - %s\n", good ? "" : "not ", ++tests, name);
	failed |= !good;
}

/* Shuffles the graph that was drawn, maps it, and prints whether the status is the wanted one. */
static void map_expect(enum nfart_status wanted, const char *name)
{
	struct map_report report;
	enum nfart_status status;

	draw_shuffle(&d);
	status = map_map(&report, 0);
	if (status != wanted)
		printf("# status %d, %llu steps\n", status, (unsigned long long)report.steps);
	map_result(status == wanted, name);
}

/* Two cases: the graph of an overlay with all places taken fits, and with one state more it does
 * not. */
static void full_overlay(uint32_t c, uint32_t l, uint32_t r, uint32_t n)
{
	char name[100];

	draw_overlay(&d, c, l, r, n);
	draw_part_of_overlay(&d, c, 30);
	snprintf(name, sizeof name, "full overlay (%u, %u, %u, %u)", c, l, r, n);
	map_expect(NFART_OK, name);
	draw_states(&d, 1);
	map_expect(NFART_NOFIT, "and one state more");
}

/* Draws chains of a and b states in turn, until they fill the overlay. */
static void full_chains(uint32_t a, uint32_t b)
{
	uint32_t room = d.overlay.ncliques * d.overlay.clique_size;

	while (d.graph.n < room) {
		uint32_t n = a < room - d.graph.n ? a : room - d.graph.n, other = b;
		draw_tree(&d, n, 3);
		b = a;
		a = other;
	}
}

static void map_known(void)
{
	full_overlay(10, 60, 1, 0);
	full_overlay(5, 20, 3, 1);
	full_overlay(4, 16, 4, 1);
	full_overlay(8, 8, 8, 2);
	full_overlay(1, 30, 4, 1);
	full_overlay(3, 2, 5, 1);
	full_overlay(2, 1, 9, 2);
	full_overlay(2, 7, 3, 1);
	draw_overlay(&d, 10, 60, 1, 0);
	draw_part_of_overlay(&d, 7, 30);
	map_expect(NFART_OK, "a ring with room to spare");
	draw_overlay(&d, 16, 16, 16, 1);
	full_chains(40, 24);
	map_expect(NFART_OK, "4096 states in chains on as many STEs");
	draw_overlay(&d, 8, 16, 4, 0);
	full_chains(50, 14);
	map_expect(NFART_OK, "components that fill four rings");
	draw_overlay(&d, 5, 4, 4, 0);
	for (int i = 0; i < 7; i++)
		draw_tree(&d, 11, 2);
	map_expect(NFART_NOFIT, "seven components too large to share four rings");
	draw_overlay(&d, 5, 4, 3, 0);
	for (int i = 0; i < 10; i++)
		draw_tree(&d, 6, 2);
	map_expect(NFART_NOFIT, "ten components that go three to a ring");
	draw_overlay(&d, 8, 20, 1, 0);
	draw_hubs(&d, 6, 20);
	map_expect(NFART_OK, "six hubs of 20 leaves");
	draw_overlay(&d, 8, 20, 1, 0);
	draw_hubs(&d, 7, 20);
	map_expect(NFART_NOFIT, "seven hubs of 20 leaves");
}

int main(void)
{
	map_result(check_random(), "random graphs: search and SAT agree");
	map_known();
	printf("1..%u\n", tests);
	return failed;
}
