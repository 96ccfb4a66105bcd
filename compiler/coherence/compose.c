/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [order of parts]. Sets take less room if parts that depend on each other are near each
 * other. What belongs to none of the equal nodes comes first, on which all others depend. What
 * belongs to one of them comes together: its variables, those of others with its number, its
 * messages, and those for it. How many messages other nodes have under way comes last.
 */
#include "compiler/coherence/compose.h"

#include <string.h>

#include "compiler/coherence/state.h"

/* The most values of comparing tests that are tried, of all rules: a second. */
enum { MOST_TRIED = KEPT_MOST_STEPS / 4 };

/* What a part is. */
enum place_kind { PLACE_VARIABLE, PLACE_QUEUE, PLACE_COUNT };

struct place {
	enum place_kind kind;
	uint32_t rank;      /* Note [order of parts] */
	uint32_t of;        /* the variable; a node that sends */
	uint32_t place;     /* as in struct under_way */
	uint32_t class;
	uint64_t events;    /* of a queue */
};

struct composer {
	const struct coh *c;
	struct composed *x;
	VEC(struct place) places;
	uint32_t tried; /* values of comparing tests */
	/* The steps of the current move, by part, and whether there is one. */
	struct kept_step step[KEPT_PARTS];
	bool has[KEPT_PARTS];
	bool failed, too_large;
};

/* ---- parts ---- */

/* Returns the number of a node among the equal ones, or COH_NONE. */
static uint32_t number_of(const struct coh *c, uint32_t node)
{
	return node - c->net.equal < c->net.nequal ? node - c->net.equal : COH_NONE;
}

static void add_place(struct composer *k, struct place p, uint32_t number)
{
	p.rank = number != COH_NONE ? number + 1 : p.kind == PLACE_COUNT ? COH_NODES + 1 : 0;
	if (k->places.n == KEPT_PARTS)
		k->too_large = true;
	else if (!vec_push(&k->places, p))
		k->failed = true;
}

/* Adds the queue that has a message at this place, if there is none yet. */
static void add_queue(struct composer *k, uint32_t event, uint32_t to, uint32_t side)
{
	const struct coh_event *e = &k->c->events[event];
	uint32_t place = under_way_new(event, to, side).place;
	uint32_t number = to != TO_ALL ? number_of(k->c, to) : COH_NONE;

	for (size_t i = 0; i < k->places.n; i++) {
		struct place *p = &k->places.at[i];

		if (p->kind == PLACE_QUEUE && p->of == e->node && p->place == place &&
		    p->class == e->class) {
			p->events |= (uint64_t)1 << event;
			return;
		}
	}
	if (number == COH_NONE)
		number = number_of(k->c, e->node);
	add_place(k, (struct place){ PLACE_QUEUE, 0, e->node, place, e->class,
				     (uint64_t)1 << event }, number);
}

static bool composer_is_tap(const struct coh *c, uint32_t node)
{
	return c->net.tap == COH_TAP_AT && c->net.tap_node == node;
}

/* Returns the side of the tap at which a message is that a node can take. */
static uint32_t side_of(const struct coh *c, uint32_t node)
{
	return composer_is_tap(c, node) ? UNSEEN : SEEN;
}

static void add_places(struct composer *k)
{
	const struct coh *c = k->c;

	for (uint32_t i = 0; i < c->nvars; i++)
		add_place(k, (struct place){ PLACE_VARIABLE, 0, i, 0, 0, 0 },
			  c->vars[i].number != COH_NONE ? c->vars[i].number
							: number_of(c, c->vars[i].node));
	for (uint32_t i = 0; i < c->nevents; i++) {
		if (c->net.tap == COH_TAP_BETWEEN)
			add_queue(k, i, TO_ALL, UNSEEN);
		for (uint32_t to = 0; to < c->net.nnodes; to++)
			if ((c->events[i].receivers >> to & 1) != 0)
				add_queue(k, i, to, side_of(c, to));
	}
	for (uint32_t i = 0; i < c->net.nnodes; i++)
		add_place(k, (struct place){ PLACE_COUNT, 0, i, 0, 0, 0 }, number_of(c, i));
}

static void add_parts(struct composer *k)
{
	const struct coh *c = k->c;

	add_places(k);
	/* Insertion keeps the order of those with one rank. */
	for (size_t i = 1; i < k->places.n; i++) {
		struct place p = k->places.at[i];
		size_t at = i;

		for (; at > 0 && k->places.at[at - 1].rank > p.rank; at--)
			k->places.at[at] = k->places.at[at - 1];
		k->places.at[at] = p;
	}
	for (size_t i = 0; i < k->places.n && !k->failed; i++) {
		const struct place *p = &k->places.at[i];
		struct kept_part part = { KEPT_NONE, 1, 1 };

		if (p->kind == PLACE_VARIABLE)
			part = (struct kept_part){ p->of, c->vars[p->of].nvalues, 1 };
		else if (p->kind == PLACE_COUNT)
			part.base = c->net.flight[p->of] + 1;
		else
			part = (struct kept_part){
				KEPT_NONE, (uint32_t)__builtin_popcountll(p->events) + 1,
				c->net.flight[p->of]
			};
		k->failed = !vec_push(&k->x->parts, part);
	}
}

/* ---- moves ---- */

/* Returns the part of this kind. There is one. */
static uint32_t part_of(const struct composer *k, enum place_kind kind, uint32_t of,
			uint32_t place, uint32_t class)
{
	uint32_t i = 0;

	while (k->places.at[i].kind != kind || k->places.at[i].of != of ||
	       k->places.at[i].place != place || k->places.at[i].class != class)
		i++;
	return i;
}

static struct kept_step *step_on(struct composer *k, uint32_t part)
{
	struct kept_step *s = &k->step[part];

	if (!k->has[part])
		*s = (struct kept_step){ part, KEPT_TEST, UINT32_MAX, KEPT_NONE };
	k->has[part] = true;
	return s;
}

static void step_queue(struct composer *k, uint32_t event, uint32_t to, uint32_t side,
		       enum kept_op op)
{
	const struct coh_event *e = &k->c->events[event];
	uint32_t place = under_way_new(event, to, side).place;
	struct kept_step *s = step_on(k, part_of(k, PLACE_QUEUE, e->node, place, e->class));
	uint64_t before = k->places.at[s->part].events & (((uint64_t)1 << event) - 1);

	s->op = op;
	s->a = (uint32_t)__builtin_popcountll(before);
}

static void step_count(struct composer *k, uint32_t node, uint32_t n, enum kept_op op)
{
	struct kept_step *s = step_on(k, part_of(k, PLACE_COUNT, node, 0, 0));

	s->op = op;
	s->a = n;
}

/* Ends the current move. */
static void end_move(struct composer *k, uint32_t event, uint32_t rule)
{
	struct kept_moves m = { event, rule, (uint32_t)k->x->steps.n, 0 };

	for (uint32_t i = 0; i < k->places.n; i++)
		if (k->has[i]) {
			k->has[i] = false;
			k->failed = k->failed || !vec_push(&k->x->steps, k->step[i]);
			m.n++;
		}
	k->failed = k->failed || !vec_push(&k->x->moves, m);
	k->too_large = k->too_large || k->x->steps.n > KEPT_MOST_STEPS ||
		       k->x->moves.n > KEPT_MOST_STEPS;
}

/* Puts a message that a node sends, as put_sent() of rules.c. */
static void compose_sent(struct composer *k, uint32_t event)
{
	const struct coh *c = k->c;
	uint32_t receivers = c->events[event].receivers;

	if (c->net.tap == COH_TAP_BETWEEN)
		step_queue(k, event, TO_ALL, UNSEEN, KEPT_PUT);
	for (uint32_t to = 0; to < c->net.nnodes && c->net.tap != COH_TAP_BETWEEN; to++)
		if ((receivers >> to & 1) != 0)
			step_queue(k, event, to, side_of(c, to), KEPT_PUT);
	step_count(k, c->events[event].node, (uint32_t)__builtin_popcount(receivers), KEPT_ADD);
}

/* Makes the moves of a rule in which the variables have these values, by variable. */
static void compose_values(struct composer *k, uint32_t rule, const uint32_t *values)
{
	const struct coh *c = k->c;
	const struct coh_rule *r = &c->list.at[rule];
	bool here = composer_is_tap(c, r->node);

	for (uint32_t i = 0; i < c->nvars; i++)
		if (values[i] != UINT32_MAX)
			step_on(k, part_of(k, PLACE_VARIABLE, i, 0, 0))->a = values[i];
	for (uint32_t i = 0; i < r->then.n; i++) {
		const struct coh_test *t = &c->tests.at[r->then.first + i];

		step_on(k, part_of(k, PLACE_VARIABLE, t->var, 0, 0))->set =
			(uint32_t)__builtin_ctz(t->values);
	}
	if (r->kind == COH_SEND) {
		compose_sent(k, r->event);
	} else if (r->kind == COH_RECEIVE) {
		step_queue(k, r->event, r->node, side_of(c, r->node), KEPT_TAKE);
		step_count(k, c->events[r->event].node, 1, KEPT_SUBTRACT);
	}
	end_move(k, here && r->kind != COH_STEP ? r->event : KEPT_NONE, rule);
}

/* Takes the tests of a rule from number `at` on. One that compares two variables is taken for each
 * value of the first that leaves the second a value. */
static void compose_tests(struct composer *k, uint32_t rule, uint32_t at, const uint32_t *values)
{
	const struct coh *c = k->c;
	const struct coh_rule *r = &c->list.at[rule];
	const struct coh_test *t = &c->tests.at[r->when.first + at];
	uint32_t now[COH_VARS];

	if (k->failed || k->too_large)
		return;
	if (at == r->when.n) {
		compose_values(k, rule, values);
		return;
	}
	memcpy(now, values, sizeof now);
	if (t->other == COH_NONE) {
		now[t->var] &= t->values;
		if (now[t->var] != 0)
			compose_tests(k, rule, at + 1, now);
		return;
	}
	for (uint32_t i = 0; i < c->vars[t->var].nvalues; i++) {
		uint8_t two[COH_VARS] = { 0 };
		uint32_t others = 0;

		for (uint32_t j = 0; j < c->vars[t->other].nvalues; j++) {
			two[t->other] = (uint8_t)j;
			two[t->var] = (uint8_t)i;
			others |= (uint32_t)coh_holds(t, two, two) << j;
		}
		now[t->var] = values[t->var] & (uint32_t)1 << i;
		now[t->other] = (t->other == t->var ? now[t->var] : values[t->other]) & others;
		if (now[t->var] == 0 || now[t->other] == 0)
			continue;
		k->too_large = k->too_large || ++k->tried > MOST_TRIED;
		compose_tests(k, rule, at + 1, now);
	}
}

/* Makes the moves in which messages pass a tap that is between the nodes. */
static void compose_pass(struct composer *k)
{
	const struct coh *c = k->c;

	for (uint32_t i = 0; i < c->nevents && c->net.tap == COH_TAP_BETWEEN; i++) {
		step_queue(k, i, TO_ALL, UNSEEN, KEPT_TAKE);
		for (uint32_t to = 0; to < c->net.nnodes; to++)
			if ((c->events[i].receivers >> to & 1) != 0)
				step_queue(k, i, to, SEEN, KEPT_PUT);
		end_move(k, i, KEPT_NONE);
	}
}

enum nfart_status compose(const struct coh *c, struct composed *x)
{
	struct composer *k = calloc(1, sizeof *k);
	uint32_t values[COH_VARS];
	enum nfart_status status = NFART_SYSTEM;

	memset(x, 0, sizeof *x);
	if (k == NULL)
		return NFART_SYSTEM;
	k->c = c;
	k->x = x;
	add_parts(k);
	memset(values, 0xff, sizeof values);
	for (uint32_t i = 0; i < c->list.n && !k->failed && !k->too_large; i++) {
		k->too_large = c->list.at[i].when.n > KEPT_TESTS;
		compose_tests(k, i, 0, values);
	}
	if (!k->failed && !k->too_large)
		compose_pass(k);
	if (!k->failed)
		status = k->too_large ? NFART_GAVEUP : NFART_OK;
	vec_free(&k->places);
	free(k);
	return status;
}

void composed_free(struct composed *x)
{
	vec_free(&x->parts);
	vec_free(&x->steps);
	vec_free(&x->moves);
	vec_free(&x->nodes);
	vec_free(&x->edges);
}
