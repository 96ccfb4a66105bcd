/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * solvers.h: who maps an instance: the mapper with one of its models, igraph's LAD, or a solver that
 * runs as a process on the program of --map=ilp, written as LP or as CNF. Each run has a process of
 * its own, which the system ends at a limit of CPU seconds.
 */
#ifndef NFACC_TESTSUITE_SOLVERS_H
#define NFACC_TESTSUITE_SOLVERS_H

#include <stdio.h>

#include "backends/overlay/map/problem.h"
#include "testsuite/bench/mapgen.h"

enum answer {
	ANSWER_FITS,
	ANSWER_NOFIT,
	ANSWER_LIMIT,  /* seconds */
	ANSWER_ROWS,   /* the program would be too large and was not built */
	ANSWER_GAVEUP, /* another limit */
	ANSWER_BROKEN
};

struct result {
	enum answer answer;
	double seconds; /* of CPU: of the call in-process, or of the whole process */
};

struct solver {
	const char *name;
	/* Tries the instance, without a limit of time; what it costs to set up is not counted. */
	struct result (*run)(const struct solver *s, const struct instance *in);
	enum map_model model;
	const char *command; /* NULL: in-process */
	unsigned patience;   /* how many limits of a run it gets on figure 34 */
};

extern const struct solver solvers[];
extern const size_t nsolvers;

/* Is the command installed? */
bool solver_exists(const struct solver *s);

/* Runs s in a process of its own, for so many CPU seconds, at least 1. */
struct result solver_run(const struct solver *s, const struct instance *in, unsigned seconds);

/* Writes the program of --map=ilp for p to f, for CBC and CaDiCaL. In CNF, rows `sum <= C` are
 * sequential counters. False: the program could not be built or written. */
bool write_lp(const struct map_problem *p, FILE *f);
bool write_cnf(const struct map_problem *p, FILE *f);

#endif
