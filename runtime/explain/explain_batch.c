/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/explain/explain_batch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/engine.h"
#include "runtime/explain/explain_machine.h"
#include "runtime/explain/explain_rules.h"
#include "runtime/trace/batch.h"

enum { MOST_COPIES = 8 }; /* the most copies for which it is told why they don't accept */

enum nfart_status explain_no_memory(struct explain_state *s)
{
	return nfart_fail(s->e, NFART_SYSTEM, "out of memory");
}

/* ---- making ---- */

static bool explain_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct explain_state *s = ctx;

	(void)r;
	if (batch_is_loss(b))
		return true;
	s->output.n++;
	s->output.last = b->time;
	s->output.target |= s->x->what == EXPLAIN_TIME && b->time == s->x->time;
	return true;
}

static enum nfart_status choose_goals(struct explain_state *s)
{
	const struct nfart_image *im = s->x->image;
	uint32_t n = 0;

	s->goals = malloc(((size_t)im->labels.n + 1) * sizeof *s->goals);
	if (s->goals == NULL)
		return explain_no_memory(s);
	for (uint32_t i = 0; i < im->labels.n; i++) {
		bool output = *im->labels.names[i] == IMAGE_OUTPUT;
		if (s->x->label != NULL ? strcmp(s->x->label, im->labels.names[i] + output) == 0
					: !output || s->x->what == EXPLAIN_TIME)
			s->goals[n++] = i;
	}
	if (s->x->label != NULL && strcmp(s->x->label, "log") == 0)
		s->goals[n++] = WITNESS_LOG;
	s->ngoals = n;
	if (s->x->label != NULL && n == 0)
		return nfart_fail(s->e, NFART_USAGE, "--label: the image has no label%s %s",
				  im->labels.noutputs != 0 ? " and no output" : "", s->x->label);
	return NFART_OK;
}

enum nfart_status explain_begin(struct explain_state *s)
{
	const struct nfart_image *im = s->x->image;
	enum nfart_status status = choose_goals(s);

	timed_init(&s->timed, im, &s->x->engine, s->x->reader, s->x->until);
	if (status == NFART_OK)
		status = rules_init(&s->rules, im, false, s->e);
	if (status == NFART_OK)
		status = explain_rules_check(s);
	if (status != NFART_OK)
		return status;
	s->en = nfart_engine_new(im, &s->x->engine, s->e);
	if (s->en == NULL)
		return s->e->status;
	s->w = witness_new(im, &s->x->engine, s->goals, s->ngoals, s->e);
	if (s->w == NULL)
		return s->e->status;
	s->window = nfart_window_new_sides(im->window.before, im->window.after, im->stream.limit,
					   explain_sink, s);
	return explain_text_init(&s->text, im, s->w) && s->window != NULL ? NFART_OK : explain_no_memory(s);
}

void explain_end(struct explain_state *s)
{
	timed_free(&s->timed);
	explain_text_free(&s->text);
	nfart_window_free(s->window);
	witness_free(s->w);
	rules_free(&s->rules);
	nfart_engine_free(s->en);
	free(s->goals);
}

/* ---- one batch ---- */

static bool goal_of(const struct explain_state *s, const struct nfart_result *r, uint32_t goal)
{
	return s->goals[goal] == WITNESS_LOG ? r->logged : bits_get(r->labels, s->goals[goal]);
}

bool explain_is_output(const struct explain_state *s, uint32_t goal)
{
	return s->goals[goal] != WITNESS_LOG &&
	       *s->x->image->labels.names[s->goals[goal]] == IMAGE_OUTPUT;
}

bool explain_any_goal(const struct explain_state *s, const struct nfart_result *r, bool outputs)
{
	for (uint32_t g = 0; g < s->ngoals; g++)
		if ((outputs || !explain_is_output(s, g)) && goal_of(s, r, g))
			return true;
	return false;
}

/* Prints the batch as nfarun does, with its labels and outputs. */
static void print_batch(struct explain_state *s, const struct nfart_result *r)
{
	const struct nfart_image *im = s->x->image;
	uint32_t nlabels = im->labels.n - im->labels.noutputs, before[2] = { 0, 0 };
	struct witness_seen seen;

	buf_addf(&s->text.b, "%s%" PRIu64 " [", s->found > 1 ? "\n" : "", s->b.time);
	for (uint32_t l = 0; l < im->labels.n; l++) {
		uint32_t *n = &before[l >= nlabels];
		if (!bits_get(r->labels, l))
			continue;
		buf_addf(&s->text.b, "%s%s", *n != 0 ? "," : "",
			 im->labels.names[l] + (l >= nlabels && *n != 0));
		++*n;
	}
	buf_addf(&s->text.b, "]");
	seen = witness_see_batch(&s->b, s->b.mask);
	explain_items(&s->text, &seen);
	buf_addf(&s->text.b, "\n");
}

/* Explains why machines of the part accept for the goal: one of a checker by its rules. Returns
 * whether one does. */
static bool explain_machines(struct explain_state *s, const struct witness_part *p, uint32_t goal)
{
	const struct nfart_image *im = s->x->image;
	bool seen = false;

	for (uint32_t i = explain_machine_find(&s->text, p, goal, 0); i < im->nfa.nmachines;
	     i = explain_machine_find(&s->text, p, goal, i + 1)) {
		bool told = false;
		for (uint32_t g = 0; g < goal && !told; g++)
			told = explain_machine_find(&s->text, p, g, i) == i;
		if (!explain_rules_why(s, p, goal, true))
			explain_machine_why(&s->text, p, goal, i, s->b.time, told);
		seen = true;
	}
	return seen;
}

/* Explains one goal in each line that the batch touched. Says why a line accepts. If no line does
 * and why_not is set, says for each line why not. `accepted` is what the engine says about the
 * goal. Returns whether the witness says the same. */
static bool explain_goal(struct explain_state *s, uint32_t goal, bool accepted, bool why_not)
{
	bool seen = false;
	size_t told = 0;

	for (size_t i = 0; i < s->w->parts.n; i++) {
		const struct witness_part *p = &s->w->parts.at[i];
		const struct witness_active *a = witness_find(s->w, &p->copy->active, goal);
		bool machine;
		if (a != NULL && !explain_rules_why(s, p, goal, true))
			explain_why(&s->text, p, goal, a, s->b.time);
		machine = explain_machines(s, p, goal);
		seen |= a != NULL || machine;
		if (a == NULL && !machine && !accepted && why_not &&
		    told++ < MOST_COPIES && !explain_rules_why(s, p, goal, false))
			explain_why_not(&s->text, p, goal, s->b.time);
	}
	if (told > MOST_COPIES)
		buf_addf(&s->text.b, "%zu more copies that do not accept are left out\n",
			 told - MOST_COPIES);
	return seen == accepted;
}

enum nfart_status explain_batch(struct explain_state *s, const struct nfart_result *r)
{
	bool label = explain_any_goal(s, r, false), any = explain_any_goal(s, r, true);

	s->found++;
	if (s->x->chart != EXPLAIN_TEXT && !explain_rules_chart(s))
		return nfart_fail(s->e, NFART_USAGE,
				  "no chart: the batch at %" PRIu64 " is of no checker whose rules "
				  "the image keeps", s->b.time);
	if (s->x->chart != EXPLAIN_TEXT)
		return s->text.b.failed ? explain_no_memory(s) : NFART_OK;
	print_batch(s, r);
	if (s->w->parts.n == 0)
		buf_addf(&s->text.b, "no message of this batch is of an observed line\n");
	for (uint32_t g = 0; g < s->ngoals; g++)
		if (!explain_goal(s, g, goal_of(s, r, g), explain_is_output(s, g) ? !any : !label))
			return nfart_fail(s->e, NFART_INTERNAL,
					  "the witness of the batch at %" PRIu64
					  " is not what the engine says",
					  s->b.time);
	return s->text.b.failed ? explain_no_memory(s) : NFART_OK;
}

/* ---- records ---- */

int explain_next(struct explain_state *s)
{
	bool until = s->x->what == EXPLAIN_TIME && s->b.time < s->x->time;
	uint64_t n, time;
	int got;

	n = s->quiet ? timed_skip(&s->timed, until ? s->x->time : UINT64_MAX, &time) : 0;
	if (n != 0)
		witness_skip(s->w, n, time);
	do {
		if (*s->x->stop != 0)
			return 0;
		got = timed_next(&s->timed, &s->b, s->e);
	} while (got < 0 && *s->x->stop != 0);
	return got;
}

/* Puts everything back to the start, after a loss. */
static void explain_reset(struct explain_state *s)
{
	witness_reset(s->w, s->b.time);
	rules_reset(&s->rules);
}

bool explain_take(struct explain_state *s, struct nfart_result *r)
{
	s->quiet = false;
	if (!nfart_engine_step(s->en, &s->b, r))
		return false;
	if (batch_is_loss(&s->b)) {
		if (engine_resets(s->x->image, &s->x->engine))
			explain_reset(s);
		return nfart_window_put(s->window, &s->b, r);
	}
	if (!witness_step(s->w, &s->b) || !explain_rules_put(s))
		return false;
	s->quiet = s->b.mask == 0 && s->b.when == NFART_TICK && !r->accepted && !r->logged &&
		   witness_is_quiet(s->w);
	return nfart_window_put(s->window, &s->b, r);
}
