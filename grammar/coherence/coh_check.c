/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Checks what no statement of a coherence description can tell alone.
 */
#include <inttypes.h>
#include <string.h>

#include "contract/proto/reserved.h"
#include "grammar/coherence/coh_int.h"
#include "support/buf.h"

/* Does an event have messages of this event of the protocol? */
static bool check_is_of(const struct coh *c, uint32_t event, uint32_t proto)
{
	const struct coh_span *parts = &c->events[event].parts;

	for (uint32_t i = 0; i < parts->n; i++)
		if (c->parts.at[parts->first + i].proto == proto)
			return true;
	return false;
}

/* Reports each event that is ignored and also named. */
static void check_ignored(struct coh_reader *r)
{
	const struct coh *c = r->coh;

	for (size_t i = 0; i < r->ignored.n; i++)
		for (uint32_t k = 0; k < c->nevents; k++) {
			size_t record;

			if (!check_is_of(c, k, r->ignored.at[i].event))
				continue;
			record = diag_report(r->c.diags, DIAG_ERROR, "description",
					     r->ignored.at[i].range,
					     "'%s' is ignored, and is named elsewhere",
					     coh_event_name(c, k));
			diag_note(r->c.diags, record, c->events[k].range, "it is named here");
			r->c.failed = true;
		}
}

/* Checks what no statement can tell alone, and gives each event without a class one of its own. */
static void check_whole(struct coh_reader *r, struct diag_range at)
{
	struct coh *c = r->coh;

	if (c->rules && c->net.nnodes < 2)
		desc_error(&r->c, at, "there must be at least two nodes");
	else if (!c->rules && c->tables.nlegal == 0)
		desc_error(&r->c, at, "there are neither nodes nor tables with what is legal");
	else if (c->list.n == 0)
		desc_error(&r->c, at, "there are no rules and no messages");
	if (!c->rules || r->c.failed)
		return;
	for (uint32_t i = 0; i < c->nevents; i++) {
		struct coh_event *e = &c->events[i];

		if (e->node == COH_NONE)
			desc_error(&r->c, at, "no node sends '%s'", coh_event_name(c, i));
		else if (e->class == COH_NONE)
			e->class = c->net.nclasses[e->node]++;
	}
}

/* Finds who receives each event: the nodes with a rule for it. With two nodes it is always the
 * other one. */
static void find_receivers(struct coh *c)
{
	for (size_t i = 0; i < c->list.n; i++)
		if (c->list.at[i].kind == COH_RECEIVE)
			c->events[c->list.at[i].event].receivers |=
				(uint32_t)1 << c->list.at[i].node;
	for (uint32_t i = 0; i < c->nevents && c->net.nnodes == 2; i++)
		if (c->events[i].home == COH_NONE)
			c->events[i].receivers = (uint32_t)1 << (1 - c->events[i].node);
}

uint64_t coh_tap_events(const struct coh *c)
{
	uint64_t seen = 0;

	for (uint32_t i = 0; i < c->nevents; i++) {
		const struct coh_event *e = &c->events[i];

		if (!c->rules || c->net.tap == COH_TAP_BETWEEN || e->node == c->net.tap_node ||
		    e->receivers == 0 || (e->receivers >> c->net.tap_node & 1) != 0)
			seen |= (uint64_t)1 << i;
	}
	return seen;
}

/* Checks that a message to several nodes can be under way at all. */
static void check_room(struct coh_reader *r, uint32_t event)
{
	const struct coh *c = r->coh;
	const struct coh_event *e = &c->events[event];
	const struct diag_range *said = &c->net.flight_range[e->node];
	uint32_t n = (uint32_t)__builtin_popcount(e->receivers);

	if (n > c->net.flight[e->node])
		desc_error(&r->c, said->end != said->begin ? *said : e->range,
			   "'%s' goes to %" PRIu32 " nodes, and no more than %" PRIu32
			   " messages of %s can be under way", coh_event_name(c, event), n,
			   c->net.flight[e->node],
			   c->net.names[e->node]);
}

/* Returns the first rule of this kind for an event; COH_NONE: there is none. */
static uint32_t check_find_rule(const struct coh *c, enum coh_rule_kind kind, uint32_t event)
{
	for (uint32_t i = 0; i < c->list.n; i++)
		if (c->list.at[i].kind == kind && c->list.at[i].event == event)
			return i;
	return COH_NONE;
}

/* Warns of an event that is named, but that no rule, or no rule of its receiver, speaks of. */
static void check_event_rules(struct coh_reader *r, uint32_t event)
{
	const struct coh *c = r->coh;
	const struct coh_event *e = &c->events[event];
	uint32_t first = check_find_rule(c, c->rules ? COH_SEND : COH_MESSAGE, event);
	uint32_t receive = check_find_rule(c, COH_RECEIVE, event);

	if (first == COH_NONE && receive == COH_NONE)
		diag_report(r->c.diags, DIAG_WARNING, "missing-rule", e->range,
			    "'%s' has no %s: to a checker that sees it, it is always an error",
			    coh_event_name(c, event), c->rules ? "rule" : "'message'");
	else if (c->net.nnodes > 2 && receive == COH_NONE)
		desc_error(&r->c, c->list.at[first].range,
			   "%s sends '%s', and no node has a rule to receive it",
			   c->net.names[e->node],
			   coh_event_name(c, event));
	else if (c->rules && receive == COH_NONE)
		diag_report(r->c.diags, DIAG_WARNING, "missing-rule", c->list.at[first].range,
			    "%s sends '%s', and %s has no rule to receive it: it stays under way",
			    c->net.names[e->node],
			    coh_event_name(c, event),
			    c->net.names[1 - e->node]);
}

/* Is this name taken in the text of checkers? */
static bool is_let_taken(const struct coh *c, uint32_t n, const char *name)
{
	bool taken = coh_is_taken(c->proto, name, strlen(name)) ||
		     grammar_find_reserved(name, strlen(name)) >= 0 ||
		     strcmp(name, c->name.text) == 0;

	for (uint32_t i = 0; i < n; i++)
		taken = taken || (c->events[i].let != NULL && strcmp(c->events[i].let, name) == 0);
	return taken;
}

/* Names the predicates of events that are not those of the protocol. */
static void name_predicates(struct coh_reader *r)
{
	struct coh *c = r->coh;

	for (uint32_t i = 0; i < c->nevents && !r->c.failed; i++) {
		struct coh_event *e = &c->events[i];
		const struct coh_messages *p = &c->parts.at[e->parts.first];
		struct buf b = { 0 };

		if (e->parts.n == 1 && p->guards.n == 0 &&
		    e->name == c->proto->names.events[p->proto].name)
			continue;
		buf_addf(&b, "%s_%s", c->name.text, e->name);
		while (!b.failed && is_let_taken(c, i, b.at))
			buf_addf(&b, "_");
		e->let = coh_text_copy(r, b.failed ? "" : b.at, b.n);
		r->memory = r->memory || b.failed;
		r->c.failed = r->c.failed || b.failed;
		buf_free(&b);
	}
}

void check_description(struct coh_reader *r, struct diag_range at)
{
	check_ignored(r);
	if (!r->c.failed)
		check_messages(r);
	tell_homes(r);
	if (!r->c.failed)
		check_whole(r, at);
	for (uint32_t i = 0; i < r->coh->nevents && !r->c.failed; i++)
		if (r->coh->events[i].home == COH_NONE)
			check_event_rules(r, i);
	name_predicates(r);
	if (!r->coh->rules || r->c.failed)
		return;
	find_receivers(r->coh);
	for (uint32_t i = 0; i < r->coh->nevents; i++)
		check_room(r, i);
}
