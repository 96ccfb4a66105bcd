/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/proof/etm_side.h"

#include <string.h>

/* ---- the side of registers ---- */

/* A control state is the state of the sequencer and, above it, the pulses of the last cycle. */
enum { STATE_BITS = 2 };

/* Returns a value that stands for all values of counter k that are at point `at`. Values from 2 on
 * are never told apart. */
static uint16_t sample(const struct etm_side_counter *c, const struct etm_counter *k, int8_t at)
{
	return at < 0 ? 2 : (uint16_t)(k->reload - c->point[at]);
}

static uint64_t inputs_of(const struct etm_regs_side *s, uint32_t letter)
{
	uint64_t inputs = 0;

	for (unsigned i = 0; i < ETM_SIDE_ATOMS; i++)
		if (letter >> i & 1)
			inputs |= s->inputs[i];
	return inputs;
}

static uint32_t outputs_of(const struct etm_regs_side *s, const struct etm_cycle *cycle)
{
	unsigned pins = cycle->outputs | (cycle->trace ? ETM_PIN_TRACE : 0u);
	uint32_t outputs = 0;

	for (unsigned i = 0; i < s->noutputs; i++)
		outputs |= (uint32_t)((s->pins[i] & pins) != 0) << i;
	return outputs;
}

static void regs_step(const struct etm_side *side, uint32_t control, const int8_t *at,
		      uint32_t letter, struct etm_side_step *out)
{
	const struct etm_regs_side *s = (const struct etm_regs_side *)side;
	struct etm_config c = {
		.state = control & ((1 << STATE_BITS) - 1),
		.pulses = (uint8_t)(control >> STATE_BITS),
	};
	struct etm_cycle cycle;

	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		c.value[i] = s->m->counters[i].start;
	for (unsigned i = 0; i < side->ncounters; i++)
		c.value[s->counter[i]] =
			sample(&side->counters[i], &s->m->counters[s->counter[i]], at[i]);
	cycle = etm_step(s->m, &c, inputs_of(s, letter));
	for (unsigned i = 0; i < side->ncounters; i++) {
		unsigned n = s->counter[i];
		bool stuck =
			at[i] >= 0 && side->counters[i].point[at[i]] == s->m->counters[n].reload;

		out->action[i] = cycle.reloads >> n & 1                ? ETM_ZERO
				 : (cycle.counts >> n & 1) && !stuck ? ETM_ADD
								       : ETM_KEEP;
	}
	out->control = c.state | (uint32_t)(c.pulses & s->late) << STATE_BITS;
	out->outputs = outputs_of(s, &cycle);
}

/* Appends to *bits, from bit *n on, which selectors of an event see an input of the set. */
static void sign(const struct etm_event *e, uint64_t inputs, uint64_t *bits, unsigned *n)
{
	for (unsigned i = 0; i < e->n; i++)
		*bits |= (uint64_t)((e->select[i].inputs & inputs) != 0) << (*n)++;
}

static uint64_t regs_signature(const struct etm_side *side, uint32_t letter)
{
	const struct etm_regs_side *s = (const struct etm_regs_side *)side;
	uint64_t inputs = inputs_of(s, letter), bits = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		sign(&s->m->counters[i].count, inputs, &bits, &n);
		sign(&s->m->counters[i].reset, inputs, &bits, &n);
	}
	for (unsigned i = 0; i < ETM_STATES - 1; i++) {
		sign(&s->m->forward[i], inputs, &bits, &n);
		sign(&s->m->backward[i], inputs, &bits, &n);
	}
	sign(&s->m->reset, inputs, &bits, &n);
	for (unsigned i = 0; i < ETM_OUTPUTS; i++)
		sign(&s->m->outputs[i], inputs, &bits, &n);
	sign(&s->m->trace, inputs, &bits, &n);
	return bits;
}

static bool is_always(const struct etm_event *e, bool value)
{
	return e->n == 0 && e->inv != value;
}

/* Which pulses are seen in the cycle after them? All that anything looks at in a reading with
 * delay; otherwise those of counters that settle after a counter that looks at them. */
static uint8_t late_pulses(const struct etm_machine *m)
{
	uint8_t all, late = 0;

	etm_uses(m, NULL, &all, NULL);
	if (m->reading.delay)
		return all;
	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		for (unsigned j = 0; j < 2; j++)
			late |= (uint8_t)((m->counters[i].count.select[j].counters |
					   m->counters[i].reset.select[j].counters) >> i << i);
	return late;
}

static struct etm_side_counter regs_counter(const struct etm_counter *k, bool zero)
{
	struct etm_side_counter c = {
		.start = (int64_t)k->reload - k->start,
		.steady = is_always(&k->count, true) && is_always(&k->reset, false),
	};

	/* At 1, a counter with a level gets to 0, and in one reading a counter reloads itself. */
	if (!k->self || zero)
		c.point[c.npoints++] = (int64_t)k->reload - 1;
	c.point[c.npoints++] = k->reload;
	return c;
}

void etm_regs_side(struct etm_regs_side *s, const struct etm_machine *m, const uint64_t *inputs,
		   unsigned natoms, const etm_pins_t *pins, unsigned noutputs)
{
	memset(s, 0, sizeof *s);
	s->side.step = regs_step;
	s->side.signature = regs_signature;
	s->side.start = m->start;
	s->m = m;
	memcpy(s->inputs, inputs, natoms * sizeof *inputs);
	memcpy(s->pins, pins, noutputs * sizeof *pins);
	s->noutputs = noutputs;
	s->late = late_pulses(m);
	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		const struct etm_counter *k = &m->counters[i];

		if (is_always(&k->count, false) && is_always(&k->reset, false) && !k->chain)
			continue;
		s->counter[s->side.ncounters] = i;
		s->side.counters[s->side.ncounters++] = regs_counter(k, m->reading.zero);
	}
}

/* ---- execution with values ---- */

void etm_side_start(const struct etm_side *s, struct etm_side_config *c)
{
	memset(c, 0, sizeof *c);
	c->control = s->start;
	for (unsigned i = 0; i < s->ncounters; i++)
		c->value[i] = s->counters[i].start;
}

uint32_t etm_side_run(const struct etm_side *s, struct etm_side_config *c, uint32_t letter)
{
	int8_t at[ETM_SIDE_COUNTERS];
	struct etm_side_step step;

	for (unsigned i = 0; i < s->ncounters; i++) {
		at[i] = -1;
		for (unsigned j = 0; j < s->counters[i].npoints; j++)
			if (s->counters[i].point[j] == c->value[i])
				at[i] = (int8_t)j;
	}
	s->step(s, c->control, at, letter, &step);
	c->control = step.control;
	for (unsigned i = 0; i < s->ncounters; i++)
		c->value[i] = step.action[i] == ETM_ZERO  ? 0
			      : step.action[i] == ETM_ADD ? c->value[i] + 1
							  : c->value[i];
	return step.outputs;
}
