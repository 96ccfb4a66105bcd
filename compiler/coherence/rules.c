/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Explores what the rules of nodes allow, breadth first.
 */
#include "compiler/coherence/rules_int.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/coherence/size.h"
#include "compiler/coherence/unfold.h"

/* What a move counts in explorer.tries, where a rule that is tried counts one. A state that can be
 * renamed takes longer. */
enum { TRIES_OF_MOVE = 8, TRIES_OF_RENAMED = 32 };

/* ---- the set of states ---- */

static uint64_t hash_of(const void *explorer, uint32_t id)
{
	const struct explorer *e = explorer;

	return e->hashes.at[id];
}

/* A state that is looked for, and its hash. */
struct wanted {
	const struct state *state;
	uint64_t hash;
};

/* Hashes are compared first: they take less room than states, so more of them are in caches. */
static bool explorer_same(const void *explorer, uint32_t id, const void *key)
{
	const struct explorer *e = explorer;
	const struct wanted *wanted = key;

	return e->hashes.at[id] == wanted->hash &&
	       memcmp(&e->states.at[id], wanted->state, sizeof e->states.at[id]) == 0;
}

/* Returns the number of the state that stands for the orbit of *x. It is new if it was not reached
 * before. Sets how->renamed. */
static uint32_t explorer_number(struct explorer *e, const struct state *from, struct reached *how)
{
	struct state x;
	struct wanted wanted = { &x, 0 };
	uint32_t least;
	size_t at;

	how->renamed = (uint16_t)symmetry_canonical(&e->y, from, &x, &least);
	wanted.hash = state_hash(&x);
	if (!hash_room(&e->hash, hash_of, e)) {
		e->failed = true;
		return 0;
	}
	at = hash_find(&e->hash, wanted.hash, explorer_same, e, &wanted);
	if (hash_id(&e->hash, at) != HASH_NONE)
		return hash_id(&e->hash, at);
	if (!vec_push(&e->states, x) || !vec_push(&e->hashes, wanted.hash) ||
	    !vec_push(&e->reached, *how)) {
		e->failed = true;
		return 0;
	}
	e->all += least;
	hash_put(&e->hash, at, (uint32_t)e->states.n - 1);
	return (uint32_t)e->states.n - 1;
}

/* ---- messages under way ---- */

static bool is_tap(const struct coh *c, uint32_t node)
{
	return c->net.tap == COH_TAP_AT && c->net.tap_node == node;
}

/* Puts a copy for each receiver of an event. If the tap is at a node, only its copy is unseen. */
static void put_copies(const struct explorer *e, struct state *x, uint32_t event, bool between)
{
	for (uint32_t to = 0; to < e->c->net.nnodes; to++)
		if ((e->c->events[event].receivers >> to & 1) != 0)
			put_message(e->c, x,
				    under_way_new(event, to, between || !is_tap(e->c, to)
								     ? SEEN : UNSEEN));
}

/* Puts a message that a node sends. */
static void put_sent(const struct explorer *e, struct state *x, uint32_t event)
{
	if (e->c->net.tap == COH_TAP_BETWEEN)
		put_message(e->c, x, under_way_new(event, TO_ALL, UNSEEN));
	else
		put_copies(e, x, event, false);
}

/* Is message i the first of its queue? */
static bool is_first(const struct explorer *e, const struct state *x, uint32_t i)
{
	return i == 0 || queue_of(e->c, &x->m[i - 1]) != queue_of(e->c, &x->m[i]);
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
	struct reached how = { from, rule, event, 0 };
	bool moves = event != COH_NONE || memcmp(x, &e->states.at[from], sizeof *x) != 0;
	uint32_t to = explorer_number(e, x, &how);

	e->tries += symmetry_is_trivial(&e->y) ? TRIES_OF_MOVE : TRIES_OF_RENAMED;
	if (moves && rule != COH_NONE)
		e->s->used.at[rule] = true;
	if (!e->failed && moves &&
	    (!vec_push(&e->s->edges, ((struct coh_edge){ to, event, rule })) ||
	     !vec_push(&e->renamed, how.renamed)))
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
	const uint8_t *now = e->states.at[from].var;
	bool here = is_tap(e->c, r->node);
	struct state x;

	e->tries++;
	if (!coh_all_hold(e->c, r->when, now, now))
		return;
	x = e->states.at[from];
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

/* ---- the whole ---- */

static void report_states(const struct explorer *e, struct diags *d,
			  const struct system_options *how)
{
	bool long_before = e->states.n <= how->most;
	size_t record;

	if (e->all > system_most_all(how) && !symmetry_is_trivial(&e->y)) {
		size_report_all(e->c, d, &e->s->largest, true, (uint32_t)e->states.n, e->all,
				system_most_all(how));
		return;
	}
	record = diag_report(d, DIAG_ERROR, "gave-up",
			     size_place(e->c, &e->s->largest, e->c->list.at[0].range),
			     "gave up: the rules allow more than %" PRIu32 " states%s%s",
			     long_before ? (uint32_t)e->states.n : how->most,
			     symmetry_is_trivial(&e->y)
				     ? "" : ", counted up to renaming of equal nodes",
			     long_before ? "; it takes too long to find more" : "");
	size_note(e->c, d, record, &e->s->largest);
}

/* Explores all orbits. Returns what system_of_rules() does. */
static enum nfart_status explore(struct explorer *e, struct diags *d,
				 const struct system_options *options)
{
	struct reached how = { COH_NONE, COH_NONE, COH_NONE, 0 };
	struct state start = { .var = { 0 } };
	enum nfart_status status = NFART_OK;

	explorer_number(e, &start, &how);
	for (uint32_t i = 0; i < e->states.n && !e->failed && status == NFART_OK; i++) {
		size_t before = e->s->edges.n;

		if (!explorer_leave(e, i))
			e->failed = true;
		else if (e->s->edges.n == before)
			status = report_stuck(e, d, i);
		else if (e->states.n > options->most || e->tries > options->tries ||
			 e->all > system_most_all(options))
			status = NFART_GAVEUP;
	}
	if (!e->failed && !size_measure(&e->y, e->states.at, (uint32_t)e->states.n,
					&e->s->largest))
		e->failed = true;
	if (status == NFART_GAVEUP)
		report_states(e, d, options);
	if (e->failed || !vec_push(&e->s->first, (uint32_t)e->s->edges.n))
		status = NFART_SYSTEM;
	return status;
}

enum nfart_status system_of_rules(const struct coh *c, struct diags *d,
				  const struct system_options *how, struct coh_system *s)
{
	struct explorer e = { .c = c, .s = s };
	enum nfart_status status = NFART_SYSTEM;

	if (symmetry_find(c, &e.y) && system_init(c, s))
		status = explore(&e, d, how);
	s->nstates = s->norbits = (uint32_t)e.states.n;
	if (status == NFART_OK && !symmetry_is_trivial(&e.y))
		status = unfold(&(struct orbits){ &e.y, e.states.at, e.renamed.at }, d, how, s);
	symmetry_free(&e.y);
	hash_free(&e.hash);
	vec_free(&e.states);
	vec_free(&e.hashes);
	vec_free(&e.reached);
	vec_free(&e.renamed);
	return status;
}
