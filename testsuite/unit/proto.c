/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <stdlib.h>
#include <string.h>

#include "grammar/describe/builtin.h"
#include "grammar/describe/proto_text.h"
#include "testsuite/unit/unit.h"

static struct nfart_proto *builtin(const char *name)
{
	struct nfart_proto *p = proto_builtin(name);

	ck_assert_ptr_nonnull(p);
	return p;
}

static int find_slot(const struct nfart_proto *p, const char *group, int channel)
{
	return proto_find_slot(p, (uint32_t)proto_find_group(p, group, strlen(group)), channel);
}

static int opcode(const struct nfart_proto *p, const char *type, const char *group, int channel)
{
	int t = proto_find_type(p, type, strlen(type)), s = find_slot(p, group, channel);

	return t < 0 || s < 0 ? -2 : proto_type_opcode(p, (uint32_t)t, (uint32_t)s);
}

static bool has_address(const struct nfart_proto *p, const char *group, int channel, uint32_t op)
{
	return bits_get(p->codes.has_addr,
			(uint32_t)find_slot(p, group, channel) << p->header.op_bits | op);
}

START_TEST(eci)
{
	struct nfart_proto *p = builtin("eci");
	char name[80];

	unit_eq(p->nslots, 28);
	unit_eq(p->header.bits, 64);
	unit_eq(p->header.op_bits, 5);
	unit_eq(p->header.idle, 31);
	for (int i = 0; i < 28; i++) {
		unit_eq(find_slot(p, i < 14 ? "cpu" : "fpga", i % 14), i);
		snprintf(name, sizeof name, "%s@%d", i < 14 ? "cpu" : "fpga", i % 14);
		char got[80];
		proto_slot_name(p, (uint32_t)i, got);
		ck_assert_str_eq(got, name);
	}
	unit_eq(find_slot(p, "cpu", 14), -1);
	unit_eq(find_slot(p, "cpu", PROTO_NO_CHANNEL), -1);
	unit_eq(proto_find_group(p, "cp", 2), -1);
	unit_eq(proto_find_group(p, "cpux", 3), 0);
	unit_eq(opcode(p, "MREQ_RLDX", "cpu", 6), 5);
	unit_eq(opcode(p, "MREQ_RLDX", "fpga", 7), 5);
	unit_eq(opcode(p, "MREQ_RLDX", "cpu", 2), -1);
	unit_eq(opcode(p, "MRSP_PEMD", "fpga", 4), 10);
	unit_eq(opcode(p, "MREQ_NOTYPE", "cpu", 6), -2);
	unit_check(has_address(p, "cpu", 6, 0));
	unit_check(!has_address(p, "cpu", 6, 24));
	unit_check(!has_address(p, "cpu", 6, 12));
	ck_assert_int_ge(proto_find_event(p, "R12", 3), 0);
	unit_eq(proto_find_event(p, "R11", 3), -1);
	/* An ECI header has the opcode in bits 63:59 and the line in bits 39:7. */
	unit_eq(proto_opcode(p, 0x2fffffffffffffff), 5);
	unit_eq(proto_code(p, 6, 0x2800000000000000), 6 << 5 | 5);
	unit_eq(proto_line(p, 0xffffff00000000ff), 1);
	unit_eq(proto_line(p, UINT64_MAX), ((uint64_t)1 << 33) - 1);
	unit_eq(proto_addr_mask(p), 0xffffffff80);
	unit_eq(proto_header_mask(p), UINT64_MAX);
	for (uint32_t c = 0; c < p->codes.n; c++)
		unit_check(bits_get(p->codes.valid, c) == (c % 32 != 31));
	proto_free(p);
}
END_TEST

START_TEST(eci_coherence)
{
	struct nfart_proto *p = builtin("eci-coherence"), *whole = builtin("eci");

	ck_assert_str_eq(p->name, "eci-coherence");
	unit_eq(p->nslots, 20);
	for (int i = 0; i < 20; i++)
		unit_eq(find_slot(p, i < 10 ? "cpu" : "fpga", 2 + i % 10), i);
	unit_eq(find_slot(p, "cpu", 1), -1);
	unit_eq(find_slot(p, "cpu", 12), -1);
	ck_assert_uint_ne(p->fp.hardware, whole->fp.hardware);
	ck_assert_uint_ne(p->fp.names, whole->fp.names);
	/* Each slot must have the same types as in the whole protocol. */
	for (uint32_t s = 0; s < p->nslots; s++)
		for (uint32_t op = 0; op < 32; op++) {
			uint32_t w = (s < 10 ? s + 2 : s + 6) << 5 | op, c = s << 5 | op;
			unit_check((p->codes.type_of[c] == 0) == (whole->codes.type_of[w] == 0));
			if (p->codes.type_of[c] != 0)
				ck_assert_str_eq(p->names.types[p->codes.type_of[c] - 1],
						 whole->names.types[whole->codes.type_of[w] - 1]);
			unit_check(bits_get(p->codes.has_addr, c) ==
				   bits_get(whole->codes.has_addr, w));
		}
	unit_eq(proto_find_type(p, "IREQ_IOBLD", 10), -1);
	unit_eq(proto_find_type(p, "MDLD_LNKD", 9), -1);
	proto_free(p);
	proto_free(whole);
}
END_TEST

START_TEST(bytes)
{
	struct nfart_proto *p = builtin("bytes");
	char name[80];

	unit_eq(p->nslots, 1);
	unit_eq(p->header.bits, 8);
	unit_eq(p->header.op_bits, 8);
	unit_eq(p->header.idle, PROTO_NO_IDLE);
	unit_eq(p->header.addr_bits, 0);
	unit_eq(proto_addr_mask(p), 0);
	unit_eq(proto_header_mask(p), 0xff);
	unit_eq(proto_opcode(p, 0x61), 0x61);
	unit_eq(p->names.ntypes, 0);
	unit_eq(find_slot(p, "b", PROTO_NO_CHANNEL), 0);
	proto_slot_name(p, 0, name);
	ck_assert_str_eq(name, "b");
	for (uint32_t c = 0; c < 256; c++)
		unit_check(bits_get(p->codes.valid, c));
	proto_free(p);
	ck_assert_ptr_null(proto_builtin("eci-incoherence"));
	proto_free(NULL);
}
END_TEST

/* A protocol with three slots and 7-bit opcodes, in which no field begins at a byte's border. */
static const char odd[] =
	"protocol odd; header 53; opcode 13..19; idle 77; address 21..49 line 8;\n"
	"groups left, right, up;\n"
	"types A from left, up { ONE 0; TWO 127 address; }\n"
	"types B { ONE 1 address; TWO 3 from right address; }\n"
	"event E from up = A_TWO, B_ONE;\n";

START_TEST(made_up)
{
	struct nfart_proto *p = unit_proto(odd);
	uint32_t types = 0;

	ck_assert_str_eq(p->name, "odd");
	unit_eq(p->nslots, 3);
	unit_eq(p->codes.n, 3 << 7);
	unit_eq(p->header.op_bits, 7);
	unit_eq(p->header.line_shift, 3);
	unit_eq(proto_header_mask(p), ((uint64_t)1 << 53) - 1);
	unit_eq(proto_opcode(p, (uint64_t)0x7f << 13), 127);
	unit_eq(proto_opcode(p, ~((uint64_t)0x7f << 13)), 0);
	unit_eq(proto_line(p, (uint64_t)0x12345678 << 21), 0x12345678);
	unit_eq(proto_line(p, ~(uint64_t)0), (1u << 29) - 1);
	unit_eq(opcode(p, "A_TWO", "left", PROTO_NO_CHANNEL), 127);
	unit_eq(opcode(p, "A_TWO", "right", PROTO_NO_CHANNEL), -1);
	unit_eq(opcode(p, "B_ONE", "right", PROTO_NO_CHANNEL), 1);
	unit_eq(opcode(p, "B_TWO", "up", PROTO_NO_CHANNEL), -1);
	for (uint32_t c = 0; c < p->codes.n; c++) {
		types += p->codes.type_of[c] != 0;
		unit_check(bits_get(p->codes.valid, c) == (c % 128 != 77));
	}
	unit_eq(types, 2 + 2 + 3 + 1);
	unit_eq(p->names.nevents, 1);
	unit_eq(p->names.events[0].ntypes, 2);
	unit_eq(p->names.events[0].group, 2);
	proto_free(p);
}
END_TEST

static void proto_refused(const char *text, size_t column)
{
	struct diags d = { .werror = false };
	struct nfart_proto *p;
	size_t line, at;

	proto_parse(&d, NULL, 0, "proto", text, strlen(text), &p);
	if (p != NULL || d.errors != 1)
		unit_fail("%s: %zu errors", text, d.errors);
	diag_locate(&d.sources.at[d.records.at[0].range.source], d.records.at[0].range.begin, &line,
		    &at);
	if (at != column)
		unit_fail("%s: error in column %zu: %s", text, at, d.records.at[0].message);
	diag_free(&d);
}

START_TEST(text_errors)
{
	proto_refused("", 1);
	proto_refused("protocol", 9);
	proto_refused("protocol x", 11);
	proto_refused("protocol x; header 0;", 20);
	proto_refused("protocol x; header 65;", 20);
	proto_refused("protocol x; groups a;", 22);
	proto_refused("protocol x; opcode 0..7;", 25);
	proto_refused("protocol x; opcode 0..8;", 20);
	proto_refused("protocol x; opcode 3..2;", 20);
	proto_refused("protocol x; header 8; opcode 0..8;", 33);
	proto_refused("protocol x; groups a, b, a;", 26);
	proto_refused("protocol x; opcode 0..3; groups a, b; channels 0..32;", 48);
	proto_refused("protocol x; opcode 0..3; idle 16; groups a;", 44);
	proto_refused("protocol x; opcode 0..3; groups a; types T { X 16; }", 48);
	proto_refused("protocol x; opcode 0..3; groups a; types T { X 1; Y 1; }", 51);
	proto_refused("protocol x; opcode 0..3; groups a; types T { X 1; X 2; }", 51);
	proto_refused("protocol x; opcode 0..3; groups a; types T { X 1 address; }", 46);
	proto_refused("protocol x; opcode 0..3; idle 1; groups a; types T { X 1; }", 54);
	proto_refused("protocol x; opcode 0..3; groups a; types T { X 1; } event E from a = T_Y;",
		      70);
	proto_refused("protocol x; opcode 0..3; groups a; types T { X 1; } event E from b = T_X;",
		      66);
	proto_refused("protocol x; opcode 0..3; address 0..7 line 3; groups a;", 44);
	proto_refused("protocol x extends nothing;", 20);
}
END_TEST

/* ---- fields, broadcast types, channels of groups ---- */

/* Where a field is in messages of a type: lowest bit and number of bits. NULL: nowhere. */
static const struct proto_place *proto_at(const struct nfart_proto *p, const char *field,
					  const char *group, int channel, uint32_t op)
{
	int f = proto_find_field(p, field, strlen(field));

	ck_assert_int_ge(f, 0);
	return proto_field_place(p, (uint32_t)f,
				 (uint32_t)find_slot(p, group, channel) << p->header.op_bits | op);
}

static void check_place(const struct proto_place *x, uint32_t lsb, uint32_t bits)
{
	ck_assert_ptr_nonnull(x);
	unit_eq(x->lsb, lsb);
	unit_eq(x->bits, bits);
}

START_TEST(eci_fields)
{
	static const char *const names[] = { "eci", "eci-coherence" };

	for (size_t i = 0; i < 2; i++) {
		struct nfart_proto *p = builtin(names[i]);

		unit_eq(p->names.nfields, 8);
		check_place(proto_at(p, "rreqid", "cpu", 6, 0), 50, 5);
		check_place(proto_at(p, "rreqid", "fpga", 4, 10), 50, 5);
		check_place(proto_at(p, "hreqid", "fpga", 8, 14), 50, 6);
		check_place(proto_at(p, "hreqid", "cpu", 10, 4), 50, 6);
		check_place(proto_at(p, "dmask", "cpu", 10, 2), 46, 4);
		check_place(proto_at(p, "ns", "cpu", 10, 0), 45, 1);
		check_place(proto_at(p, "node", "fpga", 9, 11), 42, 2);
		check_place(proto_at(p, "nxm", "fpga", 5, 9), 58, 1);
		check_place(proto_at(p, "dirty", "fpga", 5, 9), 41, 4);
		check_place(proto_at(p, "fillo", "fpga", 11, 10), 5, 2);
		ck_assert_ptr_null(proto_at(p, "rreqid", "cpu", 6, 24)); /* GSYNC */
		ck_assert_ptr_null(proto_at(p, "rreqid", "cpu", 6, 11)); /* REOR */
		ck_assert_ptr_null(proto_at(p, "rreqid", "fpga", 8, 14));
		ck_assert_ptr_null(proto_at(p, "hreqid", "cpu", 4, 0)); /* VICD */
		ck_assert_ptr_null(proto_at(p, "ns", "fpga", 4, 10));
		unit_eq(proto_find_field(p, "rreqi", 5), -1);
		unit_eq(proto_find_field(p, "addr", 4), -1);
		unit_check(!bits_any(p->codes.broadcast, bits_words(p->codes.n)));
		proto_free(p);
	}
}
END_TEST

static const char mixed[] =
	"protocol mixed; header 20; opcode 16..19; address 8..15 line 4;\n"
	"groups a 3..4, b, c 9; channels 0..1;\n"
	"types T on 0, 4, 9 { ONE 1 address; TWO 2 from b broadcast; }\n"
	"types U from c { ONE 3; }\n"
	"field every 0..3; field some 4..7 of T_ONE, U; field some 5 of T_TWO;\n";

START_TEST(groups_and_fields)
{
	struct nfart_proto *p = unit_proto(mixed);
	struct nfart_proto *plain = unit_proto(
		"protocol mixed; header 20; opcode 16..19; address 8..15 line 4;\n"
		"groups a 3..4, b, c 9; channels 0..1;\n"
		"types T on 0, 4, 9 { ONE 1 address; TWO 2 from b; }\n"
		"types U from c { ONE 3; }\n");

	unit_eq(p->nslots, 5);
	unit_eq(find_slot(p, "a", 3), 0);
	unit_eq(find_slot(p, "a", 4), 1);
	unit_eq(find_slot(p, "b", 0), 2);
	unit_eq(find_slot(p, "b", 1), 3);
	unit_eq(find_slot(p, "c", 9), 4);
	unit_eq(opcode(p, "T_ONE", "a", 3), -1);
	unit_eq(opcode(p, "T_ONE", "a", 4), 1);
	unit_eq(opcode(p, "T_TWO", "b", 0), 2);
	unit_eq(opcode(p, "T_TWO", "c", 9), -1);
	for (uint32_t c = 0; c < p->codes.n; c++)
		unit_check(bits_get(p->codes.broadcast, c) == (c == (2 << 4 | 2)));
	check_place(proto_at(p, "every", "a", 3, 15), 0, 4);
	check_place(proto_at(p, "some", "a", 4, 1), 4, 4);
	check_place(proto_at(p, "some", "c", 9, 3), 4, 4);
	check_place(proto_at(p, "some", "b", 0, 2), 5, 1);
	ck_assert_ptr_null(proto_at(p, "some", "b", 1, 2));
	/* Fields are in no fingerprint, but broadcast types are. */
	unit_eq(p->fp.names, plain->fp.names);
	ck_assert_uint_ne(p->fp.hardware, plain->fp.hardware);
	proto_free(p);
	proto_free(plain);
}
END_TEST

START_TEST(field_errors)
{
	proto_refused("protocol x; opcode 0..3; groups a 1..0;", 35);
	proto_refused("protocol x; opcode 0..3; groups a 0..40, b 0..30; types T { }", 33);
	proto_refused("protocol x; opcode 0..3; groups a 1; types T on 0 { X 1; }", 49);
	proto_refused("protocol x; opcode 0..3; groups a; field n 0..63;", 44);
	proto_refused("protocol x; opcode 0..3; groups a; field a 0;", 42);
	proto_refused("protocol x; opcode 0..3; groups a; field addr 0;", 42);
	proto_refused("protocol x; opcode 0..3; groups a; field tick 0;", 42);
	proto_refused("protocol x; opcode 0..3; groups a; field n 0; field n 1;", 53);
	proto_refused("protocol x; opcode 0..3; groups a; field n 0 of T;", 49);
	proto_refused("protocol x; opcode 0..3; groups a; field n 0; idle 3;", 47);
	proto_refused("protocol x; opcode 0..3; groups a; field T_X 0; types T { X 1; }", 59);
	proto_refused("protocol x; opcode 0..3; groups a; types T { X 1 broadcast broadcast; }",
		      60);
}
END_TEST

/* ---- a protocol's table as an image has it ---- */

static void check_same(const struct nfart_proto *p, const struct nfart_proto *q)
{
	ck_assert_str_eq(p->name, q->name);
	unit_eq(p->fp.hardware, q->fp.hardware);
	unit_eq(p->fp.names, q->fp.names);
	unit_eq(p->nslots, q->nslots);
	unit_eq(p->codes.n, q->codes.n);
	unit_eq(p->header.idle, q->header.idle);
	ck_assert_mem_eq(p->slots, q->slots, p->nslots * sizeof p->slots[0]);
	ck_assert_mem_eq(p->codes.type_of, q->codes.type_of, p->codes.n * sizeof *p->codes.type_of);
	ck_assert_mem_eq(p->codes.has_addr, q->codes.has_addr, bits_words(p->codes.n) * 8);
	ck_assert_mem_eq(p->codes.valid, q->codes.valid, bits_words(p->codes.n) * 8);
	ck_assert_mem_eq(p->codes.broadcast, q->codes.broadcast, bits_words(p->codes.n) * 8);
	unit_eq(p->names.ntypes, q->names.ntypes);
	for (uint32_t i = 0; i < p->names.ntypes; i++)
		ck_assert_str_eq(p->names.types[i], q->names.types[i]);
	unit_eq(p->names.nevents, q->names.nevents);
	for (uint32_t i = 0; i < p->names.nevents; i++) {
		ck_assert_str_eq(p->names.events[i].name, q->names.events[i].name);
		unit_eq(p->names.events[i].group, q->names.events[i].group);
		unit_eq(p->names.events[i].ntypes, q->names.events[i].ntypes);
		ck_assert_mem_eq(p->names.events[i].types, q->names.events[i].types,
				 p->names.events[i].ntypes * 4);
	}
}

static void check_round_trip(struct nfart_proto *p)
{
	struct buf b = { 0 }, again = { 0 };
	struct nfart_proto *q;
	struct nfart_error e;

	proto_write(p, &b);
	unit_check(!b.failed);
	q = proto_read((unsigned char *)b.at, b.n, &e);
	ck_assert_ptr_nonnull(q);
	check_same(p, q);
	proto_write(q, &again);
	unit_eq(b.n, again.n);
	ck_assert_mem_eq(b.at, again.at, b.n);
	buf_free(&b);
	buf_free(&again);
	proto_free(q);
	proto_free(p);
}

START_TEST(round_trip)
{
	for (const struct builtin *b = builtin_protocols; b->name != NULL; b++)
		check_round_trip(builtin(b->name));
	check_round_trip(unit_proto(odd));
	check_round_trip(unit_proto(mixed));
}
END_TEST

/* A table that is cut off or too long must be refused. A table with one byte changed must be
 * refused, or be read as a protocol that writes exactly the changed bytes. */
START_TEST(malformed)
{
	struct nfart_proto *p = unit_proto(odd), *q;
	struct buf b = { 0 }, again = { 0 };
	struct nfart_error e;
	unsigned char *copy;
	size_t accepted = 0;

	proto_write(p, &b);
	unit_check(!b.failed);
	for (size_t n = 0; n < b.n; n++) {
		copy = malloc(n + 1);
		ck_assert_ptr_nonnull(copy);
		memcpy(copy, b.at, n);
		ck_assert_ptr_null(proto_read(copy, n, &e));
		unit_eq(e.status, NFART_INPUT);
		free(copy);
	}
	copy = malloc(b.n + 1);
	ck_assert_ptr_nonnull(copy);
	memcpy(copy, b.at, b.n + 1);
	ck_assert_ptr_null(proto_read(copy, b.n + 1, &e));
	for (size_t i = 0; i < b.n; i++)
		for (int x = 1; x < 256; x = x < 128 ? 2 * x : x + 127) {
			copy[i] = (unsigned char)(b.at[i] ^ x);
			q = proto_read(copy, b.n, &e);
			if (q != NULL) {
				again.n = 0;
				proto_write(q, &again);
				unit_eq(again.n, b.n);
				ck_assert_mem_eq(again.at, copy, b.n);
				accepted++;
			}
			proto_free(q);
			copy[i] = (unsigned char)b.at[i];
		}
	ck_assert_uint_gt(accepted, 0);
	free(copy);
	buf_free(&b);
	buf_free(&again);
	proto_free(p);
}
END_TEST

/* The set of broadcast types must not be empty, and must have no type with an address. */
START_TEST(malformed_broadcast)
{
	struct nfart_proto *p = unit_proto(mixed);
	struct nfart_error e;

	for (uint32_t c = 0; c < p->codes.n; c++) {
		struct buf b = { 0 };
		unsigned char *set;
		struct nfart_proto *q;

		proto_write(p, &b);
		unit_check(!b.failed);
		set = (unsigned char *)b.at + b.n - 8 * bits_words(p->codes.n);
		set[c / 8] ^= (unsigned char)(1 << c % 8);
		q = proto_read((unsigned char *)b.at, b.n, &e);
		unit_check((q != NULL) ==
			   (!bits_get(p->codes.has_addr, c) && !bits_get(p->codes.broadcast, c)));
		proto_free(q);
		buf_free(&b);
	}
	proto_free(p);
}
END_TEST

Suite *suite_proto(void)
{
	const TTest *const tests[] = { eci, eci_coherence, bytes, made_up, text_errors, eci_fields,
				       groups_and_fields, field_errors, round_trip, malformed,
				       malformed_broadcast, NULL };

	return unit_suite("proto", tests);
}
