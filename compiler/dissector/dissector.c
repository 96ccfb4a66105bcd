/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Prints a protocol as tables of Lua, and behind them the code that uses them (dissector.lua).
 *
 * Lua 5.2 has no integers, and no operators on bits that later versions have too. So a header comes
 * as two numbers of 32 bits, `high` and `low`, and its bits are taken out by division and modulo.
 * Every number below 2^53 is exact.
 */
#include "compiler/dissector/dissector.h"

#include <inttypes.h>
#include <string.h>

#include "contract/image/packet.h"

enum {
	EXACT_BITS = 53, /* of a number in Lua 5.2 */
	TEXT_BITS = 46   /* of a number in Lua 5.2 that keeps its digits as a string: 14 */
};

/* ---- expressions ---- */

/* Appends the value of bits of a half of the header. */
static void print_half(const char *half, uint32_t lsb, uint32_t bits, struct buf *b)
{
	if (lsb == 0)
		buf_addf(b, "%s", half);
	else
		buf_addf(b, "floor(%s / %" PRIu64 ")", half, (uint64_t)1 << lsb);
	if (lsb + bits < 32)
		buf_addf(b, " %% %" PRIu64, (uint64_t)1 << bits);
}

/* Appends the value of at most EXACT_BITS bits of the header. */
static void print_bits(uint32_t lsb, uint32_t bits, struct buf *b)
{
	if (lsb >= 32) {
		print_half("high", lsb - 32, bits, b);
	} else if (lsb + bits <= 32) {
		print_half("low", lsb, bits, b);
	} else {
		buf_addf(b, "(");
		print_half("high", 0, lsb + bits - 32, b);
		buf_addf(b, ") * %" PRIu64 " + ", (uint64_t)1 << (32 - lsb));
		print_half("low", lsb, 32 - lsb, b);
	}
}

/* Appends the value of any bits of the header, shifted to the left by `shift` bits, as an UInt64 of
 * Wireshark. */
static void print_value(uint32_t lsb, uint32_t bits, uint32_t shift, struct buf *b)
{
	uint32_t below = shift < 32 ? 32 - shift : 0; /* bits of the lower half of the value */

	if (bits + shift <= EXACT_BITS) {
		buf_addf(b, "UInt64((");
		print_bits(lsb, bits, b);
		buf_addf(b, ") * %" PRIu64 ")", (uint64_t)1 << shift);
		return;
	}
	buf_addf(b, "UInt64(");
	if (below != 0) {
		buf_addf(b, "(");
		print_bits(lsb, below, b);
		buf_addf(b, ") * %" PRIu64 ", ", (uint64_t)1 << shift);
	} else {
		buf_addf(b, "0, ");
	}
	buf_addf(b, "(");
	print_bits(lsb + below, bits - below, b);
	buf_addf(b, ") * %" PRIu64 ")", (uint64_t)1 << (shift < 32 ? 0 : shift - 32));
}

/* A key of a pair as it is printed: numbers of at most TEXT_BITS bits, joined to a string if there
 * is more than one. */
struct key {
	struct buf done, /* complete numbers */
		last;    /* the number to which the next bits go */
	uint32_t bits;   /* of `last` */
};

/* Adds bits of the header to a key, as a number of `width` bits. */
static void add_to_key(struct key *k, uint32_t lsb, uint32_t bits, uint32_t width)
{
	struct buf next = { 0 };

	if (k->bits + width > TEXT_BITS) {
		buf_addf(&k->done, "%s .. \":\" .. ", k->last.at);
		k->bits = 0;
		k->last.n = 0;
	}
	if (k->bits != 0)
		buf_addf(&next, "(%s) * %" PRIu64 " + ", k->last.at, (uint64_t)1 << width);
	buf_addf(&next, k->bits != 0 ? "(" : "");
	print_bits(lsb, bits, &next);
	buf_addf(&next, k->bits != 0 ? ")" : "");
	k->done.failed |= k->last.failed;
	buf_free(&k->last);
	k->last = next;
	k->bits += width;
}

/* Adds a key of a rule, whose bits are in `place`. */
static void add_key(struct key *k, const struct proto_field *key, const struct proto_place *place)
{
	uint32_t width = proto_key_bits(key), low = width > TEXT_BITS ? 32 : width;

	add_to_key(k, place->lsb, place->bits < low ? place->bits : low, low);
	if (width > low)
		add_to_key(k, place->lsb + low, place->bits > low ? place->bits - low : 0,
			   width - low);
}

/* Appends the keys of a rule that messages with this code have, as one value. It is 0 if the rule
 * has no keys. */
static void print_key(const struct proto_pair *r, uint32_t code, struct buf *b)
{
	struct key k = { .bits = 0 };

	if (r->nkeys == 0)
		buf_addf(b, "0");
	for (uint32_t i = 0; i < r->nkeys; i++)
		add_key(&k, &r->keys[i], proto_key_place(&r->keys[i], code));
	buf_add(b, k.done.at, k.done.n);
	buf_add(b, k.last.at, k.last.n);
	b->failed |= k.done.failed | k.last.failed;
	buf_free(&k.done);
	buf_free(&k.last);
}

/* ---- tables ---- */

static void print_string(const char *name, const char *s, struct buf *b)
{
	buf_addf(b, "%s = \"%s\"", name, s);
}

static void print_numbers(const struct nfart_proto *p, struct buf *b)
{
	buf_addf(b, "local ");
	print_string("NAME", p->name, b);
	buf_addf(b, "\nlocal NUMBER = 0x%08" PRIx32 " -- by which packets name the protocol\n",
		 packet_protocol(p));
	buf_addf(b, "local FLAGS, SLOT, CYCLE, HEADER, LABELS = %d, %d, %d, %d, %d\n",
		 PACKET_FLAGS, PACKET_SLOT, PACKET_CYCLE, PACKET_HEADER, PACKET_LABELS);
	buf_addf(b, "local MESSAGE, LOSS, TIME, NOT_ALL = %d, %d, %d, %d\n", PACKET_MESSAGE,
		 PACKET_LOSS, PACKET_TIME, PACKET_NOT_ALL);
	buf_addf(b, "local OPCODES, HEADER_DIGITS, ADDRESS_DIGITS = %u, %" PRIu32 ", %" PRIu32 "\n",
		 1u << p->header.op_bits, (p->header.bits + 3) / 4,
		 p->header.addr_bits == 0 ? 0
					  : (p->header.addr_bits + p->header.line_shift + 3) / 4);
}

static void print_slots(const struct nfart_proto *p, struct buf *b)
{
	buf_addf(b, "\nlocal slots = {\n");
	for (uint32_t s = 0; s < p->nslots; s++) {
		buf_addf(b, "\t[%" PRIu32 "] = { ", s);
		print_string("group", p->names.groups[p->slots[s].group], b);
		if (p->slots[s].channel != PROTO_NO_CHANNEL)
			buf_addf(b, ", channel = %d", p->slots[s].channel);
		buf_addf(b, " },\n");
	}
	buf_addf(b, "}\n");
}

/* Does a place lie in one half of the header? Then Wireshark takes its bits out. */
static bool is_narrow(uint32_t lsb, uint32_t bits)
{
	return lsb >= 32 || lsb + bits <= 32;
}

/* Appends a place of the field `name`, by a mask of one half or by an expression. */
static void print_place(const char *name, uint32_t lsb, uint32_t bits, bool narrow, struct buf *b)
{
	buf_addf(b, "{ ");
	print_string("name", name, b);
	if (narrow) {
		buf_addf(b, ", half = %d, mask = 0x%" PRIx64 " },\n", lsb >= 32 ? 1 : 2,
			 (((uint64_t)1 << bits) - 1) << lsb % 32);
	} else {
		buf_addf(b, ", value = function(high, low) return ");
		print_value(lsb, bits, 0, b);
		buf_addf(b, " end },\n");
	}
}

/* Prints the opcode as place 0, and the places of all fields. */
static void print_places(const struct nfart_proto *p, struct buf *b)
{
	buf_addf(b, "\nlocal places = {\n\t[0] = ");
	print_place("opcode", p->header.op_lsb, p->header.op_bits,
		    is_narrow(p->header.op_lsb, p->header.op_bits), b);
	for (uint32_t f = 0; f < p->names.nfields; f++) {
		const struct proto_field *field = &p->names.fields[f];
		bool narrow = true;
		for (uint32_t i = 0; i < field->nplaces; i++)
			narrow &= is_narrow(field->places[i].lsb, field->places[i].bits);
		for (uint32_t i = 0; i < field->nplaces; i++) {
			buf_addf(b, "\t");
			print_place(field->name, field->places[i].lsb, field->places[i].bits,
				    narrow, b);
		}
	}
	buf_addf(b, "}\n");
}

/* Appends the numbers of the places that messages with this code have, as a list. */
static void print_places_of(const struct nfart_proto *p, uint32_t code, struct buf *b)
{
	uint32_t number = 1; /* of the first place of a field */
	const char *comma = "";

	buf_addf(b, "{");
	for (uint32_t f = 0; f < p->names.nfields; f++) {
		const struct proto_place *place = proto_field_place(p, f, code);
		if (place != NULL)
			buf_addf(b, "%s %" PRIu32, comma,
				 number + (uint32_t)(place - p->names.fields[f].places));
		if (place != NULL)
			comma = ",";
		number += p->names.fields[f].nplaces;
	}
	buf_addf(b, " }");
}

/* Prints a type. A description gives a type the same opcode, address and fields in all slots. */
static void print_type(const struct nfart_proto *p, uint32_t type, struct buf *b)
{
	const char *comma = "";
	uint32_t code = 0;

	buf_addf(b, "\t{ ");
	print_string("name", p->names.types[type], b);
	buf_addf(b, ", slots = {");
	for (uint32_t s = 0; s < p->nslots; s++) {
		int op = proto_type_opcode(p, type, s);
		if (op < 0)
			continue;
		buf_addf(b, "%s %" PRIu32, comma, s);
		comma = ",";
		code = s << p->header.op_bits | (uint32_t)op;
	}
	buf_addf(b, " }, opcode = %" PRIu32 ", address = %s, places = ",
		 code & ((1u << p->header.op_bits) - 1),
		 bits_get(p->codes.has_addr, code) ? "true" : "false");
	print_places_of(p, code, b);
	buf_addf(b, " },\n");
}

/* Prints the types, and the places of fields that messages without a type have. */
static void print_types(const struct nfart_proto *p, struct buf *b)
{
	uint32_t unnamed = 0;

	buf_addf(b, "\nlocal types = {\n");
	for (uint32_t t = 0; t < p->names.ntypes; t++)
		print_type(p, t, b);
	buf_addf(b, "}\nlocal everywhere = ");
	while (unnamed < p->codes.n && p->codes.type_of[unnamed] != 0)
		unnamed++;
	if (unnamed < p->codes.n)
		print_places_of(p, unnamed, b);
	else
		buf_addf(b, "{}");
	buf_addf(b, "\n");
}

static void print_address(const struct nfart_proto *p, struct buf *b)
{
	uint32_t bits = p->header.addr_bits + p->header.line_shift;

	if (bits == 0)
		return;
	buf_addf(b, "\nlocal function address(high, low)\n\treturn ");
	print_value(p->header.addr_lsb, p->header.addr_bits, p->header.line_shift, b);
	buf_addf(b, "\nend\nlocal function with_address(text, high, low)\n\treturn ");
	if (bits <= EXACT_BITS) {
		buf_addf(b, "format(\"%%s:0x%%x\", text, (");
		print_bits(p->header.addr_lsb, p->header.addr_bits, b);
		buf_addf(b, ") * %" PRIu64 ")", (uint64_t)1 << p->header.line_shift);
	} else {
		buf_addf(b,
			 "text .. \":0x\" .. address(high, low):tohex():gsub(\"^0+(.)\", \"%%1\")");
	}
	buf_addf(b, "\nend\n");
}

/* Prints one side of a rule: for each way in which its messages have the keys, their codes. */
static void print_side(const struct nfart_proto *p, const struct proto_pair *r,
		       const uint64_t *codes, struct buf *b)
{
	struct buf key = { 0 }, last = { 0 };

	for (size_t c = bits_next(codes, p->codes.n, 0); c < p->codes.n;
	     c = bits_next(codes, p->codes.n, c + 1)) {
		key.n = 0;
		print_key(r, (uint32_t)c, &key);
		if (last.n != key.n || memcmp(last.at, key.at, key.n) != 0) {
			buf_addf(b, "%s\t\t{ key = function(high, low) return %s end, codes = {",
				 last.n != 0 ? "} },\n" : "", key.at);
			last.n = 0;
			buf_add(&last, key.at, key.n);
		}
		buf_addf(b, " %zu,", c);
	}
	buf_addf(b, " } },\n");
	b->failed |= key.failed | last.failed;
	buf_free(&key);
	buf_free(&last);
}

static void print_rules(const struct nfart_proto *p, struct buf *b)
{
	buf_addf(b, "\nlocal rules = {\n");
	for (uint32_t i = 0; i < p->names.npairs; i++) {
		buf_addf(b, "\t{ ");
		print_string("name", p->names.pairs[i].name, b);
		buf_addf(b, "%s, requests = {\n",
			 p->names.pairs[i].in_order ? ", in_order = true" : "");
		print_side(p, &p->names.pairs[i], p->names.pairs[i].requests, b);
		buf_addf(b, "\t}, answers = {\n");
		print_side(p, &p->names.pairs[i], p->names.pairs[i].answers, b);
		buf_addf(b, "\t} },\n");
	}
	buf_addf(b, "}\n");
}

void dissector_print(const struct nfart_proto *p, struct buf *b)
{
	/* REUSE-IgnoreStart: these lines are for the generated file and not for this one. */
	buf_addf(b, "-- SPDX-License-Identifier: BSD-2-Clause\n"
		    "-- SPDX-FileCopyrightText: nfacc contributors\n");
	/* REUSE-IgnoreEnd */
	buf_addf(b, "-- A dissector for Wireshark, made by nfacc --emit=lua: messages of protocol "
		    "%s.\n-- tshark -X lua_script:%s.lua -r TRACE.pcapng\n\n"
		    "local floor, format = math.floor, string.format\n", p->name, p->name);
	print_numbers(p, b);
	print_slots(p, b);
	print_places(p, b);
	print_types(p, b);
	print_address(p, b);
	buf_addf(b, "local function opcode(high, low)\n\treturn ");
	print_bits(p->header.op_lsb, p->header.op_bits, b);
	buf_addf(b, "\nend\n");
	print_rules(p, b);
	buf_addf(b, "\n");
	buf_add(b, dissector_code, strlen(dissector_code));
}
