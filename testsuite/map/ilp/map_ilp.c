/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * map_ilp: maps a raw graph by an integer program, as `nfacc --map-graph` maps it by the mapper.
 *
 *   map_ilp PROGRAM FILE.g [ROWS]
 *
 * PROGRAM is a name of ilp_run.h, and ROWS the largest number of rows that is built. It prints
 * `fits`, `no-fit`, or why there is no answer.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/overlay/map/graph_file.h"
#include "backends/overlay/map/map_view.h"
#include "support/buf.h"
#include "testsuite/map/ilp/ilp_run.h"

static void print_answer(const char *name, enum nfart_status status, const struct ilp_report *r)
{
	if (status == NFART_OK)
		puts("fits");
	else if (status == NFART_NOFIT)
		puts("no-fit");
	else if (status == NFART_GAVEUP && r->limit == ILP_LIMIT_ROWS)
		printf("%s: not built, it would have %s%" PRIu64 " rows\n", name,
		       strcmp(name, ilp_program_names[ILP_AGGREGATED]) == 0 ? "at least " : "",
		       r->rows);
	else
		printf("%s: no answer\n", name);
}

static enum nfart_status run(enum ilp_program program, const struct ilp_limits *limits,
			     const struct graph_file *f)
{
	uint32_t *neighbours = NULL, *clique = malloc((f->graph.n + (size_t)1) * sizeof *clique);
	enum nfart_status status = NFART_SYSTEM;
	struct ilp_report report = {0};
	struct map_overlay view;

	if (clique != NULL && map_view(&f->overlay, &view, &neighbours))
		status = ilp_run(&f->graph, &view, program, limits, clique, &report);
	if (status == NFART_OK && map_check(&f->graph, &view, clique) != NULL)
		status = NFART_INTERNAL;
	print_answer(ilp_program_names[program], status, &report);
	free(neighbours);
	free(clique);
	return status;
}

static bool find_program(const char *name, enum ilp_program *program)
{
	for (int i = 0; i < ILP_NPROGRAMS; i++)
		if (strcmp(name, ilp_program_names[i]) == 0) {
			*program = (enum ilp_program)i;
			return true;
		}
	return false;
}

int main(int argc, char **argv)
{
	struct ilp_limits limits = ilp_usual_limits;
	struct diags d = {.werror = false};
	enum nfart_status status;
	enum ilp_program program;
	struct buf text = {0};
	struct graph_file f;

	if (argc < 3 || argc > 4 || !find_program(argv[1], &program)) {
		fputs("usage: map_ilp PROGRAM FILE.g [ROWS]\n", stderr);
		return NFART_USAGE;
	}
	if (argc == 4)
		limits.rows = strtoull(argv[3], NULL, 10);
	if (buf_read_file(&text, argv[2], 1 << 24) != 0) {
		perror(argv[2]);
		return NFART_SYSTEM;
	}
	status = graph_file_read(&f, &d, argv[2], text.at, text.n);
	if (status == NFART_OK) {
		status = run(program, &limits, &f);
		graph_file_free(&f);
	} else {
		fprintf(stderr, "%s: not a graph\n", argv[2]);
	}
	diag_free(&d);
	buf_free(&text);
	return status;
}
