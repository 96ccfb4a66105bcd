/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/portfolio.h"

#include "backends/overlay/map/anneal.h"
#include "backends/overlay/map/propagate/propagate.h"
#include "backends/overlay/map/row.h"
#include "backends/overlay/map/sat/sat.h"

/* What anneal and sat get in each round. A run of anneal takes as long as 8,000 steps of propagate
 * or so, and a thousand units of work of sat as long as two steps. */
static const struct round {
	uint32_t steps_per_run, work_per_step;
} rounds[] = {{300000, 5}, {60000, 100}};
enum { ROUNDS = sizeof rounds / sizeof rounds[0] };
/* What a solver alone gets: as much as the steps would take. */
enum { STEPS_PER_RUN = 8000, WORK_PER_STEP = 500 };
/* Propagate gets these parts of its steps before the other solvers, and after them. Before them it
 * gets FIRST_STEPS at most. */
enum { FIRST_SHARE = 50, LAST_SHARE = 10, FIRST_STEPS = 20000 };
static const uint64_t most_steps = (uint64_t)1 << 40; /* more count as so many */

/* Runs propagate on, up to so many steps in the report. */
static enum nfart_status run_propagate(const struct map_task *task, uint64_t steps,
				       uint32_t *clique)
{
	const struct map_problem *p = task->p;
	struct map_task limited = *task;

	limited.steps = steps < p->options->steps ? steps : p->options->steps;
	p->report->limit = MAP_NO_LIMIT;
	p->report->method = MAP_BY_PROPAGATE;
	return propagate_run(&limited, clique);
}

static bool goes_on(const struct map_task *task, enum nfart_status status)
{
	return status == NFART_GAVEUP && task->p->report->limit == MAP_LIMIT_STEPS;
}

static uint64_t count_steps(const struct map_task *task)
{
	uint64_t steps = task->p->options->steps;

	return steps < most_steps ? steps : most_steps;
}

static enum nfart_status run_anneal(const struct map_task *task, uint64_t seed, uint64_t runs,
				    uint32_t *clique)
{
	task->p->report->method = MAP_BY_ANNEAL;
	return anneal_run(task, seed, (uint32_t)runs, clique);
}

static enum nfart_status run_sat(const struct line_input *in, uint64_t work, uint32_t *clique)
{
	in->task->p->report->method = MAP_BY_SAT;
	return sat_run(in, clique, &work);
}

static enum nfart_status run_round(const struct line_input *in, uint32_t number, uint32_t *clique)
{
	const struct round *r = &rounds[number];
	uint64_t steps = count_steps(in->task);
	enum nfart_status status = run_anneal(in->task, number + 1, steps / r->steps_per_run,
					      clique);

	return goes_on(in->task, status) ? run_sat(in, steps * r->work_per_step, clique) : status;
}

/* Runs propagate, and the other solvers too where the NFA is well connected. */
static enum nfart_status run_in_turn(const struct map_task *task, uint32_t *clique)
{
	const struct map_problem *p = task->p;
	struct arena arena = {0};
	struct line_input in;
	enum nfart_status status = sat_measure(task, &arena, &in);
	uint64_t first = p->options->steps / FIRST_SHARE;

	if (status == NFART_GAVEUP) {
		status = run_propagate(task, UINT64_MAX, clique);
	} else if (status == NFART_OK) {
		first = first < FIRST_STEPS ? first : FIRST_STEPS;
		status = run_propagate(task, p->report->steps + first, clique);
		for (uint32_t i = 0; i < ROUNDS && goes_on(task, status) &&
				     p->report->steps < p->options->steps; i++)
			status = run_round(&in, i, clique);
		if (goes_on(task, status))
			status = run_propagate(
				task, p->report->steps + p->options->steps / LAST_SHARE, clique);
		if (goes_on(task, status) && p->report->steps < p->options->steps)
			p->report->limit = MAP_LIMIT_METHODS;
	}
	arena_free(&arena);
	return status;
}

static enum nfart_status run_row(const struct map_task *task, uint32_t *clique)
{
	task->p->report->method = MAP_BY_ROW;
	return row_place(task, clique);
}

static enum nfart_status run_sat_alone(const struct map_task *task, uint32_t *clique)
{
	struct arena arena = {0};
	struct line_input in;
	enum nfart_status status = sat_measure(task, &arena, &in);

	if (status == NFART_OK)
		status = run_sat(&in, count_steps(task) * WORK_PER_STEP, clique);
	else if (status == NFART_GAVEUP)
		task->p->report->limit = MAP_LIMIT_SOLVER;
	arena_free(&arena);
	return status;
}

/* Runs the one solver that --map names. */
static enum nfart_status run_alone(const struct map_task *task, uint32_t *clique)
{
	struct map_report *report = task->p->report;
	enum nfart_status status = NFART_USAGE;

	report->limit = MAP_NO_LIMIT;
	if (task->p->options->model == MAP_ROW) {
		status = run_row(task, clique);
		if (status == NFART_NOFIT) {
			status = NFART_GAVEUP;
			report->limit = MAP_LIMIT_SOLVER;
		}
	} else if (task->p->options->model == MAP_PROPAGATE) {
		status = run_propagate(task, UINT64_MAX, clique);
	} else if (task->p->options->model == MAP_ANNEAL) {
		if (task->kinds > 1)
			report->limit = MAP_LIMIT_SOLVER;
		status = run_anneal(task, 1, count_steps(task) / STEPS_PER_RUN, clique);
	} else if (task->p->options->model == MAP_SAT) {
		status = run_sat_alone(task, clique);
	}
	if (status == NFART_GAVEUP && report->limit == MAP_NO_LIMIT)
		report->limit = MAP_LIMIT_STEPS;
	return status;
}

enum nfart_status portfolio_run(const struct map_task *task, uint32_t *clique)
{
	enum nfart_status status;

	if (task->p->options->model >= MAP_ROW)
		return run_alone(task, clique);
	status = run_row(task, clique);
	return status == NFART_NOFIT ? run_in_turn(task, clique) : status;
}
