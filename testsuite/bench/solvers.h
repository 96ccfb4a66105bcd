/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * solvers.h: the solvers of mapping instances. A solver is the mapper with one of its models, an
 * integer program that GLPK solves, igraph's LAD, or a command. Commands solve the aggregated
 * program (testsuite/map/ilp/ilp.h), written as LP or as CNF.
 * Each run has a process of its own, which the system ends at a limit of CPU seconds.
 */
#ifndef NFACC_TESTSUITE_SOLVERS_H
#define NFACC_TESTSUITE_SOLVERS_H

#include <stdio.h>

#include "backends/overlay/map/problem.h"
#include "testsuite/bench/mapgen.h"
#include "testsuite/map/ilp/ilp_run.h"

enum answer {
	ANSWER_FITS,
	ANSWER_NOFIT,
	ANSWER_LIMIT,  /* the run reached its limit of seconds */
	ANSWER_ROWS,   /* the program would be too large and was not built */
	ANSWER_GAVEUP, /* the solver reached another limit */
	ANSWER_BROKEN
};

struct result {
	enum answer answer;
	double seconds; /* CPU seconds that the solver's function or command took */
};

struct solver {
	const char *name;
	/* Tries the instance, without a limit of time. The time to set it up is not counted. */
	struct result (*run)(const struct solver *s, const struct instance *in);
	enum map_model model;     /* of the mapper */
	enum ilp_program program; /* of GLPK */
	const char *command;      /* the command to run; NULL: the solver is a function */
	unsigned patience;        /* on figure 34 it gets the usual limit times this; 0: once */
};

extern const struct solver solvers[];
extern const size_t nsolvers;
/* The mapper's solvers, each alone after the exact tests. */
extern const struct solver solvers_alone[];
extern const size_t nsolvers_alone;
extern const struct solver solver_auto; /* the mapper with all its methods; not in the list */

/* Is the solver there? A command must be installed. */
bool solver_exists(const struct solver *s);

/* Runs the solver in a process of its own, for at most this many CPU seconds (at least 1). */
struct result solver_run(const struct solver *s, const struct instance *in, unsigned seconds);

/* Write the aggregated program for p to f. write_lp() writes it as LP, for CBC. write_cnf()
 * writes it as CNF, for CaDiCaL, with a sequential counter for each row `sum <= C`. Return false if
 * the program could not be built or written. */
bool write_lp(const struct map_problem *p, FILE *f);
bool write_cnf(const struct map_problem *p, FILE *f);

#endif
