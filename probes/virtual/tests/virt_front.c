/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Events by hand for the front end that gives snoops their virtual addresses: what it must do when
 * it begins anew in the middle of walks, and the bits of STATUS. What is expected is what
 * probes/virtual/virtual.md and probes/virtual/contract/virtual.def say.
 */
#include "probes/virtual/tests/virt_events.h"
#include "testsuite/unit/tap.h"

/* Cores read lines of the second and third table until the queue of lines overflows. Returns
 * whether the front end began anew then, and not before. One line must be under way. */
static bool overflow(struct rig *r)
{
	uint64_t before = counter(r, VIRT_COUNT_RESTARTS);
	unsigned waiting = r->f.helper.ncleans;

	for (unsigned i = waiting; i < VIRT_CLEANS; i++)
		read_line(r, line(LAST + 1 + i / VIRT_TABLE_LINES, i % VIRT_TABLE_LINES));
	if (counter(r, VIRT_COUNT_RESTARTS) != before)
		return false;
	read_line(r, line(LAST + 2, VIRT_TABLE_LINES - 1));
	return counter(r, VIRT_COUNT_RESTARTS) == before + 1;
}

/* ---- to begin anew ---- */

static void set_up(struct tap *t)
{
	struct rig *r = &rig;

	make(r, VIRT_ENTRIES, 0);
	*entry(r, ROOT, 0) = 0;
	trace(r, 0);
	drain(r);
	tap_case(t, cleaned(r, 0, ROOT) == VIRT_TABLE_LINES && r->ncleans == VIRT_TABLE_LINES,
		 "a set-up cleans each line of the root once, %u", r->ncleans);
	tap_case(t, r->nsent == 1 && sent(r, 0, VIRT_TLBI_ASID) == 1,
		 "and has the cores forget their translations, though there are none");
	tap_case(t, !STATUS(r, BUSY) && counter(r, VIRT_COUNT_RESTARTS) == 1,
		 "then it is not BUSY, and was one set-up");
}

/* BUSY lasts until no line is left to be cleaned, though none waits or is under way. */
static void busy(struct tap *t)
{
	struct rig *r = &rig;
	bool all = true;

	make(r, VIRT_ENTRIES, 1);
	tap_case(t, !STATUS(r, BUSY), "not BUSY before a set-up");
	trace(r, 0);
	for (unsigned i = 0; i < 3 * VIRT_TABLE_LINES; i++) {
		all = all && STATUS(r, BUSY);
		all = all && take_clean(r);
		done_clean(r);
	}
	tap_case(t, all, "BUSY while a table has lines that were never cleaned");
	tap_case(t, !take_clean(r), "then there are no more");
	drain(r);
	tap_case(t, !STATUS(r, BUSY), "and with the last message it is not BUSY");
}

/* A second set-up counts what a translation may have been overlooked for, and nothing before. */
static void second_set_up(struct tap *t)
{
	struct rig *r = &rig;
	uint64_t ctrl;

	make(r, VIRT_ENTRIES, 1);
	trace(r, 0);
	drain(r);
	for (unsigned i = 0; i < 10; i++)
		read_line(r, line(OTHER, i));
	trace(r, 0);
	drain(r);
	tap_case(t, counter(r, VIRT_COUNT_RESTARTS) == 2 && counter(r, VIRT_COUNT_PERHAPS) == 0,
		 "a second set-up does not count the reads before it, %u",
		 (unsigned)counter(r, VIRT_COUNT_PERHAPS));

	ctrl = virt_front_read(&r->f, VIRT_CTRL_AT);
	virt_front_write(&r->f, VIRT_CTRL_AT, ctrl);
	take_clean(r);
	done_clean(r);
	for (unsigned i = 0; i < 5; i++)
		read_line(r, line(DATA, i));
	virt_front_write(&r->f, VIRT_CTRL_AT, ctrl);
	drain(r);
	tap_case(t, counter(r, VIRT_COUNT_PERHAPS) == 5,
		 "but those since another one that was not at its end, %u",
		 (unsigned)counter(r, VIRT_COUNT_PERHAPS));
}

/* More reads have no address than can be numbered. */
static void unbound(struct tap *t)
{
	struct rig *r = &rig;
	uint64_t most = VIRT_WINDOW_MOST;

	make(r, VIRT_ENTRIES, 1);
	trace(r, 0);
	drain(r);
	if (most > 65536) /* too many to be read here */
		r->f.window.now = most - 1;
	while (r->f.window.now < most)
		read_line(r, line(OTHER, 0));
	tap_case(t, !STATUS(r, UNBOUND), "as many reads as there are numbers: not UNBOUND");
	read_line(r, line(OTHER, 0));
	tap_case(t, STATUS(r, UNBOUND), "one more: UNBOUND");
	trace(r, 0);
	tap_case(t, STATUS(r, UNBOUND), "which no set-up ends");
}

/* The queue overflows while a line is under way. */
static void from_the_root(struct tap *t)
{
	struct rig *r = &rig;
	struct virt_annotated a;
	unsigned from;

	make(r, VIRT_ENTRIES, 3);
	*entry(r, LAST, 0) = address(DATA) | PAGE;
	trace(r, 0);
	drain(r);
	for (unsigned i = 0; i < 10; i++)
		read_line(r, line(OTHER, i));
	read_line(r, line(LAST, 0));
	take_clean(r);
	tap_case(t, STATUS(r, BUSY), "BUSY while a line is under way, and none waits");
	tap_case(t, overflow(r), "a line too many: it begins anew");
	a = read_line(r, line(DATA, 5));
	tap_case(t, a.hit && !a.shared && a.va == 5 * VIRT_LINE_BYTES,
		 "translations that it knows still hold");
	done_clean(r);
	from = r->ncleans;
	take_clean(r);
	tap_case(t, r->clean[from] == line(ROOT, 0), "the root's first line is the next one");
	done_clean(r);
	drain(r);
	tap_case(t,
		 cleaned(r, from, ROOT) == VIRT_TABLE_LINES &&
			 cleaned(r, from, MIDDLE) == VIRT_TABLE_LINES &&
			 cleaned(r, from, LAST) == VIRT_TABLE_LINES &&
			 cleaned(r, from, LAST + 2) == VIRT_TABLE_LINES,
		 "all lines of all tables are cleaned");
	tap_case(t, counter(r, VIRT_COUNT_PERHAPS) == 0,
		 "reads before the walks are not counted as perhaps missed");
}

/* While a line waits to be cleaned, a page is mapped, read and unmapped again. The TLB invalidation
 * is heard only after the front end has begun anew. */
static void overlooked(struct tap *t)
{
	struct rig *r = &rig;
	unsigned from;

	make(r, VIRT_ENTRIES, 3);
	trace(r, 0);
	drain(r);
	read_line(r, line(LAST, 1));
	take_clean(r);
	*entry(r, LAST, VIRT_LINE_ENTRIES) = address(DATA) | PAGE;
	for (unsigned i = 0; i < 5; i++)
		read_line(r, line(DATA, i));
	*entry(r, LAST, VIRT_LINE_ENTRIES) = 0;
	tap_case(t, overflow(r), "a page was overlooked, then the queue overflows");
	from = r->nsent;
	done_clean(r);
	drain(r);
	tap_case(t, sent(r, from, VIRT_TLBI_ASID) > 0, "the cores forget their translations");
	hear(r, VIRT_TLBI_VA_LAST, VIRT_LINE_ENTRIES << VIRT_PAGE_BITS);
	drain(r);
	tap_case(t, counter(r, VIRT_COUNT_PERHAPS) >= 5,
		 "its five reads are counted as perhaps missed, %u",
		 (unsigned)counter(r, VIRT_COUNT_PERHAPS));
}

/* A point was read, and its line waits to be cleaned when the queue overflows. */
static void points(struct tap *t)
{
	struct rig *r = &rig;
	struct virt_annotated a;
	unsigned from;

	make(r, VIRT_ENTRIES, 3);
	*entry(r, LAST, 1) = address(DATA) | PAGE;
	virt_front_write(&r->f, VIRT_POINT_AT,
			 VIRT_PUT(POINT, LINE, 0x1080 >> VIRT_POINT_LINE_LSB) |
				 VIRT_PUT(POINT, ENABLE, 1));
	trace(r, 0);
	drain(r);
	read_line(r, line(LAST, 0));
	drain(r);
	read_line(r, line(LAST, 2));
	take_clean(r);
	a = read_line(r, line(DATA, 2));
	tap_case(t, a.hit && a.observed && a.va == 0x1080, "an access to a point");
	from = r->ncleans;
	tap_case(t, overflow(r), "its line waits when the queue overflows");
	done_clean(r);
	drain(r);
	tap_case(t, cleaned(r, from, DATA) > 0, "the line leaves the caches nevertheless");
	a = read_line(r, line(DATA, 2));
	tap_case(t, a.hit && a.observed, "so the next access is seen, too");
	drain(r);

	/* The lines of points themselves are too many. */
	read_line(r, line(LAST, 2));
	take_clean(r);
	for (unsigned i = 0; i < VIRT_CLEANS; i++)
		read_line(r, line(LAST + 1 + i / VIRT_TABLE_LINES, i % VIRT_TABLE_LINES));
	from = r->ncleans;
	read_line(r, line(DATA, 2));
	tap_case(t, counter(r, VIRT_COUNT_RESTARTS) == 3, "a point's line is the one too many");
	done_clean(r);
	drain(r);
	tap_case(t, cleaned(r, from, DATA) > 0, "that line, too, leaves the caches");
}

static void aliases(struct tap *t)
{
	struct rig *r = &rig;
	struct virt_annotated a;
	unsigned from;

	make(r, VIRT_ENTRIES, 3);
	*entry(r, LAST, 1) = address(DATA) | PAGE;
	*entry(r, LAST, 8) = address(DATA) | PAGE;
	trace(r, 0);
	drain(r);
	read_line(r, line(LAST, 0));
	read_line(r, line(LAST, 1));
	drain(r);
	a = read_line(r, line(DATA, 0));
	tap_case(t, a.shared && !a.hit, "a frame with two addresses: withheld");
	read_line(r, line(LAST, 2));
	take_clean(r);
	tap_case(t, overflow(r), "the queue overflows");
	a = read_line(r, line(DATA, 0));
	tap_case(t, a.shared && !a.hit, "still withheld");
	done_clean(r);
	drain(r);
	from = r->nsent;
	*entry(r, LAST, 1) = 0;
	hear(r, VIRT_TLBI_VA_LAST, 1 << VIRT_PAGE_BITS);
	a = read_line(r, line(DATA, 0));
	tap_case(t, !a.shared && !a.hit, "one address ends: the frame has none that is known");
	drain(r);
	tap_case(t, sent(r, from, VIRT_TLBI_ASID) > 0, "and cores walk again for the other");
	read_line(r, line(LAST, 1));
	a = read_line(r, line(DATA, 3));
	tap_case(t, a.hit && a.va == 8 * 0x1000 + 3 * VIRT_LINE_BYTES, "after a walk, it has it");
	drain(r);

	*entry(r, LAST, 1) = address(DATA) | PAGE;
	trace(r, 1);
	drain(r);
	read_line(r, line(LAST, 0));
	read_line(r, line(LAST, 1));
	a = read_line(r, line(DATA, 0));
	tap_case(t, a.hit && !a.shared && a.va == 8 * 0x1000,
		 "as published, the last address that was walked is given");
	*entry(r, LAST, 16) = address(DATA + 1) | PAGE | VIRT_PTE_SHARED;
	read_line(r, line(LAST, 2));
	a = read_line(r, line(DATA + 1, 0));
	tap_case(t, a.hit && !a.shared && a.va == 16 * 0x1000,
		 "and the bit for frames of several processes means nothing");
}

/* ---- the queue of messages ---- */

/* Software sets up with points in code, of which none was one before, and a core walks to them. No
 * message is sent meanwhile. */
static void other_points(struct rig *r, unsigned round)
{
	for (unsigned i = 0; i < VIRT_POINTS; i++)
		virt_front_write(&r->f, VIRT_POINT_AT + i * 8,
				 VIRT_PUT(POINT, LINE,
					  (round * VIRT_POINTS + i) * VIRT_LINE_BYTES >>
						  VIRT_POINT_LINE_LSB) |
					 VIRT_PUT(POINT, ENABLE, 1) | VIRT_PUT(POINT, CODE, 1));
	trace(r, 0);
	while (take_clean(r))
		done_clean(r);
	read_line(r, line(LAST, 0));
	while (take_clean(r))
		done_clean(r);
}

static void count_messages(struct tap *t)
{
	enum { ROUNDS = 2 * VIRT_TLBIS / VIRT_POINTS };
	struct rig *r = &rig;
	struct virt_request q;
	bool room = true;
	unsigned last;

	make(r, VIRT_ENTRIES, 3);
	for (unsigned i = 0; i < VIRT_LINE_ENTRIES; i++)
		*entry(r, LAST, i) = address(DATA + i) | PAGE;
	other_points(r, 0);
	tap_case(t, r->f.helper.nsends == VIRT_POINTS + 1,
		 "a message for each point in code, and one for the set-up");
	virt_front_request(&r->f, VIRT_CHANNEL_DVM, &q);
	tap_case(t, q.message.kind == VIRT_TLBI_ASID, "that of the set-up is under way");
	for (unsigned i = 1; i < ROUNDS; i++) {
		other_points(r, i);
		room = room && r->f.helper.nsends <= VIRT_TLBIS;
	}
	tap_case(t, room, "set up %u times meanwhile: no more wait than have room", ROUNDS);
	virt_front_done(&r->f, VIRT_CHANNEL_DVM, NULL);
	last = r->nsent;
	drain(r);
	tap_case(t,
		 sent(r, last, VIRT_TLBI_ASID) == 1 &&
			 sent(r, last, VIRT_ICACHE_VA) == VIRT_TLBIS - 2,
		 "the address space is invalidated once, and one place is left");
	tap_case(t,
		 counter(r, VIRT_COUNT_UNSENT) == ROUNDS * VIRT_POINTS - (VIRT_TLBIS - 2),
		 "what had no room is counted, %u", (unsigned)counter(r, VIRT_COUNT_UNSENT));
	other_points(r, 0);
	tap_case(t, r->f.helper.nsends == VIRT_POINTS + 1, "then there is room again");

	make(r, VIRT_ENTRIES, 0);
	for (unsigned i = 0; i <= VIRT_TLBIS; i++)
		virt_helper_send(&r->f.helper,
				 &(struct virt_send){ .kind = i < VIRT_TLBIS ? VIRT_ICACHE_VA
									     : VIRT_TLBI_ASID,
						      .va = i * VIRT_LINE_BYTES });
	tap_case(t,
		 r->f.helper.nsends == VIRT_TLBIS &&
			 r->f.helper.send[VIRT_TLBIS - 1].kind == VIRT_TLBI_ASID,
		 "the last place is not for code");
}

/* ---- STATUS ---- */

static void blind(struct tap *t)
{
	struct rig *r = &rig;
	unsigned from;

	/* The root, the one below, and these are one more than there are watermarks. */
	make(r, VIRT_ENTRIES, VIRT_TABLES - 1);
	*entry(r, MIDDLE, VIRT_TABLES - 2) = 0;
	trace(r, 0);
	drain(r);
	tap_case(t, !STATUS(r, BLIND), "as many tables as watermarks: not BLIND");
	*entry(r, MIDDLE, VIRT_TABLES - 2) = address(LAST + VIRT_TABLES - 2) | TABLE;
	read_line(r, line(MIDDLE, (VIRT_TABLES - 2) / VIRT_LINE_ENTRIES));
	tap_case(t, STATUS(r, BLIND), "one more: BLIND");
	drain(r);
	for (unsigned i = 0; i < 3; i++)
		read_line(r, line(OTHER, i));
	tap_case(t, counter(r, VIRT_COUNT_PERHAPS) == 3,
		 "then each read without an address is counted");
	*entry(r, MIDDLE, VIRT_TABLES - 2) = 0;
	from = r->ncleans;
	hear(r, VIRT_TLBI_ASID, 0);
	tap_case(t, counter(r, VIRT_COUNT_RESTARTS) == 2, "tables have ended: it begins anew");
	drain(r);
	tap_case(t,
		 !STATUS(r, BLIND) && cleaned(r, from, ROOT) == VIRT_TABLE_LINES &&
			 cleaned(r, from, LAST) == VIRT_TABLE_LINES,
		 "finds all tables, and is not BLIND");
	read_line(r, line(OTHER, 3));
	tap_case(t, counter(r, VIRT_COUNT_PERHAPS) == 3, "and counts no more");
}

static void storm(struct tap *t)
{
	struct rig *r = &rig;
	/* of the reverse TLB: all pages are in one */
	const unsigned sets = VIRT_ENTRIES / VIRT_WAYS;

	for (unsigned more = 0; more < 2; more++) {
		make(r, VIRT_ENTRIES, 3);
		trace(r, 0);
		drain(r);
		for (unsigned i = 0; i < VIRT_WAYS - 1 + VIRT_STORM_EVICTIONS + more; i++) {
			*entry(r, LAST, 0) = address(DATA + i % 5 * sets) | PAGE;
			read_line(r, line(LAST, 0));
			drain(r);
		}
		/* The first WAYS walks find a free place. */
		tap_case(t, counter(r, VIRT_COUNT_EVICTIONS) == VIRT_STORM_EVICTIONS - 1 + more,
			 "%u evictions", VIRT_STORM_EVICTIONS - 1 + more);
		for (unsigned i = 0; i < VIRT_STORM_SNOOPS - 1; i++)
			read_line(r, line(OTHER, i % VIRT_TABLE_LINES));
		tap_case(t, !STATUS(r, STORM), "no STORM before so many reads");
		read_line(r, line(OTHER, 0));
		tap_case(t,
			 STATUS(r, STORM) == (more != 0) && counter(r, VIRT_COUNT_STORMS) == more,
			 "then %s", more != 0 ? "STORM" : "none");
	}
}

static void full(struct tap *t)
{
	struct rig *r = &rig;

	make(r, VIRT_ENTRIES, 3);
	r->f.log = true;
	*entry(r, LAST, 0) = address(DATA) | PAGE;
	trace(r, 0);
	drain(r);
	read_line(r, line(LAST, 0));
	for (unsigned i = 0; i < VIRT_RECORDS; i++)
		read_line(r, line(DATA, i % VIRT_TABLE_LINES));
	tap_case(t, !STATUS(r, FULL) && counter(r, VIRT_COUNT_LOST) == 0, "all records have room");
	read_line(r, line(OTHER, 0));
	tap_case(t, !STATUS(r, FULL), "a read without an address makes no record");
	read_line(r, line(DATA, 0));
	tap_case(t, STATUS(r, FULL) && counter(r, VIRT_COUNT_LOST) == 1, "one more: FULL");
}

int main(void)
{
	struct tap t = { 0 };

	set_up(&t);
	busy(&t);
	second_set_up(&t);
	from_the_root(&t);
	overlooked(&t);
	points(&t);
	aliases(&t);
	count_messages(&t);
	blind(&t);
	storm(&t);
	full(&t);
	unbound(&t);
	return tap_end(&t);
}
