/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Checks what no statement of a coherence description can tell alone.
 */
#include <inttypes.h>

#include "grammar/coherence/coh_int.h"

/* Reports each event that is ignored and also named. */
static void check_ignored(struct coh_reader *r)
{
	const struct coh *c = r->coh;

	for (size_t i = 0; i < r->ignored.n; i++)
		for (uint32_t k = 0; k < c->nevents; k++) {
			size_t record;

			if (c->events[k].proto != r->ignored.at[i].event)
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
			   c->proto->names.groups[c->net.nodes[e->node]]);
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
			   c->proto->names.groups[c->net.nodes[e->node]],
			   coh_event_name(c, event));
	else if (c->rules && receive == COH_NONE)
		diag_report(r->c.diags, DIAG_WARNING, "missing-rule", c->list.at[first].range,
			    "%s sends '%s', and %s has no rule to receive it: it stays under way",
			    c->proto->names.groups[c->net.nodes[e->node]],
			    coh_event_name(c, event),
			    c->proto->names.groups[c->net.nodes[1 - e->node]]);
}

void check_description(struct coh_reader *r, struct diag_range at)
{
	check_ignored(r);
	if (!r->c.failed)
		check_whole(r, at);
	for (uint32_t i = 0; i < r->coh->nevents && !r->c.failed; i++)
		check_event_rules(r, i);
	if (!r->coh->rules || r->c.failed)
		return;
	find_receivers(r->coh);
	for (uint32_t i = 0; i < r->coh->nevents; i++)
		check_room(r, i);
}
