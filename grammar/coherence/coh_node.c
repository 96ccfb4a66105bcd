/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the statements of a coherence description that declare nodes, and what is between them.
 */
#include <inttypes.h>
#include <string.h>

#include "grammar/coherence/coh_int.h"

static uint32_t find_node(const struct coh *c, const char *s, size_t n)
{
	for (uint32_t i = 0; i < c->net.nnodes; i++)
		if (strncmp(c->net.names[i], s, n) == 0 && c->net.names[i][n] == 0)
			return i;
	return COH_NONE;
}

uint32_t read_node(struct coh_reader *r)
{
	struct diag_range at = r->c.range;
	const char *s;
	size_t n = read_name(r, &s, "a node");
	uint32_t node = r->c.failed ? 0 : find_node(r->coh, s, n);

	if (node == COH_NONE)
		name_error(r, at, "no node '%.*s'", (int)n, s);
	return node;
}

static void read_node_value(struct coh_reader *r, void *var)
{
	add_value(r, var);
}

/* NAME = VALUE VALUE … */
static void read_node_var(struct coh_reader *r, void *ctx)
{
	struct coh_var *v = add_var(r, r->coh->net.nnodes - 1);

	(void)ctx;
	desc_expect(&r->c, "=");
	while (!r->c.failed && !desc_is(&r->c, ",") && !desc_is(&r->c, ";"))
		read_item(r, read_node_value, v);
}

/* Adds the node that is the group of this name, or in the one that is called as the first `base`
 * bytes of it say, and reads its variables. */
static void read_one_node(struct coh_reader *r, const char *s, size_t n, size_t base,
			  struct diag_range name)
{
	struct coh *c = r->coh;
	int group = r->c.failed ? 0 : proto_find_group(c->proto, s, n);

	if (group < 0)
		group = proto_find_group(c->proto, s, base);
	if (group < 0)
		desc_error(&r->c, name, "protocol %s has no group '%.*s'", c->proto->name, (int)n,
			   s);
	else if (!r->c.failed && find_node(c, s, n) != COH_NONE)
		desc_error(&r->c, name, "there is already a node '%.*s'", (int)n, s);
	else if (c->net.nnodes == COH_NODES || c->nevents != 0)
		desc_error(&r->c, name, "there are at most %d nodes, before all that names an "
			   "event", COH_NODES);
	else if (c->nvars != 0 && !c->rules)
		desc_error(&r->c, name, "a description has either tables or nodes");
	if (r->c.failed)
		return;
	c->rules = true;
	c->net.flight[c->net.nnodes] = 4;
	c->net.names[c->net.nnodes] = coh_text_copy(r, s, n);
	c->net.nodes[c->net.nnodes++] = (uint32_t)group;
	desc_expect(&r->c, ":");
	do {
		read_item(r, read_node_var, NULL);
	} while (desc_accept(&r->c, ","));
}

/* The rest of node GROUP[NUMBER]: …; for groups with numbers behind their names, or one group. */
static void read_equal_nodes(struct coh_reader *r, const char *s, size_t n, struct diag_range name)
{
	struct desc begin;
	uint32_t count;

	if (r->count != 0)
		desc_error(&r->c, name, "only one statement can declare equal nodes");
	else if (n > COH_NAME - 2)
		desc_error(&r->c, name, "this name is longer than %d characters", COH_NAME - 2);
	count = (uint32_t)desc_number(&r->c, "the number of nodes", 2, COH_NODES);
	desc_expect(&r->c, "]");
	begin = r->c;
	if (r->c.failed)
		return;
	r->count = count;
	r->coh->net.equal = r->coh->net.nnodes;
	r->coh->net.nequal = count;
	for (r->number = 0; r->number < count && !r->c.failed; r->number++) {
		char text[COH_NAME + 1];
		int length = snprintf(text, sizeof text, "%.*s%" PRIu32, (int)n, s, r->number);

		r->c = begin;
		read_one_node(r, text, (size_t)length, n, name);
	}
	r->number = 0;
}

/* node GROUP: NAME = VALUE VALUE …, NAME = VALUE VALUE …; */
void read_node_statement(struct coh_reader *r)
{
	struct diag_range name = r->c.range;
	const char *s;
	size_t n = desc_word(&r->c, &s, "a group of the protocol");

	if (desc_accept(&r->c, "["))
		read_equal_nodes(r, s, n, name);
	else
		read_one_node(r, s, n, n, name);
	if (r->numbered)
		desc_error(&r->c, name, "in the variables of a node '*' stands for all numbers, and "
			   "'#' for none");
	r->numbered = false;
}

/* An event of `order`. *ctx is the node that sends them all, COH_NONE before the first. */
static void read_ordered(struct coh_reader *r, void *ctx)
{
	struct coh *c = r->coh;
	struct diag_range at = r->c.range;
	struct coh_event *e = &c->events[read_event(r)];
	uint32_t *node = ctx;

	if (r->c.failed)
		return;
	if (*node == COH_NONE)
		*node = e->node;
	if (e->node == COH_NONE || e->node != *node)
		desc_error(&r->c, at, "one node sends all messages that keep their order");
	else if (e->class != COH_NONE)
		desc_error(&r->c, at, "this event already keeps the order of others");
	else
		e->class = c->net.nclasses[*node];
}

/* order EVENT, …; */
void read_order(struct coh_reader *r)
{
	uint32_t node = COH_NONE;

	do {
		read_item(r, read_ordered, &node);
	} while (desc_accept(&r->c, ","));
	if (!r->c.failed)
		r->coh->net.nclasses[node]++;
}

/* flight NODE NUMBER; */
void read_flight(struct coh_reader *r, struct diag_range at)
{
	uint32_t node = read_node(r), n;

	if (r->c.failed)
		return;
	at.end = r->c.range.end;
	n = (uint32_t)desc_number(&r->c, "the messages under way", 1, COH_FLIGHT);
	if (r->c.failed)
		return;
	note_setting(r, &r->coh->net.flight_range[node], at, "flight");
	r->coh->net.flight[node] = n;
}

/* tap at NODE; or tap between; */
void read_tap(struct coh_reader *r, struct diag_range at)
{
	note_setting(r, &r->tap, at, "tap");
	r->coh->net.tap = desc_accept(&r->c, "between") ? COH_TAP_BETWEEN : COH_TAP_AT;
	if (r->coh->net.tap == COH_TAP_BETWEEN)
		return;
	desc_expect(&r->c, "at");
	r->coh->net.tap_node = read_node(r);
}
