/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/bench/shares.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "testsuite/bench/solvers.h"

enum { MOST_SECONDS = 60 };

/* Regular graphs of `size` states, or `size` hubs, each of `least` to `most` neighbours. */
struct row {
	bool hubs;
	uint32_t size, least, most;
};

static const struct row rows[] = {
	{false, 60, 3, 3},  {false, 66, 3, 3},  {false, 72, 3, 3},   {false, 80, 3, 3},
	{false, 90, 3, 3},  {false, 100, 3, 3}, {false, 110, 3, 3},  {false, 120, 3, 3},
	{false, 48, 4, 4},  {false, 56, 4, 4},  {false, 64, 4, 4},   {false, 72, 4, 4},
	{false, 80, 4, 4},  {false, 90, 4, 4},  {false, 100, 4, 4},  {true, 14, 18, 18},
	{true, 14, 19, 19}, {true, 14, 20, 20}, {true, 15, 18, 18},  {true, 15, 19, 19},
	{true, 14, 18, 24}, {true, 15, 18, 24}, {true, 16, 18, 24},  {true, 17, 18, 24},
	{true, 18, 18, 24},
};

/* On a smaller overlay CaDiCaL can confirm what is refuted. */
static const struct row small_rows[] = {
	{false, 24, 3, 3}, {false, 28, 3, 3}, {false, 32, 3, 3}, {false, 18, 4, 4},
	{false, 22, 4, 4},
};

static const struct table {
	uint32_t c, l, r, n; /* the overlay */
	const struct row *rows;
	size_t nrows;
} tables[] = {
	{5, 20, 3, 1, rows, sizeof rows / sizeof rows[0]},
	{2, 12, 3, 1, small_rows, sizeof small_rows / sizeof small_rows[0]},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

struct tally {
	unsigned fit, no_fit, within_1, within_10, agree;
	double slowest;
};

static const struct solver *find_cadical(void)
{
	for (size_t i = 0; i < nsolvers; i++)
		if (strcmp(solvers[i].name, "cadical") == 0 && solver_exists(&solvers[i]))
			return &solvers[i];
	return NULL;
}

static void shares_draw(struct instance *in, const struct table *t, const struct row *r,
			unsigned seed)
{
	mapgen_begin(in, t->c, t->l, t->r, t->n, (uint64_t)seed * 1000 + r->size);
	if (!r->hubs)
		mapgen_regular(in, r->size, r->least);
	for (uint32_t i = 0; r->hubs && i < r->size; i++)
		mapgen_hubs(in, 1, mapgen_between(in, r->least, r->most));
	mapgen_finish(in, MAPGEN_PLAIN);
}

/* Runs the mapper on one instance. False: see shares_print(). */
static bool shares_run(const struct table *table, const struct row *row, unsigned seed,
		       unsigned peer_seconds, struct tally *t)
{
	struct instance in = { .n = 0 };
	struct result r, peer = { .answer = ANSWER_GAVEUP };
	const struct solver *cadical = peer_seconds > 0 ? find_cadical() : NULL;
	bool answered;

	shares_draw(&in, table, row, seed);
	r = solver_run(&solver_auto, &in, MOST_SECONDS);
	answered = r.answer == ANSWER_FITS || r.answer == ANSWER_NOFIT;
	if (answered && cadical != NULL)
		peer = solver_run(cadical, &in, peer_seconds);
	mapgen_free(&in);
	t->fit += r.answer == ANSWER_FITS;
	t->no_fit += r.answer == ANSWER_NOFIT;
	t->within_1 += answered && r.seconds <= 1;
	t->within_10 += answered && r.seconds <= 10;
	t->agree += answered && peer.answer == r.answer;
	t->slowest = r.seconds > t->slowest ? r.seconds : t->slowest;
	if (r.answer == ANSWER_BROKEN ||
	    (peer.answer != r.answer && peer.answer <= ANSWER_NOFIT)) {
		printf("wrong answer: size %" PRIu32 ", seed %u\n", row->size, seed);
		return false;
	}
	return true;
}

static void print_heading(const struct table *t, unsigned seeds)
{
	printf("\nShares on (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32
	       "), %u seeds a size\n%-18s%6s%8s%6s%7s%7s%9s%9s\n",
	       t->c, t->l, t->r, t->n, seeds, "", "fit", "no fit", "none", "<= 1 s", "<= 10 s",
	       "slowest", "CaDiCaL");
}

/* Runs the mapper on the instances of a row, and prints the row. False: see shares_print(). */
static bool print_row(const struct table *table, const struct row *r, const char *name,
		      unsigned seeds, unsigned peer_seconds)
{
	struct tally t = { .fit = 0 };
	bool good = true;

	for (unsigned seed = 1; seed <= seeds; seed++)
		good = shares_run(table, r, seed, peer_seconds, &t) && good;
	printf("%-18s%6u%8u%6u%6u%%%6u%%%9.2f", name, t.fit, t.no_fit, seeds - t.fit - t.no_fit,
	       100 * t.within_1 / seeds, 100 * t.within_10 / seeds, t.slowest);
	if (peer_seconds > 0)
		printf("%9u", t.agree);
	puts("");
	fflush(stdout);
	return good;
}

static void name_row(char *name, size_t size, const struct row *r)
{
	snprintf(name, size,
		 r->most > r->least ? "%" PRIu32 " %s %" PRIu32 "-%" PRIu32
				    : "%" PRIu32 " %s %" PRIu32,
		 r->size, r->hubs ? "hubs of" : "of degree", r->least, r->most);
}

bool shares_print(unsigned seeds, unsigned peer_seconds, const char *only)
{
	bool good = true;

	for (const struct table *t = tables; t < tables + TABLES; t++) {
		unsigned printed = 0;

		for (const struct row *r = t->rows; r < t->rows + t->nrows; r++) {
			char name[64];

			name_row(name, sizeof name, r);
			if (only != NULL && strstr(name, only) == NULL)
				continue;
			if (printed++ == 0)
				print_heading(t, seeds);
			good = print_row(t, r, name, seeds, peer_seconds) && good;
		}
	}
	return good;
}
