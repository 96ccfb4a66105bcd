/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * virt_policy.c: the part of the driver that needs no kernel. Commands; the registers that it
 * writes, in the model of the front end; and a fork, whose entries it marks, or does not.
 */
#include "probes/virtual/kernel/policy.h"
#include "probes/virtual/tests/virt_events.h"
#include "testsuite/unit/tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_command(const char *text, enum nfavirt_verb verb, uint64_t a, uint64_t b, uint64_t c)
{
	struct nfavirt_command x;

	return nfavirt_parse(text, &x) == NULL && x.verb == verb && x.number[0] == a &&
	       x.number[1] == b && x.number[2] == c;
}

static bool is_wrong(const char *text, const char *part)
{
	struct nfavirt_command x;
	const char *wrong = nfavirt_parse(text, &x);

	return wrong != NULL && strstr(wrong, part) != NULL;
}

static void commands(struct tap *t)
{
	tap_case(t,
		 is_command("trace 12 0x400000 4259840\n", NFAVIRT_TRACE, 12, 0x400000, 4259840) &&
			 is_command(" trace\t7 0 0x1000000000000 ", NFAVIRT_TRACE, 7, 0,
				    UINT64_C(1) << 48) &&
			 is_command("point 0xFfff", NFAVIRT_POINT, 0xffff, 0, 0) &&
			 is_command("watch 9", NFAVIRT_WATCH, 9, 0, 0) &&
			 is_command("forget\n", NFAVIRT_FORGET, 0, 0, 0) &&
			 is_command("stop", NFAVIRT_STOP, 0, 0, 0),
		 "commands");
	tap_case(t,
		 is_wrong("", "a command is") && is_wrong("tracer 1 2 3", "a command is") &&
			 is_wrong("stop\nstop", "more than") && is_wrong("stop it", "more than") &&
			 is_wrong("trace 1 2", "PID START END") &&
			 is_wrong("trace 1 2 3x", "more than") &&
			 is_wrong("trace 1 -2 3", "PID START END") &&
			 is_wrong("trace 0 2 3", "PID is") &&
			 is_wrong("trace 2147483648 2 3", "PID is") &&
			 is_wrong("trace 1 3 3", "END must") &&
			 is_wrong("trace 1 0 0x1000000000001", "48 bits") &&
			 is_wrong("trace 1 2 18446744073709551616", "PID START END") &&
			 is_wrong("point", "ADDRESS") && is_wrong("point 0x", "ADDRESS") &&
			 is_wrong("point 0x1000000000000", "48 bits") &&
			 is_wrong("point 1 2", "more than"),
		 "wrong commands");
}

/* Random commands of numbers, compared with what the C library reads. */
static void numbers(struct tap *t)
{
	bool ok = true;

	srand(1);
	for (unsigned i = 0; i < 10000; i++) {
		uint64_t start = (uint64_t)rand() << rand() % 17;
		uint64_t end = (uint64_t)rand() << rand() % 17;
		char text[100];
		struct nfavirt_command c = { 0 };
		const char *wrong;

		snprintf(text, sizeof text, rand() % 2 ? "trace %d %" PRIu64 " 0x%" PRIx64 "\n"
						       : "trace %d %" PRIu64 " 0x%" PRIX64,
			 1 + rand() % 4000000, start, end);
		wrong = nfavirt_parse(text, &c);
		ok &= (wrong == NULL) == (start < end) && c.number[1] == start &&
		      c.number[2] == end && c.number[0] == (uint64_t)atoi(text + 6);
	}
	tap_case(t, ok, "random numbers");
}

/* Begins to trace as the driver does. */
static void begin(struct rig *r, const struct nfavirt_setup *s)
{
	struct nfavirt_write w[NFAVIRT_WRITES];
	unsigned n = nfavirt_writes(s, w);

	for (unsigned i = 0; i < n; i++)
		virt_front_write(&r->f, w[i].offset, w[i].value);
}

static struct nfavirt_setup setup(void)
{
	return (struct nfavirt_setup){ .pgd = address(ROOT), .asid = ASID, .start = 0,
				       .end = UINT64_C(1) << 39, .levels = 3 };
}

static void registers(struct tap *t)
{
	struct nfavirt_setup s = setup();
	bool ok = true, full;

	for (unsigned i = 0; i < VIRT_POINTS; i++)
		ok &= nfavirt_add_point(&s, i * 4096 + 7, i % 3 != 0) == NULL;
	full = nfavirt_add_point(&s, 0, true) != NULL && s.npoints == VIRT_POINTS;
	make(&rig, 512, 1);
	begin(&rig, &s);
	ok &= rig.f.regs.pgd[0] == address(ROOT) && rig.f.regs.asid[0] == ASID &&
	      rig.f.regs.start[0] == 0 && rig.f.regs.end[0] == UINT64_C(1) << 39 &&
	      VIRT_GET(CTRL, LEVELS, rig.f.regs.ctrl[0]) == 3 &&
	      counter(&rig, VIRT_COUNT_RESTARTS) == 1;
	for (unsigned i = 0; i < VIRT_POINTS; i++) {
		uint64_t point = rig.f.regs.point[i];

		ok &= VIRT_GET(POINT, LINE, point) == i * 4096 >> VIRT_POINT_LINE_LSB &&
		      VIRT_GET(POINT, CODE, point) == (i % 3 != 0) &&
		      VIRT_GET(POINT, ENABLE, point) == 1;
	}
	tap_case(t, ok, "the registers of the front end");
	tap_case(t, full, "no more points than it has");
}

/* A core walks to the first pages. */
static void walk(void)
{
	drain(&rig);
	for (unsigned frame = ROOT; frame <= LAST; frame++)
		read_line(&rig, line(frame, 0));
	drain(&rig);
}

/*
 * A process with eight pages, which all have addresses, has a child: the driver marks the entries
 * from page `first` to page `end`, and the kernel flushes the TLBs. Returns a bit for each page
 * whose next read still has an address, and in *shared those that are withheld.
 */
static unsigned fork_child(unsigned first, unsigned end, unsigned *shared)
{
	const struct nfavirt_setup s = setup();
	unsigned hits = 0, before = 0;

	make(&rig, 512, 1);
	for (unsigned i = 0; i < 8; i++)
		*entry(&rig, LAST, i) = address(DATA + i) | PAGE;
	begin(&rig, &s);
	walk();
	for (unsigned i = 0; i < 8; i++)
		before |= (unsigned)read_line(&rig, line(DATA + i, 1)).hit << i;
	for (unsigned i = first; i < end; i++)
		*entry(&rig, LAST, i) = nfavirt_shared(*entry(&rig, LAST, i));
	hear(&rig, VIRT_TLBI_ASID, 0);
	walk();
	*shared = 0;
	for (unsigned i = 0; i < 8; i++) {
		struct virt_annotated a = read_line(&rig, line(DATA + i, 2));

		hits |= (unsigned)a.hit << i;
		*shared |= (unsigned)a.shared << i;
	}
	return before == 255 ? hits : 0;
}

static void marks(struct tap *t)
{
	unsigned shared, hits = fork_child(2, 5, &shared);

	tap_case(t, hits == 0xe3 && shared == 0x1c,
			 "reads of marked frames are withheld, others not");
	hits = fork_child(0, 0, &shared);
	tap_case(t, hits == 255 && shared == 0, "without marks none is");
	tap_case(t,
		 nfavirt_shared(address(DATA)) == address(DATA) &&
			 nfavirt_alone(address(DATA)) == address(DATA) &&
			 nfavirt_alone(nfavirt_shared(address(DATA) | PAGE)) == (address(DATA) | PAGE),
		 "an entry that is not valid stays, and a mark can be taken back");
}

/*
 * Linux 6.1 uses bits 0 to 58 of valid entries of ARMv8 (pgtable-hwdef.h, pgtable-prot.h), of which
 * 55 is PTE_DIRTY and 57 PTE_DEVMAP. The mark is none of these.
 */
static void bits(struct tap *t)
{
	tap_case(t, nfavirt_shared(1) >> 59 != 0 && nfavirt_shared(1) << 5 == 1 << 5,
		 "the mark is no bit of Linux");
}

int main(void)
{
	struct tap t = { 0 };

	commands(&t);
	numbers(&t);
	registers(&t);
	marks(&t);
	bits(&t);
	return tap_end(&t);
}
