/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The Translation Stalker in Verilog, compared with the one in C. */
#include "probes/virtual/tests/rtl/rig.h"

static Vstalker *stalker = new Vstalker;
static struct virt_stalker stalker_own; /* for random steps */
static const struct virt_table *stalker_found; /* found by the last find */

static void stalker_reset();
static void stalker_random(uint64_t *random);
static rig_part stalker_part("stalker", stalker_reset, stalker_random);

static void stalker_reset()
{
	stalker->find = stalker->watch = stalker->drop = stalker->clear = stalker->init = 0;
	stalker->restart = stalker->distrust = stalker->next = stalker->mark = 0;
	rig_reset(&stalker_part, stalker);
	stalker_own = {};
	stalker_found = nullptr;
}

template <class Request>
static void stalker_step(const struct virt_stalker *st, Request *request, const char *what)
{
	rig_step(&stalker_part, stalker, request, &stalker->done, what);
	stalker_part.same("the root's lines are found", st->table[0].found, stalker->root_found);
}

/* Compares what is known about a table's lines. */
static void stalker_look(const struct virt_stalker *st, unsigned table)
{
	const struct virt_table *t = &st->table[table];

	stalker->index = table;
	stalker->found = 0;
	stalker_step(st, &stalker->mark, "look");
	stalker_part.same("look: found", t->found, stalker->out_found);
	stalker_part.same("look: since", t->since, stalker->out_since);
	stalker_part.same("look: lines are over", t->next_line == VIRT_TABLE_LINES, stalker->hit);
}

extern "C" {
void __real_virt_stalker_init(struct virt_stalker *st, uint64_t pgd, unsigned levels,
			      uint64_t start, uint64_t end);
struct virt_table *__real_virt_stalker_find(struct virt_stalker *st, uint64_t pa);
void __real_virt_stalker_read(const struct virt_stalker *st, const struct virt_table *t,
			      uint64_t pa, const uint64_t line[VIRT_LINE_ENTRIES],
			      struct virt_seen *seen);
bool __real_virt_stalker_watch(struct virt_stalker *st, const struct virt_table *t);
bool __real_virt_stalker_drop(struct virt_stalker *st, uint64_t va);
void __real_virt_stalker_clear(struct virt_stalker *st);
void __real_virt_stalker_restart(struct virt_stalker *st, uint64_t since);
enum virt_next __real_virt_stalker_next(struct virt_stalker *st, unsigned *table, uint64_t *pa,
					uint64_t *since);
uint64_t __real_virt_stalker_distrust(struct virt_stalker *st, uint64_t since);
void __real_virt_stalker_mark(struct virt_stalker *st, unsigned table);

void __wrap_virt_stalker_init(struct virt_stalker *st, uint64_t pgd, unsigned levels,
			      uint64_t start, uint64_t end)
{
	__real_virt_stalker_init(st, pgd, levels, start, end);
	stalker->range_start = start;
	stalker->range_end = end;
	stalker->pa = pgd >> VIRT_LINE_BITS;
	stalker->level = st->root_level;
	stalker_step(st, &stalker->init, "init");
	stalker_part.same("init: unfinished", st->unfinished, stalker->unfinished);
}

struct virt_table *__wrap_virt_stalker_find(struct virt_stalker *st, uint64_t pa)
{
	struct virt_table *t = __real_virt_stalker_find(st, pa);

	stalker_found = t;
	stalker->pa = pa >> VIRT_LINE_BITS;
	stalker_step(st, &stalker->find, "find");
	stalker_part.same("find: a table", t != nullptr, stalker->hit);
	if (t != nullptr)
		stalker_part.same("find: which", (uint64_t)(t - st->table), stalker->out_index);
	return t;
}

void __wrap_virt_stalker_read(const struct virt_stalker *st, const struct virt_table *t,
			      uint64_t pa, const uint64_t line[VIRT_LINE_ENTRIES],
			      struct virt_seen *seen)
{
	unsigned level = t->level, mappings = 0, tables = 0;

	__real_virt_stalker_read(st, t, pa, line, seen);
	stalker_part.same("read: the table that was found", true, t == stalker_found);
	for (unsigned i = 0; i < VIRT_LINE_ENTRIES; i++) {
		bool kept = (seen->valid >> i & 1) != 0, table;

		stalker->word = line[i];
		stalker->word_index = (pa >> 3) % (1 << VIRT_INDEX_BITS) | i;
		stalker->eval();
		stalker_part.same("read: kept", kept, stalker->entry_kept);
		if (!kept)
			continue;
		table = stalker->entry_table;
		if (table ? tables == seen->ntables : mappings == seen->nmappings) {
			stalker_part.same("read: is a table", !table, table);
			continue;
		}
		const struct virt_table *to = &seen->table[tables];
		const struct virt_mapping *m = &seen->mapping[mappings];

		stalker_part.same("read: address", (table ? to->va : m->va) >> VIRT_PAGE_BITS,
				  stalker->entry_va);
		stalker_part.same("read: frame", (table ? to->pa : m->pa) >> VIRT_PAGE_BITS,
				  stalker->entry_pa);
		stalker_part.same("read: level", level + table, stalker->entry_level);
		if (!table)
			stalker_part.same("read: shared", m->shared, stalker->entry_shared);
		tables += table;
		mappings += !table;
	}
}

bool __wrap_virt_stalker_watch(struct virt_stalker *st, const struct virt_table *t)
{
	bool room = __real_virt_stalker_watch(st, t);

	stalker->pa = t->pa >> VIRT_LINE_BITS;
	stalker->va = t->va >> (VIRT_PAGE_BITS + VIRT_INDEX_BITS);
	stalker->level = t->level;
	stalker->since = t->since;
	stalker->skip = t->next_line == VIRT_TABLE_LINES;
	stalker_step(st, &stalker->watch, "watch");
	stalker_part.same("watch: room", room, stalker->hit);
	stalker_part.same("watch: unfinished", st->unfinished, stalker->unfinished);
	return room;
}

bool __wrap_virt_stalker_drop(struct virt_stalker *st, uint64_t va)
{
	bool some = __real_virt_stalker_drop(st, va);

	stalker->va = va >> (VIRT_PAGE_BITS + VIRT_INDEX_BITS);
	stalker_step(st, &stalker->drop, "drop");
	stalker_part.same("drop: some", some, stalker->hit);
	return some;
}

void __wrap_virt_stalker_clear(struct virt_stalker *st)
{
	__real_virt_stalker_clear(st);
	stalker_step(st, &stalker->clear, "clear");
}

void __wrap_virt_stalker_restart(struct virt_stalker *st, uint64_t since)
{
	__real_virt_stalker_restart(st, since);
	stalker->since = since;
	stalker_step(st, &stalker->restart, "restart");
	stalker_part.same("restart: unfinished", st->unfinished, stalker->unfinished);
}

enum virt_next __wrap_virt_stalker_next(struct virt_stalker *st, unsigned *table, uint64_t *pa,
					uint64_t *since)
{
	bool unfinished = stalker->unfinished;
	enum virt_next next = __real_virt_stalker_next(st, table, pa, since);

	stalker_step(st, &stalker->next, "next");
	stalker_part.same("next: a line", next == VIRT_NEXT_LINE, stalker->hit);
	stalker_part.same("next: an end", next == VIRT_NEXT_END, stalker->ended);
	if (next == VIRT_NEXT_NONE) {
		stalker_part.same("next: unfinished", false, stalker->unfinished);
		if (st->table[0].used)
			stalker_look(st, 0);
		return next;
	}
	stalker_part.same("next: unfinished", true, unfinished);
	stalker_part.same("next: table", *table, stalker->out_index);
	stalker_part.same("next: since", *since, stalker->out_since);
	if (next == VIRT_NEXT_LINE)
		stalker_part.same("next: line", *pa >> VIRT_LINE_BITS, stalker->out_pa);
	stalker_look(st, *table);
	return next;
}

uint64_t __wrap_virt_stalker_distrust(struct virt_stalker *st, uint64_t since)
{
	uint64_t earliest = __real_virt_stalker_distrust(st, since);

	stalker->since = since;
	stalker_step(st, &stalker->distrust, "distrust");
	stalker_part.same("distrust: since", earliest, stalker->out_since);
	return earliest;
}

void __wrap_virt_stalker_mark(struct virt_stalker *st, unsigned table)
{
	__real_virt_stalker_mark(st, table);
	stalker->index = table;
	stalker->found = 1;
	stalker_step(st, &stalker->mark, "mark");
	stalker_part.same("mark: found", true, stalker->out_found);
	stalker_look(st, table);
}
}

/* One of a few frames. Some of them differ only in the highest bit. */
static uint64_t stalker_frame(uint64_t *random, unsigned frames)
{
	uint64_t r = rig_random(random);

	return virt_pa((r >> 8) % frames * UINT64_C(0x1101000) | (r & 1) << (VIRT_PA_BITS - 1));
}

static void stalker_random_init(uint64_t *random, unsigned frames)
{
	uint64_t r = rig_random(random), end, start;
	unsigned bits = VIRT_PAGE_BITS + 3 * (unsigned)(rig_bits(r, 0, 8) % 10);

	start = virt_va(rig_random(random)) >> rig_bits(r, 8, 8) % 30;
	end = rig_random(random) >> (63 - VIRT_VA_BITS) >> rig_bits(r, 16, 8) % 30;
	if (rig_bits(r, 24, 2) != 0)
		end = start + (virt_va(rig_random(random)) >> rig_bits(r, 32, 8) % 30);
	if (rig_bits(r, 26, 1) != 0) { /* at the edge of a page of any size */
		start = virt_align(start, bits);
		end = virt_align(end, bits);
		start -= start > 0 && rig_bits(r, 48, 2) == 0;
	}
	virt_stalker_init(&stalker_own, stalker_frame(random, frames),
			  3 + (unsigned)rig_bits(r, 27, 1), start, end);
}

static void stalker_random_watch(uint64_t *random, unsigned frames)
{
	const struct virt_stalker *st = &stalker_own;
	uint64_t r = rig_random(random);
	struct virt_table t = st->table[rig_bits(r, 0, 8) % VIRT_TABLES];

	/* A table that exists, or a new one, mostly at the start of the range. */
	if (!t.used || t.level == st->root_level || rig_bits(r, 8, 3) != 0) {
		t = {};
		t.used = true;
		t.level = st->root_level + 1 +
			  (unsigned)(rig_bits(r, 11, 8) % (VIRT_LAST_LEVEL - st->root_level));
		t.va = rig_bits(r, 19, 1) != 0 ? st->start : virt_va(rig_random(random));
		t.va = virt_align(t.va, virt_span_bits(t.level) + VIRT_INDEX_BITS);
		t.pa = stalker_frame(random, frames);
	}
	t.found = false;
	t.next_line = rig_bits(r, 20, 2) == 0 ? VIRT_TABLE_LINES : 0;
	t.since = rig_bits(r, 24, 10);
	virt_stalker_watch(&stalker_own, &t);
}

static void stalker_random_read(uint64_t *random, unsigned frames)
{
	uint64_t r = rig_random(random), line[VIRT_LINE_ENTRIES];
	const struct virt_table *at = &stalker_own.table[rig_bits(r, 0, 8) % VIRT_TABLES], *t;
	uint64_t pa = at->used && rig_bits(r, 8, 2) != 0 ? at->pa : stalker_frame(random, frames);
	struct virt_seen seen;

	pa |= rig_bits(r, 10, 6) << VIRT_LINE_BITS;
	t = virt_stalker_find(&stalker_own, pa);
	if (t == nullptr)
		return;
	for (uint64_t &entry : line) {
		uint64_t likely = rig_random(random);

		entry = rig_random(random);
		if (rig_bits(likely, 0, 2) != 0)
			entry &= ~VIRT_PTE_BEYOND;
		if (rig_bits(likely, 2, 2) != 0)
			entry |= VIRT_PTE_VALID | VIRT_PTE_ACCESSED;
	}
	virt_stalker_read(&stalker_own, t, pa, line, &seen);
}

static void stalker_random(uint64_t *random)
{
	unsigned frames = 1, table;
	uint64_t since;
	uint64_t pa;

	stalker_random_init(random, 20);
	for (unsigned i = 0; i < 4000; i++) {
		uint64_t r = rig_random(random), way = rig_bits(r, 0, 8);
		const struct virt_table *at = &stalker_own.table[rig_bits(r, 8, 8) % VIRT_TABLES];

		if (i % 500 == 0)
			frames = 1 + (unsigned)rig_bits(r, 16, rig_bits(r, 32, 1) != 0 ? 3 : 8);
		if (way < 80)
			stalker_random_read(random, frames);
		else if (way < 160)
			stalker_random_watch(random, frames);
		else if (way < 220)
			virt_stalker_next(&stalker_own, &table, &pa, &since);
		else if (way < 235 && at->used)
			virt_stalker_mark(&stalker_own, (unsigned)(at - stalker_own.table));
		else if (way < 245)
			virt_stalker_drop(&stalker_own,
					  virt_va(way % 2 == 0 ? r : at->va + rig_bits(r, 34, 30)));
		else if (way < 251)
			virt_stalker_distrust(&stalker_own, (uint32_t)rig_bits(r, 34, 10));
		else if (way < 253)
			virt_stalker_restart(&stalker_own, (uint32_t)rig_bits(r, 34, 10));
		else if (way < 255)
			virt_stalker_clear(&stalker_own);
		else
			stalker_random_init(random, frames);
	}
}
