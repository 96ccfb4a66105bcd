/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/property/gen_draw.h"

#include <string.h>

/* ---- basic predicates (nfacc-filter(5), section Basic predicates) --------------------------- */

static const char *group_of(const struct gen *g, uint32_t code)
{
	return g->proto->names.groups[g->proto->slots[gen_slot(g, code)].group];
}

/* Appends `@4` or `@4,5`: the channel of the code, and sometimes another channel. The other channel
 * carries the same type or, with `anything`, is any channel. With `grouped` it is in the same
 * group. Appends nothing if the slot of the code has no channel, and sometimes nothing at all. */
static void add_channels(struct gen *g, uint32_t code, bool grouped, bool anything)
{
	const struct nfart_proto *p = g->proto;
	const struct proto_slot *own = &p->slots[gen_slot(g, code)];
	uint32_t other = gen_below(g, p->nslots);
	const struct proto_slot *more = &p->slots[other];
	uint32_t twin = other << p->header.op_bits | gen_opcode(g, code);

	if (own->channel == PROTO_NO_CHANNEL || gen_chance(g, 50))
		return;
	buf_addf(g->b, "@%d", own->channel);
	if (more->channel != PROTO_NO_CHANNEL && more->channel != own->channel &&
	    (!grouped || more->group == own->group) &&
	    (anything || p->codes.type_of[twin] == p->codes.type_of[code]))
		buf_addf(g->b, ",%d", more->channel);
}

/* Appends a glob that matches the name. */
static void add_glob(struct gen *g, const char *name)
{
	uint32_t n = (uint32_t)strlen(name), at = gen_below(g, n);

	switch (gen_below(g, 4)) {
	case 0:
		buf_addf(g->b, "\"%.*s*\"", (int)at, name);
		break;
	case 1:
		buf_addf(g->b, "\"*%s\"", name + at);
		break;
	case 2:
		buf_addf(g->b, "\"%.*s?%s\"", (int)at, name, name + at + 1);
		break;
	default:
		buf_addf(g->b, "\"%.*s*%s\"", (int)at, name, name + at + gen_below(g, n - at));
		break;
	}
}

static void add_character(struct gen *g, uint32_t c)
{
	static const char characters[] = "\n\t\r\\'", names[] = "ntr\\'";
	const char *at = c != 0 ? strchr(characters, (int)c) : NULL;

	if (at != NULL && gen_chance(g, 70))
		buf_addf(g->b, "'\\%c'", names[at - characters]);
	else if (c == 0 && gen_chance(g, 70))
		buf_addf(g->b, "'\\0'");
	else if (c < ' ' || c > '~' || c == '\\' || c == '\'' || gen_chance(g, 10))
		buf_addf(g->b, "'\\x%02x'", c);
	else
		buf_addf(g->b, "'%c'", (int)c);
}

/* Appends the opcode as a number or a character, or a range that contains it. */
static void add_opcode(struct gen *g, uint32_t op)
{
	uint32_t most = (1u << g->proto->header.op_bits) - 1, to = op;

	if (gen_chance(g, 30)) {
		op -= gen_below(g, op + 1 < 5 ? op + 1 : 5);
		to += gen_below(g, most - to < 5 ? most - to + 1 : 5);
	}
	if (g->proto->header.op_bits == 8 && gen_chance(g, 70)) {
		add_character(g, op);
		if (op != to) {
			buf_addf(g->b, "..");
			add_character(g, to);
		}
		return;
	}
	buf_addf(g->b, gen_chance(g, 50) ? "#%u" : "#0x%x", op);
	if (op != to)
		buf_addf(g->b, gen_chance(g, 50) ? "..%u" : "..0x%x", to);
}

/* Returns an event that contains the type, or NULL. */
static const struct proto_event *find_event(struct gen *g, uint32_t type)
{
	const struct nfart_proto *p = g->proto;
	uint32_t first = p->names.nevents != 0 ? gen_below(g, p->names.nevents) : 0;

	for (uint32_t i = 0; i < p->names.nevents; i++) {
		const struct proto_event *e = &p->names.events[(first + i) % p->names.nevents];

		for (uint32_t k = 0; k < e->ntypes; k++)
			if (e->types[k] == type)
				return e;
	}
	return NULL;
}

/* ---- guards (nfacc-filter(5), section Guards) ------------------------------------------------ */

/* Returns a field that messages with this code have: PROTO_ADDR, PROTO_PAYLOAD, or the index of
 * another one. -1: they have none. */
static int64_t draw_field(struct gen *g, uint32_t code)
{
	const struct nfart_proto *p = g->proto;
	uint32_t first = p->names.nfields != 0 ? gen_below(g, p->names.nfields) : 0;

	if (g->payload && gen_chance(g, 30))
		return PROTO_PAYLOAD;
	if (bits_get(p->codes.has_addr, code) && gen_chance(g, 40))
		return PROTO_ADDR;
	for (uint32_t i = 0; i < p->names.nfields; i++)
		if (proto_field_place(p, (first + i) % p->names.nfields, code) != NULL)
			return (first + i) % p->names.nfields;
	return -1;
}

/* Appends bits of one of two words of payload, one of few fields of the seed: tests of many fields
 * are more letters than there can be. Returns how many bits they are. */
static uint32_t add_bits(struct gen *g)
{
	static const uint32_t some[][2] = { { 63, 0 }, { 3, 0 }, { 63, 60 }, { 2, 1 }, { 62, 0 } };
	const uint32_t *bits = some[(g->pool[0] + gen_below(g, 2)) % 5];
	uint32_t word = 64 * gen_below(g, 2);

	buf_addf(g->b, "payload[%u..%u]", word + bits[0], word + bits[1]);
	return bits[0] - bits[1] + 1;
}

/* Appends a test of a field. */
static void add_test(struct gen *g, uint32_t code, uint32_t field)
{
	const struct nfart_proto *p = g->proto;
	bool address = field == PROTO_ADDR, payload = field == PROTO_PAYLOAD;
	uint32_t bits = payload ? add_bits(g)
			: address ? 1 : proto_field_place(p, field, code)->bits;
	uint64_t first = address ? (g->line + gen_below(g, GEN_LINES)) << p->header.line_shift :
				   gen_value(g, bits);
	uint64_t span =
		address ? (uint64_t)gen_below(g, 3) << p->header.line_shift : gen_below(g, 3);
	uint64_t most = address ? first + span : UINT64_MAX >> (64 - bits);
	unsigned long long v = first, last = first + span > most ? most : first + span;

	if (!payload)
		buf_addf(g->b, "%s", address ? "addr" : p->names.fields[field].name);
	switch (gen_below(g, 5)) {
	case 0:
		buf_addf(g->b, " != %llu", v);
		break;
	case 1:
		buf_addf(g->b, " in %llu..0x%llx", v, last);
		break;
	case 2:
		buf_addf(g->b, " & 0x%llx %s %llu", v | (last & 1), gen_chance(g, 50) ? "==" : "!=",
			 v & last);
		break;
	default:
		buf_addf(g->b, " == 0x%llx", v);
		break;
	}
}

/* Appends a guard that messages with this code can pass, or nothing. */
static void add_guard(struct gen *g, uint32_t code)
{
	for (uint32_t n = gen_below(g, 3), i = 0; i < n; i++) {
		int64_t field = draw_field(g, code);
		if (field < 0)
			return;
		buf_addf(g->b, "[");
		add_test(g, code, (uint32_t)field);
		buf_addf(g->b, "]");
	}
}

static void add_time(struct gen *g)
{
	static const char *const kinds[] = { "tick", "tick", "notick", "end" };

	buf_addf(g->b, "%s", kinds[gen_below(g, 4)]);
}

static void add_message(struct gen *g)
{
	const struct nfart_proto *p = g->proto;
	uint32_t code = gen_code(g), type = p->codes.type_of[code], kind = gen_below(g, 100);
	const struct proto_event *event = type != 0 && kind < 35 ? find_event(g, type - 1) : NULL;
	bool grouped = gen_chance(g, 60);

	if (event != NULL && event->group != p->slots[gen_slot(g, code)].group)
		grouped = true;
	if (grouped)
		buf_addf(g->b, "%s.", group_of(g, code));
	if (event != NULL) {
		buf_addf(g->b, "%s", event->name);
		add_channels(g, code, true, false);
	} else if (type != 0 && kind < 70) {
		if (kind < 50)
			buf_addf(g->b, "%s", p->names.types[type - 1]);
		else
			add_glob(g, p->names.types[type - 1]);
		add_channels(g, code, grouped, false);
	} else if (kind < 92) {
		add_opcode(g, gen_opcode(g, code));
		add_channels(g, code, grouped, true);
	} else {
		buf_addf(g->b, "any");
		add_channels(g, code, grouped, true);
	}
	if (g->guards)
		add_guard(g, code);
}

static void add_basic(struct gen *g)
{
	if (g->time && gen_chance(g, 20))
		add_time(g);
	else
		add_message(g);
}

/* ---- composed predicates -------------------------------------------------------------------- */

static void add_list(struct gen *g, const char *mode)
{
	buf_addf(g->b, "%s(", mode);
	for (uint32_t i = 0, n = 1 + gen_below(g, 3); i < n; i++) {
		uint32_t name = g->npreds != 0 ? gen_below(g, g->npreds) : 0;

		if (i != 0)
			buf_addf(g->b, ", ");
		if (g->npreds != 0 && !g->is_none[name] && gen_chance(g, 15))
			buf_addf(g->b, "p%u", name);
		else
			add_basic(g);
	}
	buf_addf(g->b, ")");
}

bool gen_pred(struct gen *g)
{
	uint32_t kind = gen_below(g, 100);
	bool nested, none;

	if (kind >= 88 && g->npreds != 0) {
		uint32_t name = gen_below(g, g->npreds);
		buf_addf(g->b, "p%u", name);
		return g->is_none[name];
	}
	if (kind < 40 || kind >= 88) {
		add_basic(g);
		return false;
	}
	if (kind < 70) {
		add_list(g, kind < 58 ? "Any" : "None");
		return kind >= 58;
	}
	if (kind < 80) {
		buf_addf(g->b, "%s", gen_chance(g, 50) ? "true" : ".");
		return true;
	}
	nested = gen_chance(g, 30);
	buf_addf(g->b, "%s", nested ? "!(" : "!");
	none = gen_pred(g);
	buf_addf(g->b, "%s", nested ? ")" : "");
	return !none;
}
