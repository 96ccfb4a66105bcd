/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Explores what the rules of nodes allow, breadth first.
 */
#include <inttypes.h>
#include <string.h>

#include "compiler/coherence/size.h"
#include "support/buf.h"
#include "support/hash.h"

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

static uint64_t hash_of(const void *explorer, uint32_t id)
{
	const struct explorer *e = explorer;

	return state_hash(&e->states.at[id]);
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
	at = hash_find(&e->hash, state_hash(x), explorer_same, e, x);
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

static bool is_tap(const struct coh *c, uint32_t node)
{
	return c->net.tap == COH_TAP_AT && c->net.tap_node == node;
}

/* Returns the number of the queue that a message is in. */
static uint32_t queue_of(const struct explorer *e, const struct under_way *m)
{
	const struct coh_event *event = &e->c->events[m->event];

	return (event->node * 2 * (TO_ALL + 1) + m->place) * COH_EVENTS + event->class;
}

static void put_message(const struct explorer *e, struct state *x, struct under_way m)
{
	uint32_t i = x->n++;

	for (; i > 0 && queue_of(e, &x->m[i - 1]) > queue_of(e, &m); i--)
		x->m[i] = x->m[i - 1];
	x->m[i] = m;
}

/* Puts a copy for each receiver of an event. If the tap is at a node, only its copy is unseen. */
static void put_copies(const struct explorer *e, struct state *x, uint32_t event, bool between)
{
	for (uint32_t to = 0; to < e->c->net.nnodes; to++)
		if ((e->c->events[event].receivers >> to & 1) != 0)
			put_message(e, x,
				    under_way_new(event, to, between || !is_tap(e->c, to)
								     ? SEEN : UNSEEN));
}

/* Puts a message that a node sends. */
static void put_sent(const struct explorer *e, struct state *x, uint32_t event)
{
	if (e->c->net.tap == COH_TAP_BETWEEN)
		put_message(e, x, under_way_new(event, TO_ALL, UNSEEN));
	else
		put_copies(e, x, event, false);
}

/* Is message i the first of its queue? */
static bool is_first(const struct explorer *e, const struct state *x, uint32_t i)
{
	return i == 0 || queue_of(e, &x->m[i - 1]) != queue_of(e, &x->m[i]);
}

static void take_message(struct state *x, uint32_t i)
{
	x->n--;
	for (; i < x->n; i++)
		x->m[i] = x->m[i + 1];
	x->m[x->n] = (struct under_way){ 0, 0 };
}

/* A node takes a message of this event, if it is the first of its queue. */
static bool take_event(const struct explorer *e, struct state *x, uint32_t node, uint32_t event)
{
	struct under_way wanted =
		under_way_new(event, node, is_tap(e->c, node) ? UNSEEN : SEEN);

	for (uint32_t i = 0; i < x->n; i++)
		if (x->m[i].event == wanted.event && x->m[i].place == wanted.place &&
		    is_first(e, x, i)) {
			take_message(x, i);
			return true;
		}
	return false;
}

/* Has a node room for a message of this event? */
static bool has_room(const struct explorer *e, const struct state *x, uint32_t node, uint32_t event)
{
	uint32_t n = (uint32_t)__builtin_popcount(e->c->events[event].receivers);

	for (uint32_t i = 0; i < x->n; i++)
		if (e->c->events[x->m[i].event].node == node)
			n += under_way_count(e->c, &x->m[i]);
	return n <= e->c->net.flight[node];
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

/* A node moves by a rule, if it can. */
static void explorer_move(struct explorer *e, uint32_t from, uint32_t rule)
{
	const struct coh_rule *r = &e->c->list.at[rule];
	struct state x = e->states.at[from];
	bool here = is_tap(e->c, r->node);

	if (!coh_all_hold(e->c, r->when, x.var, x.var))
		return;
	if (r->kind == COH_RECEIVE && !take_event(e, &x, r->node, r->event))
		return;
	if (r->kind != COH_STEP)
		e->s->used.at[rule] = true;
	if (r->kind == COH_SEND) {
		if (!has_room(e, &x, r->node, r->event)) {
			if (e->s->blocked[r->node] == COH_NONE)
				e->s->blocked[r->node] = rule;
			return;
		}
		put_sent(e, &x, r->event);
	}
	set_values(e->c, r->then, &x);
	add_edge(e, from, &x, rule, here && r->kind != COH_STEP ? r->event : COH_NONE);
}

/* Messages pass a tap that is between the nodes. */
static void pass_tap(struct explorer *e, uint32_t from)
{
	bool between = e->c->net.tap == COH_TAP_BETWEEN;

	for (uint32_t i = 0; between && i < e->states.at[from].n && !e->failed; i++) {
		struct state x = e->states.at[from];
		uint8_t event = x.m[i].event;

		if (x.m[i].place % 2 == SEEN || !is_first(e, &x, i))
			continue;
		take_message(&x, i);
		put_copies(e, &x, event, true);
		add_edge(e, from, &x, COH_NONE, event);
	}
}

static bool explorer_leave(struct explorer *e, uint32_t from)
{
	if (!vec_push(&e->s->first, (uint32_t)e->s->edges.n) ||
	    !system_note_state(e->c, e->states.at[from].var, e->s))
		return false;
	for (uint32_t rule = 0; rule < e->c->list.n && !e->failed; rule++)
		explorer_move(e, from, rule);
	pass_tap(e, from);
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
	for (uint32_t i = 0; i < x->n; i++)
		buf_addf(b, ", %s under way", coh_event_name(c, x->m[i].event));
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
			     "after these moves %s can move, and no message: %s",
			     e->c->net.nnodes == 2 ? "neither node" : "no node",
			     b.failed ? "" : b.at);
	for (size_t i = path.n; ok && i > 0; i--)
		note_move(e, d, record, &e->reached.at[path.at[i - 1]]);
	vec_free(&path);
	buf_free(&b);
	return ok ? NFART_INPUT : NFART_SYSTEM;
}

static void report_states(const struct explorer *e, struct diags *d, uint32_t most)
{
	size_t record = diag_report(d, DIAG_ERROR, "gave-up",
				    size_place(e->c, &e->s->largest, e->c->list.at[0].range),
				    "gave up: the rules allow more than %" PRIu32 " states", most);

	size_note(e->c, d, record, &e->s->largest);
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
	s->nstates = (uint32_t)e.states.n;
	if (!e.failed && !size_measure(c, e.states.at, s->nstates, &s->largest))
		e.failed = true;
	if (status == NFART_GAVEUP)
		report_states(&e, d, most);
	if (e.failed || !vec_push(&s->first, (uint32_t)s->edges.n))
		status = NFART_SYSTEM;
	hash_free(&e.hash);
	vec_free(&e.states);
	vec_free(&e.reached);
	return status;
}
