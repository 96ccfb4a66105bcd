/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Warns of odd settings in registers (etm_inspect.h). */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/inspect/etm_inspect.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

/* One code for all warnings of this file but one, which is of what does no harm. */
#define WARN(d, ...) diag_report((d), DIAG_WARNING, "etm-setting", nowhere, __VA_ARGS__)

struct checker {
	const struct etm_regs *r;
	const struct etm_core *core;
	struct diags *d;
	bool used[ETM_SELECTORS];
	bool pair[ETM_SELECTORS / 2];
};

/* Notes what an event field uses. `name` and `i` are its register; `i` < 0: it has no number. */
static void check_event(struct checker *c, const char *name, int i, uint32_t event)
{
	uint32_t n = event & ETM_EVENT_INDEX, selectors = c->core->has.selectors;
	char reg[32];

	snprintf(reg, sizeof reg, i < 0 ? "%s" : "%s%d", name, i);
	if (event & ETM_EVENT_PAIR) {
		n &= ETM_EVENT_INDEX / 2;
		if (n == 0)
			WARN(c->d, "%s uses pair 0, of the constant selectors, which is reserved",
			     reg);
		else if (2 * n >= selectors)
			WARN(c->d, "%s uses pair %" PRIu32 ", and core %s has pairs 1 to %" PRIu32,
			     reg, n, c->core->name, selectors / 2 - 1);
		c->pair[n] = true;
		c->used[2 * n] = c->used[2 * n + 1] = true;
		return;
	}
	if (n >= selectors)
		WARN(c->d, "%s uses selector %" PRIu32 ", and core %s has selectors 0 to %" PRIu32,
		     reg, n, c->core->name, selectors - 1);
	c->used[n] = true;
}

static void check_events(struct checker *c)
{
	const struct etm_regs *r = c->r;

	for (int i = 0; i + 1 < ETM_STATES; i++) {
		check_event(c, "TRCSEQEVR", i, ETM_GET(TRCSEQEVR, F, r->seqev[i]));
		check_event(c, "TRCSEQEVR", i, ETM_GET(TRCSEQEVR, B, r->seqev[i]));
	}
	check_event(c, "TRCSEQRSTEVR", -1, ETM_GET(TRCSEQRSTEVR, RST, r->seqrstev[0]));
	for (int i = 0; i < ETM_COUNTERS; i++) {
		check_event(c, "TRCCNTCTLR", i, ETM_GET(TRCCNTCTLR, CNTEVENT, r->cntctl[i]));
		check_event(c, "TRCCNTCTLR", i, ETM_GET(TRCCNTCTLR, RLDEVENT, r->cntctl[i]));
	}
	for (unsigned i = 0; i < ETM_OUTPUTS; i++)
		check_event(c, "TRCEVENTCTL0R", -1, r->eventctl0[0] >> (8 * i) & 0xff);
	check_event(c, "TRCVICTLR", -1, ETM_GET(TRCVICTLR, EVENT, r->victl[0]));
}

/* How many resources a group has. */
static const unsigned group_bits[16] = {
#define ETM_GROUP(constant, number, bits, text) [number] = bits,
#include "contract/etm/etm.def"
};

/* How many resources a group has on this core. */
static unsigned resources(const struct etm_core *core, uint32_t group)
{
	if (group == ETM_GROUP_EXTIN)
		return core->has.inputs;
	return group == ETM_GROUP_RANGE ? core->has.ranges : group_bits[group];
}

static void check_selector(struct checker *c, unsigned n)
{
	uint32_t v = c->r->rsctl[n], select = ETM_GET(TRCRSCTLR, SELECT, v),
		 group = ETM_GET(TRCRSCTLR, GROUP, v);
	unsigned bits = resources(c->core, group);

	if (v != 0 && !c->used[n])
		diag_report(c->d, DIAG_WARNING, "etm-unused", nowhere,
			    "selector %u is programmed, and nothing uses it", n);
	if (c->used[n] && select == 0)
		WARN(c->d, "selector %u is used, and selects nothing", n);
	if (bits == 0)
		WARN(c->d, "selector %u selects of group %" PRIu32 ", which core %s does not have",
		     n, group, c->core->name);
	else if (select >> bits != 0)
		WARN(c->d, "selector %u selects resource %d of group %" PRIu32
		     ", and core %s has %u there", n, 31 - __builtin_clz(select), group,
		     c->core->name, bits);
	if (group == ETM_GROUP_CNTSEQ && (select & 0xf) >> c->core->has.counters != 0)
		WARN(c->d, "selector %u selects counter %d, and core %s has %" PRIu32, n,
		     31 - __builtin_clz(select & 0xf), c->core->name, c->core->has.counters);
	if (n % 2 != 0 && ETM_GET(TRCRSCTLR, PAIRINV, v))
		WARN(c->d, "selector %u has PAIRINV, which only even selectors have", n);
}

/* The one inverted selector of a pair must be the even one, or with PAIRINV, the odd one. */
static void check_pair(struct checker *c, unsigned p)
{
	const uint32_t *v = &c->r->rsctl[2 * p];
	bool inv = ETM_GET(TRCRSCTLR, PAIRINV, v[0]), a = ETM_GET(TRCRSCTLR, INV, v[0]),
	     b = ETM_GET(TRCRSCTLR, INV, v[1]);

	if (c->pair[p] && a != b && b != inv)
		WARN(c->d, "pair %u is used with PAIRINV %d and INV %d, %d, which is reserved", p,
		     inv, a, b);
}

/* ---- counters and sequencer ---- */

/* Is counter i one of ticks that come in each cycle? It may start one count later, since a first
 * batch has no tick. */
static bool is_each_cycle(const struct etm_regs *r, unsigned i)
{
	return r->cntrldv[i] <= 1 && r->cntv[i] == r->cntrldv[i] + 1 &&
	       ETM_GET(TRCCNTCTLR, CNTEVENT, r->cntctl[i]) == 1 &&
	       ETM_GET(TRCCNTCTLR, RLDEVENT, r->cntctl[i]) == 0;
}

static void check_counters(struct checker *c, struct etm_regs *r, const struct etm_regs *stated)
{
	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		uint32_t control = r->cntctl[i];

		if (control == 0)
			continue;
		if (i >= c->core->has.counters)
			WARN(c->d, "counter %u is programmed, and core %s has %" PRIu32, i,
			     c->core->name, c->core->has.counters);
		if (!stated->cntrldv[i])
			WARN(c->d,
			     "counter %u is used, and TRCCNTRLDVR%u is not stated: 0 is assumed", i,
			     i);
		if (!stated->cntv[i]) {
			WARN(c->d, "counter %u is used, and TRCCNTVR%u is not stated: its reload "
			     "value is assumed", i, i);
			r->cntv[i] = r->cntrldv[i];
		} else if (r->cntv[i] != r->cntrldv[i] && !is_each_cycle(r, i)) {
			WARN(c->d, "counter %u starts at %" PRIu32 ", and reloads %" PRIu32, i,
			     r->cntv[i], r->cntrldv[i]);
		}
		if (i % 2 == 0 && ETM_GET(TRCCNTCTLR, CNTCHAIN, control))
			WARN(c->d, "counter %u has CNTCHAIN, which only odd counters have", i);
	}
}

static void check_sequencer(struct checker *c, const struct etm_regs *stated)
{
	const struct etm_regs *r = c->r;
	unsigned n = stated->seqev[0] + stated->seqev[1] + stated->seqev[2];

	if (n != 0 && n != 3)
		WARN(c->d,
		     "the sequencer is used, and TRCSEQEVR%d is not stated: all three must be "
		     "valid",
		     !stated->seqev[0]   ? 0
		     : !stated->seqev[1] ? 1
					 : 2);
	if (n != 0 && !stated->seqst[0])
		WARN(c->d,
		     "the sequencer is used, and TRCSEQSTR is not stated: state 0 is assumed");
	if (n != 0 && r->seqst[0] >= c->core->has.states)
		WARN(c->d, "TRCSEQSTR is %" PRIu32 ", and core %s has states 0 to %" PRIu32,
		     r->seqst[0], c->core->name, c->core->has.states - 1);
}

static void check_inputs(struct checker *c)
{
	struct etm_machine m;
	uint64_t used;

	etm_decode(&m, c->r, c->core->ete, (struct etm_reading){ 0 });
	etm_uses(&m, &used, NULL, NULL);
	for (unsigned i = 0; i < ETM_EXTIN && !c->core->ete && !c->core->bus_unknown; i++)
		if ((used >> (ETM_INPUT_EXTIN + i) & 1) &&
		    m.extin.number[i] >= c->core->cti + c->core->bus)
			WARN(c->d,
			     "TRCEXTINSELR chooses input %u, and core %s has inputs 0 to %" PRIu32,
			     m.extin.number[i], c->core->name, c->core->cti + c->core->bus - 1);
	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		for (unsigned j = 0; j < 2; j++) {
			unsigned sees = (m.counters[i].count.select[j].counters |
					 m.counters[i].reset.select[j].counters) >> i;

			for (unsigned k = i; sees != 0 && k < ETM_COUNTERS; k++, sees >>= 1)
				if ((sees & 1) && m.counters[k].self)
					WARN(c->d,
					     "an event of counter %u looks at the pulse of counter "
					     "%u, which settles no earlier: the pulse is taken to "
					     "be seen a cycle late",
					     i, k);
		}
}

/* ---- comparators, and the trace itself ---- */

/* A comparator of a range has a type in each of its two halves, which must be the same. */
static void check_ranges(struct checker *c)
{
	const struct etm_regs *r = c->r;
	struct etm_machine m;
	uint64_t used;

	etm_decode(&m, r, c->core->ete, (struct etm_reading){ 0 });
	etm_uses(&m, &used, NULL, NULL);
	for (unsigned i = 0; i < 8; i++) {
		if (!(used >> (ETM_INPUT_RANGE + i) & 1))
			continue;
		if (r->acat[2 * i] != r->acat[2 * i + 1])
			WARN(c->d, "comparators %u and %u are a range, and their types differ",
			     2 * i, 2 * i + 1);
		if (r->acv[2 * i] > r->acv[2 * i + 1])
			WARN(c->d, "range %u ends before it begins", i);
	}
}

/* Registers that say what is traced, as far as they are stated. */
static void check_trace(struct checker *c, const struct etm_regs *stated)
{
	const struct etm_regs *r = c->r;
	uint32_t id = ETM_GET(TRCTRACEIDR, TRACEID, r->traceid[0]);

	if (stated->config[0] && !ETM_GET(TRCCONFIGR, ONE, r->config[0]))
		WARN(c->d, "bit 0 of TRCCONFIGR is 0, and must be 1");
	if (stated->victl[0] && ETM_GET(TRCVICTLR, EVENT, r->victl[0]) != 0 &&
	    !ETM_GET(TRCVICTLR, SSSTATUS, r->victl[0]))
		WARN(c->d, "TRCVICTLR has an event, and SSSTATUS is 0: nothing is traced while the "
		     "start/stop logic is off");
	if (stated->traceid[0] && (id == 0 || id >= 0x70 || id != r->traceid[0]))
		WARN(c->d, "TRCTRACEIDR is 0x%" PRIx32 ", and traces have numbers from 1 to 0x6f",
		     r->traceid[0]);
	if (stated->viiectl[0] && r->viiectl[0] != 0)
		WARN(c->d, "TRCVIIECTLR traces some ranges alone, or leaves some out");
	if ((stated->vissctl[0] && r->vissctl[0] != 0) ||
	    (stated->vipcssctl[0] && r->vipcssctl[0] != 0))
		WARN(c->d,
		     "TRCVISSCTLR or TRCVIPCSSCTLR starts and stops tracing, beside the event");
}

void etm_check(struct etm_regs *r, const struct etm_regs *stated, const struct etm_core *core,
	       struct diags *d)
{
	struct checker c = { .r = r, .core = core, .d = d };

	check_events(&c);
	for (unsigned n = 2; n < ETM_SELECTORS; n++)
		check_selector(&c, n);
	for (unsigned p = 1; p < ETM_SELECTORS / 2; p++)
		check_pair(&c, p);
	check_counters(&c, r, stated);
	check_sequencer(&c, stated);
	check_inputs(&c);
	check_ranges(&c);
	check_trace(&c, stated);
}
