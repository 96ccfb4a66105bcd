/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What nfart.h says of protocols: names of slots, headers of messages, types and addresses; and
 * what it refuses.
 */
#include <string.h>

#include "grammar/describe/builtin.h"
#include "include/nfart.h"
#include "testsuite/unit/unit.h"

START_TEST(slots)
{
	struct nfart_proto *p = proto_builtin("eci"), *bytes = proto_builtin("bytes");
	char name[20], little[4];

	ck_assert_str_eq(nfart_proto_name(p), "eci");
	ck_assert_uint_eq(nfart_proto_nslots(p), 28);
	ck_assert_int_eq(nfart_proto_slot(p, "cpu@6"), 6);
	ck_assert_int_eq(nfart_proto_slot(p, "fpga@13"), 27);
	ck_assert_int_eq(nfart_proto_slot(p, "cpu"), -1);
	ck_assert_int_eq(nfart_proto_slot(bytes, "b"), 0);
	ck_assert(nfart_proto_slot_name(p, 27, name, sizeof name));
	ck_assert_str_eq(name, "fpga@13");
	ck_assert(nfart_proto_slot_name(p, 27, little, sizeof little));
	ck_assert_str_eq(little, "fpg");
	ck_assert(!nfart_proto_slot_name(p, 28, name, sizeof name));
	proto_free(p);
	proto_free(bytes);
}
END_TEST

START_TEST(headers)
{
	struct nfart_proto *p = proto_builtin("eci");
	uint64_t header = 0, address = 0;

	ck_assert(nfart_proto_header(p, 6, "MREQ_RLDD", 0x80, &header));
	ck_assert_str_eq(nfart_proto_type(p, 6, header), "MREQ_RLDD");
	ck_assert(nfart_proto_address(p, 6, header, &address) && address == 0x80);
	ck_assert(!nfart_proto_header(p, 6, "MREQ_NONE", 0, &header));   /* no such type */
	ck_assert(!nfart_proto_header(p, 4, "MREQ_RLDD", 0, &header));   /* not in this slot */
	ck_assert(!nfart_proto_header(p, 28, "MREQ_RLDD", 0, &header));  /* no such slot */
	ck_assert(!nfart_proto_header(p, 6, "MREQ_RLDD", 1, &header));   /* not that of a line */
	ck_assert(!nfart_proto_header(p, 6, "MREQ_RLDD", (uint64_t)1 << 40, &header));
	ck_assert(nfart_proto_header(p, 6, "MREQ_GINV", 0, &header));    /* has no address */
	ck_assert(!nfart_proto_header(p, 6, "MREQ_GINV", 0x80, &header));
	ck_assert(!nfart_proto_address(p, 6, header, &address));
	ck_assert(!nfart_proto_address(p, 28, header, &address));
	ck_assert_ptr_null(nfart_proto_type(p, 28, header));
	ck_assert_ptr_null(nfart_proto_type(p, 0, header));
	proto_free(p);
}
END_TEST

/* Returns bits `high` to `low` of x. */
static uint64_t part_of(uint64_t x, int high, int low)
{
	return x >> low & (((uint64_t)1 << (high - low + 1)) - 1);
}

/* The hash of ECI's addresses against the equations for it and for its inverse, which are written
 * out here: for all addresses with one or two bits set, and for random ones. */
START_TEST(hashes)
{
	uint64_t x = 1;

	for (int i = 0; i < 40 * 40 + 1000; i++) {
		uint64_t a = (x = x * 6364136223846793005 + 1442695040888963407) >> 24;
		if (i < 40 * 40)
			a = (uint64_t)1 << i / 40 | (uint64_t)1 << i % 40;
		uint64_t c = a >> 7, h = nfart_eci_hash(a) >> 7, u = nfart_eci_unhash(a) >> 7;
		ck_assert_uint_eq(part_of(h, 32, 13), part_of(c, 32, 13));
		ck_assert_uint_eq(part_of(h, 12, 8), part_of(c, 12, 8) ^ part_of(c, 17, 13));
		ck_assert_uint_eq(part_of(h, 7, 5), part_of(c, 7, 5) ^ part_of(c, 20, 18));
		ck_assert_uint_eq(part_of(h, 4, 3),
				  part_of(c, 4, 3) ^ part_of(c, 17, 16) ^ part_of(c, 6, 5));
		ck_assert_uint_eq(part_of(h, 2, 0),
				  part_of(c, 2, 0) ^ part_of(c, 15, 13) ^ part_of(c, 7, 5));
		ck_assert_uint_eq(part_of(u, 32, 13), part_of(c, 32, 13));
		ck_assert_uint_eq(part_of(u, 12, 8), part_of(c, 12, 8) ^ part_of(c, 17, 13));
		ck_assert_uint_eq(part_of(u, 7, 5), part_of(c, 7, 5) ^ part_of(c, 20, 18));
		ck_assert_uint_eq(part_of(u, 4, 3), part_of(c, 4, 3) ^ part_of(c, 19, 18) ^
							 part_of(c, 17, 16) ^ part_of(c, 6, 5));
		ck_assert_uint_eq(part_of(u, 2, 0), part_of(c, 2, 0) ^ part_of(c, 20, 18) ^
							 part_of(c, 15, 13) ^ part_of(c, 7, 5));
		ck_assert_uint_eq(nfart_eci_unhash(nfart_eci_hash(a)), a);
		ck_assert_uint_eq(nfart_eci_hash(nfart_eci_unhash(a)), a);
		ck_assert_uint_eq(nfart_eci_hash(a) & 0x7f, a & 0x7f);
	}
}
END_TEST

START_TEST(fields)
{
	struct nfart_proto *p = proto_builtin("eci"), *bytes = proto_builtin("bytes");
	uint64_t header = 0x281c000000008080, value = 0; /* MREQ_RLDX with rreqid 7 */

	ck_assert_uint_eq(nfart_proto_nfields(p), 8);
	ck_assert_str_eq(nfart_proto_field_name(p, 0), "rreqid");
	ck_assert_ptr_null(nfart_proto_field_name(p, 8));
	ck_assert(nfart_proto_field(p, 0, 6, header, &value) && value == 7);
	ck_assert_str_eq(nfart_proto_field_name(p, 1), "hreqid");
	ck_assert(!nfart_proto_field(p, 1, 6, header, &value)); /* the message lacks it */
	ck_assert(!nfart_proto_field(p, 0, 28, header, &value)); /* no such slot */
	ck_assert(!nfart_proto_field(p, 8, 6, header, &value));  /* no such field */
	ck_assert_uint_eq(nfart_proto_nfields(bytes), 0);
	proto_free(p);
	proto_free(bytes);
}
END_TEST

START_TEST(formats)
{
	enum nfart_format f;

	ck_assert(nfart_format_parse("csv", &f) && f == NFART_FORMAT_CSV);
	ck_assert(!nfart_format_parse("tsv", &f));
	ck_assert_ptr_null(nfart_compress_open(stdout, NFART_COMPRESSION_NONE, NULL));
	for (int i = NFART_SIMD_BEST; i <= NFART_SIMD_AVX512; i++)
		ck_assert_uint_ne(strlen(nfart_simd_name((enum nfart_simd)i)), 0);
}
END_TEST

/* What a reader or writer refuses before it begins. */
START_TEST(refused)
{
	struct nfart_proto *p = proto_builtin("eci"), *bytes = proto_builtin("bytes");
	struct nfart_reader_options o = { .format = NFART_FORMAT_DENSE };
	struct nfart_writer_options w = { .format = NFART_FORMAT_DENSE };
	struct nfart_error e;

	ck_assert_ptr_null(nfart_reader_memory("x", 1, "x", bytes, &o, &e));
	ck_assert_int_eq(e.status, NFART_USAGE);
	ck_assert_ptr_null(nfart_writer_new(stdout, bytes, &w, &e));
	o.format = NFART_FORMAT_RAW;
	ck_assert_ptr_null(nfart_reader_memory("x", 1, "x", p, &o, &e));
	o.format = NFART_FORMAT_JSON;
	ck_assert_ptr_null(nfart_reader_memory("x", 1, "x", p, &o, &e));
	w.format = NFART_FORMAT_RAW;
	ck_assert_ptr_null(nfart_writer_new(stdout, bytes, &w, &e));
	w.format = NFART_FORMAT_TEXT;
	w.part_bytes = 100;
	ck_assert_ptr_null(nfart_writer_new(stdout, p, &w, &e));
	ck_assert_str_eq(e.what, "format 'text' is written to one file");
	ck_assert_ptr_null(nfart_reader_open("/nowhere/at-all", p, NULL, &e));
	ck_assert_int_eq(e.status, NFART_SYSTEM);
	ck_assert_ptr_null(nfart_reader_open("/nowhere/at-all", p, NULL, NULL));
	proto_free(p);
	proto_free(bytes);
}
END_TEST

/* A protocol of a description in memory. It may extend a shipped protocol. */
START_TEST(description)
{
	static const char text[] = "protocol two;\nheader 64;\nopcode 59..63;\ngroups a, b;\n"
				   "types A from a {\n\tX 1;\n}\n";
	static const char extended[] = "protocol more extends eci;\n";
	static const char wrong[] = "protocol two;\nheader 65;\n";
	struct nfart_error e = { 0 };
	struct nfart_proto *p = nfart_proto_parse(text, sizeof text - 1, "two.proto", &e);
	uint64_t header;

	ck_assert_msg(p != NULL, "%s", e.what);
	ck_assert_str_eq(nfart_proto_name(p), "two");
	ck_assert_int_eq(nfart_proto_slot(p, "b"), 1);
	ck_assert(nfart_proto_header(p, 0, "A_X", 0, &header));
	ck_assert(header == (uint64_t)1 << 59);
	nfart_proto_free(p);
	p = nfart_proto_parse(extended, sizeof extended - 1, "more", &e);
	ck_assert_msg(p != NULL, "%s", e.what);
	ck_assert_int_eq(nfart_proto_slot(p, "cpu@6"), 6);
	nfart_proto_free(p);
	ck_assert_ptr_null(nfart_proto_parse(wrong, sizeof wrong - 1, "wrong.proto", &e));
	ck_assert_int_eq(e.status, NFART_INPUT);
	ck_assert_str_eq(e.file, "wrong.proto");
	ck_assert_uint_eq(e.line, 2);
	ck_assert_ptr_null(nfart_proto_parse("", 0, "nothing", NULL));
}
END_TEST

Suite *suite_interface(void)
{
	const TTest *const tests[] = { slots, headers, hashes, fields, formats, refused,
				       description, NULL };

	return unit_suite("interface", tests);
}
