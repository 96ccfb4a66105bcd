/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/etm_decode.h"

#include <string.h>

/* Where the resources of a group begin among the inputs; those of group 2 are no inputs. */
static const struct {
	enum etm_group group;
	unsigned first, bits;
} input_groups[] = {
	{ ETM_GROUP_EXTIN, ETM_INPUT_EXTIN, 4 },
	{ ETM_GROUP_PE, ETM_INPUT_PE, 8 },
	{ ETM_GROUP_SINGLE, ETM_INPUT_SINGLE, 8 },
	{ ETM_GROUP_ADDRESS, ETM_INPUT_ADDRESS, 16 },
	{ ETM_GROUP_RANGE, ETM_INPUT_RANGE, 8 },
	{ ETM_GROUP_CONTEXT, ETM_INPUT_CONTEXT, 8 },
	{ ETM_GROUP_VMID, ETM_INPUT_VMID, 8 },
};

/* ---- registers to events ---- */

/* Decodes selector n. Bits of SELECT beyond the group, and groups that do not exist, choose
 * nothing. */
static struct etm_select select_of(const struct etm_regs *r, unsigned n)
{
	struct etm_select s = { .inv = n == 1 };
	uint32_t v = r->rsctl[n], select = ETM_GET(TRCRSCTLR, SELECT, v),
		 group = ETM_GET(TRCRSCTLR, GROUP, v);

	if (n < 2)
		return s;
	s.inv = ETM_GET(TRCRSCTLR, INV, v);
	if (group == ETM_GROUP_CNTSEQ) {
		s.counters = select & 0xf;
		s.states = select >> ETM_COUNTERS & 0xf;
	}
	for (size_t i = 0; i < sizeof input_groups / sizeof *input_groups; i++)
		if (group == input_groups[i].group)
			s.inputs = (uint64_t)(select & ((1u << input_groups[i].bits) - 1))
				   << input_groups[i].first;
	return s;
}

/* Does selector s have the same value in all cycles? It has if it chooses nothing. */
static bool is_constant(const struct etm_select *s)
{
	return s->inputs == 0 && s->counters == 0 && s->states == 0;
}

/* Drops selectors that are always true; one that is always false decides. */
static struct etm_event simplified(struct etm_event e)
{
	struct etm_event out = { .inv = e.inv };

	for (unsigned i = 0; i < e.n; i++) {
		if (!is_constant(&e.select[i]))
			out.select[out.n++] = e.select[i];
		else if (!e.select[i].inv)
			return (struct etm_event){ .inv = !e.inv };
	}
	return out;
}

/* Decodes an event field: a selector, or a pair of them. The table of the architecture for pairs is
 * that of two selectors with their INV, an AND, and PAIRINV behind it. */
static struct etm_event event_of(const struct etm_regs *r, uint32_t field)
{
	struct etm_event e = { .n = 1 };
	unsigned i = field & ETM_EVENT_INDEX;

	if (field & ETM_EVENT_PAIR) {
		i &= ETM_EVENT_INDEX / 2;
		e.n = 2;
		e.select[0] = select_of(r, 2 * i);
		e.select[1] = select_of(r, 2 * i + 1);
		e.inv = i != 0 && ETM_GET(TRCRSCTLR, PAIRINV, r->rsctl[2 * i]);
	} else {
		e.select[0] = select_of(r, i);
	}
	return simplified(e);
}

static void decode_counter(struct etm_counter *c, const struct etm_regs *r, unsigned i)
{
	uint32_t control = r->cntctl[i];

	c->reload = (uint16_t)ETM_GET(TRCCNTRLDVR, VALUE, r->cntrldv[i]);
	c->start = (uint16_t)ETM_GET(TRCCNTVR, VALUE, r->cntv[i]);
	c->self = ETM_GET(TRCCNTCTLR, RLDSELF, control);
	c->chain = i % 2 != 0 && ETM_GET(TRCCNTCTLR, CNTCHAIN, control);
	c->count = event_of(r, ETM_GET(TRCCNTCTLR, CNTEVENT, control));
	c->reset = event_of(r, ETM_GET(TRCCNTCTLR, RLDEVENT, control));
}

static void decode_extin(struct etm_inputs *in, const struct etm_regs *r, bool ete)
{
	uint32_t v = r->extinsel[0];

	in->ete = ete;
	for (unsigned i = 0; i < ETM_EXTIN; i++)
		in->number[i] = (uint16_t)r->extinsel[i];
	if (ete)
		return;
	in->number[0] = (uint16_t)ETM_GET(TRCEXTINSELR, SEL0, v);
	in->number[1] = (uint16_t)ETM_GET(TRCEXTINSELR, SEL1, v);
	in->number[2] = (uint16_t)ETM_GET(TRCEXTINSELR, SEL2, v);
	in->number[3] = (uint16_t)ETM_GET(TRCEXTINSELR, SEL3, v);
}

void etm_decode(struct etm_machine *m, const struct etm_regs *r, bool ete,
		struct etm_reading reading)
{
	uint32_t out = r->eventctl0[0];

	memset(m, 0, sizeof *m);
	m->reading = reading;
	decode_extin(&m->extin, r, ete);
	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		decode_counter(&m->counters[i], r, i);
	for (unsigned i = 0; i < ETM_STATES - 1; i++) {
		m->forward[i] = event_of(r, ETM_GET(TRCSEQEVR, F, r->seqev[i]));
		m->backward[i] = event_of(r, ETM_GET(TRCSEQEVR, B, r->seqev[i]));
	}
	m->reset = event_of(r, ETM_GET(TRCSEQRSTEVR, RST, r->seqrstev[0]));
	m->outputs[0] = event_of(r, ETM_GET(TRCEVENTCTL0R, EVENT0, out));
	m->outputs[1] = event_of(r, ETM_GET(TRCEVENTCTL0R, EVENT1, out));
	m->outputs[2] = event_of(r, ETM_GET(TRCEVENTCTL0R, EVENT2, out));
	m->outputs[3] = event_of(r, ETM_GET(TRCEVENTCTL0R, EVENT3, out));
	m->trace = event_of(r, ETM_GET(TRCVICTLR, EVENT, r->victl[0]));
	m->start = ETM_GET(TRCSEQSTR, STATE, r->seqst[0]);
}

/* ---- what a machine looks at ---- */

static void add_event(const struct etm_event *e, struct etm_select *all)
{
	for (unsigned i = 0; i < e->n; i++) {
		all->inputs |= e->select[i].inputs;
		all->counters |= e->select[i].counters;
		all->states |= e->select[i].states;
	}
}

void etm_uses(const struct etm_machine *m, uint64_t *inputs, uint8_t *counters, uint8_t *states)
{
	struct etm_select all = { 0 };

	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		add_event(&m->counters[i].count, &all);
		add_event(&m->counters[i].reset, &all);
	}
	for (unsigned i = 0; i < ETM_STATES - 1; i++) {
		add_event(&m->forward[i], &all);
		add_event(&m->backward[i], &all);
	}
	add_event(&m->reset, &all);
	for (unsigned i = 0; i < ETM_OUTPUTS; i++)
		add_event(&m->outputs[i], &all);
	add_event(&m->trace, &all);
	if (inputs != NULL)
		*inputs = all.inputs;
	if (counters != NULL)
		*counters = all.counters;
	if (states != NULL)
		*states = all.states;
}

/* ---- execution ---- */

bool etm_event_holds(const struct etm_event *e, const struct etm_seen *seen)
{
	for (unsigned i = 0; i < e->n; i++) {
		const struct etm_select *s = &e->select[i];
		bool any = (s->inputs & seen->inputs) != 0 || (s->counters & seen->counters) != 0 ||
			   (s->states >> seen->state & 1) != 0;

		if (any == s->inv)
			return e->inv;
	}
	return !e->inv;
}

void etm_start(const struct etm_machine *m, struct etm_config *c)
{
	memset(c, 0, sizeof *c);
	c->state = (uint8_t)m->start;
	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		c->value[i] = m->counters[i].start;
}

unsigned etm_move(struct etm_reading reading, unsigned s, unsigned forward, unsigned backward,
		  bool reset)
{
	if (reset)
		return 0;
	if (reading.priority)
		backward &= ~forward;
	if (s < ETM_STATES - 1 && (forward >> s & 1)) {
		while (s < ETM_STATES - 1 && (forward >> s & 1))
			s++;
		return s;
	}
	while (s > 0 && (backward >> (s - 1) & 1))
		s--;
	return s;
}

/* Settles counter i in a cycle. *seen has what events see, and gets the counter's pulse. */
static void settle(const struct etm_machine *m, struct etm_config *c, unsigned i,
		   struct etm_seen *seen, struct etm_cycle *out)
{
	const struct etm_counter *k = &m->counters[i];
	bool below = k->chain && (out->reloads >> (i - 1) & 1);
	uint16_t least = m->reading.zero ? 1 : 0; /* the value from which the counter pulses */
	uint8_t bit = (uint8_t)(1u << i);
	bool counts = below || etm_event_holds(&k->count, seen);

	if (etm_event_holds(&k->reset, seen)) {
		if (m->reading.overlap && counts && k->self && c->value[i] <= least)
			out->pulses |= bit;
		c->value[i] = k->reload;
		out->reloads |= bit;
	} else if (counts) {
		out->counts |= bit;
		if (k->self && c->value[i] <= least) {
			c->value[i] = k->reload;
			out->reloads |= bit;
			out->pulses |= bit;
		} else if (c->value[i] != 0) {
			c->value[i]--;
		}
	}
	if (k->self && !m->reading.delay)
		seen->counters = (uint8_t)((seen->counters & ~bit) | (out->pulses & bit));
}

/* Makes events see the levels of counters that don't reload themselves as they are in c. */
static void see_levels(const struct etm_machine *m, const struct etm_config *c,
		       struct etm_seen *seen)
{
	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		uint8_t bit = (uint8_t)(1u << i);

		if (!m->counters[i].self)
			seen->counters = (uint8_t)((seen->counters & ~bit) |
						   (c->value[i] == 0 ? bit : 0));
	}
}

struct etm_cycle etm_step(const struct etm_machine *m, struct etm_config *c, uint64_t inputs)
{
	struct etm_seen seen = { .inputs = inputs, .counters = c->pulses, .state = c->state };
	struct etm_cycle out = { 0 };
	unsigned forward = 0, backward = 0;

	see_levels(m, c, &seen);
	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		settle(m, c, i, &seen, &out);
	for (unsigned i = 0; i < ETM_STATES - 1; i++) {
		forward |= (unsigned)etm_event_holds(&m->forward[i], &seen) << i;
		backward |= (unsigned)etm_event_holds(&m->backward[i], &seen) << i;
	}
	c->state = (uint8_t)etm_move(m->reading, c->state, forward, backward,
				     etm_event_holds(&m->reset, &seen));
	c->pulses = out.pulses;
	seen.state = c->state;
	see_levels(m, c, &seen);
	for (unsigned i = 0; i < ETM_OUTPUTS; i++)
		out.outputs |= (uint8_t)(etm_event_holds(&m->outputs[i], &seen) << i);
	out.trace = etm_event_holds(&m->trace, &seen);
	return out;
}
