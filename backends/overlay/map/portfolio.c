/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/portfolio.h"

#include "backends/overlay/map/anneal.h"
#include "backends/overlay/map/line/line.h"
#include "backends/overlay/map/search/backtrack.h"


/* What annealing and unrolling get in each round. A run of annealing takes as long as 8,000 steps
 * of the search or so, and a thousand units of work as long as two steps. */
static const struct round {
	uint32_t steps_per_run, work_per_step;
} rounds[] = {{300000, 5}, {60000, 100}};
enum { ROUNDS = sizeof rounds / sizeof rounds[0] };
/* The search gets these parts of its steps before the other methods, and after them. Before them it
 * gets FIRST_STEPS at most. */
enum { FIRST_SHARE = 50, LAST_SHARE = 10, FIRST_STEPS = 20000 };
static const uint64_t most_steps = (uint64_t)1 << 40; /* more count as so many */

/* Runs the search on, up to so many steps in the report. */
static enum nfart_status search(const struct map_task *task, uint64_t steps, uint32_t *clique)
{
	const struct map_problem *p = task->p;
	struct map_task limited = *task;

	limited.steps = steps < p->options->steps ? steps : p->options->steps;
	p->report->limit = MAP_NO_LIMIT;
	return search_run(&limited, clique);
}

static bool goes_on(const struct map_task *task, enum nfart_status status)
{
	return status == NFART_GAVEUP && task->p->report->limit == MAP_LIMIT_STEPS;
}

static enum nfart_status run_round(const struct line_input *in, uint32_t number, uint32_t *clique)
{
	const struct round *r = &rounds[number];
	uint64_t steps = in->task->p->options->steps, work;
	enum nfart_status status;

	steps = steps < most_steps ? steps : most_steps;
	work = steps * r->work_per_step;
	status = anneal_run(in->task, number + 1, (uint32_t)(steps / r->steps_per_run), clique);
	return goes_on(in->task, status) ? line_run(in, clique, &work) : status;
}

enum nfart_status portfolio_run(const struct map_task *task, uint32_t *clique)
{
	const struct map_problem *p = task->p;
	struct arena arena = {0};
	struct line_input in;
	enum nfart_status status = line_measure(task, &arena, &in);
	uint64_t first = p->options->steps / FIRST_SHARE;

	if (status == NFART_GAVEUP) {
		status = search(task, UINT64_MAX, clique);
	} else if (status == NFART_OK) {
		first = first < FIRST_STEPS ? first : FIRST_STEPS;
		status = search(task, p->report->steps + first, clique);
		for (uint32_t i = 0; i < ROUNDS && goes_on(task, status) &&
				     p->report->steps < p->options->steps; i++)
			status = run_round(&in, i, clique);
		if (goes_on(task, status))
			status = search(task, p->report->steps + p->options->steps / LAST_SHARE,
					clique);
		if (goes_on(task, status) && p->report->steps < p->options->steps)
			p->report->limit = MAP_LIMIT_METHODS;
	}
	arena_free(&arena);
	return status;
}
