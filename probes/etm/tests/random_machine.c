/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/tests/random_machine.h"

#include <inttypes.h>

uint32_t random_below(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*seed >> 33) % n);
}

/* ---- making ---- */

static struct random_term draw_term(const struct random_machine *m, uint32_t counters,
				    uint64_t *seed)
{
	struct random_term t = { .which = 1 + random_below(seed, 3) };
	uint32_t kind = random_below(seed, 8);

	if (kind < 3 && counters > 0) {
		t.kind = kind < 2 ? TERM_AT : TERM_NOT_AT;
		t.which = random_below(seed, counters);
	} else if (kind < 6 && m->tick != 0) {
		t.kind = kind < 5 ? TERM_TICK : TERM_NO_TICK;
	} else {
		t.kind = kind < 7 ? TERM_ANY : TERM_NONE;
	}
	return t;
}

/* A condition that may use the first `counters` counters. */
static struct random_condition draw_condition(const struct random_machine *m, uint32_t counters,
					      bool when, uint64_t *seed)
{
	struct random_condition c = { .nterms = 1 + (random_below(seed, 4) == 0) };

	for (uint32_t i = 0; i < c.nterms; i++)
		c.term[i] = draw_term(m, counters, seed);
	if (when && random_below(seed, 3) == 0)
		c.when = 1 + random_below(seed, (1u << m->nstates) - 1);
	return c;
}

static void draw_counter(struct random_machine *m, uint32_t i, uint64_t *seed)
{
	struct random_counter *c = &m->counter[i];

	c->k = 1 + random_below(seed, random_below(seed, 4) == 0 ? 300 : 9);
	c->latch = random_below(seed, 6) == 0;
	c->ncount = 1 + (random_below(seed, 5) == 0);
	c->nreset = random_below(seed, 2);
	for (uint32_t k = 0; k < c->ncount; k++)
		c->count[k] = draw_condition(m, i, true, seed);
	for (uint32_t k = 0; k < c->nreset; k++)
		c->reset[k] = draw_condition(m, i, true, seed);
}

void random_machine(struct random_machine *m, uint64_t *seed)
{
	*m = (struct random_machine){ .nstates = 2 + random_below(seed, RANDOM_STATES - 1) };
	if (random_below(seed, 5) != 0)
		m->tick = 1 + random_below(seed, random_below(seed, 5) == 0 ? 3000 : 40);
	m->ncounters = m->tick == 0 && random_below(seed, 2) == 0 ? 2 : 1;
	for (uint32_t i = 0; i < m->ncounters; i++)
		draw_counter(m, i, seed);
	for (uint32_t i = 0; i < m->nstates; i++)
		m->output[i] = random_below(seed, 1u << RANDOM_OUTPUTS);
	m->output[m->nstates - 1] |= 1; /* a machine without outputs and labels is refused */
	m->nmoves = m->nstates + random_below(seed, RANDOM_MOVES - m->nstates + 1);
	for (uint32_t i = 0; i < m->nmoves; i++) {
		/* Each state has at least one move out of it. Most moves lead to a neighbour. */
		uint32_t from = i < m->nstates ? i : random_below(seed, m->nstates);
		uint32_t step = random_below(seed, 3), to = (from + 1) % m->nstates;

		if (step == 0)
			to = (from + m->nstates - 1) % m->nstates;
		m->move[i].from = from;
		m->move[i].to = to;
		m->move[i].condition = draw_condition(m, m->ncounters, false, seed);
	}
}

/* ---- text ---- */

static void print_events(uint32_t which, struct buf *b)
{
	buf_addf(b, "(%s%s%s)", (which & 1) != 0 ? "L2D_CACHE_REFILL" : "", which == 3 ? ", " : "",
		 (which & 2) != 0 ? "L2D_CACHE_WB" : "");
}

static void print_condition(const struct random_condition *c, struct buf *b)
{
	static const char *const words[] = { "Any", "None", "tick", "notick", "@c", "!@c" };

	for (uint32_t i = 0; i < c->nterms; i++) {
		const struct random_term *t = &c->term[i];

		buf_addf(b, "%s%s", i > 0 ? " & " : "", words[t->kind]);
		if (t->kind == TERM_ANY || t->kind == TERM_NONE)
			print_events(t->which, b);
		else if (t->kind == TERM_AT || t->kind == TERM_NOT_AT)
			buf_addf(b, "%" PRIu32, t->which);
	}
	for (uint32_t i = 0, n = 0; i < RANDOM_STATES; i++)
		if ((c->when >> i & 1) != 0)
			buf_addf(b, "%s s%" PRIu32, n++ > 0 ? "," : " when", i);
}

static void print_counts(const struct random_condition *c, uint32_t n, const char *what, uint32_t i,
			 struct buf *b)
{
	for (uint32_t k = 0; k < n; k++) {
		buf_addf(b, "\t%s c%" PRIu32 " : ", what, i);
		print_condition(&c[k], b);
		buf_addf(b, ";\n");
	}
}

static void print_outputs(uint32_t output, struct buf *b)
{
	for (uint32_t i = 0; i < RANDOM_OUTPUTS; i++)
		if ((output >> i & 1) != 0)
			buf_addf(b, " output(o%" PRIu32 ")", i);
}

void random_machine_text(const struct random_machine *m, struct buf *b)
{
	if (m->tick != 0)
		buf_addf(b, "tick %" PRIu32 ";\n", m->tick);
	buf_addf(b, "machine m {\n");
	for (uint32_t i = 0; i < m->ncounters; i++)
		buf_addf(b, "\tcounter c%" PRIu32 " at %" PRIu32 " %s;\n", i, m->counter[i].k,
			 m->counter[i].latch ? "latch" : "roll");
	for (uint32_t i = 0; i < m->nstates; i++) {
		buf_addf(b, "\tstate s%" PRIu32 "%s", i, i == 0 ? " start" : "");
		print_outputs(m->output[i], b);
		buf_addf(b, ";\n");
	}
	for (uint32_t i = 0; i < m->ncounters; i++) {
		print_counts(m->counter[i].count, m->counter[i].ncount, "count", i, b);
		print_counts(m->counter[i].reset, m->counter[i].nreset, "reset", i, b);
	}
	for (uint32_t i = 0; i < m->nmoves; i++) {
		buf_addf(b, "\ts%" PRIu32 " -> s%" PRIu32 " : ", m->move[i].from, m->move[i].to);
		print_condition(&m->move[i].condition, b);
		buf_addf(b, ";\n");
	}
	buf_addf(b, "}\n");
}

/* ---- executing ---- */

/* What conditions see in a cycle. */
struct sight {
	uint32_t events, active, state;
	bool tick;
};

static bool machine_holds(const struct random_condition *c, const struct sight *s)
{
	if (c->when != 0 && (c->when >> s->state & 1) == 0)
		return false;
	for (uint32_t i = 0; i < c->nterms; i++) {
		const struct random_term *t = &c->term[i];
		bool ok = false;

		switch (t->kind) {
		case TERM_ANY: ok = (s->events & t->which) != 0; break;
		case TERM_NONE: ok = (s->events & t->which) == 0; break;
		case TERM_TICK: ok = s->tick; break;
		case TERM_NO_TICK: ok = !s->tick; break;
		case TERM_AT: ok = (s->active >> t->which & 1) != 0; break;
		case TERM_NOT_AT: ok = (s->active >> t->which & 1) == 0; break;
		}
		if (!ok)
			return false;
	}
	return true;
}

static bool some_holds(const struct random_condition *c, uint32_t n, const struct sight *s)
{
	for (uint32_t i = 0; i < n; i++)
		if (machine_holds(&c[i], s))
			return true;
	return false;
}

/* Steps counter i. Returns whether it is active afterwards. */
static bool step_counter(struct random_machine *m, uint32_t i, const struct sight *s)
{
	const struct random_counter *c = &m->counter[i];
	bool reached = false;

	if (some_holds(c->reset, c->nreset, s)) {
		m->value[i] = 0;
	} else if (m->value[i] < c->k && some_holds(c->count, c->ncount, s)) {
		m->value[i]++;
		reached = m->value[i] == c->k;
	}
	if (c->latch)
		return m->value[i] == c->k;
	if (reached)
		m->value[i] = 0;
	return reached;
}

void random_machine_step(struct random_machine *m, uint32_t events)
{
	struct sight s = { .events = events, .state = m->state };

	m->now++;
	s.tick = m->tick != 0 && m->now > 1 && m->now % m->tick == 0;
	for (uint32_t i = 0; i < m->ncounters; i++)
		s.active |= (uint32_t)step_counter(m, i, &s) << i;
	for (uint32_t i = 0; i < m->nmoves; i++)
		if (m->move[i].from == m->state && machine_holds(&m->move[i].condition, &s)) {
			m->state = m->move[i].to;
			break;
		}
}
