/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/bench/solvers.h"

#include <igraph/igraph.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/clock.h"

enum { MOST_REPEATS = 200 };

/* CPU clocks can be coarse. A run of fewer seconds than this is repeated, and the mean counts. */
static const double short_run = 0.05;

/* ---- solvers that run in this process ---- */

/* `limit`: what the answer is if a limit was reached. */
static enum answer answer_of(enum nfart_status status, enum answer limit)
{
	if (status == NFART_OK)
		return ANSWER_FITS;
	if (status == NFART_NOFIT)
		return ANSWER_NOFIT;
	if (status != NFART_GAVEUP)
		return ANSWER_BROKEN;
	return limit;
}

static struct result run_mapper(const struct solver *s, const struct instance *in)
{
	struct map_graph g = mapgen_graph(in);
	uint32_t *clique = malloc((in->n + (size_t)1) * sizeof *clique), *neighbours;
	struct result r = { .answer = ANSWER_BROKEN };
	struct map_report report;
	struct map_options options;
	struct map_overlay view;
	double begin, spent = 0;
	int runs = 0;

	map_options_init(&options);
	options.model = s->model;
	if (clique == NULL || !map_view(&in->o, &view, &neighbours))
		return r;
	begin = clock_cpu_seconds();
	for (; runs == 0 || (spent < short_run && runs < MOST_REPEATS); runs++) {
		r.answer = answer_of(map_place(&g, &view, &options, clique, &report),
				     ANSWER_GAVEUP);
		spent = clock_cpu_seconds() - begin;
	}
	r.seconds = spent / runs;
	free(neighbours);
	free(clique);
	return r;
}

static struct result run_program(const struct solver *s, const struct instance *in)
{
	struct map_graph g = mapgen_graph(in);
	uint32_t *clique = malloc((in->n + (size_t)1) * sizeof *clique), *neighbours;
	struct result r = { .answer = ANSWER_BROKEN };
	struct ilp_report report;
	enum nfart_status status;
	struct map_overlay view;
	double begin, spent = 0;
	int runs = 0;

	if (clique == NULL || !map_view(&in->o, &view, &neighbours))
		return r;
	begin = clock_cpu_seconds();
	for (; runs == 0 || (spent < short_run && runs < MOST_REPEATS); runs++) {
		status = ilp_run(&g, &view, s->program, &ilp_usual_limits, clique, &report);
		r.answer = answer_of(status, report.limit == ILP_LIMIT_ROWS ? ANSWER_ROWS
									    : ANSWER_GAVEUP);
		spent = clock_cpu_seconds() - begin;
	}
	r.seconds = spent / runs;
	if (r.answer == ANSWER_FITS && map_check(&g, &view, clique) != NULL)
		r.answer = ANSWER_BROKEN;
	free(neighbours);
	free(clique);
	return r;
}

/* Fills an igraph graph with the overlay's STEs or, without `overlay`, with the instance's
 * states. */
static void fill_igraph(igraph_t *g, const struct instance *in, bool overlay)
{
	uint32_t c = in->o.clique, stes = overlay_ncliques(&in->o) * c;
	uint32_t degree = contract_degree(&in->o), *near = calloc(degree, sizeof *near);
	igraph_vector_int_t ends;

	igraph_vector_int_init(&ends, 0);
	for (uint32_t u = 0; u < stes && overlay && near != NULL; u++) {
		contract_neighbours(&in->o, u / c, near);
		for (uint32_t i = 0; i < degree; i++)
			for (uint32_t v = near[i] * c; v < (near[i] + 1) * c; v++)
				if (u < v) {
					igraph_vector_int_push_back(&ends, u);
					igraph_vector_int_push_back(&ends, v);
				}
	}
	for (size_t i = 0; i < 2 * in->edges.n && !overlay; i++)
		igraph_vector_int_push_back(&ends, in->edges.at[i / 2].at[i % 2]);
	igraph_create(g, &ends, overlay ? stes : in->n, IGRAPH_UNDIRECTED);
	igraph_vector_int_destroy(&ends);
	free(near);
}

/* Asks igraph's LAD. If igraph fails it aborts. This ends only the current run, because each run
 * has a process of its own. */
static struct result run_lad(const struct solver *s, const struct instance *in)
{
	struct result r = { .answer = ANSWER_BROKEN };
	igraph_vector_int_t map;
	igraph_t pattern, target;
	igraph_bool_t found = false;
	double begin;

	(void)s;
	fill_igraph(&pattern, in, false);
	fill_igraph(&target, in, true);
	igraph_vector_int_init(&map, 0);
	begin = clock_cpu_seconds();
	if (igraph_subisomorphic_lad(&pattern, &target, NULL, &found, &map, NULL, false, 0) ==
	    IGRAPH_SUCCESS)
		r.answer = found ? ANSWER_FITS : ANSWER_NOFIT;
	r.seconds = clock_cpu_seconds() - begin;
	return r;
}

/* ---- solvers that are commands ---- */

static bool contains(FILE *f, const char *what)
{
	char line[512];

	rewind(f);
	while (fgets(line, sizeof line, f) != NULL)
		if (strstr(line, what) != NULL)
			return true;
	return false;
}

/* Runs the command on the file and writes what it prints to `out`. Returns its exit code, or -1 if
 * it was killed. */
static int run_command(const struct solver *s, const char *file, FILE *out, struct result *r)
{
	struct rusage usage;
	pid_t child;
	int code;

	fflush(out);
	child = fork();
	if (child == 0) {
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(out), STDERR_FILENO);
		if (strcmp(s->command, "cbc") == 0)
			execlp("cbc", "cbc", file, "solve", (char *)NULL);
		else
			execlp(s->command, s->command, "-q", "-n", file, (char *)NULL);
		_exit(127);
	}
	if (child < 0 || wait4(child, &code, 0, &usage) != child)
		return -1;
	r->seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		     1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

static bool write_program(const struct solver *s, const struct instance *in, FILE *f)
{
	struct map_graph g = mapgen_graph(in);
	struct map_problem p = { .graph = NULL };
	struct map_report report = { .state = MAP_NO_STATE };
	struct map_options options;
	uint32_t *neighbours = NULL;
	struct map_overlay view;
	bool written;

	map_options_init(&options);
	written = map_view(&in->o, &view, &neighbours) &&
		  problem_init(&p, &g, &view, &options, &report) == NFART_OK &&
		  (strcmp(s->command, "cbc") == 0 ? write_lp(&p, f) : write_cnf(&p, f));
	problem_free(&p);
	free(neighbours);
	return written && fflush(f) == 0;
}

static struct result run_process(const struct solver *s, const struct instance *in)
{
	struct result r = { .answer = ANSWER_BROKEN };
	char name[] = "/tmp/bench-map-XXXXXX.lp";
	int fd = mkstemps(name, 3), code;
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL, *out = tmpfile();

	if (f != NULL && out != NULL && write_program(s, in, f)) {
		code = run_command(s, name, out, &r);
		if (code == -1)
			r.answer = ANSWER_LIMIT;
		else if (code == 10 || contains(out, "Optimal solution found"))
			r.answer = ANSWER_FITS;
		else if (code == 20 || contains(out, "infeasible"))
			r.answer = ANSWER_NOFIT;
	}
	if (out != NULL)
		fclose(out);
	if (f != NULL)
		fclose(f);
	unlink(name);
	return r;
}

/* ---- the list of solvers ---- */

const struct solver solvers[] = {
	{ .name = "ilp-baseline", .run = run_program, .program = ILP_BASELINE },
	{ .name = "ilp-symmetry", .run = run_program, .program = ILP_SYMMETRY },
	{ .name = "ilp-clique", .run = run_program, .program = ILP_CLIQUE },
	{ .name = "ilp-clique-symmetry", .run = run_program, .program = ILP_CLIQUE_SYMMETRY },
	{ .name = "ilp", .run = run_program, .program = ILP_AGGREGATED, .patience = 3 },
	{ .name = "search", .run = run_mapper, .model = MAP_SEARCH_ALONE },
	{ .name = "lad", .run = run_lad },
	{ .name = "cbc", .run = run_process, .command = "cbc" },
	{ .name = "cadical", .run = run_process, .command = "cadical" },
};
const size_t nsolvers = sizeof solvers / sizeof solvers[0];
const struct solver solvers_alone[] = {
	{ .name = "row", .run = run_mapper, .model = MAP_ROW },
	{ .name = "propagate", .run = run_mapper, .model = MAP_PROPAGATE },
	{ .name = "anneal", .run = run_mapper, .model = MAP_ANNEAL },
	{ .name = "sat", .run = run_mapper, .model = MAP_SAT },
	{ .name = "ilp", .run = run_program, .program = ILP_AGGREGATED },
};
const size_t nsolvers_alone = sizeof solvers_alone / sizeof solvers_alone[0];
const struct solver solver_auto = { .name = "auto", .run = run_mapper, .model = MAP_AUTO };

bool solver_exists(const struct solver *s)
{
	char path[4096];

	if (s->command == NULL)
		return true;
	for (const char *p = getenv("PATH"); p != NULL;
	     p = strchr(p, ':') ? strchr(p, ':') + 1 : NULL) {
		snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(p, ":"), p, s->command);
		if (access(path, X_OK) == 0)
			return true;
	}
	return false;
}

struct result solver_run(const struct solver *s, const struct instance *in, unsigned seconds)
{
	struct rlimit limit = { seconds, seconds + 1 };
	struct result r = { ANSWER_BROKEN, 0 };
	int ends[2], code = 0;
	ssize_t n;
	pid_t child;

	if (pipe(ends) != 0)
		return r;
	fflush(NULL);
	child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_CPU, &limit);
		r = s->run(s, in);
		n = write(ends[1], &r, sizeof r);
		_exit(n != (ssize_t)sizeof r);
	}
	close(ends[1]);
	n = child > 0 ? read(ends[0], &r, sizeof r) : 0;
	close(ends[0]);
	if (child > 0)
		waitpid(child, &code, 0);
	if (n != (ssize_t)sizeof r && WIFSIGNALED(code) &&
	    (WTERMSIG(code) == SIGXCPU || WTERMSIG(code) == SIGKILL))
		r.answer = ANSWER_LIMIT;
	if (r.seconds > seconds)
		r.answer = ANSWER_LIMIT;
	return r;
}
