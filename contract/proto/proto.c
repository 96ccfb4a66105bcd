/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Implements the protocol table (proto.h): looks up names, computes fingerprints, and writes and
 * reads the form that a protocol has in an image. This form has two parts. The first part is all
 * that shapes the bits of an image. The second part is the names. Each part has a fingerprint of
 * its own. If the protocol has broadcast types or joins, the set of the broadcast codes follows, and
 * then the joins, if there are any; both shape bits, too.
 */
#include "contract/proto/proto_form.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 1 << 16 };

struct nfart_proto *proto_new(void)
{
	struct nfart_proto *p = calloc(1, sizeof *p);

	if (p != NULL) {
		p->header.idle = PROTO_NO_IDLE;
		p->header.bits = 64;
	}
	return p;
}

void proto_free(struct nfart_proto *p)
{
	if (p == NULL)
		return;
	arena_free(&p->arena);
	free(p);
}

bool proto_alloc_codes(struct nfart_proto *p)
{
	p->codes.n = p->nslots << p->header.op_bits;
	p->codes.type_of = arena_array(&p->arena, p->codes.n, sizeof *p->codes.type_of);
	p->codes.has_addr = arena_array(&p->arena, bits_words(p->codes.n), 8);
	p->codes.broadcast = arena_array(&p->arena, bits_words(p->codes.n), 8);
	p->codes.valid = arena_array(&p->arena, bits_words(p->codes.n), 8);
	return p->codes.type_of != NULL && p->codes.has_addr != NULL &&
	       p->codes.broadcast != NULL && p->codes.valid != NULL;
}

/* Is a type marked `broadcast`? */
static bool has_broadcast(const struct nfart_proto *p)
{
	return bits_any(p->codes.broadcast, bits_words(p->codes.n));
}

/* Appends the part that shapes the bits of an image: everything in the protocol on which an engine
 * and an image must agree, except `broadcast`. */
static void write_hardware(const struct nfart_proto *p, struct buf *b)
{
	buf_le32(b, p->header.bits);
	buf_le32(b, p->header.op_lsb);
	buf_le32(b, p->header.op_bits);
	buf_le32(b, (uint32_t)p->header.idle);
	buf_le32(b, p->header.addr_lsb);
	buf_le32(b, p->header.addr_bits);
	buf_le32(b, p->header.line_shift);
	buf_le32(b, p->nslots);
	proto_write_set(p, p->codes.has_addr, b);
}

static void write_names(const struct nfart_proto *p, struct buf *b)
{
	proto_write_name(b, p->name);
	buf_le32(b, p->names.ngroups);
	for (uint32_t i = 0; i < p->names.ngroups; i++)
		proto_write_name(b, p->names.groups[i]);
	for (uint32_t i = 0; i < p->nslots; i++)
		buf_le32(b, (uint32_t)p->slots[i].group << 16 | (uint16_t)p->slots[i].channel);
	buf_le32(b, p->names.ntypes);
	for (uint32_t i = 0; i < p->names.ntypes; i++)
		proto_write_name(b, p->names.types[i]);
	for (uint32_t i = 0; i < p->codes.n; i++)
		buf_le32(b, p->codes.type_of[i]);
	buf_le32(b, p->names.nevents);
	for (uint32_t i = 0; i < p->names.nevents; i++) {
		proto_write_name(b, p->names.events[i].name);
		buf_le32(b, p->names.events[i].group);
		buf_le32(b, p->names.events[i].ntypes);
		for (uint32_t k = 0; k < p->names.events[i].ntypes; k++)
			buf_le32(b, p->names.events[i].types[k]);
	}
}

void proto_write(const struct nfart_proto *p, struct buf *b)
{
	write_hardware(p, b);
	write_names(p, b);
	if (has_broadcast(p) || p->joins.n != 0)
		proto_write_set(p, p->codes.broadcast, b);
	if (p->joins.n != 0)
		proto_write_joins(p, true, b);
}

/* Returns the 64-bit FNV-1a hash of the bytes in b. */
static uint64_t fingerprint(const struct buf *b)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < b->n; i++)
		h = (h ^ (unsigned char)b->at[i]) * 0x100000001b3u;
	return h;
}

bool proto_finish(struct nfart_proto *p)
{
	struct buf b = { 0 };
	bool ok;

	for (uint32_t c = 0; c < p->codes.n; c++)
		if ((int32_t)(c & ((1u << p->header.op_bits) - 1)) != p->header.idle)
			bits_set(p->codes.valid, c);
	write_hardware(p, &b);
	if (has_broadcast(p) || p->joins.n != 0)
		proto_write_set(p, p->codes.broadcast, &b);
	if (p->joins.n != 0)
		proto_write_joins(p, false, &b);
	p->fp.hardware = fingerprint(&b);
	b.n = 0;
	write_names(p, &b);
	for (uint32_t i = 0; i < p->joins.n; i++)
		proto_write_name(&b, p->joins.at[i].name);
	p->fp.names = fingerprint(&b);
	ok = !b.failed && proto_finish_joins(p);
	buf_free(&b);
	return ok;
}

uint64_t proto_fingerprint(const struct nfart_proto *p)
{
	return p->fp.hardware * 0x100000001b3u ^ p->fp.names;
}

/* ---- reading hostile bytes ---- */

/* Reads the set of broadcast types, which has no type with an address and is empty only before
 * joins, and the joins. */
static void read_broadcast(struct proto_in *in, struct nfart_proto *p)
{
	proto_in_set(in, p, p->codes.broadcast);
	if (!has_broadcast(p) && in->n == 0)
		in->bad = true;
	for (size_t i = 0; i < bits_words(p->codes.n); i++)
		if ((p->codes.broadcast[i] & p->codes.has_addr[i]) != 0)
			in->bad = true;
	if (!in->bad && in->n != 0)
		proto_in_joins(in, p);
}

static void read_hardware(struct proto_in *in, struct nfart_proto *p)
{
	p->header.bits = proto_in_below(in, PROTO_MOST_header_bits + 1);
	p->header.op_lsb = proto_in_below(in, PROTO_MOST_op_lsb + 1);
	p->header.op_bits = proto_in_below(in, PROTO_MOST_op_bits + 1);
	p->header.idle = (int32_t)proto_in_word(in);
	p->header.addr_lsb = proto_in_below(in, PROTO_MOST_addr_lsb + 1);
	p->header.addr_bits = proto_in_below(in, PROTO_MOST_addr_bits + 1);
	p->header.line_shift = proto_in_below(in, 64);
	p->nslots = proto_in_below(in, PROTO_MOST_slots + 1);
	if (p->header.bits < PROTO_LEAST_header_bits || p->header.op_bits < PROTO_LEAST_op_bits ||
	    p->nslots < PROTO_LEAST_slots ||
	    p->header.op_lsb + p->header.op_bits > p->header.bits ||
	    p->header.addr_lsb + p->header.addr_bits > p->header.bits ||
	    p->header.addr_bits + p->header.line_shift > 64 || p->header.idle < PROTO_NO_IDLE ||
	    p->header.idle >= 1 << p->header.op_bits)
		in->bad = true;
	if (!in->bad && !proto_alloc_codes(p))
		proto_in_no_memory(in);
	if (in->bad)
		return;
	proto_in_set(in, p, p->codes.has_addr);
}

static void read_events(struct proto_in *in, struct nfart_proto *p)
{
	p->names.nevents = proto_in_below(in, MOST_NAMES);
	p->names.events = arena_array(&p->arena, p->names.nevents, sizeof *p->names.events);
	if (p->names.events == NULL)
		proto_in_no_memory(in);
	for (uint32_t i = 0; i < p->names.nevents && !in->bad; i++) {
		struct proto_event *e = &p->names.events[i];
		uint32_t *types;
		e->name = proto_in_name(in, &p->arena);
		e->group = (uint16_t)proto_in_below(in, p->names.ngroups);
		e->ntypes = proto_in_below(in, p->names.ntypes + 1);
		types = arena_array(&p->arena, e->ntypes, sizeof *types);
		e->types = types;
		if (types == NULL)
			proto_in_no_memory(in);
		for (uint32_t k = 0; k < e->ntypes && !in->bad; k++)
			types[k] = proto_in_below(in, p->names.ntypes);
	}
}

static void read_names(struct proto_in *in, struct nfart_proto *p)
{
	p->name = proto_in_name(in, &p->arena);
	p->names.ngroups = proto_in_below(in, PROTO_SLOTS + 1);
	p->names.groups = arena_array(&p->arena, p->names.ngroups, sizeof *p->names.groups);
	if (p->names.groups == NULL)
		proto_in_no_memory(in);
	for (uint32_t i = 0; i < p->names.ngroups && !in->bad; i++)
		p->names.groups[i] = proto_in_name(in, &p->arena);
	for (uint32_t i = 0; i < p->nslots && !in->bad; i++) {
		uint32_t v = proto_in_word(in);
		p->slots[i].group = (uint16_t)(v >> 16);
		p->slots[i].channel = (int16_t)(v & 0xffff);
		if (v >> 16 >= p->names.ngroups || p->slots[i].channel < PROTO_NO_CHANNEL)
			in->bad = true;
	}
	p->names.ntypes = proto_in_below(in, MOST_NAMES);
	p->names.types = arena_array(&p->arena, p->names.ntypes, sizeof *p->names.types);
	if (p->names.types == NULL)
		proto_in_no_memory(in);
	for (uint32_t i = 0; i < p->names.ntypes && !in->bad; i++)
		p->names.types[i] = proto_in_name(in, &p->arena);
	for (uint32_t i = 0; i < p->codes.n && !in->bad; i++)
		p->codes.type_of[i] = proto_in_below(in, p->names.ntypes + 1);
	if (!in->bad)
		read_events(in, p);
}

struct nfart_proto *proto_read(const unsigned char *at, size_t n, struct nfart_error *e)
{
	struct proto_in in = { .at = at, .n = n };
	struct nfart_proto *p = proto_new();

	if (p == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	read_hardware(&in, p);
	if (!in.bad)
		read_names(&in, p);
	if (!in.bad && in.n != 0)
		read_broadcast(&in, p);
	if (!in.bad && in.n == 0 && proto_finish(p))
		return p;
	if (in.memory || (!in.bad && in.n == 0))
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	else
		nfart_fail(e, NFART_INPUT, "the protocol table is damaged");
	proto_free(p);
	return NULL;
}

/* ---- look-ups ---- */

static int proto_name(const char *const *names, uint32_t count, const char *s, size_t n)
{
	/* Most names differ in their first character, and are then compared without a call. */
	for (uint32_t i = 0; i < count; i++)
		if ((n == 0 || names[i][0] == s[0]) && strncmp(names[i], s, n) == 0 &&
		    names[i][n] == 0)
			return (int)i;
	return -1;
}

int proto_find_group(const struct nfart_proto *p, const char *s, size_t n)
{
	return proto_name(p->names.groups, p->names.ngroups, s, n);
}

int proto_find_type(const struct nfart_proto *p, const char *s, size_t n)
{
	return proto_name(p->names.types, p->names.ntypes, s, n);
}

int proto_find_event(const struct nfart_proto *p, const char *s, size_t n)
{
	for (uint32_t i = 0; i < p->names.nevents; i++)
		if (proto_name(&p->names.events[i].name, 1, s, n) == 0)
			return (int)i;
	return -1;
}

int proto_find_field(const struct nfart_proto *p, const char *s, size_t n)
{
	for (uint32_t i = 0; i < p->names.nfields; i++)
		if (proto_name(&p->names.fields[i].name, 1, s, n) == 0)
			return (int)i;
	return -1;
}

int proto_find_slot(const struct nfart_proto *p, uint32_t group, int channel)
{
	for (uint32_t i = 0; i < p->nslots; i++)
		if (p->slots[i].group == group && p->slots[i].channel == channel)
			return (int)i;
	return -1;
}

int proto_type_opcode(const struct nfart_proto *p, uint32_t type, uint32_t slot)
{
	for (uint32_t op = 0; op < 1u << p->header.op_bits; op++)
		if (p->codes.type_of[slot << p->header.op_bits | op] == type + 1)
			return (int)op;
	return -1;
}

void proto_slot_name(const struct nfart_proto *p, uint32_t slot, char out[static 80])
{
	const struct proto_slot *s = &p->slots[slot];

	if (s->channel == PROTO_NO_CHANNEL)
		snprintf(out, 80, "%s", p->names.groups[s->group]);
	else
		snprintf(out, 80, "%s@%d", p->names.groups[s->group], s->channel);
}
