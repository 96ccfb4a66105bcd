/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/model/front.h"

#include <string.h>

#include "probes/virtual/model/listener.h"

void virt_front_init(struct virt_front *f, unsigned entries)
{
	memset(f, 0, sizeof *f);
	virt_rtlb_init(&f->rtlb, entries);
	f->page = -1;
}

static bool enabled(const struct virt_front *f)
{
	return VIRT_GET(CTRL, ENABLE, f->regs.ctrl[0]) != 0;
}

static bool published(const struct virt_front *f)
{
	return VIRT_GET(CTRL, PUBLISHED, f->regs.ctrl[0]) != 0;
}

static void count_event(struct virt_front *f, enum virt_counter c)
{
	f->regs.count[c]++;
}

static void set_status(struct virt_front *f, uint64_t bit)
{
	f->regs.status[0] |= bit;
}

/*
 * Returns the number of reads that got no address so far. A new window begins at this number (Note
 * [windows]).
 */
static uint64_t unknown(const struct virt_front *f)
{
	return f->window.now;
}

static void close_window(struct virt_front *f, uint64_t since)
{
	virt_window_close(&f->window, since);
	f->regs.count[VIRT_COUNT_PERHAPS] = f->window.perhaps;
}

/* ---- set-up ---- */

/*
 * What was read of table lines is no longer trusted while their cleaning is open. Returns where the
 * earliest open window begins.
 */
static uint64_t distrust(struct virt_front *f)
{
	return virt_stalker_distrust(&f->stalker, virt_helper_distrust(&f->helper, unknown(f)));
}

/*
 * Begins anew. At first only the root table is known. All of its lines are cleaned, then the lines
 * of the tables that it names, and so on. At last the cores forget their translations. `since`:
 * where the earliest open window begins.
 */
static void restart_front(struct virt_front *f, uint64_t since)
{
	count_event(f, VIRT_COUNT_RESTARTS);
	virt_stalker_restart(&f->stalker, since);
	virt_helper_clear_cleans(&f->helper);
	f->regs.status[0] &= ~VIRT_PUT(STATUS, BLIND, 1);
	f->due |= virt_watchdog_mapped(&f->watchdog);
}

static void clean(struct virt_front *f, const struct virt_clean *c)
{
	if (!virt_helper_clean(&f->helper, c))
		restart_front(f, distrust(f));
}

static void send(struct virt_front *f, enum virt_dvm_kind kind, uint64_t va, bool window,
		 uint64_t since)
{
	struct virt_send s = { .kind = kind, .va = va, .window = window, .since = since };

	if (!virt_helper_send(&f->helper, &s))
		count_event(f, VIRT_COUNT_UNSENT);
}

/* At the end of an event: cleans the lines of those observation points that are due. */
static void clean_points(struct virt_front *f)
{
	while (f->due != 0) {
		unsigned i = 0;
		const struct virt_point *p;
		struct virt_clean c = { .known = UINT8_MAX, .since = unknown(f) };

		while ((f->due >> i & 1) == 0)
			i++;
		p = &f->watchdog.point[i];
		c.pa = p->pa;
		f->due &= ~(UINT32_C(1) << i);
		clean(f, &c);
		if (p->code)
			send(f, VIRT_ICACHE_VA, p->va, false, 0);
	}
}

/* ---- translations ---- */

static void evict(struct virt_front *f, const struct virt_entry *e)
{
	struct virt_send s = { .kind = VIRT_TLBI_VA, .va = e->m.va, .victim = *e,
			       .since = unknown(f) };

	count_event(f, VIRT_COUNT_EVICTIONS);
	f->storm_evictions++;
	if (published(f)) {
		struct virt_clean c = { .pa = virt_align(e->m.entry, 6), .known = UINT8_MAX };

		clean(f, &c);
		s.victim.used = false;
	} else if (e->alias) { /* the other addresses of the frame are not known */
		s.kind = VIRT_TLBI_ASID;
	}
	virt_helper_distrust_entry(&f->helper, e->m.entry);
	virt_helper_send(&f->helper, &s);
}

static void refill(struct virt_front *f, const struct virt_mapping *m)
{
	struct virt_entry out;

	count_event(f, VIRT_COUNT_REFILLS);
	if (virt_rtlb_refill(&f->rtlb, m, !published(f), &out))
		evict(f, &out);
	f->due |= virt_watchdog_refill(&f->watchdog, m);
}

/* Begins to follow the tables that a line names. */
static void watch_tables(struct virt_front *f, const struct virt_seen *seen, uint64_t since)
{
	bool known = published(f) && !f->stalker.table[0].found; /* not cleaned after the set-up */

	for (unsigned i = 0; i < seen->ntables; i++) {
		struct virt_table t = seen->table[i];

		t.next_line = known ? VIRT_TABLE_LINES : 0;
		t.since = since;
		if (!virt_stalker_watch(&f->stalker, &t))
			set_status(f, VIRT_PUT(STATUS, BLIND, 1));
	}
}

/* Handles a snoop of a table line: a core has read the line, or is about to write it. */
static void see_walk(struct virt_front *f, const struct virt_table *t, uint64_t pa,
		     const uint64_t *line)
{
	struct virt_seen seen;
	struct virt_clean c = { .pa = virt_align(pa, 6), .table = true, .since = unknown(f) };

	count_event(f, VIRT_COUNT_WALKS);
	virt_stalker_read(&f->stalker, t, pa, line, &seen);
	watch_tables(f, &seen, c.since);
	for (unsigned i = 0; i < seen.nmappings; i++)
		refill(f, &seen.mapping[i]);
	c.known = seen.valid;
	for (unsigned i = 0; i < seen.nmappings; i++)
		if (virt_rtlb_find(&f->rtlb, seen.mapping[i].pa) == NULL)
			c.known &= (uint8_t)~(1u << (seen.mapping[i].entry >> 3) % VIRT_LINE_ENTRIES);
	if (!published(f))
		clean(f, &c);
}

struct virt_annotated virt_front_snoop(struct virt_front *f, const struct virt_snoop *s,
				       const uint64_t line[VIRT_LINE_ENTRIES])
{
	struct virt_annotated a = { 0 };
	const struct virt_table *t;
	uint64_t pa = virt_pa(s->pa);
	uint32_t hits;

	if (!enabled(f))
		return a;
	t = virt_stalker_find(&f->stalker, pa);
	if (t != NULL) {
		see_walk(f, t, pa, line);
		clean_points(f);
		return a;
	}
	if (!virt_listener_is_read(s->kind))
		return a;
	count_event(f, VIRT_COUNT_READS);
	a = virt_listener_annotate(&f->rtlb, &f->helper, pa, !published(f));
	if (a.hit || a.shared)
		count_event(f, a.hit ? VIRT_COUNT_ANNOTATED : VIRT_COUNT_SHARED);
	else
		virt_window_read(&f->window);
	if (!a.hit && !a.shared && VIRT_GET(STATUS, BLIND, f->regs.status[0]) != 0)
		close_window(f, unknown(f) - 1);
	hits = a.hit || a.shared ? virt_watchdog_hits(&f->watchdog, pa) : 0;
	if (hits != 0) {
		a.observed = true;
		f->due |= hits;
		if (a.hit)
			count_event(f, VIRT_COUNT_OBSERVED);
	}
	if (++f->storm_reads == VIRT_STORM_SNOOPS) {
		if (f->storm_evictions >= VIRT_STORM_EVICTIONS) {
			count_event(f, VIRT_COUNT_STORMS);
			set_status(f, VIRT_PUT(STATUS, STORM, 1));
		}
		f->storm_reads = f->storm_evictions = 0;
	}
	if ((a.hit || a.shared) && f->log) {
		struct virt_record r = virt_record_of(s, &a);

		if (!virt_logger_put(&f->logger, &r)) {
			count_event(f, VIRT_COUNT_LOST);
			set_status(f, VIRT_PUT(STATUS, FULL, 1));
		}
	}
	clean_points(f);
	return a;
}

/* ---- what the process does to its tables ---- */

static void drop_all(struct virt_front *f)
{
	virt_rtlb_clear(&f->rtlb);
	virt_helper_drop_all(&f->helper);
	virt_stalker_clear(&f->stalker);
	virt_watchdog_clear(&f->watchdog);
}

/* Whether an address may share a page with the range. The page may have any size. */
static bool near_range(const struct virt_front *f, uint64_t va)
{
	uint64_t first = virt_align(va, virt_span_bits(1));

	return first < f->stalker.end && first + (UINT64_C(1) << virt_span_bits(1)) > f->stalker.start;
}

void virt_front_dvm(struct virt_front *f, const struct virt_dvm *m)
{
	uint64_t since;
	uint64_t va = virt_va(m->va);
	bool all = m->kind == VIRT_TLBI_ALL || m->kind == VIRT_TLBI_ASID, tables = false;

	if (!enabled(f) || published(f) || m->kind > VIRT_TLBI_ALL ||
	    (m->kind != VIRT_TLBI_ALL && m->asid != f->regs.asid[0]))
		return;
	if (m->kind == VIRT_TLBI_VA_LAST && !near_range(f, va))
		return;
	count_event(f, VIRT_COUNT_HEARD);
	since = distrust(f);
	if (all) {
		drop_all(f);
	} else {
		bool alias = virt_rtlb_drop(&f->rtlb, va);

		virt_helper_drop(&f->helper, va);
		virt_watchdog_drop(&f->watchdog, va);
		tables = m->kind == VIRT_TLBI_VA && virt_stalker_drop(&f->stalker, va);
		tables |= alias;
	}
	send(f, tables ? VIRT_TLBI_ASID : VIRT_SYNC, 0, true, since);
	if (VIRT_GET(STATUS, BLIND, f->regs.status[0]) != 0 && (all || tables))
		restart_front(f, distrust(f));
	clean_points(f);
}

/* ---- requests ---- */

/*
 * Begins to clean the next table line that was never cleaned before. Returns false if there is
 * none.
 */
static bool next_of_page(struct virt_front *f)
{
	struct virt_clean c = { .table = true };
	enum virt_next next;
	unsigned table;

	while ((next = virt_stalker_next(&f->stalker, &table, &c.pa, &c.since)) == VIRT_NEXT_END)
		send(f, VIRT_TLBI_ASID, 0, true, c.since);
	if (next == VIRT_NEXT_NONE)
		return false;
	f->page = (int)table;
	virt_helper_begin_clean(&f->helper, &c);
	return true;
}

bool virt_front_request(struct virt_front *f, enum virt_channel channel, struct virt_request *r)
{
	struct virt_helper *h = &f->helper;

	if (channel == VIRT_CHANNEL_CLEAN) {
		if (!virt_helper_next_clean(h) && (h->cleaning || !next_of_page(f)))
			return false;
		count_event(f, VIRT_COUNT_CLEANS);
		*r = (struct virt_request){ .channel = channel, .pa = h->clean_now.pa };
		return true;
	}
	if (!virt_helper_next_send(h))
		return false;
	*r = (struct virt_request){ .channel = channel,
				    .message = { .kind = h->send_now.kind, .va = h->send_now.va,
						 .asid = (uint16_t)f->regs.asid[0] } };
	count_event(f, r->message.kind == VIRT_SYNC        ? VIRT_COUNT_SYNCS
		       : r->message.kind == VIRT_ICACHE_VA ? VIRT_COUNT_ICACHES
							   : VIRT_COUNT_TLBIS);
	return true;
}

/*
 * Handles the end of the cleaning of a table line. An entry that was not seen when a core read the
 * line may have been used by a core meanwhile. So the cores must forget its translation.
 */
static void table_cleaned(struct virt_front *f, const struct virt_clean *c, const uint64_t *line)
{
	struct virt_table *t = virt_stalker_find(&f->stalker, c->pa), *page = NULL;
	struct virt_seen seen;

	if (f->page >= 0)
		page = &f->stalker.table[f->page];
	f->page = -1;
	if (t == NULL)
		return;
	virt_stalker_read(&f->stalker, t, c->pa, line, &seen);
	watch_tables(f, &seen, c->since);
	for (unsigned i = 0; i < seen.nmappings; i++) {
		const struct virt_mapping *m = &seen.mapping[i];

		if ((c->known >> (m->entry >> 3) % VIRT_LINE_ENTRIES & 1) != 0)
			continue;
		if (page == t)
			virt_stalker_mark(&f->stalker, (unsigned)(t - f->stalker.table));
		else
			send(f, VIRT_TLBI_VA, m->va, true, c->since);
	}
	if (page == t && t->next_line == VIRT_TABLE_LINES && t->found)
		send(f, VIRT_TLBI_ASID, 0, true, t->since);
}

void virt_front_done(struct virt_front *f, enum virt_channel channel,
		     const uint64_t line[VIRT_LINE_ENTRIES])
{
	if (channel == VIRT_CHANNEL_CLEAN) {
		struct virt_clean c = virt_helper_done_clean(&f->helper);

		if (c.table)
			table_cleaned(f, &c, line);
	} else {
		struct virt_send s = virt_helper_done_send(&f->helper);

		if (s.window)
			close_window(f, s.since);
	}
}

/* ---- registers ---- */

static void set_up(struct virt_front *f)
{
	uint64_t since = distrust(f);

	virt_stalker_init(&f->stalker, f->regs.pgd[0],
			  VIRT_GET(CTRL, LEVELS, f->regs.ctrl[0]) == 4 ? 4 : 3, f->regs.start[0],
			  f->regs.end[0]);
	virt_rtlb_clear(&f->rtlb);
	virt_helper_drop_all(&f->helper);
	for (unsigned i = 0; i < VIRT_POINTS; i++)
		virt_watchdog_set(&f->watchdog, i, f->regs.point[i]);
	restart_front(f, since);
	clean_points(f);
}

void virt_front_write(struct virt_front *f, unsigned offset, uint64_t value)
{
	if (offset >= VIRT_POINT_AT && offset < VIRT_POINT_AT + VIRT_POINTS * 8) {
		f->regs.point[(offset - VIRT_POINT_AT) / 8] = VIRT_KEEP(POINT, ENABLE, value) |
							      VIRT_KEEP(POINT, CODE, value) |
							      VIRT_KEEP(POINT, LINE, value);
		return;
	}
	switch (offset) {
	case VIRT_CTRL_AT:
		f->regs.ctrl[0] = VIRT_KEEP(CTRL, ENABLE, value) |
				  VIRT_KEEP(CTRL, PUBLISHED, value) |
				  VIRT_KEEP(CTRL, LEVELS, value);
		if (enabled(f))
			set_up(f);
		break;
	case VIRT_ASID_AT:
		f->regs.asid[0] = VIRT_KEEP(ASID, NUMBER, value);
		if (enabled(f) && !published(f))
			send(f, VIRT_TLBI_ASID, 0, true, distrust(f));
		break;
	case VIRT_PGD_AT:
		f->regs.pgd[0] = VIRT_KEEP(PGD, FRAME, value);
		break;
	case VIRT_START_AT:
		f->regs.start[0] = VIRT_KEEP(START, ADDRESS, value);
		break;
	case VIRT_END_AT:
		f->regs.end[0] = VIRT_KEEP(END, ADDRESS, value);
		break;
	default:
		break;
	}
}

uint64_t virt_front_read(const struct virt_front *f, unsigned offset)
{
	bool busy = f->helper.cleaning || f->helper.sending || f->helper.ncleans > 0 ||
		    f->helper.nsends > 0 || f->stalker.unfinished;

	if (offset == VIRT_STATUS_AT)
		return f->regs.status[0] | VIRT_PUT(STATUS, BUSY, busy) |
		       VIRT_PUT(STATUS, UNBOUND, f->window.over);
	if (offset >= VIRT_COUNT_AT && offset < VIRT_COUNT_AT + VIRT_COUNTERS * 8)
		return f->regs.count[(offset - VIRT_COUNT_AT) / 8];
	if (offset >= VIRT_POINT_AT && offset < VIRT_POINT_AT + VIRT_POINTS * 8)
		return f->regs.point[(offset - VIRT_POINT_AT) / 8];
	switch (offset) {
	case VIRT_CTRL_AT:
		return f->regs.ctrl[0];
	case VIRT_ASID_AT:
		return f->regs.asid[0];
	case VIRT_PGD_AT:
		return f->regs.pgd[0];
	case VIRT_START_AT:
		return f->regs.start[0];
	case VIRT_END_AT:
		return f->regs.end[0];
	default:
		return 0;
	}
}
