/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_opt: how small each level of the optimiser makes an automaton, and how long that takes.
 *
 *   bench_opt [FILE.re | FOLDER] …
 *
 * It prints a row for each file, and for each corpus of corpus.h at several sizes. A row has
 * states, transitions between distinct pairs of states (loops included) and distinct predicates at
 * -O0, -O1, -O2 and -Os. Where they can be computed, it also has the size of the position
 * automaton, the states of the minimal DFA, and a lower bound on the states of any homogeneous
 * automaton (minimal.c, Note [lower bound]). -Os is for the default overlay. No repetition becomes
 * a counter.
 *
 * Then it prints for each file the median milliseconds of a whole compilation for overlay none, at
 * each level.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "support/clock.h"
#include "testsuite/bench/corpus.h"
#include "testsuite/bench/minimal.h"
#include "testsuite/property/positions.h"

enum { RUNS = 9, LEVELS = 4 };

struct row {
	char name[64];
	struct buf text;
	double ms[LEVELS];
	struct {
		size_t states, edges, preds;
	} at[LEVELS];
	uint64_t positions;
	struct minimal least;
	bool has_least;
};

static void bench_die(const char *what, const char *why)
{
	fprintf(stderr, "bench_opt: %s%s%s\n", what, why[0] != 0 ? ": " : "", why);
	exit(NFART_SYSTEM);
}

static int by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static size_t count_preds(const struct nfa *a)
{
	bool *seen = calloc(a->preds->preds.n + 1, 1);
	size_t n = 0;

	for (size_t s = 0; seen != NULL && s < a->states.n; s++) {
		pred_id_t p = a->states.at[s].pred;
		if (p == PRED_NONE || seen[p])
			continue;
		seen[p] = true;
		n++;
	}
	free(seen);
	return n;
}

static void bench_compile(struct row *r, int level, enum pipeline_stage last, bool none, bool keep)
{
	struct pipeline_file f = { r->name, r->text.at, r->text.n, false };
	struct pipeline *p = malloc(sizeof *p);
	struct pipeline_options o;

	if (p == NULL)
		bench_die("out of memory", "");
	pipeline_options_init(&o);
	o.last = last;
	o.passes.level = level;
	o.count = 0; /* repetitions stay states; none becomes a counter */
	o.overlay.o.none = none;
	if (pipeline_run(p, &o, &f, 1) != NFART_OK) {
		diag_print(&p->diags, stderr, false);
		bench_die("does not compile", r->name);
	}
	if (keep) {
		r->at[level].states = p->nfa.states.n;
		r->at[level].edges = nfa_count_edges(&p->nfa, true);
		r->at[level].preds = count_preds(&p->nfa);
		r->positions = count_positions(&p->spec) + 1;
	}
	if (keep && level == 2)
		r->has_least = minimal_find(&r->least, &p->nfa);
	pipeline_free(p);
	free(p);
}

/* Compiles the file at all levels and prints its row. */
static void bench_measure(struct row *r)
{
	for (int level = 0; level < LEVELS; level++) {
		double t[RUNS];
		bench_compile(r, level, STAGE_NFA, level != PASS_LEVEL_S, true);
		for (int i = 0; i < RUNS; i++) {
			double begin = clock_seconds();
			bench_compile(r, level, STAGE_IMAGE, true, false);
			t[i] = 1e3 * (clock_seconds() - begin);
		}
		qsort(t, RUNS, sizeof t[0], by_value);
		r->ms[level] = t[RUNS / 2];
	}
}

static void bench_print(const struct row *r)
{
	printf("%-20s %5" PRIu64 " ", r->name, r->positions);
	for (int level = 0; level < LEVELS; level++)
		printf(" %5zu %5zu %3zu ", r->at[level].states, r->at[level].edges,
		       r->at[level].preds);
	if (r->has_least)
		printf(" %5" PRIu32 " %5" PRIu32 "\n", r->least.dfa, r->least.bound);
	else
		printf("     -     -\n");
	fflush(stdout);
}

static VEC(struct row *) rows;

static struct row *add_row(const char *name)
{
	struct row *r = calloc(1, sizeof *r);

	if (r == NULL || !vec_push(&rows, r))
		bench_die("out of memory", "");
	snprintf(r->name, sizeof r->name, "%.60s", name);
	return r;
}

static void add_file(const char *path)
{
	const char *name = strrchr(path, '/');
	struct row *r = add_row(name != NULL ? name + 1 : path);

	if (buf_read_file(&r->text, path, 1 << 24) != 0)
		bench_die("can't read", path);
}

static int ends_in_re(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 3 && strcmp(e->d_name + n - 3, ".re") == 0;
}

static void add_argument(const char *path)
{
	struct dirent **list;
	int n = scandir(path, &list, ends_in_re, alphasort);

	if (n < 0)
		add_file(path);
	for (int i = 0; i < n; i++) {
		char file[4096];
		snprintf(file, sizeof file, "%s/%s", path, list[i]->d_name);
		add_file(file);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

static void add_corpora(void)
{
	static const uint32_t sizes[] = { 3, 10, 30 };

	for (int kind = 0; kind < CORPUS_KINDS; kind++)
		for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
			char name[40];
			struct row *r;
			snprintf(name, sizeof name, "%s, %" PRIu32, corpus_names[kind], sizes[i]);
			r = add_row(name);
			corpus_make(&r->text, (enum corpus)kind, sizes[i], 1);
			if (r->text.failed)
				bench_die("out of memory", "");
		}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		add_argument(argv[i]);
	add_corpora();
	printf("states, transitions, distinct predicates\n"
	       "%-20s %5s  %-16s %-16s %-16s %-16s %5s %5s\n",
	       "", "pos+1", "  -O0", "  -O1", "  -O2", "  -Os", "DFA", "bound");
	for (size_t i = 0; i < rows.n; i++) {
		bench_measure(rows.at[i]);
		bench_print(rows.at[i]);
	}
	printf("\nmilliseconds of a compilation\n%-20s %8s %8s %8s %8s\n", "", "-O0", "-O1", "-O2",
	       "-Os");
	for (size_t i = 0; i < rows.n; i++) {
		const struct row *r = rows.at[i];
		printf("%-20s %8.3f %8.3f %8.3f %8.3f\n", r->name, r->ms[0], r->ms[1], r->ms[2],
		       r->ms[3]);
		buf_free(&rows.at[i]->text);
		free(rows.at[i]);
	}
	vec_free(&rows);
	return 0;
}
