/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes register values: those that follow from the machine and the core alone, and those that a
 * realisation chooses.
 */
#include <string.h>

#include "backends/etm/map_int.h"

/* A trace is synchronised every 4,096 bytes, as Linux has it. */
enum { SYNC_PERIOD = 12 };

/* ---- what follows from the machine ---- */

/* The number by which TRCEXTINSELR chooses a slot of the protocol. */
static uint32_t input_number(const struct map *m, uint32_t slot)
{
	const struct nfart_proto *p = m->spec->proto;
	uint32_t channel = (uint32_t)p->slots[slot].channel;
	bool pmu = strcmp(p->names.groups[p->slots[slot].group], ETM_GROUP_PMU) == 0;

	if (m->core->ete)
		return pmu ? channel : ETM_ETE_CTI + channel;
	return pmu ? m->core->cti + channel : channel;
}

static void inputs(struct map *m, struct etm_regs *out)
{
	for (uint32_t i = 0; i < m->lines.n; i++)
		if (m->core->ete)
			out->extinsel[i] = input_number(m, m->lines.slot[i]);
		else
			out->extinsel[0] |= input_number(m, m->lines.slot[i])
					    << i * ETM_TRCEXTINSELR_SEL0_WIDTH;
}

/* Bits 63:56 of a virtual address are copies of bit 55. */
static uint64_t whole_address(uint64_t a)
{
	return (a >> (ETM_FETCH_BITS - 1) & 1) != 0 ? a | ~(uint64_t)0 << ETM_FETCH_BITS : a;
}

/* The exception levels that a comparator excludes: four bits for the secure state, then three for
 * the non-secure one, which has no level 3. */
static uint64_t excluded(uint32_t levels)
{
	uint32_t none = ~levels & ((1u << ETM_FETCH_LEVELS) - 1);

	return ETM_PUT(TRCACATR, EXLEVEL, none | none << ETM_FETCH_LEVELS);
}

static void comparators(struct map *m, struct etm_regs *out)
{
	for (uint32_t i = 0; i < m->ranges.n; i++) {
		bool all = m->ranges.at[i].lo == 0 &&
			   m->ranges.at[i].hi == ((uint64_t)1 << ETM_FETCH_BITS) - 1;
		out->acv[2 * i] = whole_address(m->ranges.at[i].lo);
		out->acv[2 * i + 1] = all ? UINT64_MAX : whole_address(m->ranges.at[i].hi);
		out->acat[2 * i] = out->acat[2 * i + 1] = excluded(m->ranges.at[i].levels);
	}
}

/* The reload value of a counter that reloads itself and pulses in every k-th cycle in which it
 * counts. */
static uint32_t reload_of(const struct map *m, uint64_t k)
{
	return (uint32_t)k - !m->core->reading.zero;
}

static void counters(struct map *m, struct etm_regs *out)
{
	if (m->counters.time) {
		out->cntrldv[0] = reload_of(m, m->spec->stream.tick);
		out->cntctl[0] = ETM_PUT(TRCCNTCTLR, RLDSELF, 1);
	}
	for (uint32_t c = 0; c < m->machine->counters.n; c++) {
		const struct machine_counter *k = &m->machine->counters.at[c];
		uint32_t hw = map_counter(m, c);
		bool latch = k->mode == COUNTER_LATCH;
		out->cntrldv[hw] = latch ? k->k : reload_of(m, k->k);
		out->cntctl[hw] = ETM_PUT(TRCCNTCTLR, RLDSELF, !latch);
	}
	memcpy(out->cntv, out->cntrldv, sizeof out->cntv);
	/* A first batch has no tick (nfacc-filter(5), Ticks). With a tick in each cycle after it,
	 * the counter begins one count further from its end. */
	if (m->counters.time && m->spec->stream.tick == 1)
		out->cntv[0]++;
}

/* A program needs 0 in most registers of the trace itself. They are unknown after a reset. */
void map_regs_common(struct map *m, struct etm_regs *out)
{
	memset(out, 0, sizeof *out);
	out->config[0] = ETM_PUT(TRCCONFIGR, ONE, 1);
	out->syncp[0] = ETM_PUT(TRCSYNCPR, PERIOD, SYNC_PERIOD);
	out->traceid[0] = ETM_PUT(TRCTRACEIDR, TRACEID, 1);
	inputs(m, out);
	comparators(m, out);
	counters(m, out);
}

/* ---- what a realisation chooses ---- */

/* The selectors that were given out. */
struct selectors {
	const struct map *m;
	struct etm_regs *out;
	uint32_t npairs, used;
	struct map_event pair[ETM_SELECTORS / 2]; /* pair k + 1 */
	int function[ETM_SELECTORS];              /* what a selector computes, or -1 */
};

static uint32_t select_value(const struct map_select *s)
{
	return ETM_PUT(TRCRSCTLR, SELECT, s->mask) | ETM_PUT(TRCRSCTLR, GROUP, s->group) |
	       ETM_PUT(TRCRSCTLR, INV, s->inv);
}

static const struct map_select *select_of(const struct map *m, uint32_t function)
{
	const struct map_function *f = &m->function[function];

	return f->impl[0].exists ? &f->impl[0] : &f->impl[1];
}

static void put_selector(struct selectors *x, uint32_t at, uint32_t function)
{
	x->function[at] = (int)function;
	x->out->rsctl[at] = select_value(select_of(x->m, function));
}

/* Gives a pair its selectors. If one of the two is inverted, it has to be the first one where the
 * pair is not inverted, and the second one where it is; other orders are reserved. */
static void put_pair(struct selectors *x, const struct map_event *e)
{
	uint32_t first = e->f, second = e->g, at = 2 + 2 * x->npairs;
	bool a = select_of(x->m, first)->inv, b = select_of(x->m, second)->inv;

	for (uint32_t i = 0; i < x->npairs; i++)
		if (x->pair[i].f == e->f && x->pair[i].g == e->g && x->pair[i].inv == e->inv)
			return;
	if (a != b && a == e->inv) {
		first = e->g;
		second = e->f;
	}
	put_selector(x, at, first);
	put_selector(x, at + 1, second);
	x->out->rsctl[at] |= ETM_PUT(TRCRSCTLR, PAIRINV, e->inv);
	x->pair[x->npairs++] = *e;
}

static uint32_t find_selector(const struct selectors *x, uint32_t function)
{
	uint32_t i = 2;

	while (i < ETM_SELECTORS && x->function[i] != (int)function)
		i++;
	return i;
}

static void put_single(struct selectors *x, uint32_t function)
{
	uint32_t i = 2;

	if (find_selector(x, function) < ETM_SELECTORS)
		return;
	while (x->function[i] >= 0)
		i++;
	put_selector(x, i, function);
}

static uint32_t event_value(const struct selectors *x, const struct map_event *e)
{
	uint32_t k = 0;

	if (e->kind == MAP_FALSE || e->kind == MAP_TRUE)
		return e->kind == MAP_TRUE;
	if (e->kind == MAP_ONE)
		return find_selector(x, e->f);
	while (x->pair[k].f != e->f || x->pair[k].g != e->g || x->pair[k].inv != e->inv)
		k++;
	return ETM_EVENT_PAIR | (k + 1);
}

/* Writes all events. */
static void events(const struct selectors *x, const struct map_choice *c)
{
	struct etm_regs *out = x->out;
	uint32_t v[NFIELDS];

	for (uint32_t i = 0; i < NFIELDS; i++)
		v[i] = event_value(x, &c->event[i]);
	for (uint32_t i = 0; i < ETM_STATES - 1; i++)
		out->seqev[i] = ETM_PUT(TRCSEQEVR, F, v[FIELD_F + i]) |
				ETM_PUT(TRCSEQEVR, B, v[FIELD_B + i]);
	out->seqrstev[0] = ETM_PUT(TRCSEQRSTEVR, RST, v[FIELD_R]);
	for (uint32_t i = 0; i < x->m->counters.n; i++)
		out->cntctl[i] |= ETM_PUT(TRCCNTCTLR, CNTEVENT, v[FIELD_COUNT + i]) |
				  ETM_PUT(TRCCNTCTLR, RLDEVENT, v[FIELD_RELOAD + i]) |
				  ETM_PUT(TRCCNTCTLR, CNTCHAIN, c->chain >> i);
	for (uint32_t i = 0; i < ETM_OUTPUTS; i++)
		out->eventctl0[0] |= v[FIELD_OUT + i] << i * ETM_TRCEVENTCTL0R_EVENT0_WIDTH;
	if (v[FIELD_TRACE] != 0)
		out->victl[0] = ETM_PUT(TRCVICTLR, EVENT, v[FIELD_TRACE]) |
				ETM_PUT(TRCVICTLR, SSSTATUS, 1);
}

void map_regs(struct map *m, const struct map_choice *c, struct etm_regs *out)
{
	struct selectors x = { .m = m, .out = out };

	memset(x.function, 0xff, sizeof x.function);
	for (uint32_t i = 0; i < NFIELDS; i++)
		if (c->event[i].kind == MAP_PAIR)
			put_pair(&x, &c->event[i]);
	for (uint32_t i = 0; i < NFIELDS; i++)
		if (c->event[i].kind == MAP_ONE)
			put_single(&x, c->event[i].f);
	for (uint32_t i = 2; i < ETM_SELECTORS; i++)
		m->report->selectors += x.function[i] >= 0;
	m->report->pairs = x.npairs;
	memcpy(m->report->state, c->q, sizeof m->report->state);
	out->seqst[0] = ETM_PUT(TRCSEQSTR, STATE, c->q[m->machine->start]);
	events(&x, c);
}
