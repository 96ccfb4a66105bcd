/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Says why a batch is accepted with a label, or is not, in one copy of the automaton.
 */
#include <inttypes.h>

#include "runtime/explain/explain_machine.h"

enum { MOST_NEEDED = 8 }; /* the most predicates that are told for one batch */

static const char *goal_name(const struct explain_text *x, uint32_t goal)
{
	uint32_t label = x->w->goal.at[goal];

	return label == WITNESS_LOG ? "log" : x->im->labels.names[label];
}

void explain_head(struct explain_text *x, const struct witness_part *p, uint32_t goal, bool yes)
{
	const char *name = goal_name(x, goal);
	bool log = x->w->goal.at[goal] == WITNESS_LOG;

	if (*name == IMAGE_OUTPUT)
		buf_addf(&x->b, "output %s is %s", name + 1, yes ? "on" : "off");
	else
		buf_addf(&x->b, "%s%s%s%s%s", yes ? "" : "not ", log ? "logged" : "accepted by ",
			 log ? "" : "[", log ? "" : name, log ? "" : "]");
	explain_line(x, p->copy->line);
}

void explain_why(struct explain_text *x, const struct witness_part *p, uint32_t goal,
		 const struct witness_active *a, uint64_t time)
{
	uint64_t n = p->copy->batches - a->step->begin + 1;
	const struct witness_step *s = a->step;

	explain_head(x, p, goal, true);
	if (n == 1)
		buf_addf(&x->b, ", by this batch alone");
	else
		buf_addf(&x->b, ", by %" PRIu64 " batches from %" PRIu64 " to %" PRIu64, n,
			 s->begin_time, time);
	while (s->before != NULL)
		s = s->before;
	if (s->origin == WITNESS_START && x->w->any_reset && p->copy->first > 1)
		buf_addf(&x->b, ", the first since the loss at %" PRIu64, x->w->reset_time);
	else if (s->origin == WITNESS_START)
		buf_addf(&x->b, ", the first%s", x->w->map.any ? " of this line" : " of the trace");
	buf_addf(&x->b, ":\n");
	explain_chain(x, a, p->copy->line);
}

/* Tells the predicate of a state that had to become active. If MOST_NEEDED predicates were told
 * already, only adds 1 to *more. */
static void needed(struct explain_text *x, uint32_t state, const struct witness_seen *seen,
		   uint32_t *told, uint32_t *more)
{
	if (*told == MOST_NEEDED) {
		++*more;
		return;
	}
	++*told;
	buf_addf(&x->b, "  - ");
	explain_pred(x, state, seen);
}

static void end_needed(struct explain_text *x, uint32_t more)
{
	if (more != 0)
		buf_addf(&x->b, "  - and %" PRIu32 " more\n", more);
}

/* Once state t is active: does it accept for the goal, or is the goal less than d batches away? */
static bool leads(const struct explain_text *x, uint32_t goal, uint32_t t, uint32_t d)
{
	return witness_accepts(x->w, goal, t) ||
	       x->w->goal.far[(size_t)goal * x->im->nfa.nstates + t] < d;
}

/* Tells what had to match in a batch to come nearer to the goal. State `from` was active before the
 * batch, d batches away from the goal. */
static void needed_after(struct explain_text *x, uint32_t goal, uint32_t from, uint32_t d,
			 const struct witness_seen *seen)
{
	uint32_t told = 0, more = 0;

	for (uint32_t i = x->im->nfa.succ_first[from]; i < x->im->nfa.succ_first[from + 1]; i++)
		if (leads(x, goal, x->im->nfa.succ[i], d))
			needed(x, x->im->nfa.succ[i], seen, &told, &more);
	end_needed(x, more);
}

static void needed_first(struct explain_text *x, uint32_t goal, uint32_t d,
			 const struct witness_seen *seen)
{
	uint32_t told = 0, more = 0;

	for (uint32_t i = 0; i < x->w->nalways; i++)
		if (leads(x, goal, x->w->always[i], d))
			needed(x, x->w->always[i], seen, &told, &more);
	end_needed(x, more);
}

static void how_far(struct explain_text *x, uint32_t d)
{
	if (d == 1)
		buf_addf(&x->b, "one batch");
	else
		buf_addf(&x->b, "%" PRIu32 " batches at least", d);
}

/* Says that the copy was closer to the goal before, and which batch took it further away. */
static void was_closer(struct explain_text *x, const struct witness_part *p, uint32_t goal,
		       const struct witness_lost *l)
{
	uint64_t header[NFART_SLOTS];
	struct witness_seen seen = witness_see(x->w, l->by, p->copy->line, header);

	buf_addf(&x->b, " it was closer until %" PRIu64 ", with ", l->by->time);
	how_far(x, l->far);
	buf_addf(&x->b, " to go%s:\n", l->was.step != NULL ? "" : ", from the start");
	explain_chain(x, &l->was, p->copy->line);
	buf_addf(&x->b, " but the batch at %" PRIu64 " did not match:\n", l->by->time);
	needed_after(x, goal, l->was.state, l->far + 1, &seen);
}

/* Tells the state of each counter that accepts for the goal, or from which a way leads to the
 * goal. */
static void why_put_counters(struct explain_text *x, const struct witness_part *p, uint32_t goal)
{
	for (uint32_t i = 0; i < x->im->nfa.ncounters; i++) {
		const struct image_counter *c = &x->im->nfa.counters[i];
		if (!leads(x, goal, c->state, WITNESS_NEVER))
			continue;
		buf_addf(&x->b, " there is a way after ");
		explain_count(x, &p->copy->counts[i], c);
		explain_place(x, c->state);
	}
}

/* Appends why no state of the automaton accepts for the goal. */
static void automaton_not(struct explain_text *x, const struct witness_part *p, uint32_t goal,
			  uint64_t time)
{
	const struct witness_lost *l = &p->copy->lost[goal];
	const struct witness_active *at;
	uint32_t from = witness_far(x->w, &p->before, goal, &at),
		 first = x->w->goal.far_always[goal];
	uint32_t d = from < first ? from : first;

	if (l->far != 0 && l->far < d && l->by->time != time)
		was_closer(x, p, goal, l);
	if (d == WITNESS_NEVER) {
		buf_addf(&x->b, " nothing that was active before this batch leads there\n");
	} else if (from <= first) {
		buf_addf(&x->b, " the furthest before this batch, with ");
		how_far(x, d);
		buf_addf(&x->b, at->step != NULL ? " to go:\n" : " to go, from the start\n");
		explain_chain(x, at, p->copy->line);
		buf_addf(&x->b, d == 1 ? " this batch had to match:\n" : " next was to match:\n");
		needed_after(x, goal, at->state, d, &p->seen);
	} else {
		buf_addf(&x->b, " before this batch nothing was under way, with ");
		how_far(x, d);
		buf_addf(&x->b,
			 d == 1 ? " to go; it had to match:\n" : " to go; first was to match:\n");
		needed_first(x, goal, d, &p->seen);
	}
	why_put_counters(x, p, goal);
}

/* Does a state accept for the goal that is no state of a machine? */
static bool why_has(const struct explain_text *x, uint32_t goal)
{
	for (uint32_t s = 0; s < x->im->nfa.nplain; s++)
		if (witness_accepts(x->w, goal, s))
			return true;
	return false;
}

void explain_why_not(struct explain_text *x, const struct witness_part *p, uint32_t goal,
		     uint64_t time)
{
	explain_head(x, p, goal, false);
	buf_addf(&x->b, ":\n");
	if (why_has(x, goal) || !explain_machine_has(x, goal))
		automaton_not(x, p, goal, time);
	explain_machine_why_not(x, p, goal, time);
}
