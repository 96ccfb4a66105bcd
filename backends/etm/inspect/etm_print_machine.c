/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [registers as text]. A machine of the language has one order of steps in a batch: counters,
 * then the first transition that holds. Registers fit it so:
 *
 * - A counter that reloads itself becomes a counter of mode roll. If it counts in every cycle, it
 *   becomes the ticks. A counter with a level becomes one of mode latch.
 * - Selectors see a level as it was before the cycle, and the language sees a counter as it is
 *   after its step. So the set of counters at zero is part of the state: s1_z2 is state 1 of the
 *   sequencer with counter 1 at zero, since z is followed by a sum of 1 for counter 0, 2 for counter 1, …
 * - The sequencer's moves become transitions, the longest first, which are those that it prefers.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/inspect/etm_dnf.h"
#include "backends/etm/inspect/etm_inspect.h"
#include "contract/contract.h"

struct printer {
	const struct etm_regs *r;
	const struct etm_core *core;
	struct etm_machine m;
	struct buf *b;
	uint8_t levels;   /* the counters without RLDSELF that something looks at */
	uint8_t used;     /* the counters that can change */
	uint8_t zero;     /* the counters of `levels` that are at zero in the beginning */
	int tick;         /* the counter that is the ticks, or -1 */
	uint64_t states;  /* the states that can be reached */
	const char *why;
};

static void give_up(struct printer *p, const char *why)
{
	if (p->why == NULL)
		p->why = why;
}

/* ---- conditions ---- */

static void print_state(struct printer *p, unsigned state)
{
	buf_addf(p->b, "s%u", state % ETM_STATES);
	if (state / ETM_STATES != 0)
		buf_addf(p->b, "_z%u", state / ETM_STATES);
}

static void print_inputs(struct printer *p, const char *mode, uint64_t inputs)
{
	bool first = true;

	buf_addf(p->b, "%s(", mode);
	for (unsigned i = 0; i < ETM_INPUTS; i++) {
		if (!(inputs >> i & 1))
			continue;
		buf_addf(p->b, "%s", first ? "" : ", ");
		first = false;
		if (!etm_print_input(p->r, p->core, i, p->b))
			give_up(p, "an event looks at a resource that the core's protocol has no "
				   "name for");
	}
	buf_addf(p->b, ")");
}

/* Prints a term without its states, as factors joined by `&`. */
static void print_term(struct printer *p, const struct etm_term *t)
{
	const char *and = "";

	for (unsigned i = 0; i < t->nany; i++, and = " & ") {
		buf_addf(p->b, "%s", and);
		print_inputs(p, "Any", t->any[i]);
	}
	if (t->none != 0) {
		buf_addf(p->b, "%s", and);
		print_inputs(p, "None", t->none);
		and = " & ";
	}
	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		bool at = t->at >> i & 1;

		if (!at && !(t->not_at >> i & 1))
			continue;
		if ((int)i == p->tick)
			buf_addf(p->b, "%s%s", and, at ? "tick" : "notick");
		else if (p->used >> i & 1)
			buf_addf(p->b, "%s%s@c%u", and, at ? "" : "!", i);
		else
			buf_addf(p->b, "%s%s", and, at ? "!true" : "true"); /* never at zero */
		and = " & ";
	}
	if (*and == 0)
		buf_addf(p->b, "true");
}

/* Prints a statement of counter c for each term. */
static void print_counting(struct printer *p, const char *word, unsigned c, const struct etm_dnf *d)
{
	if (d->too_large)
		give_up(p, "an event has too many alternatives");
	for (unsigned i = 0; i < d->n; i++) {
		uint64_t states = d->term[i].states & p->states;
		const char *between = " when ";

		if (states == 0)
			continue;
		buf_addf(p->b, "\t%s c%u : ", word, c);
		print_term(p, &d->term[i]);
		for (unsigned s = 0; s < ETM_ALL_STATES && states != p->states; s++)
			if (states >> s & 1) {
				buf_addf(p->b, "%s", between);
				print_state(p, s);
				between = ", ";
			}
		buf_addf(p->b, ";\n");
	}
}

/* ---- moves ---- */

/* A move of the sequencer from a state to another, when `when` holds. */
typedef void move_fn(struct printer *p, unsigned from, unsigned to, const struct etm_dnf *when,
		     uint64_t *reached);

/* Does x hold wherever y does? Both are for the same state. */
static bool covers(const struct etm_term *x, const struct etm_term *y)
{
	for (unsigned i = 0; i < x->nany; i++) {
		unsigned j = 0;

		while (j < y->nany && (y->any[j] & ~x->any[i]) != 0)
			j++;
		if (j == y->nany)
			return false;
	}
	return (x->none & ~y->none) == 0 && (x->at & ~y->at) == 0 && (x->not_at & ~y->not_at) == 0;
}

/* The moves from a state that were visited. */
struct visited {
	move_fn *visit;
	unsigned from;
	uint64_t *reached;
	struct etm_dnf done;
};

/* Visits a move, without the terms that moves before it always hide. */
static void visit_move(struct printer *p, struct visited *v, unsigned to,
		       const struct etm_dnf *when)
{
	struct etm_dnf d = { .too_large = when->too_large };

	for (unsigned i = 0; i < when->n; i++) {
		unsigned j = 0;

		while (j < v->done.n && !covers(&v->done.term[j], &when->term[i]))
			j++;
		if (j == v->done.n)
			d.term[d.n++] = when->term[i];
	}
	v->done = etm_dnf_or(&v->done, &d);
	v->visit(p, v->from, to, &d, v->reached);
}

/* Calls visit() for all moves of the sequencer from state `from`, in the order in which it prefers
 * them; in the end, if there are levels, for staying where it is. */
static void each_move(struct printer *p, unsigned from, move_fn *visit, uint64_t *reached)
{
	const struct etm_machine *m = &p->m;
	unsigned s = from % ETM_STATES;
	struct etm_dnf in = etm_dnf_in((uint64_t)1 << from), way[ETM_STATES], d;
	struct visited v = { .visit = visit, .from = from, .reached = reached };
	unsigned n;

	d = etm_dnf_of(&m->reset, false, p->levels);
	d = etm_dnf_and(&in, &d);
	visit_move(p, &v, 0, &d);
	n = 0;
	for (unsigned i = s; i < ETM_STATES - 1; i++) {
		struct etm_dnf step = etm_dnf_of(&m->forward[i], false, p->levels);

		way[n] = etm_dnf_and(n == 0 ? &in : &way[n - 1], &step);
		n++;
	}
	while (n-- > 0)
		visit_move(p, &v, s + n + 1, &way[n]);
	n = 0;
	for (unsigned i = s; i-- > 0;) {
		struct etm_dnf step = etm_dnf_of(&m->backward[i], false, p->levels),
			       no = etm_dnf_of(&m->forward[i], true, p->levels);

		if (m->reading.priority)
			step = etm_dnf_and(&step, &no);
		way[n] = etm_dnf_and(n == 0 ? &in : &way[n - 1], &step);
		n++;
	}
	while (n-- > 0)
		visit_move(p, &v, s - n - 1, &way[n]);
	if (p->levels != 0)
		visit_move(p, &v, s, &in);
}

/* Can the counters of the set l, and no others with a level, be at zero? The level of a counter
 * that never changes is that of the beginning. */
static bool can_be(const struct printer *p, unsigned l)
{
	return (l & ~(unsigned)p->levels) == 0 &&
	       ((l ^ p->zero) & p->levels & ~(unsigned)p->used) == 0;
}

/* Adds the states that a move can lead to: all levels that the sequencer's new state can have. */
static void note_move(struct printer *p, unsigned from, unsigned to, const struct etm_dnf *when,
		      uint64_t *reached)
{
	(void)from;
	for (unsigned l = 0; l < 1u << ETM_COUNTERS && when->n != 0; l++)
		if (can_be(p, l))
			*reached |= (uint64_t)1 << (to + ETM_STATES * l);
}

static void find_states(struct printer *p, unsigned start)
{
	uint64_t before = 0;

	p->states = (uint64_t)1 << start;
	while (before != p->states) {
		before = p->states;
		for (unsigned s = 0; s < ETM_ALL_STATES; s++)
			if (before >> s & 1)
				each_move(p, s, note_move, &p->states);
	}
}

/* Does the term hold in all cycles, in its state? */
static bool is_empty(const struct etm_term *t)
{
	return t->nany == 0 && t->none == 0 && t->at == 0 && t->not_at == 0;
}

/* Prints a transition for a term, to a state with the set l of levels after the cycle. */
static void print_transition(struct printer *p, unsigned from, unsigned to, unsigned l,
			     const struct etm_term *t)
{
	uint8_t levels = p->levels & p->used;
	const char *and = "";

	if (is_empty(t) && to + ETM_STATES * l == from)
		return; /* it stays; what would follow is hidden */
	buf_addf(p->b, "\t");
	print_state(p, from);
	buf_addf(p->b, " -> ");
	print_state(p, to + ETM_STATES * l);
	buf_addf(p->b, " : ");
	if (!is_empty(t) || levels == 0) {
		print_term(p, t);
		and = " & ";
	}
	for (unsigned c = 0; c < ETM_COUNTERS; c++)
		if (levels >> c & 1) {
			buf_addf(p->b, "%s%s@c%u", and, l >> c & 1 ? "" : "!", c);
			and = " & ";
		}
	buf_addf(p->b, ";\n");
}

/* Prints a transition for each term, and for each set of levels after the cycle. */
static void print_move(struct printer *p, unsigned from, unsigned to, const struct etm_dnf *when,
		       uint64_t *reached)
{
	(void)reached;
	if (when->too_large)
		give_up(p, "an event has too many alternatives");
	for (unsigned i = 0; i < when->n; i++)
		for (unsigned l = 0; l < 1u << ETM_COUNTERS; l++)
			if (can_be(p, l))
				print_transition(p, from, to, l, &when->term[i]);
}

/* ---- the whole ---- */

static bool is_constant(const struct etm_event *e, bool value)
{
	return e->n == 0 && e->inv != value;
}

/* Can the value of counter c, or of one that it is chained to, change? */
static bool changes(const struct etm_machine *m, unsigned c)
{
	const struct etm_counter *k = &m->counters[c];

	return !is_constant(&k->count, false) || !is_constant(&k->reset, false) || k->chain;
}

/* Is counter k that of the ticks? A tick in every cycle begins with the second one, since a first
 * batch has none: the counter starts one count further from its end. */
static bool is_ticks(const struct etm_machine *m, const struct etm_counter *k)
{
	bool each = k->reload == (m->reading.zero ? 1 : 0);

	return k->self && k->start == k->reload + each && is_constant(&k->count, true) &&
	       is_constant(&k->reset, false);
}

/* Does a counter whose pulse something looks at have a reload event? */
static bool overlaps(const struct etm_machine *m, uint8_t looked)
{
	bool any = false;

	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		any = any || ((looked >> i & 1) && m->counters[i].self &&
			      !is_constant(&m->counters[i].reset, false));
	return any;
}

/* Finds out what each counter becomes. */
static void choose_counters(struct printer *p)
{
	const struct etm_machine *m = &p->m;
	uint8_t looked;

	etm_uses(m, NULL, &looked, NULL);
	if (m->reading.overlap && overlaps(m, looked))
		give_up(p, "in this reading a counter pulses that is reset in the same cycle, and "
			   "one of the language does not");
	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		const struct etm_counter *k = &m->counters[i];

		if (!k->self && (looked >> i & 1))
			p->levels |= (uint8_t)(1u << i);
		if (!changes(m, i))
			continue;
		p->used |= (uint8_t)(1u << i);
		if (p->tick < 0 && is_ticks(m, k))
			p->tick = (int)i;
		else if (k->start != k->reload)
			give_up(p, "a counter does not start at its reload value, and counters of "
				   "the language start at 0");
		if (k->reload == 0 && (!k->self || m->reading.zero))
			give_up(p, "a counter has the reload value 0");
	}
	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		for (unsigned j = 0; j < 2; j++) {
			uint8_t sees = (m->counters[i].count.select[j].counters |
					m->counters[i].reset.select[j].counters) &
				       (uint8_t)~p->levels & p->used;

			if (sees >> i != 0)
				give_up(p, "an event of a counter looks at a pulse of the same "
					   "counter or of one above it");
		}
}

static void print_counter(struct printer *p, unsigned c)
{
	const struct etm_machine *m = &p->m;
	const struct etm_counter *k = &m->counters[c];
	struct etm_dnf count = etm_dnf_of(&k->count, false, p->levels),
		       reset = etm_dnf_of(&k->reset, false, p->levels), below;

	if (k->chain) {
		below = etm_dnf_of(&m->counters[c - 1].reset, false, p->levels);
		count = etm_dnf_or(&count, &below);
		below = etm_dnf_in(UINT64_MAX);
		below.term[0].at = (uint8_t)(1u << (c - 1));
		if (m->counters[c - 1].self)
			count = etm_dnf_or(&count, &below);
	}
	print_counting(p, "count", c, &count);
	print_counting(p, "reset", c, &reset);
}

/* Returns whether an output is on in state s. It may not depend on anything else. */
static bool is_on(struct printer *p, const struct etm_event *e, unsigned s)
{
	struct etm_seen seen = { .state = s % ETM_STATES, .counters = (uint8_t)(s / ETM_STATES) };

	for (unsigned i = 0; i < e->n; i++)
		if (e->select[i].inputs != 0 ||
		    (e->select[i].counters & (uint8_t)~p->levels & p->used) != 0)
			give_up(p, "an output looks at inputs or pulses, and outputs of the "
				   "language depend on the state alone");
	return etm_event_holds(e, &seen);
}

/* Does an output's event hold in some state? */
static bool is_ever_on(struct printer *p, const struct etm_event *e)
{
	bool on = false;

	for (unsigned s = 0; s < ETM_ALL_STATES; s++)
		on = on || ((p->states >> s & 1) && !is_constant(e, false) && is_on(p, e, s));
	return on;
}

/* Does any output, or tracing, tell what the machine does? If not, only its counters do. */
static bool has_outputs(struct printer *p)
{
	bool any = p->m.trace.n != 0 && is_ever_on(p, &p->m.trace);

	for (unsigned i = 0; i < ETM_OUTPUTS; i++)
		any = any || is_ever_on(p, &p->m.outputs[i]);
	return any;
}

/* A filter has to have outputs or labels, so without outputs the start state gets a label. */
static void print_state_line(struct printer *p, unsigned s, bool start)
{
	buf_addf(p->b, "\tstate ");
	print_state(p, s);
	buf_addf(p->b, "%s", !start ? "" : has_outputs(p) ? " start" : " start accept");
	for (unsigned i = 0; i < ETM_OUTPUTS; i++)
		if (!is_constant(&p->m.outputs[i], false) && is_on(p, &p->m.outputs[i], s))
			buf_addf(p->b, " output(out%u)", i);
	if (p->m.trace.n != 0 && is_on(p, &p->m.trace, s))
		buf_addf(p->b, " output(trace)");
	buf_addf(p->b, ";\n");
}

static void print_body(struct printer *p, unsigned start)
{
	uint64_t unused = 0;

	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		const struct etm_counter *k = &p->m.counters[i];

		if ((p->used >> i & 1) && (int)i != p->tick)
			buf_addf(p->b, "\tcounter c%u at %u %s;\n", i,
				 k->reload + (k->self && !p->m.reading.zero ? 1u : 0u),
				 counter_modes[k->self ? COUNTER_ROLL : COUNTER_LATCH]);
	}
	for (unsigned s = 0; s < ETM_ALL_STATES; s++)
		if (p->states >> s & 1)
			print_state_line(p, s, s == start);
	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		if ((p->used >> i & 1) && (int)i != p->tick)
			print_counter(p, i);
	for (unsigned s = 0; s < ETM_ALL_STATES; s++)
		if (p->states >> s & 1)
			each_move(p, s, print_move, &unused);
}

const char *etm_print_machine(const struct etm_regs *r, const struct etm_core *core,
			      struct etm_reading reading, struct buf *b)
{
	struct printer p = { .r = r, .core = core, .b = b, .tick = -1 };
	unsigned start;

	etm_decode(&p.m, r, core->ete, reading);
	choose_counters(&p);
	if (reading.delay)
		give_up(&p, "in this reading pulses are seen a cycle late, and those of the "
			    "language at once");
	for (unsigned i = 0; i < ETM_COUNTERS; i++)
		if ((p.levels >> i & 1) && p.m.counters[i].start == 0)
			p.zero |= (uint8_t)(1u << i);
	start = p.m.start + ETM_STATES * p.zero;
	find_states(&p, start);
	buf_addf(b, "protocol " ETM_PROTO_PREFIX "%s;\n", core->name);
	if (p.tick >= 0)
		buf_addf(b, "tick %u;\n", p.m.counters[p.tick].reload + (reading.zero ? 0u : 1u));
	buf_addf(b, "machine etm {\n");
	print_body(&p, start);
	buf_addf(b, "}\n");
	return p.why;
}
