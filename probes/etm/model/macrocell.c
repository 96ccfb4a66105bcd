/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/model/macrocell.h"

#include <string.h>

/* What selectors see in a cycle: the inputs, and the state of counters and sequencer. */
struct sight {
	const struct etm_regs *regs;
	uint16_t group[MACROCELL_GROUPS];
};

/*
 * The value of a selector: the OR of the resources that it chooses, inverted if INV is set.
 * Selector 0 is always false, and selector 1 is always true, whatever is in their registers.
 */
static bool selector_is_on(const struct sight *s, uint32_t n)
{
	uint32_t control = s->regs->rsctl[n];
	uint32_t group = ETM_GET(TRCRSCTLR, GROUP, control);
	bool any;

	if (n < 2)
		return n == 1;
	any = group < MACROCELL_GROUPS &&
	      (s->group[group] & ETM_GET(TRCRSCTLR, SELECT, control)) != 0;
	return any != (ETM_GET(TRCRSCTLR, INV, control) != 0);
}

/*
 * An event is one selector, or the AND of a pair of selectors, inverted if PAIRINV of the even one
 * is set.
 */
static bool event_is_on(const struct sight *s, uint32_t field)
{
	uint32_t n = field & ETM_EVENT_INDEX;
	bool both;

	if (field < 2) /* the two constants, which are most events of a program */
		return field == 1;
	if ((field & ETM_EVENT_PAIR) == 0)
		return selector_is_on(s, n);
	n = n * 2 % ETM_SELECTORS;
	both = selector_is_on(s, n) && selector_is_on(s, n + 1);
	return both != (ETM_GET(TRCRSCTLR, PAIRINV, s->regs->rsctl[n]) != 0);
}

/* Sets the part that shows counters and sequencer to the selectors. */
static void show_state(struct sight *s, uint32_t zero)
{
	s->group[ETM_GROUP_CNTSEQ] =
		(uint16_t)(zero | 1u << (ETM_COUNTERS + (s->regs->seqst[0] % ETM_STATES)));
}

/* What a counter does in a cycle. */
struct action {
	bool counts;  /* its value goes down by one */
	bool reloads; /* its value becomes the reload value */
	bool pulses;  /* it counts beyond its end and so reloads itself */
};

/* What counter i does. `s` is what selectors see. `below_reloads`: the counter below it reloads. */
static struct action action(const struct macrocell *m, const struct sight *s, unsigned i,
			    bool below_reloads)
{
	uint32_t control = s->regs->cntctl[i], value = s->regs->cntv[i];
	/* A count at this value, or below it, goes beyond the end. */
	uint32_t end = m->reading.zero ? 1 : 0;
	bool chained = i % 2 == 1 && ETM_GET(TRCCNTCTLR, CNTCHAIN, control) != 0;
	bool counts = event_is_on(s, ETM_GET(TRCCNTCTLR, CNTEVENT, control)) ||
		      (chained && below_reloads);
	struct action a = { 0 };

	bool ends = counts && ETM_GET(TRCCNTCTLR, RLDSELF, control) != 0 && value <= end;

	if (event_is_on(s, ETM_GET(TRCCNTCTLR, RLDEVENT, control))) {
		a.reloads = true;
		a.pulses = ends && m->reading.overlap;
	} else if (ends) {
		a.reloads = true;
		a.pulses = true;
	} else {
		a.counts = counts && value != 0;
	}
	return a;
}

/* Returns the levels: a bit for each counter that is at 0 and does not reload itself. */
static uint32_t levels(const struct etm_regs *r)
{
	uint32_t bits = 0;

	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		if (ETM_GET(TRCCNTCTLR, RLDSELF, r->cntctl[i]) == 0 && r->cntv[i] == 0)
			bits |= 1u << i;
	return bits;
}

/*
 * Decides what all counters do, in rising order. Returns their pulses. The events of counter i see
 * this cycle's pulses of the counters below i. The pulses of the others are not known yet, so those
 * of the cycle before are seen.
 */
static uint32_t decide_actions(const struct macrocell *m, struct sight *s, uint32_t level,
			       struct action a[ETM_COUNTERS])
{
	uint32_t pulses = 0;

	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		uint32_t below = (1u << i) - 1;

		show_state(s,
			   level | (m->reading.delay ? m->pulses : pulses | (m->pulses & ~below)));
		a[i] = action(m, s, i, i > 0 && a[i - 1].reloads);
		pulses |= (uint32_t)a[i].pulses << i;
	}
	return pulses;
}

/*
 * Moves the sequencer. A move backward from state n+1 can be undone by a move forward from n. With
 * reading.priority, an active move forward prevents the move backward over it. Without it, it does
 * not, because a move forward is only tried from the state before the cycle.
 */
static uint32_t sequence(const struct macrocell *m, const struct sight *s)
{
	const struct etm_regs *r = s->regs;
	uint32_t start = r->seqst[0] % ETM_STATES, state = start;

	if (event_is_on(s, ETM_GET(TRCSEQRSTEVR, RST, r->seqrstev[0])))
		return 0;
	while (state + 1 < ETM_STATES && event_is_on(s, ETM_GET(TRCSEQEVR, F, r->seqev[state])))
		state++;
	if (state != start)
		return state;
	while (state > 0 && event_is_on(s, ETM_GET(TRCSEQEVR, B, r->seqev[state - 1])) &&
	       !(m->reading.priority && event_is_on(s, ETM_GET(TRCSEQEVR, F, r->seqev[state - 1]))))
		state--;
	return state;
}

void macrocell_init(struct macrocell *m, const struct etm_regs *regs, struct etm_reading reading)
{
	*m = (struct macrocell){ .regs = *regs, .reading = reading };
	m->regs.seqst[0] = ETM_GET(TRCSEQSTR, STATE, regs->seqst[0]);
	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		m->regs.cntv[i] = ETM_GET(TRCCNTVR, VALUE, regs->cntv[i]);
		m->regs.cntrldv[i] = ETM_GET(TRCCNTRLDVR, VALUE, regs->cntrldv[i]);
	}
}

void macrocell_step(struct macrocell *m, const struct macrocell_inputs *in)
{
	struct etm_regs *r = &m->regs;
	struct action actions[ETM_COUNTERS] = { 0 };
	struct sight s = { .regs = r };
	uint32_t level = levels(r), pulses, seen;

	memcpy(s.group, in->group, sizeof s.group);
	pulses = decide_actions(m, &s, level, actions);
	seen = m->reading.delay ? m->pulses : pulses;
	m->zero = level | seen;
	m->pulses = pulses;
	show_state(&s, m->zero);
	r->seqst[0] = sequence(m, &s);
	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		if (actions[i].reloads)
			r->cntv[i] = r->cntrldv[i];
		else
			r->cntv[i] -= actions[i].counts;
	show_state(&s, levels(r) | seen);
	m->outputs = 0;
	for (unsigned i = 0; i < ETM_OUTPUTS; i++)
		m->outputs |= (uint32_t)event_is_on(&s, r->eventctl0[0] >> (8 * i) & 0xff) << i;
}

/*
 * Whether the cycles from *a to *b and from *b to *c were alike: some counters counted down, and
 * nothing else happened.
 */
static bool steady(const struct macrocell *a, const struct macrocell *b, const struct macrocell *c)
{
	if (a->pulses != 0 || b->pulses != 0 || c->pulses != 0 || a->zero != b->zero ||
	    b->zero != c->zero)
		return false;
	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		uint32_t first = a->regs.cntv[i] - b->regs.cntv[i];

		if (first > 1 || first != b->regs.cntv[i] - c->regs.cntv[i])
			return false;
	}
	return true;
}

/*
 * How many more cycles will be like the one from *b to *c. A counter above 1 has no effect on them.
 */
static uint64_t cycles_alike(const struct macrocell *b, const struct macrocell *c, uint64_t most)
{
	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		if (b->regs.cntv[i] != c->regs.cntv[i]) {
			uint32_t room = c->regs.cntv[i] > 2 ? c->regs.cntv[i] - 2 : 0;

			most = room < most ? room : most;
		}
	return most;
}

uint64_t macrocell_idle(struct macrocell *m, uint64_t cycles)
{
	static const struct macrocell_inputs none;
	struct macrocell a = *m, b = *m;
	uint64_t done = 0;

	while (done < cycles) {
		a = b;
		b = *m;
		macrocell_step(m, &none);
		done++;
		if (macrocell_state(m) != macrocell_state(&b) || m->outputs != b.outputs)
			break;
		if (done >= 2 && done < cycles && steady(&a, &b, m)) {
			uint64_t n = cycles_alike(&b, m, cycles - done);

			for (unsigned i = 0; i < ETM_COUNTERS; i++)
				if (b.regs.cntv[i] != m->regs.cntv[i])
					m->regs.cntv[i] -= (uint32_t)n;
			done += n;
		}
	}
	return done;
}

uint32_t macrocell_input(const struct etm_regs *regs, unsigned selector, bool ete)
{
	return ete ? regs->extinsel[selector] & 0xffff : regs->extinsel[0] >> (8 * selector) & 0xff;
}
