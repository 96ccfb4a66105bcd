/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/bench/alone.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/bench/solvers.h"

/* A solver that does not answer so many seeds is not run on more of them. */
enum { SEEDS = 3, PATIENCE = 2 };
enum shape { SHAPE_OVERLAY, SHAPE_HUBS, SHAPE_TREES, SHAPE_CHAINS, SHAPE_REGULAR };

static const struct family {
	uint32_t c, l, r, n; /* the overlay */
	enum shape shape;
	uint32_t a, b, d; /* the arguments of the shape's function in mapgen.h, in order */
	enum mapgen_extra extra;
	const char *name;
} families[] = {
	{16, 16, 16, 1, SHAPE_CHAINS, 60, 60, 4, MAPGEN_PLAIN, "60 chains of 60"},
	{5, 20, 3, 1, SHAPE_TREES, 10, 40, 280, MAPGEN_PLAIN, "trees, 280 of 300"},
	{10, 10, 1, 0, SHAPE_OVERLAY, 7, 30, 0, MAPGEN_PLAIN, "figure 34, n = 100"},
	{1, 100, 6, 1, SHAPE_OVERLAY, 1, 30, 0, MAPGEN_PLAIN, "600 of 600"},
	{16, 16, 16, 1, SHAPE_OVERLAY, 16, 30, 4000, MAPGEN_PLAIN, "4000 of 4096"},
	{4, 16, 4, 1, SHAPE_OVERLAY, 3, 30, 0, MAPGEN_NEAR, "3 of 4, +near1"},
	{1, 100, 6, 1, SHAPE_OVERLAY, 1, 30, 0, MAPGEN_NEAR, "600 of 600, +near1"},
	{5, 20, 3, 1, SHAPE_REGULAR, 60, 3, 0, MAPGEN_PLAIN, "60 of degree 3"},
	{5, 20, 3, 1, SHAPE_REGULAR, 72, 3, 0, MAPGEN_PLAIN, "72 of degree 3"},
	{5, 20, 3, 1, SHAPE_REGULAR, 120, 3, 0, MAPGEN_PLAIN, "120 of degree 3"},
	{5, 20, 3, 1, SHAPE_REGULAR, 72, 4, 0, MAPGEN_PLAIN, "72 of degree 4"},
	{2, 12, 3, 1, SHAPE_REGULAR, 28, 3, 0, MAPGEN_PLAIN, "28 of degree 3"},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

static void draw(struct instance *in, const struct family *f, unsigned seed)
{
	mapgen_begin(in, f->c, f->l, f->r, f->n, seed);
	switch (f->shape) {
	case SHAPE_OVERLAY:
		mapgen_overlay(in, f->a, f->b, f->d);
		break;
	case SHAPE_HUBS:
		mapgen_hubs(in, f->a, f->b);
		break;
	case SHAPE_TREES:
		mapgen_trees(in, f->a, f->b, f->d);
		break;
	case SHAPE_CHAINS:
		mapgen_chains(in, f->a, f->b, f->d);
		break;
	case SHAPE_REGULAR:
		mapgen_regular(in, f->a, f->b);
		break;
	}
	mapgen_finish(in, f->extra);
}

static int by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Runs the solver on all seeds, and prints its cell. answers [SEEDS] has what other solvers
 * answered, or ANSWER_GAVEUP. False: the solver broke or answers otherwise. */
static bool run(const struct solver *s, const struct family *f, unsigned seconds,
		enum answer *answers)
{
	double times[SEEDS];
	size_t solved = 0;
	bool good = true;
	char text[32];

	for (unsigned i = 0; i < SEEDS && i < solved + PATIENCE; i++) {
		struct instance in = {.n = 0};
		struct result r;

		draw(&in, f, i + 1);
		r = solver_run(s, &in, seconds);
		mapgen_free(&in);
		good = good && r.answer != ANSWER_BROKEN;
		if (r.answer > ANSWER_NOFIT)
			continue;
		good = good && (answers[i] == ANSWER_GAVEUP || answers[i] == r.answer);
		answers[i] = r.answer;
		times[solved++] = r.seconds;
	}
	if (solved > 0) {
		qsort(times, solved, sizeof *times, by_time);
		snprintf(text, sizeof text, "%zu: %.*f", solved, times[solved / 2] < 1 ? 4 : 1,
			 times[solved / 2]);
	}
	printf("%12s", solved > 0 ? text : "0");
	fflush(stdout);
	return good;
}

static bool print_row(const struct family *f, unsigned seconds)
{
	enum answer answers[SEEDS];
	bool good = true;
	unsigned fit = 0, no_fit = 0;
	char overlay[64];

	for (unsigned i = 0; i < SEEDS; i++)
		answers[i] = ANSWER_GAVEUP;
	snprintf(overlay, sizeof overlay, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32, f->c,
		 f->l, f->r, f->n);
	printf("%-16s%-20s", overlay, f->name);
	for (size_t i = 0; i < nsolvers_alone; i++)
		good = run(&solvers_alone[i], f, seconds, answers) && good;
	for (unsigned i = 0; i < SEEDS; i++) {
		fit += answers[i] == ANSWER_FITS;
		no_fit += answers[i] == ANSWER_NOFIT;
	}
	printf("%6u%8u\n", fit, no_fit);
	if (!good)
		printf("wrong answer: %s\n", f->name);
	return good;
}

bool alone_print(unsigned seconds, const char *only)
{
	bool good = true;

	printf("\nEach solver alone, limit %u s: how many of %d seeds it answers, median time\n"
	       "%-36s", seconds, (int)SEEDS, "");
	for (size_t i = 0; i < nsolvers_alone; i++)
		printf("%12s", solvers_alone[i].name);
	printf("%6s%8s\n", "fit", "no fit");
	for (size_t i = 0; i < FAMILIES; i++)
		if (only == NULL || strstr(families[i].name, only) != NULL)
			good = print_row(&families[i], seconds) && good;
	return good;
}
