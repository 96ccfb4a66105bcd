/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Explores what the rules of two nodes allow, breadth first.
 *
 * Note [messages under way]. Each direction is two lists of messages: those that the tap has not
 * seen, and those that it has seen. A list is ordered by class, and within a class by age, so
 * states that differ only in the order of messages that may overtake each other are one state. The
 * first message of a class leaves a list. If the tap is at a node, that node's messages are seen
 * when they are sent, and those for it when it receives them; so a list on its side is always
 * empty.
 */
#include <inttypes.h>
#include <string.h>

#include "compiler/coherence/system.h"
#include "support/buf.h"
#include "support/hash.h"

enum { UNSEEN, SEEN, SIDES };

struct flight {
	uint8_t n, event[COH_FLIGHT];
};

/* A state of the system; unused bytes are 0. */
struct state {
	uint8_t var[COH_VARS];
	struct flight flight[COH_NODES][SIDES]; /* by sender */
};

/* How a state was reached first. */
struct reached {
	uint32_t from, rule, event; /* as in struct coh_edge; the start has `from` COH_NONE */
};

struct explorer {
	const struct coh *c;
	struct coh_system *s;
	VEC(struct state) states;
	VEC(struct reached) reached;
	struct hash_ids hash; /* finds `states` */
	bool failed;
};

/* ---- the set of states ---- */

static uint64_t hash_state(const struct state *x)
{
	const unsigned char *at = (const unsigned char *)x;
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < sizeof *x; i++)
		h = (h ^ at[i]) * UINT64_C(0x100000001b3);
	return h ^ h >> 29;
}

static uint64_t hash_of(const void *explorer, uint32_t id)
{
	const struct explorer *e = explorer;

	return hash_state(&e->states.at[id]);
}

static bool explorer_same(const void *explorer, uint32_t id, const void *key)
{
	const struct explorer *e = explorer;

	return memcmp(&e->states.at[id], key, sizeof e->states.at[id]) == 0;
}

/* Returns the number of a state, which is new if it was not reached before. */
static uint32_t explorer_number(struct explorer *e, const struct state *x, struct reached how)
{
	size_t at;

	if (!hash_room(&e->hash, hash_of, e)) {
		e->failed = true;
		return 0;
	}
	at = hash_find(&e->hash, hash_state(x), explorer_same, e, x);
	if (hash_id(&e->hash, at) != HASH_NONE)
		return hash_id(&e->hash, at);
	if (!vec_push(&e->states, *x) || !vec_push(&e->reached, how)) {
		e->failed = true;
		return 0;
	}
	hash_put(&e->hash, at, (uint32_t)e->states.n - 1);
	return (uint32_t)e->states.n - 1;
}

/* ---- messages under way ---- */

static uint32_t class_of(const struct explorer *e, uint8_t event)
{
	return e->c->events[event].class;
}

static void flight_put(const struct explorer *e, struct flight *f, uint32_t event)
{
	uint32_t i = f->n++;

	for (; i > 0 && class_of(e, f->event[i - 1]) > e->c->events[event].class; i--)
		f->event[i] = f->event[i - 1];
	f->event[i] = (uint8_t)event;
}

/* Is message i the first of its class? */
static bool is_first(const struct explorer *e, const struct flight *f, uint32_t i)
{
	return i == 0 || class_of(e, f->event[i - 1]) != class_of(e, f->event[i]);
}

static void flight_take(struct flight *f, uint32_t i)
{
	f->n--;
	for (; i < f->n; i++)
		f->event[i] = f->event[i + 1];
	f->event[f->n] = 0;
}

/* Takes a message of this event, if it is the first of its class. */
static bool take_event(const struct explorer *e, struct flight *f, uint32_t event)
{
	for (uint32_t i = 0; i < f->n; i++)
		if (f->event[i] == event && is_first(e, f, i)) {
			flight_take(f, i);
			return true;
		}
	return false;
}

/* ---- moves ---- */

/* Adds an edge to state *x. A step that changes nothing is no move. */
static void add_edge(struct explorer *e, uint32_t from, const struct state *x, uint32_t rule,
		     uint32_t event)
{
	uint32_t to = explorer_number(e, x, (struct reached){ from, rule, event });
	bool moves = to != from || event != COH_NONE;

	if (moves && rule != COH_NONE)
		e->s->used.at[rule] = true;
	if (!e->failed && moves && !vec_push(&e->s->edges, ((struct coh_edge){ to, event, rule })))
		e->failed = true;
}

static void set_values(const struct coh *c, struct coh_span settings, struct state *x)
{
	for (uint32_t i = 0; i < settings.n; i++) {
		const struct coh_test *t = &c->tests.at[settings.first + i];

		x->var[t->var] = (uint8_t)__builtin_ctz(t->values);
	}
}

static bool is_tap(const struct coh *c, uint32_t node)
{
	return c->net.tap == COH_TAP_AT && c->net.tap_node == node;
}

/* A node moves by a rule, if it can. */
static void explorer_move(struct explorer *e, uint32_t from, uint32_t rule)
{
	const struct coh_rule *r = &e->c->list.at[rule];
	struct state x = e->states.at[from];
	bool here = is_tap(e->c, r->node);
	struct flight *own = x.flight[r->node], *others = x.flight[1 - r->node];

	if (!coh_all_hold(e->c, r->when, x.var, x.var))
		return;
	if (r->kind == COH_RECEIVE &&
	    !take_event(e, &others[here ? UNSEEN : SEEN], r->event))
		return;
	if (r->kind != COH_STEP)
		e->s->used.at[rule] = true;
	if (r->kind == COH_SEND) {
		if (own[UNSEEN].n + own[SEEN].n >= (int)e->c->net.flight[r->node]) {
			if (e->s->blocked[r->node] == COH_NONE)
				e->s->blocked[r->node] = rule;
			return;
		}
		flight_put(e, &own[here ? SEEN : UNSEEN], r->event);
	}
	set_values(e->c, r->then, &x);
	add_edge(e, from, &x, rule, here && r->kind != COH_STEP ? r->event : COH_NONE);
}

/* Messages of one direction pass the tap. */
static void pass_tap(struct explorer *e, uint32_t from, uint32_t sender)
{
	bool between = e->c->net.tap == COH_TAP_BETWEEN;

	for (uint32_t i = 0; between && i < e->states.at[from].flight[sender][UNSEEN].n; i++) {
		struct state x = e->states.at[from];
		struct flight *f = x.flight[sender];
		uint8_t event = f[UNSEEN].event[i];

		if (!is_first(e, &f[UNSEEN], i))
			continue;
		flight_take(&f[UNSEEN], i);
		flight_put(e, &f[SEEN], event);
		add_edge(e, from, &x, COH_NONE, event);
	}
}

static bool explorer_leave(struct explorer *e, uint32_t from)
{
	if (!vec_push(&e->s->first, (uint32_t)e->s->edges.n))
		return false;
	for (uint32_t i = 0; i < e->c->nvars; i++)
		e->s->values[i] |= (uint32_t)1 << e->states.at[from].var[i];
	for (uint32_t rule = 0; rule < e->c->list.n && !e->failed; rule++)
		explorer_move(e, from, rule);
	for (uint32_t sender = 0; sender < COH_NODES && !e->failed; sender++)
		pass_tap(e, from, sender);
	return !e->failed;
}

/* ---- a state that no move leaves ---- */

static void describe_state(const struct explorer *e, const struct state *x, struct buf *b)
{
	const struct coh *c = e->c;

	for (uint32_t i = 0; i < c->nvars; i++)
		buf_addf(b, "%s%s.%s=%s", i != 0 ? " " : "",
			 c->proto->names.groups[c->net.nodes[c->vars[i].node]], c->vars[i].name,
			 c->vars[i].values[x->var[i]]);
	for (uint32_t sender = 0; sender < COH_NODES; sender++)
		for (uint32_t side = 0; side < SIDES; side++)
			for (uint32_t i = 0; i < x->flight[sender][side].n; i++)
				buf_addf(b, ", %s under way",
					 coh_event_name(c, x->flight[sender][side].event[i]));
}

static void note_move(const struct explorer *e, struct diags *d, size_t record,
		      const struct reached *how)
{
	static const char *const verbs[] = { "changes its variables", "sends", "receives", "" };
	const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };
	const struct coh_rule *r;

	if (how->rule == COH_NONE) {
		diag_note(d, record, nowhere, "%s passes the tap",
			  coh_event_name(e->c, how->event));
		return;
	}
	r = &e->c->list.at[how->rule];
	diag_note(d, record, r->range, "%s %s%s%s",
		  e->c->proto->names.groups[e->c->net.nodes[r->node]], verbs[r->kind],
		  r->kind == COH_STEP ? "" : " ",
		  r->kind == COH_STEP ? "" : coh_event_name(e->c, r->event));
}

static enum nfart_status report_stuck(struct explorer *e, struct diags *d, uint32_t state)
{
	VEC(uint32_t) path = { 0 };
	struct buf b = { 0 };
	uint32_t last = COH_NONE; /* the last rule by which a node moved */
	size_t record;
	bool ok = true;

	describe_state(e, &e->states.at[state], &b);
	for (uint32_t i = state; e->reached.at[i].from != COH_NONE; i = e->reached.at[i].from) {
		ok = ok && vec_push(&path, i);
		if (e->reached.at[i].rule != COH_NONE && last == COH_NONE)
			last = e->reached.at[i].rule;
	}
	record = diag_report(d, DIAG_ERROR, "stuck",
			     e->c->list.at[last != COH_NONE ? last : 0].range,
			     "after these moves neither node can move, and no message: %s",
			     b.failed ? "" : b.at);
	for (size_t i = path.n; ok && i > 0; i--)
		note_move(e, d, record, &e->reached.at[path.at[i - 1]]);
	vec_free(&path);
	buf_free(&b);
	return ok ? NFART_INPUT : NFART_SYSTEM;
}

enum nfart_status system_of_rules(const struct coh *c, struct diags *d, uint32_t most,
				  struct coh_system *s)
{
	struct explorer e = { .c = c, .s = s };
	struct state start = { .var = { 0 } };
	enum nfart_status status = NFART_OK;

	e.failed = !system_init(c, s);
	explorer_number(&e, &start, (struct reached){ COH_NONE, COH_NONE, COH_NONE });
	for (uint32_t i = 0; i < e.states.n && !e.failed && status == NFART_OK; i++) {
		size_t before = s->edges.n;

		if (!explorer_leave(&e, i))
			e.failed = true;
		else if (s->edges.n == before)
			status = report_stuck(&e, d, i);
		else if (e.states.n > most)
			status = NFART_GAVEUP;
	}
	if (status == NFART_GAVEUP)
		diag_report(d, DIAG_ERROR, "gave-up", c->list.at[0].range,
			    "gave up: the rules allow more than %" PRIu32 " states", most);
	s->nstates = (uint32_t)e.states.n;
	if (e.failed || !vec_push(&s->first, (uint32_t)s->edges.n))
		status = NFART_SYSTEM;
	hash_free(&e.hash);
	vec_free(&e.states);
	vec_free(&e.reached);
	return status;
}
