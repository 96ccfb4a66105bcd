/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_map: compares the mapper with other solvers: all models on figure 34 of the thesis, and the
 * search on families of graphs, of which some fit and some don't. It prints medians over three
 * seeds, in CPU seconds.
 *
 *   bench_map [-l SECONDS] [-f SECONDS] [-n MOST] [-d FILE] [-r SEEDS] [-c SECONDS]
 *             [-s NAME] [-a SECONDS]
 *
 * -l: the limit of a run on figure 34 (default 10; ilp gets three times as much). -f: the limit of
 * a run on a family (default 3; 0: no families). -n: the largest size of figure 34 (default 200; 0:
 * no figure). -d: writes figure 34 to FILE for gnuplot. -r, -c, -s: the arguments of shares_print()
 * (default 20, 0, all; -r 0: no shares). -a: the limit of a solver that runs alone (default 3; 0:
 * no solvers alone); -s chooses rows of that table, too. A solver that reached its limit, of time
 * or of rows, at two sizes is not run on larger ones. An answer that is known to be wrong is an
 * error.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "testsuite/bench/alone.h"
#include "testsuite/bench/shares.h"
#include "testsuite/bench/solvers.h"

enum { SEEDS = 3, MOST_SOLVERS = 16, PATIENCE = 2, NEXTRAS = MAPGEN_FULL + 1, RATIO_AT = 120 };

static const uint32_t sizes[] = { 40, 50, 60, 70, 80, 90, 100, 120, 150, 200 };
enum { NSIZES = sizeof sizes / sizeof sizes[0] };

static bool conflict;

/* Returns the result with the median time of the n results, and sorts r by time. A run without an
 * answer counts as longer than any run with an answer. */
static struct result median(struct result *r, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = i; j > 0; j--) {
			bool late = r[j - 1].answer > ANSWER_NOFIT;
			struct result swap = r[j];
			if (late == (r[j].answer > ANSWER_NOFIT) ? r[j - 1].seconds <= r[j].seconds
								 : !late)
				break;
			r[j] = r[j - 1];
			r[j - 1] = swap;
		}
	return r[n / 2];
}

static const char *cell(char out[16], const struct result *r, unsigned limit)
{
	switch (r->answer) {
	case ANSWER_FITS:
	case ANSWER_NOFIT:
		snprintf(out, 16, "%.5f", r->seconds);
		break;
	case ANSWER_LIMIT:
		snprintf(out, 16, "> %u", limit);
		break;
	case ANSWER_ROWS:
		return "rows";
	case ANSWER_GAVEUP:
		return "gave up";
	case ANSWER_BROKEN:
		return "broken";
	}
	return out;
}

/* ---- figure 34 of the thesis ---- */

struct column {
	const struct solver *solver;
	unsigned failures;      /* number of sizes at which the solver gave no answer */
};

static void draw_figure34(struct instance *in, uint32_t n, uint64_t seed)
{
	mapgen_begin(in, 10, n / 10, 1, 0, seed * 1000 + n);
	mapgen_overlay(in, 7, 30, 0);
	mapgen_finish(in, MAPGEN_PLAIN);
}

static struct result run_figure34(const struct solver *s, uint32_t n, unsigned limit)
{
	struct result r[SEEDS];
	int late = 0, runs = 0;

	while (runs < SEEDS && late * 2 <= SEEDS) {
		struct instance in = { .n = 0 };
		draw_figure34(&in, n, (uint64_t)runs + 1);
		r[runs] = solver_run(s, &in, limit);
		late += r[runs].answer > ANSWER_NOFIT;
		if (r[runs].answer == ANSWER_NOFIT || r[runs].answer == ANSWER_BROKEN) {
			printf("%s answers wrongly: n %" PRIu32 ", seed %d\n", s->name, n,
			       runs + 1);
			conflict = true;
		}
		mapgen_free(&in);
		runs++;
	}
	if (late * 2 > SEEDS)
		return r[runs - 1];
	return median(r, (size_t)runs);
}

/* Prints how the search compares with the fastest integer program of the same row. */
static void print_ratio(uint32_t n, double search, double program)
{
	if (search > 0 && program > 0)
		printf("\nat n = %" PRIu32
		       " the search is %.0f times faster than the best GLPK model",
		       n, program / search);
}

static void figure34(unsigned limit, uint32_t most, FILE *data)
{
	struct column columns[MOST_SOLVERS];
	size_t n = 0;
	char text[16];

	for (size_t i = 0; i < nsolvers; i++)
		if (solver_exists(&solvers[i]))
			columns[n++] = (struct column){ &solvers[i], 0 };
		else
			printf("%s is not installed\n", solvers[i].name);
	printf("Figure 34: (10, n/10, 1, 0), 0.7 n states, limit %u s\n%4s", limit, "n");
	fputs("n", data);
	for (size_t i = 0; i < n; i++) {
		printf(" %*s", (int)strlen(columns[i].solver->name) < 8 ? 8 : -1,
		       columns[i].solver->name);
		fprintf(data, " %s", columns[i].solver->name);
	}
	for (size_t k = 0; k < NSIZES && sizes[k] <= most; k++) {
		double search = 0, program = 0;
		printf("\n%4" PRIu32, sizes[k]);
		fprintf(data, "\n%" PRIu32, sizes[k]);
		for (size_t i = 0; i < n; i++) {
			struct column *c = &columns[i];
			size_t width = strlen(c->solver->name);
			unsigned allowed =
				limit * (c->solver->patience > 0 ? c->solver->patience : 1);
			struct result r = { ANSWER_GAVEUP, 0 };

			if (c->failures < PATIENCE)
				r = run_figure34(c->solver, sizes[k], allowed);
			printf(" %*s", (int)(width < 8 ? 8 : width),
			       c->failures < PATIENCE ? cell(text, &r, allowed) : "-");
			fflush(stdout);
			c->failures += r.answer > ANSWER_NOFIT;
			if (r.answer <= ANSWER_NOFIT && strcmp(c->solver->name, "search") == 0)
				search = r.seconds;
			else if (r.answer <= ANSWER_NOFIT &&
				 strncmp(c->solver->name, "ilp", 3) == 0 &&
				 (program == 0 || r.seconds < program))
				program = r.seconds;
			if (r.answer > ANSWER_NOFIT)
				fputs(" ?", data);
			else
				fprintf(data, " %.6f", r.seconds);
		}
		if (sizes[k] == RATIO_AT)
			print_ratio(sizes[k], search, program);
	}
	puts("");
	fputs("\n", data);
}

/* ---- families of graphs ---- */

enum shape { SHAPE_OVERLAY, SHAPE_HUBS, SHAPE_TREES, SHAPE_CHAINS };

static const struct family {
	uint32_t c, l, r, n;
	enum shape shape;
	uint32_t a, b, d; /* the arguments of the shape's function in mapgen.h, in order */
	const char *name;
} families[] = {
	{ 10, 60, 1, 0, SHAPE_OVERLAY, 7, 30, 0, "7 of 10" },
	{ 10, 60, 1, 0, SHAPE_OVERLAY, 10, 30, 0, "10 of 10" },
	{ 5, 20, 3, 1, SHAPE_OVERLAY, 4, 30, 0, "4 of 5" },
	{ 1, 100, 6, 1, SHAPE_OVERLAY, 1, 30, 400, "400 of 600" },
	{ 1, 100, 6, 1, SHAPE_OVERLAY, 1, 30, 0, "600 of 600" },
	{ 4, 16, 4, 1, SHAPE_OVERLAY, 3, 30, 0, "3 of 4" },
	{ 8, 8, 8, 2, SHAPE_OVERLAY, 6, 30, 0, "6 of 8" },
	{ 16, 16, 16, 1, SHAPE_CHAINS, 60, 60, 4, "60 chains of 60" },
	{ 16, 16, 16, 1, SHAPE_OVERLAY, 16, 30, 4000, "4000 of 4096" },
	{ 5, 20, 3, 1, SHAPE_TREES, 10, 40, 280, "trees, 280 of 300" },
	{ 8, 20, 1, 0, SHAPE_HUBS, 7, 20, 0, "7 hubs of 20" },
	{ 4, 12, 6, 0, SHAPE_TREES, 10, 40, 270, "trees, 270 of 288" },
};
enum { NFAMILIES = sizeof families / sizeof families[0] };

static void draw_family(struct instance *in, const struct family *f, enum mapgen_extra extra,
			uint64_t seed)
{
	mapgen_begin(in, f->c, f->l, f->r, f->n, seed);
	if (f->shape == SHAPE_OVERLAY)
		mapgen_overlay(in, f->a, f->b, f->d);
	if (f->shape == SHAPE_HUBS)
		mapgen_hubs(in, f->a, f->b);
	if (f->shape == SHAPE_TREES)
		mapgen_trees(in, f->a, f->b, f->d);
	if (f->shape == SHAPE_CHAINS)
		mapgen_chains(in, f->a, f->b, f->d);
	mapgen_finish(in, extra);
}

/* Runs the solver on the family, and prints the time and how many answers were yes, no, or none. */
static void run_family(const struct solver *s, const struct family *f, enum mapgen_extra extra,
		       unsigned limit)
{
	struct result r[SEEDS];
	unsigned yes = 0, no = 0;
	int runs = 0;
	char text[16], all[32];

	for (; runs < SEEDS && runs - (int)(yes + no) < PATIENCE; runs++) {
		struct instance in = { .n = 0 };
		draw_family(&in, f, extra, (uint64_t)runs + 1);
		r[runs] = solver_run(s, &in, limit);
		yes += r[runs].answer == ANSWER_FITS;
		no += r[runs].answer == ANSWER_NOFIT;
		if (r[runs].answer == ANSWER_BROKEN ||
		    (r[runs].answer == ANSWER_NOFIT && f->shape == SHAPE_OVERLAY &&
		     extra == MAPGEN_PLAIN) ||
		    (r[runs].answer == ANSWER_FITS && extra >= MAPGEN_HUB)) {
			printf("%s answers wrongly: %s, extra %d, seed %d\n", s->name, f->name,
			       (int)extra, runs + 1);
			conflict = true;
		}
		mapgen_free(&in);
	}
	r[0] = runs - (int)(yes + no) >= PATIENCE ? r[runs - 1] : median(r, (size_t)runs);
	snprintf(all, sizeof all, "%s %s", cell(text, &r[0], limit),
		 yes + no == 0 ? "?" : no == 0 ? "yes" : yes == 0 ? "no" : "both");
	printf(" %12s", all);
	fflush(stdout);
}

static void run_families(unsigned limit)
{
	const struct solver *s = solvers;

	while (s->model != MAP_SEARCH_ALONE)
		s++;
	printf("\nFamilies with the search, limit %u s; yes: all that were answered fit\n"
	       "%-16s%-18s%13s%13s%13s%13s%13s\n", limit, "C,L,R,N", "states", "plain", "+near1",
	       "+long1", "+hub", "K*C+1");
	for (size_t i = 0; i < NFAMILIES; i++) {
		const struct family *f = &families[i];
		char overlay[64];

		snprintf(overlay, sizeof overlay, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32,
			 f->c, f->l, f->r, f->n);
		printf("%-16s%-18s", overlay, f->name);
		for (int e = 0; e < NEXTRAS; e++)
			run_family(s, f, (enum mapgen_extra)e, limit);
		puts("");
	}
}

int main(int argc, char **argv)
{
	unsigned limit = 10, family_limit = 3, seeds = 20, peer_seconds = 0, alone = 3;
	const char *name = "/dev/null", *only = NULL;
	uint32_t most = 200;
	FILE *data;
	int c;

	while ((c = getopt(argc, argv, "l:f:n:d:r:c:s:a:")) != -1) {
		if (c == '?')
			return NFART_USAGE;
		if (c == 'd')
			name = optarg;
		else if (c == 's')
			only = optarg;
		else
			*(c == 'l' ? &limit : c == 'f' ? &family_limit : c == 'r' ? &seeds :
			  c == 'c' ? &peer_seconds : c == 'a' ? &alone : &most) =
				(unsigned)strtoul(optarg, NULL, 10);
	}
	data = fopen(name, "w");
	if (data == NULL) {
		perror(name);
		return NFART_SYSTEM;
	}
	if (most != 0)
		figure34(limit, most, data);
	if (family_limit != 0)
		run_families(family_limit);
	if (alone != 0 && !alone_print(alone, only))
		conflict = true;
	if (seeds != 0 && !shares_print(seeds, peer_seconds, only))
		conflict = true;
	if (fclose(data) != 0) {
		perror(name);
		return NFART_SYSTEM;
	}
	return conflict ? NFART_INTERNAL : NFART_OK;
}
