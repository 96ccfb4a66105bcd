/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the statements of a coherence description, and checks the whole. Rules and messages are
 * read in coh_rule.c.
 */
#include <string.h>

#include "contract/proto/reserved.h"
#include "grammar/coherence/coh_int.h"

/* ---- names ---- */

static char *coh_text_copy(struct coh_reader *r, const char *s, size_t n)
{
	char *t = arena_strndup(&r->coh->arena, s, n);

	r->memory = r->memory || t == NULL;
	r->c.failed = r->c.failed || t == NULL;
	return t;
}

static bool is_name(const char *name, const char *s, size_t n)
{
	return strncmp(name, s, n) == 0 && name[n] == 0;
}

uint32_t coh_find_event(const struct coh *c, const char *s, size_t n)
{
	for (uint32_t i = 0; i < c->nevents; i++)
		if (is_name(coh_event_name(c, i), s, n))
			return i;
	return COH_NONE;
}

uint64_t coh_find_events(const struct coh *c, const char *s, size_t n)
{
	uint32_t event = coh_find_event(c, s, n);

	for (uint32_t i = 0; i < c->ngroups; i++)
		if (is_name(c->groups[i].name, s, n))
			return c->groups[i].events;
	return event != COH_NONE ? (uint64_t)1 << event : 0;
}

bool coh_is_taken(const struct nfart_proto *p, const char *s, size_t n)
{
	return proto_find_group(p, s, n) >= 0 || proto_find_type(p, s, n) >= 0 ||
	       proto_find_event(p, s, n) >= 0;
}

static uint32_t find_node(const struct coh *c, const char *s, size_t n)
{
	for (uint32_t i = 0; i < c->net.nnodes; i++)
		if (is_name(c->proto->names.groups[c->net.nodes[i]], s, n))
			return i;
	return COH_NONE;
}

uint32_t read_event(struct coh_reader *r)
{
	struct coh *c = r->coh;
	struct diag_range at = r->c.range;
	const char *s;
	size_t n = desc_word(&r->c, &s, "an event");
	uint32_t event;
	int proto;

	if (r->c.failed)
		return 0;
	event = coh_find_event(c, s, n);
	if (event != COH_NONE)
		return event;
	proto = proto_find_event(c->proto, s, n);
	if (proto < 0)
		desc_error(&r->c, at, "protocol %s has no event '%.*s'", c->proto->name, (int)n, s);
	else if (c->nevents == COH_EVENTS)
		desc_error(&r->c, at, "there are at most %d events", COH_EVENTS);
	if (r->c.failed)
		return 0;
	c->events[c->nevents] = (struct coh_event){ (uint32_t)proto, COH_NONE, COH_NONE };
	for (uint32_t i = 0; i < c->net.nnodes; i++)
		if (c->net.nodes[i] == c->proto->names.events[proto].group)
			c->events[c->nevents].node = i;
	return c->nevents++;
}

uint32_t read_node(struct coh_reader *r)
{
	struct diag_range at = r->c.range;
	const char *s;
	size_t n = desc_word(&r->c, &s, "a node");
	uint32_t node = r->c.failed ? 0 : find_node(r->coh, s, n);

	if (node == COH_NONE)
		desc_error(&r->c, at, "no node '%.*s'", (int)n, s);
	return node;
}

size_t read_value(struct coh_reader *r, const char **s, const char *what)
{
	struct diag_range at = r->c.range;

	*s = r->c.text + at.begin;
	if (r->c.kind != DESC_NUMBER && !desc_is(&r->c, "-"))
		return desc_word(&r->c, s, what);
	desc_advance(&r->c);
	return at.end - at.begin;
}

uint32_t value_here(const struct coh_reader *r, uint32_t var)
{
	const struct coh_var *v = &r->coh->vars[var];
	struct diag_range at = r->c.range;

	for (uint32_t i = 0; i < v->nvalues && !r->c.failed; i++)
		if (is_name(v->values[i], r->c.text + at.begin, at.end - at.begin))
			return i;
	return COH_NONE;
}

uint32_t read_value_of(struct coh_reader *r, uint32_t var)
{
	const struct coh_var *v = &r->coh->vars[var];
	struct diag_range at = r->c.range;
	uint32_t value = value_here(r, var);
	const char *s;
	size_t n = read_value(r, &s, "a value");

	if (value != COH_NONE)
		return value;
	desc_error(&r->c, at, "'%s' has no value '%.*s'", v->name, (int)n, s);
	return 0;
}

/* ---- variables ---- */

struct coh_var *add_var(struct coh_reader *r, uint32_t node)
{
	struct coh *c = r->coh;
	struct diag_range at = r->c.range;
	const char *s;
	size_t n = desc_word(&r->c, &s, "a variable");

	for (uint32_t i = 0; i < c->nvars && !r->c.failed; i++)
		if (c->vars[i].node == node && is_name(c->vars[i].name, s, n))
			desc_error(&r->c, at, "there is already a variable '%s'", c->vars[i].name);
	if (c->nvars == COH_VARS)
		desc_error(&r->c, at, "there are at most %d variables", COH_VARS);
	if (r->c.failed)
		return NULL;
	c->vars[c->nvars] =
		(struct coh_var){ .name = coh_text_copy(r, s, n), .range = at, .node = node };
	return &c->vars[c->nvars++];
}

void add_value(struct coh_reader *r, struct coh_var *v)
{
	struct diag_range at = r->c.range;
	const char *s;
	size_t n = read_value(r, &s, "a value");

	if (r->c.failed || v == NULL)
		return;
	for (uint32_t i = 0; i < v->nvalues; i++)
		if (is_name(v->values[i], s, n))
			desc_error(&r->c, at, "the value '%s' stands twice", v->values[i]);
	if (v->nvalues == COH_VALUES)
		desc_error(&r->c, at, "a variable has at most %d values", COH_VALUES);
	if (r->c.failed)
		return;
	v->ranges[v->nvalues] = at;
	v->values[v->nvalues++] = coh_text_copy(r, s, n);
}

/* variable NAME: VALUE, VALUE, …; */
static void read_variable(struct coh_reader *r, struct diag_range at)
{
	struct coh_var *v;

	if (r->coh->net.nnodes != 0 || r->coh->tables.nlegal != 0)
		desc_error(&r->c, at, "variables of tables come before what is legal, and not "
			   "together with nodes");
	v = add_var(r, 0);
	desc_expect(&r->c, ":");
	do {
		add_value(r, v);
	} while (desc_accept(&r->c, ","));
}

/* legal VALUE VALUE …, VALUE VALUE …; */
static void read_legal(struct coh_reader *r, struct diag_range at)
{
	struct coh *c = r->coh;

	if (c->tables.nlegal != 0 || c->nvars == 0)
		desc_error(&r->c, at, "'legal' stands once, after the variables");
	do {
		if (c->tables.nlegal == COH_LEGAL)
			desc_error(&r->c, r->c.range, "at most %d combinations are legal",
				   COH_LEGAL);
		if (r->c.failed)
			return;
		for (uint32_t i = 0; i < c->nvars; i++)
			c->tables.legal[c->tables.nlegal][i] = (uint8_t)read_value_of(r, i);
		c->tables.nlegal++;
	} while (desc_accept(&r->c, ","));
}

/* ignore EVENT, …; */
static void read_ignored(struct coh_reader *r)
{
	do {
		struct diag_range at = r->c.range;
		const char *s;
		size_t n = desc_word(&r->c, &s, "an event");

		if (!r->c.failed && proto_find_event(r->coh->proto, s, n) < 0)
			desc_error(&r->c, at, "protocol %s has no event '%.*s'",
				   r->coh->proto->name, (int)n, s);
		else if (!r->c.failed && coh_find_event(r->coh, s, n) != COH_NONE)
			desc_error(&r->c, at, "this event is not ignored above");
	} while (desc_accept(&r->c, ","));
}

/* ---- nodes ---- */

/* node GROUP: NAME = VALUE VALUE …, NAME = VALUE VALUE …; */
static void read_node_statement(struct coh_reader *r, struct diag_range at)
{
	struct coh *c = r->coh;
	struct diag_range name = r->c.range;
	const char *s;
	size_t n = desc_word(&r->c, &s, "a group of the protocol");
	int group = r->c.failed ? 0 : proto_find_group(c->proto, s, n);

	if (group < 0)
		desc_error(&r->c, name, "protocol %s has no group '%.*s'", c->proto->name, (int)n,
			   s);
	else if (!r->c.failed && find_node(c, s, n) != COH_NONE)
		desc_error(&r->c, name, "there is already a node '%.*s'", (int)n, s);
	else if (c->net.nnodes == COH_NODES || c->nevents != 0)
		desc_error(&r->c, at, "there are %d nodes, before all that names an event",
			   COH_NODES);
	else if (c->nvars != 0 && !c->rules)
		desc_error(&r->c, at, "a description has either tables or nodes");
	if (r->c.failed)
		return;
	c->rules = true;
	c->net.flight[c->net.nnodes] = 4;
	c->net.nodes[c->net.nnodes++] = (uint32_t)group;
	desc_expect(&r->c, ":");
	do {
		struct coh_var *v = add_var(r, c->net.nnodes - 1);

		desc_expect(&r->c, "=");
		while (!r->c.failed && !desc_is(&r->c, ",") && !desc_is(&r->c, ";"))
			add_value(r, v);
	} while (desc_accept(&r->c, ","));
}

/* order EVENT, …; */
static void read_order(struct coh_reader *r)
{
	struct coh *c = r->coh;
	uint32_t node = COH_NONE;

	do {
		struct diag_range at = r->c.range;
		struct coh_event *e = &c->events[read_event(r)];

		if (r->c.failed)
			return;
		if (node == COH_NONE)
			node = e->node;
		if (e->node == COH_NONE || e->node != node)
			desc_error(&r->c, at, "one node sends all messages that keep their order");
		else if (e->class != COH_NONE)
			desc_error(&r->c, at, "this event already keeps the order of others");
		else
			e->class = c->net.nclasses[node];
	} while (desc_accept(&r->c, ","));
	if (!r->c.failed)
		c->net.nclasses[node]++;
}

void note_setting(struct coh_reader *r, struct diag_range *last, struct diag_range at,
		  const char *what)
{
	size_t record;

	if (last->end != last->begin) {
		record = diag_report(r->c.diags, DIAG_WARNING, "doubled-setting", at,
				     "'%s' is set twice: this one counts", what);
		diag_note(r->c.diags, record, *last, "the one before is here");
	}
	*last = at;
}

/* flight NODE NUMBER; */
static void read_flight(struct coh_reader *r, struct diag_range at)
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
static void read_tap(struct coh_reader *r, struct diag_range at)
{
	note_setting(r, &r->tap, at, "tap");
	r->coh->net.tap = desc_accept(&r->c, "between") ? COH_TAP_BETWEEN : COH_TAP_AT;
	if (r->coh->net.tap == COH_TAP_BETWEEN)
		return;
	desc_expect(&r->c, "at");
	r->coh->net.tap_node = read_node(r);
}

/* group NAME = EVENT, …; */
static void read_group(struct coh_reader *r, struct diag_range at)
{
	struct coh *c = r->coh;
	struct coh_group *g = &c->groups[c->ngroups];
	const char *s;
	size_t n = desc_word(&r->c, &s, "a name");

	if (c->ngroups == COH_GROUPS)
		desc_error(&r->c, at, "there are at most %d groups", COH_GROUPS);
	else if (!r->c.failed && (coh_find_events(c, s, n) != 0 ||
				  proto_find_event(c->proto, s, n) >= 0))
		desc_error(&r->c, at, "there is already a group or an event '%.*s'", (int)n, s);
	if (r->c.failed)
		return;
	g->name = coh_text_copy(r, s, n);
	desc_expect(&r->c, "=");
	do {
		uint32_t event = read_event(r);

		g->events |= (uint64_t)1 << event;
	} while (desc_accept(&r->c, ","));
	c->ngroups++;
}

/* ---- the whole ---- */

static void read_statement(struct coh_reader *r)
{
	struct diag_range at = r->c.range;

	if (desc_accept(&r->c, "variable")) {
		read_variable(r, at);
	} else if (desc_accept(&r->c, "legal")) {
		read_legal(r, at);
	} else if (desc_accept(&r->c, "ignore")) {
		read_ignored(r);
	} else if (desc_accept(&r->c, "message")) {
		read_message(r, at);
	} else if (desc_accept(&r->c, "node")) {
		read_node_statement(r, at);
	} else if (desc_accept(&r->c, "order")) {
		read_order(r);
	} else if (desc_accept(&r->c, "flight")) {
		read_flight(r, at);
	} else if (desc_accept(&r->c, "tap")) {
		read_tap(r, at);
	} else if (desc_accept(&r->c, "group")) {
		read_group(r, at);
	} else if (desc_accept(&r->c, "start")) {
		desc_expect(&r->c, "known");
		r->coh->known = true;
		note_setting(r, &r->start, at, "start");
	} else {
		read_rule(r, at);
	}
	desc_expect(&r->c, ";");
}

static void read_heading(struct coh_reader *r)
{
	struct diag_range at;
	size_t errors = r->c.diags->errors;
	const char *s;
	size_t n;

	desc_expect(&r->c, "protocol");
	at = r->c.range;
	n = desc_word(&r->c, &s, "the name of a protocol");
	if (!r->c.failed) {
		r->coh->proto = r->options->find_protocol(r->options->ctx, s, n);
		if (r->coh->proto == NULL && r->c.diags->errors == errors)
			desc_error(&r->c, at, "no protocol '%.*s'", (int)n, s);
		r->c.failed = r->coh->proto == NULL;
	}
	desc_expect(&r->c, ";");
	desc_expect(&r->c, "checker");
	at = r->c.range;
	n = desc_word(&r->c, &s, "the name of the checker");
	if (!r->c.failed && grammar_find_reserved(s, n) >= 0)
		desc_error(&r->c, at, "'%.*s' is a reserved word of the filter language", (int)n,
			   s);
	else if (!r->c.failed && coh_is_taken(r->coh->proto, s, n))
		desc_error(&r->c, at, "protocol %s already has a name '%.*s'",
			   r->coh->proto->name, (int)n, s);
	r->coh->name.range = at;
	if (!r->c.failed)
		r->coh->name.text = coh_text_copy(r, s, n);
	desc_expect(&r->c, ";");
}

/* Checks what no statement can tell alone, and gives each event without a class one of its own. */
static void coh_text_check(struct coh_reader *r, struct diag_range at)
{
	struct coh *c = r->coh;

	if (c->rules && c->net.nnodes != COH_NODES)
		desc_error(&r->c, at, "there must be %d nodes", COH_NODES);
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

enum nfart_status coh_parse(struct diags *d, uint32_t source, const struct coh_options *o,
			    struct coh *c)
{
	struct coh_reader r = { .coh = c, .options = o };
	struct diag_range at;

	memset(c, 0, sizeof *c);
	desc_init_rules(&r.c, d, source);
	at = r.c.range;
	read_heading(&r);
	while (!r.c.failed && r.c.kind != DESC_END)
		read_statement(&r);
	if (!r.c.failed)
		coh_text_check(&r, at);
	return !r.c.failed ? NFART_OK : r.memory || d->failed ? NFART_SYSTEM : NFART_INPUT;
}

void coh_free(struct coh *c)
{
	arena_free(&c->arena);
	vec_free(&c->tests);
	vec_free(&c->list);
}
