/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What an image says of its source, where its sections `names`, `source` and `guards` are damaged.
 * An image comes from outside, and what it says of its source may be anything.
 */
#include <string.h>

#include "runtime/explain/guards.h"
#include "runtime/explain/origin.h"
#include "testsuite/unit/unit.h"

/* Makes *o out of an image of one state, number 7, with these sections; NULL: it lacks the
 * section. */
static void open_origin(struct origin *o, struct nfart_image *im, const char *names,
			const char *source)
{
	static struct image_state state = { .node = 7 };

	memset(im, 0, sizeof *im);
	im->nfa.states = &state;
	im->nfa.nstates = 1;
	if (names != NULL)
		im->file.section[im->file.nsections++] = (struct image_section){
			SEC_names, (const unsigned char *)names, strlen(names), 0
		};
	if (source != NULL)
		im->file.section[im->file.nsections++] = (struct image_section){
			SEC_source, (const unsigned char *)source, strlen(source), 0
		};
	ck_assert(origin_init(o, im));
}

START_TEST(names)
{
	static const struct {
		const char *line;
		bool good;
		uint64_t at, column;
		const char *counter;
	} lines[] = {
		{ "7 a.re:3:4\n", true, 3, 4, "" },
		{ "7 a b:c.re:3:4\n", true, 3, 4, "" },
		{ "7 a.re:3:4 @c\n", true, 3, 4, "@c" },
		{ "7 a.re:3:4@c\n", false, 0, 0, NULL }, /* no blank before the `@` */
		{ "7 @.re:3:4\n", true, 3, 4, "" },       /* a file, not a counter */
		{ "@ a.re:3:4\n", false, 0, 0, NULL },
		{ "7a.re:3:4\n", false, 0, 0, NULL },
		{ "7 a.re:34\n", false, 0, 0, NULL },
		{ "7 a.re\n", false, 0, 0, NULL },
		{ " a.re:3:4\n", false, 0, 0, NULL },
		{ "7 :3:4\n", true, 3, 4, "" },
		{ "x a.re:3:4\n", false, 0, 0, NULL },
		{ "4294967295 a.re:3:4\n", false, 0, 0, NULL },
		{ "7 a.re:x:4\n", false, 0, 0, NULL },
		{ "7 a.re:3:\n", false, 0, 0, NULL },
		{ "7 a.re:0:4\n", false, 0, 0, NULL },
		{ "7 a.re:3:0\n", false, 0, 0, NULL },
		{ "7 a.re:99999999999999999999999:4\n", false, 0, 0, NULL },
		{ "8 a.re:3:4\n", false, 0, 0, NULL },   /* of another state */
		{ "7 a.re:3:4", false, 0, 0, NULL },     /* the line does not end */
	};

	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		struct buf b = { 0 };
		const struct origin_place *p;
		struct nfart_image im;
		struct origin o;
		buf_addf(&b, "the overlay\n%s", lines[i].line);
		open_origin(&o, &im, b.at, NULL);
		p = origin_find(&o, 0);
		ck_assert_msg((p != NULL) == lines[i].good, "%s", lines[i].line);
		if (p != NULL) {
			ck_assert_uint_eq(p->line, lines[i].at);
			ck_assert_uint_eq(p->column, lines[i].column);
			ck_assert_uint_eq(p->counter_size, strlen(lines[i].counter));
			ck_assert_mem_eq(p->counter, lines[i].counter, p->counter_size);
		}
		origin_free(&o);
		buf_free(&b);
	}
}
END_TEST

/* Names that are too long, states that stand twice, and no names at all. */
START_TEST(odd_names)
{
	struct buf b = { 0 };
	struct nfart_image im;
	struct origin o;

	open_origin(&o, &im, NULL, NULL);
	ck_assert_ptr_null(origin_find(&o, 0));
	open_origin(&o, &im, "", NULL);
	ck_assert_ptr_null(origin_find(&o, 0));
	open_origin(&o, &im, "x\n9 a:1:1\n7 b:2:2\n7 c:3:3\n3 d:4:4\n", NULL);
	ck_assert_uint_eq(o.places.n, 3);
	ck_assert_uint_eq(origin_find(&o, 0)->line, 2);
	origin_free(&o);
	buf_addf(&b, "x\n7 %05000d:3:4\n", 1);
	open_origin(&o, &im, b.at, NULL);
	ck_assert_ptr_null(origin_find(&o, 0));
	b.n = 0;
	buf_addf(&b, "x\n7 a:3:4 @%05000d\n", 1);
	open_origin(&o, &im, b.at, NULL);
	ck_assert_ptr_null(origin_find(&o, 0));
	buf_free(&b);
}
END_TEST

/* Lines of the parts of a machine with a state, a counter and its condition, and a transition. */
START_TEST(parts)
{
	static const struct image_cond cond;
	static const struct image_machine_counter counter = { .ncount = 1, .count = &cond };
	static const struct image_move move;
	static struct image_machine machines[2] = {
		{ .nstates = 1 },
		{ .nstates = 1, .ncounters = 1, .counters = &counter, .nmoves = 1, .moves = &move }
	};
	static const struct {
		const char *lines;
		uint64_t counter, count, move; /* the lines of their places; 0: not known */
	} tests[] = {
		{ "counter c f:3:1\ncount - f:4:1\nmove - f:5:1\n", 3, 4, 5 },
		{ "counter c f:3:1\nmove - f:5:1\n", 3, 0, 0 }, /* a part is missing */
		{ "counter c -\ncount - -\nmove - f:5:1\n", 0, 0, 5 },
		{ "counter c f:3\ncounter c f:4:1\n", 4, 0, 0 },
		{ "counter f:3:1\ncounters c f:3:1\ncounter\ncounter \nc", 0, 0, 0 },
		{ "counter c f:3:1\ncount - f:4:1\nmove - f:5:1\nmove - f:6:1\n", 3, 4, 5 },
	};

	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
		static const struct nfart_image none;
		struct nfart_image im = none;
		struct image_section section = { .id = SEC_names };
		struct origin o;
		struct buf b = { 0 };
		buf_addf(&b, "x\nmachine m f:1:1\nstate s f:1:2\nmachine n f:2:1\n"
			     "state t f:2:2\n%s", tests[i].lines);
		section.at = (const unsigned char *)b.at;
		section.n = b.n;
		im.file.section[im.file.nsections++] = section;
		im.nfa.machines = machines;
		im.nfa.nmachines = 2;
		ck_assert(origin_init(&o, &im));
		ck_assert_int_eq(origin_part(&o, 0, ORIGIN_MACHINE, 0)->name[0], 'm');
		ck_assert_int_eq(origin_part(&o, 1, ORIGIN_MACHINE, 0)->name[0], 'n');
		ck_assert_uint_eq(origin_part(&o, 1, ORIGIN_STATE, 0)->place.column, 2);
		ck_assert_uint_eq(origin_part(&o, 1, ORIGIN_COUNTER, 0)->place.line,
				  tests[i].counter);
		ck_assert_uint_eq(origin_part(&o, 1, ORIGIN_COUNT, 0)->place.line, tests[i].count);
		ck_assert_uint_eq(origin_part(&o, 1, ORIGIN_MOVE, 0)->place.line, tests[i].move);
		origin_free(&o);
		buf_free(&b);
	}
}
END_TEST

START_TEST(sources)
{
	static const struct {
		const char *source, *line; /* NULL: there is none */
	} cases[] = {
		{ "a 8\none\ntwo\n", "two" },
		{ "b 4\nxyz\na 8\none\ntwo\n", "two" },
		{ "a 7\none\ntwo", "two" },
		{ "a 3\none", NULL },            /* too few lines */
		{ "a 5\none\nt", NULL },         /* the line is too short for the column */
		{ "a 4\none\na 4\ntwo\n", NULL }, /* two files of this name */
		{ "c 8\none\ntwo\n", NULL },     /* another file */
		{ "a 9\none\ntwo\n", NULL },     /* longer than the section */
		{ "a x\none\ntwo\n", NULL },
		{ "a8\none\ntwo\n", NULL },
		{ "a 8", NULL },
		{ "", NULL },
		{ NULL, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct nfart_image im;
		struct origin o;
		const char *line;
		size_t n = 0;
		open_origin(&o, &im, "x\n7 a:2:3\n", cases[i].source);
		line = origin_line(&o, origin_find(&o, 0), &n);
		ck_assert_int_eq(line != NULL, cases[i].line != NULL);
		if (line != NULL) {
			ck_assert_uint_eq(n, strlen(cases[i].line));
			ck_assert_mem_eq(line, cases[i].line, n);
		}
		origin_free(&o);
	}
}
END_TEST

/* The beginning of a section with one test. */
#define ONE "codes 3..3\nnodes 7\nterm 0\ntest "

START_TEST(guards)
{
	/* The opcode is in bits 0 to 3, so header 0x93 has code 3 and 9 in bits 4 to 7. */
	static const struct {
		const char *section, *failed; /* NULL: nothing is said */
	} cases[] = {
		{ ONE "f 4 4 0 15 1 2 0\n", "f & 0xf is 0x9, not 0x1..0x2" },
		{ ONE "f 4 4 0 18446744073709551615 1 2 0\n", "f 9 is not in 1..2" },
		{ ONE "f 4 4 2 18446744073709551615 1 1 0\n",
		  "f 0x24 is not 0x1" },
		{ ONE "f 4 4 0 18446744073709551615 9 9 1\n",
		  "f is 9" },
		{ "codes 3..3\ncodes 0..1,2..4\nnodes 5 7\nterm 1\ntest f 4 4 0 1 0 0 0\n"
		  "term 0\n"
		  "test g 4 1 0 1 0 0 0\ntest h 7 1 0 1 0 0 0\n",
		  "f & 0x1 is 0x1, not 0x0 or g & 0x1 is 0x1, not 0x0, h & 0x1 is 0x1, not 0x0" },
		{ ONE "payload[3..0] 64 4 0 18446744073709551615 1 2 0\n",
		  "payload[3..0] 5 is not in 1..2" },
		{ ONE "p 128 64 0 18446744073709551615 9 9 0\n", "p 7 is not 9" },
		{ ONE "p 575 1 0 18446744073709551615 1 1 0\n", "p 0 is not 1" },
		{ ONE "p 128 64 0 18446744073709551615 7 7 0\n", NULL }, /* it passes */
		{ ONE "p 576 1 0 18446744073709551615 1 1 0\n", NULL },
		{ ONE "p 100 30 0 18446744073709551615 1 1 0\n", NULL },
		{ ONE "p 128 65 0 18446744073709551615 1 1 0\n", NULL },
		{ ONE "f 4 4 0 15 9 9 0\n", NULL }, /* it passes */
		{ "codes 4..5\nnodes 7\nterm 0\ntest f 4 4 0 15 1 2 0\n", NULL }, /* other codes */
		{ "codes 3..3\nnodes 8\nterm 0\ntest f 4 4 0 15 1 2 0\n", NULL }, /* another node */
		{ "codes 3..3\nnodes 7\nterm 1\ntest f 4 4 0 15 1 2 0\n", NULL }, /* no such set */
		{ "codes 3..3\nterm 0\ntest f 4 4 0 15 1 2 0\n", NULL },
		{ "codes 3..3\nnodes 7\ntest f 4 4 0 15 1 2 0\n", NULL },
		{ ONE "f 60 5 0 15 1 2 0\n", NULL },
		{ ONE "f 4 0 0 15 1 2 0\n", NULL },
		{ ONE "f 4 4 64 15 1 2 0\n", NULL },
		{ ONE "f 4 4 0 15 1 2 2\n", NULL },
		{ ONE "f 4 4 0 15 1 2\n", NULL },
		{ ONE " 4 4 0 15 1 2 0\n", NULL },
		{ ONE "f 4 4 0 99999999999999999999 1 2 0\n", NULL },
		{ ONE "f 4 4 0 15 1 2 0", NULL }, /* no line's end */
		{ ONE "f 4 4 0 15 1 2 0 \n", NULL },
		{ "codes 3.3\nnodes 7\nterm 0\ntest f 4 4 0 15 1 2 0\n", NULL },
		{ "codes 3..999\nnodes 7\nterm 0\ntest f 4 4 0 15 1 2 0\n", NULL },
		{ "codes 3..3,\nnodes 7\nterm 0\ntest f 4 4 0 15 1 2 0\n", NULL },
		{ "codes 3..3\nnodes\nterm 0\ntest f 4 4 0 15 1 2 0\n", NULL },
		{ ONE "f 4 4 0 15 1 2 0\nmore\n", NULL },
		{ "", NULL },
	};
	static struct image_state state = { .node = 7 };
	struct nfart_proto proto = { .codes.n = 16 };
	const struct record_message message = { { 0x93, 5, 7 } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct nfart_image im = { .proto = &proto, .nfa.states = &state, .nfa.nstates = 1 };
		const char *section = cases[i].section;
		struct guards g;
		struct buf b = { 0 };
		im.file.section[im.file.nsections++] = (struct image_section){
			SEC_guards, (const unsigned char *)section, strlen(section), 0
		};
		ck_assert(guards_init(&g, &im));
		ck_assert_int_eq(guards_failed(&g, 0, 3, &message, &b),
				 cases[i].failed != NULL);
		ck_assert_uint_eq(b.n, cases[i].failed != NULL ? strlen(cases[i].failed) : 0);
		if (cases[i].failed != NULL)
			ck_assert_mem_eq(b.at, cases[i].failed, b.n);
		buf_free(&b);
		guards_free(&g);
	}
}
END_TEST

START_TEST(control_characters)
{
	struct buf b = { 0 };

	origin_text(&b, "a\tb\rc\x01" "d\x7f", 8);
	ck_assert_uint_eq(b.n, 8);
	ck_assert_mem_eq(b.at, "a b c?d?", 8);
	buf_free(&b);
}
END_TEST

Suite *suite_origin(void)
{
	const TTest *const tests[] = {
		names, odd_names, parts, sources, guards, control_characters, NULL
	};

	return unit_suite("origin", tests);
}
