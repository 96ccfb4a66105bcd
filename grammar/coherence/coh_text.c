/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the statements of a coherence description. Rules and messages are read in coh_rule.c, and
 * the whole is checked in coh_check.c.
 */
#include <stdarg.h>
#include <string.h>

#include "contract/proto/reserved.h"
#include "grammar/coherence/coh_int.h"

/* ---- names ---- */

char *coh_text_copy(struct coh_reader *r, const char *s, size_t n)
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
	uint64_t events = 0;

	for (uint32_t i = 0; i < c->ngroups; i++)
		if (is_name(c->groups[i].name, s, n))
			return c->groups[i].events;
	if (event == COH_NONE)
		return 0;
	/* The events of a home have one name. */
	for (uint32_t i = event; i < c->nevents; i++)
		if (is_name(coh_event_name(c, i), s, n))
			events |= (uint64_t)1 << i;
	return events;
}

bool coh_is_taken(const struct nfart_proto *p, const char *s, size_t n)
{
	return proto_find_group(p, s, n) >= 0 || proto_find_type(p, s, n) >= 0 ||
	       proto_find_event(p, s, n) >= 0;
}

void name_error(struct coh_reader *r, struct diag_range at, const char *format, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	if (r->undeclared)
		desc_fail(&r->c);
	else
		desc_error(&r->c, at, "%s", text);
}

/* Reports that an event can come from its node and from another one. What is needed depends on
 * whether a statement `event` names it. */
static void report_shared(struct coh_reader *r, uint32_t event, uint32_t other,
			  struct diag_range at)
{
	const struct coh *c = r->coh;
	const struct coh_event *e = &c->events[event];
	const char *group = c->proto->names.groups[coh_event_group(c, event)];
	const char *name = c->proto->names.events[c->parts.at[e->parts.first].proto].name;

	if (e->name == name)
		desc_error(&r->c, at, "%s and %s share the group %s that '%s' comes from: 'event "
			   "NAME from NODE = %s[TEST]' says who sends it", c->net.names[e->node],
			   c->net.names[other], group, name, name);
	else
		desc_error(&r->c, at, "%s and %s share the group %s that '%s' comes from: 'from "
			   "NODE' behind the name of the event says who sends it",
			   c->net.names[e->node], c->net.names[other], group, name);
}

void find_sender(struct coh_reader *r, uint32_t event, struct diag_range at)
{
	struct coh *c = r->coh;
	uint32_t group = coh_event_group(c, event);

	for (uint32_t i = 0; i < c->net.nnodes; i++) {
		if (c->net.nodes[i] != group)
			continue;
		if (c->events[event].node != COH_NONE) {
			report_shared(r, event, i, at);
			return;
		}
		c->events[event].node = i;
	}
}

uint32_t read_event(struct coh_reader *r)
{
	struct coh *c = r->coh;
	struct diag_range at = r->c.range;
	const char *s;
	uint32_t number = number_here(r);
	size_t n = read_name(r, &s, "an event");
	uint32_t event;
	int proto;

	if (r->c.failed)
		return 0;
	event = coh_find_event(c, s, n);
	if (event != COH_NONE) {
		if (number != COH_NONE)
			c->events[event].number = number;
		return event;
	}
	proto = proto_find_event(c->proto, s, n);
	if (proto < 0)
		desc_error(&r->c, at, "protocol %s has no event '%.*s'", c->proto->name, (int)n, s);
	else if (c->nevents == COH_EVENTS)
		desc_error(&r->c, at, "there are at most %d events", COH_EVENTS);
	if (r->c.failed)
		return 0;
	c->events[c->nevents] = (struct coh_event){
		.name = c->proto->names.events[proto].name, .home = COH_NONE, .node = COH_NONE,
		.parts = { (uint32_t)c->parts.n, 1 }, .number = number, .class = COH_NONE,
		.range = at
	};
	if (!coh_add_part(r, (struct coh_messages){ (uint32_t)proto, { 0, 0 }, at }))
		return 0;
	find_sender(r, c->nevents, at);
	return c->nevents++;
}

size_t read_value(struct coh_reader *r, const char **s, const char *what)
{
	struct diag_range at = r->c.range;

	*s = r->c.text + at.begin;
	if (r->c.kind != DESC_NUMBER && !desc_is(&r->c, "-"))
		return read_name(r, s, what);
	desc_advance(&r->c);
	return at.end - at.begin;
}

uint32_t value_here(struct coh_reader *r, uint32_t var)
{
	const struct coh_var *v = &r->coh->vars[var];
	size_t n;
	const char *s = name_here(r, &n);

	for (uint32_t i = 0; i < v->nvalues && !r->c.failed; i++)
		if (is_name(v->values[i], s, n))
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
	name_error(r, at, "'%s' has no value '%.*s'", v->name, (int)n, s);
	return 0;
}

/* ---- variables ---- */

struct coh_var *add_var(struct coh_reader *r, uint32_t node)
{
	struct coh *c = r->coh;
	struct diag_range at = r->c.range;
	const char *s;
	uint32_t number = number_here(r);
	size_t n = read_name(r, &s, "a variable");

	for (uint32_t i = 0; i < c->nvars && !r->c.failed; i++)
		if (c->vars[i].node == node && is_name(c->vars[i].name, s, n))
			desc_error(&r->c, at, "there is already a variable '%s'", c->vars[i].name);
	if (c->nvars == COH_VARS)
		desc_error(&r->c, at, "there are at most %d variables", COH_VARS);
	if (r->c.failed)
		return NULL;
	c->vars[c->nvars] =
		(struct coh_var){ .name = coh_text_copy(r, s, n), .range = at, .node = node,
				  .number = number };
	return &c->vars[c->nvars++];
}

void add_value(struct coh_reader *r, struct coh_var *v)
{
	struct diag_range at = r->c.range;
	const char *s;
	uint32_t number = number_here(r);
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
	v->numbers[v->nvalues] = number;
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
		name_error(r, at, "'legal' stands once, after the variables");
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

static void read_ignored_event(struct coh_reader *r, void *ctx)
{
	struct diag_range at = r->c.range;
	const char *s;
	size_t n = read_name(r, &s, "an event");
	int event = r->c.failed ? 0 : proto_find_event(r->coh->proto, s, n);

	(void)ctx;
	if (event < 0)
		desc_error(&r->c, at, "protocol %s has no event '%.*s'", r->coh->proto->name,
			   (int)n, s);
	if (!r->c.failed && !vec_push(&r->ignored, ((struct coh_ignored){ (uint32_t)event, at })))
		r->memory = r->c.failed = true;
}

/* ignore EVENT, …; */
static void read_ignored(struct coh_reader *r)
{
	do {
		read_item(r, read_ignored_event, NULL);
	} while (desc_accept(&r->c, ","));
}

/* ---- other statements ---- */

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

/* group NAME = EVENT, …; */
static void read_group(struct coh_reader *r, struct diag_range at)
{
	struct coh *c = r->coh;
	struct coh_group *g = &c->groups[c->ngroups];
	const char *s;
	size_t n = read_name(r, &s, "a name");

	if (c->ngroups == COH_GROUPS)
		desc_error(&r->c, at, "there are at most %d groups", COH_GROUPS);
	else if (!r->c.failed && (coh_is_named(c, s, n) || proto_find_event(c->proto, s, n) >= 0))
		desc_error(&r->c, at, "there is already an event, a group or a home '%.*s'",
			   (int)n, s);
	if (r->c.failed)
		return;
	g->name = coh_text_copy(r, s, n);
	desc_expect(&r->c, "=");
	g->events = read_events(r);
	c->ngroups++;
}

/* ---- the whole ---- */

/* Is the token at the cursor the first of a statement that declares what later ones name? */
static bool is_declaration(const struct coh_reader *r)
{
	return desc_is(&r->c, "variable") || desc_is(&r->c, "legal") || desc_is(&r->c, "node");
}

/* Reads the first word of a statement, unless a rule begins with it: a node can have this name. */
static bool accept_statement(struct coh_reader *r, const char *word)
{
	struct desc was = r->c;

	if (!desc_accept(&r->c, word))
		return false;
	if (!desc_is(&r->c, ":"))
		return true;
	r->c = was;
	return false;
}

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
		read_node_statement(r);
	} else if (desc_accept(&r->c, "order")) {
		read_order(r);
	} else if (desc_accept(&r->c, "flight")) {
		read_flight(r, at);
	} else if (desc_accept(&r->c, "tap")) {
		read_tap(r, at);
	} else if (desc_accept(&r->c, "group")) {
		read_group(r, at);
	} else if (accept_statement(r, "event")) {
		read_event_statement(r);
	} else if (accept_statement(r, "home")) {
		read_home(r, at);
	} else if (desc_accept(&r->c, "start")) {
		desc_expect(&r->c, "known");
		r->coh->known = true;
		note_setting(r, &r->start, at, "start");
	} else {
		read_rule(r, at);
	}
	desc_expect(&r->c, ";");
}

/* Reads a statement, once for each number that `#` stands for in it. */
static void read_repeated(struct coh_reader *r)
{
	struct desc begin = r->c;

	r->numbered = r->each = false;
	r->others.begin = r->others.end = 0;
	read_statement(r);
	if (r->numbered && !r->each && !r->c.failed)
		desc_error(&r->c, r->others, "'~' is all numbers but that of a '#', and this "
			   "statement has none");
	while (r->numbered && !r->c.failed && ++r->number < r->count) {
		r->c = begin;
		read_statement(r);
	}
	r->number = 0;
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

/* Reads all statements. After an error it goes on behind the statement. */
static void read_statements(struct coh_reader *r)
{
	bool any = r->c.failed;

	while (!r->memory && (r->c.failed || r->c.kind != DESC_END)) {
		bool declares = is_declaration(r);

		if (!r->c.failed)
			read_repeated(r);
		if (!r->c.failed || r->memory)
			continue;
		any = true;
		r->undeclared = r->undeclared || declares;
		desc_recover(&r->c);
		if (desc_is(&r->c, "}"))
			desc_advance(&r->c);
	}
	r->c.failed = any || r->memory;
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
	if (c->proto != NULL)
		read_statements(&r);
	if (c->proto != NULL && !r.memory)
		check_description(&r, at);
	vec_free(&r.ignored);
	return !r.c.failed ? NFART_OK : r.memory || d->failed ? NFART_SYSTEM : NFART_INPUT;
}

void coh_free(struct coh *c)
{
	arena_free(&c->arena);
	vec_free(&c->tests);
	vec_free(&c->guards);
	vec_free(&c->parts);
	vec_free(&c->homes);
	vec_free(&c->list);
}
