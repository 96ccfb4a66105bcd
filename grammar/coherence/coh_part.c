/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the statements of a coherence description that say which messages an event has, and which
 * lines belong to a home.
 */
#include <inttypes.h>
#include <string.h>

#include "contract/proto/reserved.h"
#include "grammar/coherence/coh_int.h"

/* ---- fields ---- */

struct proto_place coh_field_place(const struct nfart_proto *p, uint32_t field, uint32_t code)
{
	const struct proto_place *x;

	if (field == PROTO_ADDR)
		return (struct proto_place){
			p->header.addr_lsb,
			bits_get(p->codes.has_addr, code) ? p->header.addr_bits : 0, NULL
		};
	x = proto_field_place(p, field, code);
	return x != NULL ? *x : (struct proto_place){ 0, 0, NULL };
}

bool coh_part_is_of(const struct coh *c, const struct coh_messages *p, uint32_t code)
{
	const struct nfart_proto *proto = c->proto;
	const struct proto_event *e;

	if (proto->codes.type_of[code] == 0 || p->proto == COH_NONE)
		return proto->codes.type_of[code] != 0;
	e = &proto->names.events[p->proto];
	if (proto->slots[code >> proto->header.op_bits].group != e->group)
		return false;
	for (uint32_t i = 0; i < e->ntypes; i++)
		if (e->types[i] == proto->codes.type_of[code] - 1)
			return true;
	return false;
}

bool coh_part_has(const struct coh *c, const struct coh_messages *p, uint32_t code)
{
	if (!coh_part_is_of(c, p, code))
		return false;
	for (uint32_t i = 0; i < p->guards.n; i++)
		if (coh_field_place(c->proto, c->guards.at[p->guards.first + i].field, code).bits ==
		    0)
			return false;
	return true;
}

/* ---- tests ---- */

uint64_t coh_highest(const struct coh *c, const struct coh_messages *p, uint32_t field)
{
	uint32_t bits = 0;

	for (uint32_t code = 0; code < c->proto->codes.n; code++)
		if (coh_part_has(c, p, code)) {
			struct proto_place x = coh_field_place(c->proto, field, code);

			bits = x.bits > bits ? x.bits : bits;
		}
	if (bits != 0 && field == PROTO_ADDR)
		bits += c->proto->header.line_shift;
	return bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
}

/* Reads a number up to `highest`, or `#`, which stands for that of an equal node, also with a
 * number to be added or multiplied. */
static uint64_t read_guard_number(struct coh_reader *r, const char *what, uint64_t highest)
{
	struct diag_range at = r->c.range;
	uint64_t x = r->number, y;
	bool sum;

	if (!desc_is(&r->c, "#"))
		return desc_number(&r->c, what, 0, highest);
	if (r->count == 0)
		desc_error(&r->c, at, "'#' stands for the numbers of equal nodes, which are "
			   "declared before: node NAME[NUMBER]");
	r->numbered = r->each = true;
	desc_advance(&r->c);
	sum = desc_is(&r->c, "+");
	if (sum || desc_is(&r->c, "*")) {
		desc_advance(&r->c);
		at.end = r->c.range.end;
		y = desc_number(&r->c, what, 0, highest);
		if (sum ? x > highest - y : y != 0 && x > highest / y)
			x = UINT64_MAX;
		else
			x = sum ? x + y : x * y;
	}
	if (x > highest)
		desc_error(&r->c, at, "%s ends at %" PRIu64 ", and a number of equal nodes is "
			   "beyond it here", what, highest);
	return x;
}

/* FIELD, with the place of its name in *at. */
static uint32_t read_field(struct coh_reader *r, struct diag_range *at)
{
	const char *s;
	size_t n;
	int field;

	*at = r->c.range;
	n = desc_word(&r->c, &s, "a field");
	if (r->c.failed)
		return 0;
	if (n == 4 && memcmp(s, "addr", 4) == 0) {
		if (r->coh->proto->header.addr_bits == 0)
			desc_error(&r->c, *at, "protocol %s has no addresses", r->coh->proto->name);
		return PROTO_ADDR;
	}
	field = proto_find_field(r->coh->proto, s, n);
	if (field < 0 && n == 7 && memcmp(s, "payload", 7) == 0)
		desc_error(&r->c, *at, "rules of coherence test 'addr' and fields of the header, and "
			   "no payload");
	else if (field < 0)
		desc_error(&r->c, *at, "protocol %s has no field '%.*s'", r->coh->proto->name,
			   (int)n, s);
	return (uint32_t)field;
}

/* FIELD == N, FIELD != N, FIELD & MASK == N, FIELD & MASK != N, FIELD in N .. N */
static void read_guard(struct coh_reader *r, struct coh_messages *p)
{
	struct coh_guard g = { .mask = UINT64_MAX };
	struct diag_range at, value;
	uint64_t highest, odd;

	g.field = read_field(r, &at);
	highest = r->c.failed ? 0 : coh_highest(r->coh, p, g.field);
	if (!r->c.failed && highest == 0)
		desc_error(&r->c, at, "none of these messages has %s",
			   g.field == PROTO_ADDR ? "an address" : "this field");
	if (desc_accept(&r->c, "in")) {
		g.first = read_guard_number(r, "the field", highest);
		desc_expect(&r->c, "..");
		value = r->c.range;
		g.last = read_guard_number(r, "the field", highest);
		if (!r->c.failed && g.first > g.last)
			desc_error(&r->c, value, "the range is the wrong way round");
	} else {
		if (desc_accept(&r->c, "&"))
			g.mask = desc_number(&r->c, "the mask", 1, highest);
		g.other = desc_accept(&r->c, "!=");
		if (!g.other)
			desc_expect(&r->c, "==");
		value = r->c.range;
		g.first = g.last = read_guard_number(r, "the field", highest);
		odd = g.field == PROTO_ADDR
			      ? ((uint64_t)1 << r->coh->proto->header.line_shift) - 1 : 0;
		if (!r->c.failed && (g.first & ~(g.mask & ~odd)) != 0)
			desc_error(&r->c, value, "the field never has this value under the mask%s",
				   odd != 0 ? ": it is the address of a line" : "");
	}
	if (r->c.failed)
		return;
	if (!vec_push(&r->coh->guards, g))
		r->memory = r->c.failed = true;
	else
		p->guards.n++;
}

/* Reads tests in brackets, and counts them in p->guards. */
static void read_guards(struct coh_reader *r, struct coh_messages *p)
{
	do {
		read_guard(r, p);
	} while (desc_accept(&r->c, ","));
	desc_expect(&r->c, "]");
	p->range.end = r->c.range.begin;
}

/* ---- parts ---- */

bool coh_has_room(struct coh_reader *r, size_t n, struct diag_range at)
{
	if (n >= COH_PARTS)
		desc_error(&r->c, at, "events and homes have at most %d parts, with those that a "
			   "home tells apart by line", COH_PARTS);
	return !r->c.failed;
}

bool coh_add_part(struct coh_reader *r, struct coh_messages part)
{
	if (coh_has_room(r, r->coh->parts.n, part.range) && !vec_push(&r->coh->parts, part))
		r->memory = r->c.failed = true;
	return !r->c.failed;
}

/* EVENT, EVENT[TEST, …], or any[TEST, …] where `ctx` says so */
static void read_part(struct coh_reader *r, void *ctx)
{
	const bool *any = ctx;
	struct coh_messages p = { COH_NONE, { (uint32_t)r->coh->guards.n, 0 }, r->c.range };
	struct diag_range at = r->c.range;
	const char *s;
	size_t n;
	int event;

	if (*any && desc_accept(&r->c, "any")) {
		if (!desc_is(&r->c, "["))
			desc_expect(&r->c, "[");
	} else {
		n = read_name(r, &s, "an event of the protocol");
		event = r->c.failed ? 0 : proto_find_event(r->coh->proto, s, n);
		if (event < 0)
			desc_error(&r->c, at, "protocol %s has no event '%.*s'",
				   r->coh->proto->name, (int)n, s);
		p.proto = (uint32_t)event;
	}
	if (desc_accept(&r->c, "["))
		read_guards(r, &p);
	coh_add_part(r, p);
}

static struct coh_span read_parts(struct coh_reader *r, bool any)
{
	struct coh_span span = { (uint32_t)r->coh->parts.n, 0 };

	do {
		read_item(r, read_part, &any);
	} while (desc_accept(&r->c, ","));
	span.n = (uint32_t)r->coh->parts.n - span.first;
	return span;
}

bool coh_is_named(const struct coh *c, const char *s, size_t n)
{
	bool named = coh_find_events(c, s, n) != 0;

	for (size_t i = 0; i < c->homes.n && !named; i++)
		named = strlen(c->homes.at[i].name) == n &&
			memcmp(c->homes.at[i].name, s, n) == 0;
	return named;
}

/* Checks a new name of an event or a home, which is that of `what` in messages. */
static const char *read_new_name(struct coh_reader *r, const char *what)
{
	struct diag_range at = r->c.range;
	struct coh *c = r->coh;
	const char *s;
	size_t n = read_name(r, &s, what);

	if (!r->c.failed && grammar_find_reserved(s, n) >= 0)
		desc_error(&r->c, at, "'%.*s' is a reserved word of the filter language", (int)n,
			   s);
	else if (!r->c.failed && coh_is_named(c, s, n))
		desc_error(&r->c, at, "there is already an event, a group or a home '%.*s'",
			   (int)n, s);
	else if (!r->c.failed && proto_find_event(c->proto, s, n) >= 0)
		desc_error(&r->c, at, "protocol %s already has an event '%.*s'", c->proto->name,
			   (int)n, s);
	return r->c.failed ? "" : coh_text_copy(r, s, n);
}

/* Checks that all parts of an event come from one group. */
static void check_groups(struct coh_reader *r, struct coh_span parts)
{
	const struct nfart_proto *p = r->coh->proto;

	for (uint32_t i = 1; i < parts.n && !r->c.failed; i++) {
		const struct coh_messages *a = &r->coh->parts.at[parts.first];

		if (p->names.events[a[i].proto].group != p->names.events[a->proto].group)
			desc_error(&r->c, a[i].range,
				   "this event comes from another group than the first one");
	}
}

/* event NAME from NODE = PART, …; without `from` the sender is that of the first part. */
void read_event_statement(struct coh_reader *r)
{
	struct coh *c = r->coh;
	struct diag_range at = r->c.range, from = at;
	struct coh_event e = { .home = COH_NONE, .node = COH_NONE, .class = COH_NONE,
			       .number = number_here(r), .range = at };

	e.name = read_new_name(r, "a new name");
	if (desc_accept(&r->c, "from")) {
		from = r->c.range;
		e.node = read_node(r);
	}
	desc_expect(&r->c, "=");
	e.parts = read_parts(r, false);
	check_groups(r, e.parts);
	if (c->nevents == COH_EVENTS)
		desc_error(&r->c, at, "there are at most %d events", COH_EVENTS);
	if (r->c.failed)
		return;
	c->events[c->nevents++] = e;
	if (e.node == COH_NONE)
		find_sender(r, c->nevents - 1, at);
	else if (c->net.nodes[e.node] != coh_event_group(c, c->nevents - 1))
		desc_error(&r->c, from, "these messages come from group %s of the protocol",
			   c->proto->names.groups[coh_event_group(c, c->nevents - 1)]);
}

/* home NAME [TEST, …]: PART, …; */
void read_home(struct coh_reader *r, struct diag_range at)
{
	struct coh_messages lines = { COH_NONE, { (uint32_t)r->coh->guards.n, 0 }, at };
	struct coh_home h = { .range = at };

	if (!r->coh->rules)
		name_error(r, at, "homes come after nodes");
	h.name = read_new_name(r, "a new name");
	lines.range.begin = r->c.range.begin;
	desc_expect(&r->c, "[");
	read_guards(r, &lines);
	h.guards = lines.guards;
	for (uint32_t i = 0; i < h.guards.n && !r->c.failed; i++)
		if (r->coh->guards.at[h.guards.first + i].field != PROTO_ADDR)
			desc_error(&r->c, lines.range, "the lines of a home are told by 'addr'");
	desc_expect(&r->c, ":");
	h.parts = read_parts(r, true);
	h.range.end = r->c.range.begin;
	h.line = line_of(r, at.begin);
	if (!r->c.failed && !vec_push(&r->coh->homes, h))
		r->memory = r->c.failed = true;
}
