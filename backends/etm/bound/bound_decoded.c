/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bound_decoded.c: makes the form of a regulator (bound_form.h) of a decoded machine. Every entry
 * of its table is the result of etm_step(), so the meaning of registers is written in one place
 * only.
 */
#include <string.h>

#include "backends/etm/bound/bound.h"

enum { MOST_INPUT_BITS = 10 };

/* A column of the table: what some inputs do. */
struct column {
	struct bound_move move[BOUND_CONTROLS][2][BOUND_LEVELS];
};

static bool always(const struct etm_event *e)
{
	return e->n == 0 && !e->inv;
}

static bool never(const struct etm_event *e)
{
	return e->n == 0 && e->inv;
}

/* Finds the counter of cycles and that of lines among the counters that events look at. Returns
 * why it cannot, or NULL. */
static const char *find_counters(const struct etm_machine *m, unsigned *tick, unsigned *lines)
{
	uint8_t seen;
	unsigned nticks = 0, nlines = 0;

	etm_uses(m, NULL, &seen, NULL);
	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		const struct etm_counter *c = &m->counters[i];

		if (!(seen >> i & 1))
			continue;
		if (c->chain)
			return "a counter is chained";
		if (always(&c->count) && never(&c->reset) && c->self) {
			*tick = i;
			nticks++;
		} else {
			*lines = i;
			nlines++;
		}
	}
	if (nticks != 1)
		return nticks == 0 ? "no counter counts all cycles, so there is no period"
				   : "two counters count all cycles, so there are two periods";
	if (nlines != 1)
		return nlines == 0 ? "no counter counts lines" : "two counters count lines";
	return NULL;
}

/* Is the counter of lines one that can be judged? Returns why not, or NULL. */
static const char *check_lines(const struct etm_counter *c)
{
	uint64_t inputs = 0;

	for (unsigned i = 0; i < c->count.n; i++)
		inputs |= c->count.select[i].inputs;
	if (inputs == 0)
		return "the counter of lines counts no input";
	if (c->start > c->reload)
		return "the counter of lines starts above its reload value";
	if (!c->self && c->reload == 0)
		return "the counter of lines is always at zero";
	return NULL;
}

/* Writes to throttled[state] whether an output is on there. Returns why it cannot, or NULL. */
static const char *find_output(const struct etm_machine *m, bool *throttled)
{
	bool any = false;

	for (unsigned i = 0; i < ETM_OUTPUTS; i++) {
		const struct etm_event *e = &m->outputs[i];

		if (e->n == 0)
			continue;
		any = true;
		for (unsigned k = 0; k < e->n; k++)
			if (e->select[k].inputs != 0 || e->select[k].counters != 0)
				return "an output depends on more than the state of the sequencer";
		for (unsigned s = 0; s < ETM_STATES; s++) {
			struct etm_seen seen = { .state = (uint8_t)s };

			throttled[s] = throttled[s] || etm_event_holds(e, &seen);
		}
	}
	return any ? NULL : "no output depends on the state of the sequencer";
}

/* Do the inputs make a line: would the counter count in some state, with some counters at zero? */
static bool is_line(const struct etm_counter *c, uint64_t inputs)
{
	for (unsigned s = 0; s < ETM_STATES; s++)
		for (unsigned counters = 0; counters < 1u << ETM_COUNTERS; counters++) {
			struct etm_seen seen = { .inputs = inputs, .state = (uint8_t)s,
						 .counters = (uint8_t)counters };

			if (etm_event_holds(&c->count, &seen))
				return true;
		}
	return false;
}

/* Executes a cycle from a control, with the counter of lines at a level. */
static struct bound_move step(const struct etm_bound_parts *p, unsigned control, bool tick,
			      enum bound_level level, uint64_t inputs)
{
	const struct etm_machine *m = p->machine;
	const struct etm_counter *c = &m->counters[p->lines];
	uint8_t tick_bit = (uint8_t)(1u << p->tick), lines_bit = (uint8_t)(1u << p->lines);
	struct etm_config x = { .state = (uint8_t)(control / BOUND_LATE) };
	struct bound_move out = { 0 };
	struct etm_cycle y;

	if (control & BOUND_LATE_TICK)
		x.pulses |= tick_bit;
	if (control & BOUND_LATE_LINES)
		x.pulses |= lines_bit;
	x.value[p->tick] = tick ? 0 : UINT16_MAX;
	x.value[p->lines] = UINT16_MAX;
	if (level == BOUND_LAST)
		x.value[p->lines] = c->self && !m->reading.zero ? 0 : 1;
	else if (level == BOUND_FULL)
		x.value[p->lines] = 0;
	y = etm_step(m, &x, inputs);
	if (y.pulses & lines_bit)
		out.act = BOUND_COUNT;
	else if (y.reloads & lines_bit)
		out.act = BOUND_RESET;
	else if (y.counts & lines_bit)
		out.act = BOUND_COUNT;
	out.to = (uint8_t)(x.state * BOUND_LATE);
	if (x.pulses & tick_bit)
		out.to |= BOUND_LATE_TICK;
	if (x.pulses & lines_bit)
		out.to |= BOUND_LATE_LINES;
	return out;
}

static void fill_column(const struct etm_bound_parts *p, uint64_t inputs, struct column *col)
{
	for (unsigned c = 0; c < BOUND_CONTROLS; c++)
		for (unsigned t = 0; t < 2; t++)
			for (unsigned l = 0; l < BOUND_LEVELS; l++)
				col->move[c][t][l] = step(p, c, t, l, inputs);
}

/* Is column i of the form the same as `col`? */
static bool same_column(const struct bound_form *f, unsigned i, const struct column *col)
{
	for (unsigned c = 0; c < BOUND_CONTROLS; c++)
		for (unsigned t = 0; t < 2; t++)
			for (unsigned l = 0; l < BOUND_LEVELS; l++)
				if (f->move[c][t][l][i].to != col->move[c][t][l].to ||
				    f->move[c][t][l][i].act != col->move[c][t][l].act)
					return false;
	return true;
}

/* Adds the column of the inputs, unless the form has the same one. False: there is no room. */
static bool add_column(const struct etm_bound_parts *p, uint64_t inputs, struct bound_form *f)
{
	bool line = is_line(&p->machine->counters[p->lines], inputs);
	struct column col;

	fill_column(p, inputs, &col);
	for (unsigned i = 0; i < f->ninputs; i++)
		if (f->line[i] == line && same_column(f, i, &col))
			return true;
	if (f->ninputs == BOUND_INPUTS)
		return false;
	for (unsigned c = 0; c < BOUND_CONTROLS; c++)
		for (unsigned t = 0; t < 2; t++)
			for (unsigned l = 0; l < BOUND_LEVELS; l++)
				f->move[c][t][l][f->ninputs] = col.move[c][t][l];
	f->line[f->ninputs] = line;
	f->inputs[f->ninputs++] = inputs;
	return true;
}

/* Fills the table for all combinations of inputs. Returns why it cannot, or NULL. */
static const char *fill_inputs(const struct etm_bound_parts *p, struct bound_form *f)
{
	unsigned bits[ETM_INPUTS], n = 0;
	uint64_t used;

	etm_uses(p->machine, &used, NULL, NULL);
	for (unsigned i = 0; i < ETM_INPUTS; i++)
		if (used >> i & 1)
			bits[n++] = i;
	if (n > MOST_INPUT_BITS)
		return "events look at more than 10 inputs";
	for (unsigned set = 0; set < 1u << n; set++) {
		uint64_t inputs = 0;

		for (unsigned i = 0; i < n; i++)
			inputs |= (uint64_t)(set >> i & 1) << bits[i];
		if (!add_column(p, inputs, f))
			return "more than 32 combinations of inputs do different things";
	}
	return NULL;
}

/* Forgets a late pulse where no control behaves otherwise because of it. */
static void drop_late(struct bound_form *f, unsigned late)
{
	for (unsigned c = 0; c < BOUND_CONTROLS; c++)
		if (memcmp(f->move[c & ~late], f->move[c | late], sizeof f->move[c]) != 0)
			return;
	for (unsigned c = 0; c < BOUND_CONTROLS; c++)
		for (unsigned t = 0; t < 2; t++)
			for (unsigned l = 0; l < BOUND_LEVELS; l++)
				for (unsigned i = 0; i < f->ninputs; i++)
					f->move[c][t][l][i].to &= (uint8_t)~late;
}

/* Does any input make the counter count in a cycle that begins in the state? */
static bool counts(const struct bound_form *f, unsigned state)
{
	for (unsigned late = 0; late < BOUND_LATE; late++)
		for (unsigned t = 0; t < 2; t++)
			for (unsigned i = 0; i < f->ninputs; i++)
				if (f->move[state * BOUND_LATE + late][t][BOUND_LOW][i].act ==
				    BOUND_COUNT)
					return true;
	return false;
}

const char *etm_bound_form(struct etm_bound_parts *p, const struct etm_machine *m)
{
	struct bound_form *f = &p->form;
	bool throttled[ETM_STATES] = { false };
	const struct etm_counter *c;
	uint32_t less = m->reading.zero;
	const char *why;

	memset(p, 0, sizeof *p);
	p->machine = m;
	why = find_counters(m, &p->tick, &p->lines);
	if (why == NULL)
		why = check_lines(&m->counters[p->lines]);
	if (why == NULL && is_line(&m->counters[p->lines], 0))
		why = "the counter of lines also counts without an input";
	if (why == NULL)
		why = find_output(m, throttled);
	if (why == NULL)
		why = fill_inputs(p, f);
	if (why != NULL)
		return why;
	c = &m->counters[p->lines];
	f->roll = c->self;
	f->k = c->self ? c->reload + 1 - less : c->reload;
	f->start_count = (uint32_t)(c->reload - c->start);
	if (f->k == 0)
		f->k = 1;
	if (f->roll && f->start_count >= f->k)
		f->start_count = f->k - 1;
	c = &m->counters[p->tick];
	f->period = c->reload + 1 - less;
	if (f->period == 0)
		f->period = 1;
	f->start = (uint8_t)(m->start * BOUND_LATE);
	drop_late(f, BOUND_LATE_TICK);
	drop_late(f, BOUND_LATE_LINES);
	for (unsigned i = 0; i < BOUND_CONTROLS; i++) {
		f->throttled[i] = throttled[i / BOUND_LATE];
		f->counts[i] = counts(f, i / BOUND_LATE);
	}
	return NULL;
}
