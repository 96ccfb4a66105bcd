/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The command --list: prints the names of the shipped protocols, overlays and cores, of the passes
 * and of the warnings. With the name of a protocol it prints what filters can name in that
 * protocol.
 */
#include <inttypes.h>
#include <string.h>

#include "compiler/command/command.h"
#include "compiler/command/files.h"
#include "grammar/describe/builtin.h"

static void list_shipped(struct buf *b)
{
	for (size_t i = 0; builtin_protocols[i].name != NULL; i++)
		buf_addf(b, "protocol %s\n", builtin_protocols[i].name);
	for (size_t i = 0; builtin_overlays[i].name != NULL; i++)
		buf_addf(b, "overlay %s\n", builtin_overlays[i].name);
	for (size_t i = 0; builtin_targets[i].name != NULL; i++)
		buf_addf(b, "core %s\n", builtin_targets[i].name);
	for (size_t i = 0; options_pass(i).name != NULL; i++)
		buf_addf(b, "pass %s\n", options_pass(i).name);
	for (size_t i = 0; front_warnings[i].name != NULL; i++)
		buf_addf(b, "warning %s%s: %s\n", front_warnings[i].name,
			 front_warnings[i].on ? "" : " (off)", front_warnings[i].text);
}

/* ---- one protocol ---- */

static void list_bits(const char *name, uint32_t lsb, uint32_t bits, struct buf *b)
{
	buf_addf(b, "field %s %" PRIu32 "..%" PRIu32, name, lsb, lsb + bits - 1);
}

static void list_place(const char *name, const struct proto_place *place, struct buf *b)
{
	buf_addf(b, "%s %" PRIu32, name, place->lsb);
	if (place->bits > 1)
		buf_addf(b, "..%" PRIu32, place->lsb + place->bits - 1);
}

static void list_fields(const struct nfart_proto *p, struct buf *b)
{
	list_bits("header", 0, p->header.bits, b);
	buf_add(b, "\n", 1);
	list_bits("opcode", p->header.op_lsb, p->header.op_bits, b);
	if (p->header.idle != PROTO_NO_IDLE)
		buf_addf(b, " idle %" PRId32, p->header.idle);
	buf_add(b, "\n", 1);
	if (p->header.addr_bits != 0) {
		list_bits("address", p->header.addr_lsb, p->header.addr_bits, b);
		buf_addf(b, " line %" PRIu64 "\n", (uint64_t)1 << p->header.line_shift);
	}
	for (uint32_t i = 0; i < p->names.nfields; i++)
		for (uint32_t k = 0; k < p->names.fields[i].nplaces; k++) {
			buf_addf(b, "field ");
			list_place(p->names.fields[i].name, &p->names.fields[i].places[k], b);
			buf_add(b, "\n", 1);
		}
}

/* Prints a set of slots as predicates name them, for example ` cpu@6,7 fpga@6`. */
static void list_slots(const struct nfart_proto *p, uint64_t slots, struct buf *b)
{
	int group = -1; /* the group that was printed last */

	for (uint32_t i = 0; i < p->nslots; i++) {
		if ((slots >> i & 1) == 0)
			continue;
		if (p->slots[i].group != group)
			buf_addf(b, " %s", p->names.groups[p->slots[i].group]);
		if (p->slots[i].channel != PROTO_NO_CHANNEL)
			buf_addf(b, "%c%d", p->slots[i].group != group ? '@' : ',',
				 p->slots[i].channel);
		group = p->slots[i].group;
	}
}

/* Prints a message type. One code is enough for its opcode, mark and fields: a description gives a
 * type the same ones in all of its slots. */
static void list_type(const struct nfart_proto *p, uint32_t type, struct buf *b)
{
	uint64_t slots = 0;
	uint32_t code = 0;
	bool first = true;

	for (uint32_t i = 0; i < p->nslots; i++) {
		int op = proto_type_opcode(p, type, i);
		if (op < 0)
			continue;
		slots |= (uint64_t)1 << i;
		code = i << p->header.op_bits | (uint32_t)op;
	}
	buf_addf(b, "type %s opcode %" PRIu32 " on", p->names.types[type],
		 code & ((1u << p->header.op_bits) - 1));
	list_slots(p, slots, b);
	buf_addf(b, "%s%s", bits_get(p->codes.has_addr, code) ? " address" : "",
		 bits_get(p->codes.broadcast, code) ? " broadcast" : "");
	for (uint32_t i = 0; i < p->names.nfields; i++) {
		const struct proto_place *place = proto_field_place(p, i, code);
		if (place == NULL)
			continue;
		buf_addf(b, "%s ", first ? " fields" : ",");
		list_place(p->names.fields[i].name, place, b);
		first = false;
	}
	buf_add(b, "\n", 1);
}

static void list_event(const struct nfart_proto *p, const struct proto_event *e, struct buf *b)
{
	buf_addf(b, "event %s is", e->name);
	for (uint32_t i = 0; i < e->ntypes; i++)
		buf_addf(b, "%s %s.%s", i != 0 ? "," : "", p->names.groups[e->group],
			 p->names.types[e->types[i]]);
	buf_add(b, "\n", 1);
}

/* Prints the types that have a code in the set. */
static void list_set(const struct nfart_proto *p, const uint64_t *set, struct buf *b)
{
	bool first = true;

	for (uint32_t t = 0; t < p->names.ntypes; t++) {
		uint32_t c = 0;
		while (c < p->codes.n && (p->codes.type_of[c] != t + 1 || !bits_get(set, c)))
			c++;
		if (c == p->codes.n)
			continue;
		buf_addf(b, "%s %s", first ? "" : ",", p->names.types[t]);
		first = false;
	}
}

static void list_pair(const struct nfart_proto *p, const struct proto_pair *r, struct buf *b)
{
	buf_addf(b, "pair %s:", r->name);
	list_set(p, r->requests, b);
	buf_addf(b, " ->");
	list_set(p, r->answers, b);
	for (uint32_t k = 0; k < r->nkeys; k++)
		buf_addf(b, "%s %s", k == 0 ? " by" : ",", r->keys[k].name);
	buf_addf(b, "%s\n", r->in_order ? " in order" : "");
}

/* Returns a bit for each group that has a code of the set. */
static uint64_t groups_of(const struct nfart_proto *p, const uint64_t *set)
{
	uint64_t groups = 0;

	for (uint32_t c = 0; c < p->codes.n; c++)
		if (bits_get(set, c))
			groups |= (uint64_t)1 << p->slots[c >> p->header.op_bits].group;
	return groups;
}

static void list_join(const struct nfart_proto *p, const struct proto_join *j, struct buf *b)
{
	uint64_t answers;

	buf_addf(b, "join %s:", j->name);
	list_set(p, j->requests, b);
	buf_addf(b, " ->");
	list_set(p, j->answers, b);
	answers = groups_of(p, j->answers);
	if ((answers & (answers - 1)) == 0 && (answers & groups_of(p, j->requests)) == 0)
		buf_addf(b, " from %s", p->names.groups[__builtin_ctzll(answers)]);
	buf_addf(b, " by %s\n", j->field);
}

/* Prints the fields, slots, types, events, pairs and joins of a protocol, one in each line. A line
 * begins with the word `field`, `slots`, `type`, `event`, `pair` or `join`. */
static void list_protocol(const struct nfart_proto *p, struct buf *b)
{
	buf_addf(b, "protocol %s\n", p->name);
	list_fields(p, b);
	if (p->payload != 0)
		buf_addf(b, "payload %" PRIu32 "..0\n", p->payload - 1);
	for (uint32_t g = 0; g < p->names.ngroups; g++) {
		uint64_t slots = 0;
		for (uint32_t i = 0; i < p->nslots; i++)
			slots |= (uint64_t)(p->slots[i].group == g) << i;
		buf_addf(b, "slots");
		list_slots(p, slots, b);
		buf_add(b, "\n", 1);
	}
	for (uint32_t t = 0; t < p->names.ntypes; t++)
		list_type(p, t, b);
	for (uint32_t i = 0; i < p->names.nevents; i++)
		list_event(p, &p->names.events[i], b);
	for (uint32_t i = 0; i < p->names.npairs; i++)
		list_pair(p, &p->names.pairs[i], b);
	for (uint32_t i = 0; i < p->joins.n; i++)
		list_join(p, &p->joins.at[i], b);
}

int cmd_list(struct options *o)
{
	struct nfart_proto *p = NULL;
	struct buf b = { 0 };
	int code = o->files.n == 0 ? NFART_OK : files_find_protocol(o, o->files.at[0], &p);

	if (code == NFART_OK && p != NULL)
		list_protocol(p, &b);
	else if (code == NFART_OK)
		list_shipped(&b);
	if (code == NFART_OK)
		code = files_write(o, &b);
	proto_free(p);
	buf_free(&b);
	return code;
}
