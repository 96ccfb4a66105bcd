/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * kernel.c: the operating system: page tables, frames and faults. It follows Linux on ARMv8. To
 * change an entry that a core may have in its TLB takes three steps. First the entry is made
 * invalid. Then it is invalidated in the TLBs. When that is complete, the entry is changed, or its
 * frame is reused. An entry without the access flag is in no TLB and needs no invalidation. What the
 * driver of the front end decides is that driver's own code (kernel/policy.h).
 */
#include <stdlib.h>
#include <string.h>

#include "probes/virtual/kernel/policy.h"
#include "probes/virtual/system/parts.h"

enum { FRAME = 1 << VIRT_PAGE_BITS, ENTRIES = 1 << VIRT_INDEX_BITS };

/* An entry whose page is being moved to another frame. It is invalid for cores. */
#define MOVING (UINT64_C(1) << 56)
#define PAGE (VIRT_PTE_VALID | VIRT_PTE_TABLE | VIRT_PTE_ACCESSED)

static unsigned root_level(const struct sys *s)
{
	return VIRT_LAST_LEVEL + 1 - s->o.machine.levels;
}

/* Takes a free frame. Returns 0 if no memory is left. */
static uint64_t take_frame(struct sys *s)
{
	if (s->frames.nfree == 0) {
		s->failed = true;
		return 0;
	}
	return (uint64_t)s->frames.free[--s->frames.nfree] * FRAME;
}

/* Removes one mapping of a frame. When no mapping is left, the frame is free. */
static void put_frame(struct sys *s, uint64_t pa)
{
	if (s->frames.maps[pa / FRAME] > 0 && --s->frames.maps[pa / FRAME] > 0)
		return;
	s->frames.free[s->frames.nfree++] = (uint16_t)(pa / FRAME);
}

uint64_t sys_entry_of(const struct sys *s, int p, uint64_t va, unsigned *level)
{
	uint64_t at = s->process[p].pgd;

	for (*level = root_level(s);; ++*level) {
		uint64_t entry = at + (va >> virt_span_bits(*level)) % ENTRIES * 8;
		uint64_t value = sys_peek(s, entry);

		if (*level == VIRT_LAST_LEVEL ||
		    ((value & VIRT_PTE_VALID) != 0 && (value & VIRT_PTE_TABLE) == 0))
			return entry;
		if ((value & VIRT_PTE_VALID) == 0)
			return 0;
		at = value & VIRT_PTE_ADDRESS;
	}
}

/*
 * Returns the address of the entry for va in a table of level `target`. Makes the tables above it
 * if they do not exist. Returns 0 if no memory is left.
 */
static uint64_t make_entry(struct sys *s, unsigned core, int p, uint64_t va, unsigned target)
{
	uint64_t at = s->process[p].pgd;

	for (unsigned level = root_level(s); level < target; level++) {
		uint64_t entry = at + (va >> virt_span_bits(level)) % ENTRIES * 8;
		uint64_t value = sys_load(s, core, entry);

		if ((value & VIRT_PTE_VALID) == 0) {
			uint64_t table = take_frame(s);

			if (table == 0)
				return 0;
			sys_zero(s, core, table);
			value = table | VIRT_PTE_VALID | VIRT_PTE_TABLE;
			sys_store(s, core, entry, value);
		}
		at = value & VIRT_PTE_ADDRESS;
	}
	return at + (va >> virt_span_bits(target)) % ENTRIES * 8;
}

static void tlbi(struct sys *s, struct sys_task *t, enum virt_dvm_kind kind)
{
	struct virt_dvm m = { .kind = kind, .va = virt_align(t->va, VIRT_PAGE_BITS),
			      .asid = s->process[t->process].asid };

	t->wait = sys_broadcast(s, &m);
}

/* ---- faults ---- */

static bool is_huge_region(const struct sys *s, uint64_t va)
{
	return s->o.synthetic.huge && va >> virt_span_bits(1) == 1;
}

static void map_new(struct sys *s, unsigned core, int p, uint64_t va)
{
	bool huge = is_huge_region(s, va) && s->frames.huge_used < SYS_HUGE_FRAMES / ENTRIES;
	uint64_t entry = make_entry(s, core, p, va, huge ? 2 : VIRT_LAST_LEVEL), frame;

	if (entry == 0)
		return;
	if (huge) {
		sys_store(s, core, entry,
			  (uint64_t)s->frames.huge_used++ * ENTRIES * FRAME | VIRT_PTE_VALID |
				  VIRT_PTE_ACCESSED);
		return;
	}
	frame = take_frame(s);
	if (frame == 0)
		return;
	sys_zero(s, core, frame);
	s->frames.maps[frame / FRAME] = 1;
	sys_store(s, core, entry, frame | PAGE);
}

void sys_fault(struct sys *s, unsigned core, uint64_t va)
{
	int p = s->known.cause.process;
	struct sys_cause cause = s->known.cause;
	unsigned level;
	uint64_t entry, value;

	if (s->process[p].busy >= 0)
		return;
	s->known.cause = (struct sys_cause){ .kind = SYS_KERNEL, .process = -1 };
	entry = sys_entry_of(s, p, va, &level);
	value = entry == 0 ? 0 : sys_load(s, core, entry);
	if (value == 0)
		map_new(s, core, p, va);
	else if ((value & VIRT_PTE_ACCESSED) == 0)
		sys_store(s, core, entry, value | VIRT_PTE_ACCESSED);
	else if ((value & VIRT_PTE_READ_ONLY) != 0)
		sys_begin(s, core, SYS_COPY, p, va);
	s->known.cause = cause;
}

/* ---- tasks: each function does one phase, and returns whether the task is done ---- */

static bool is_empty(const struct sys *s, uint64_t table)
{
	for (unsigned i = 0; i < ENTRIES; i++)
		if (sys_peek(s, table + i * 8) != 0)
			return false;
	return true;
}

static bool unmap_page(struct sys *s, unsigned core, struct sys_task *t)
{
	unsigned level;

	switch (t->phase) {
	case 0:
		t->entry = sys_entry_of(s, t->process, t->va, &level);
		t->old = t->entry == 0 || level != VIRT_LAST_LEVEL ? 0 : sys_load(s, core, t->entry);
		if ((t->old & VIRT_PTE_VALID) == 0)
			return true;
		sys_store(s, core, t->entry, 0);
		if ((t->old & VIRT_PTE_ACCESSED) != 0)
			tlbi(s, t, VIRT_TLBI_VA_LAST);
		return false;
	case 1:
		put_frame(s, t->old & VIRT_PTE_ADDRESS);
		t->table = virt_align(t->entry, VIRT_PAGE_BITS);
		if (!is_empty(s, t->table))
			return true;
		sys_store(s, core, make_entry(s, core, t->process, t->va, VIRT_LAST_LEVEL - 1), 0);
		tlbi(s, t, VIRT_TLBI_VA);
		return false;
	default:
		put_frame(s, t->table);
		return true;
	}
}

/* The tasks SYS_MIGRATE and SYS_COPY. */
static bool migrate_page(struct sys *s, unsigned core, struct sys_task *t)
{
	unsigned level;
	uint64_t frame, old;
	bool copy = t->kind == SYS_COPY;

	if (t->phase == 0) {
		t->entry = sys_entry_of(s, t->process, t->va, &level);
		t->old = t->entry == 0 || level != VIRT_LAST_LEVEL ? 0 : sys_load(s, core, t->entry);
		old = t->old & VIRT_PTE_ADDRESS;
		if ((t->old & VIRT_PTE_VALID) == 0 || (!copy && s->frames.maps[old / FRAME] != 1))
			return true;
		if (copy &&
		    s->frames.maps[old / FRAME] == 1) { /* no other process maps the frame */
			sys_store(s, core, t->entry, nfavirt_alone(t->old & ~VIRT_PTE_READ_ONLY));
			tlbi(s, t, VIRT_TLBI_VA_LAST);
			return true;
		}
		sys_store(s, core, t->entry, MOVING);
		if ((t->old & VIRT_PTE_ACCESSED) != 0)
			tlbi(s, t, VIRT_TLBI_VA_LAST);
		return false;
	}
	frame = take_frame(s);
	if (frame == 0)
		return true;
	old = t->old & VIRT_PTE_ADDRESS;
	sys_copy(s, core, old, frame);
	s->frames.maps[frame / FRAME] = 1;
	t->old &= ~VIRT_PTE_ADDRESS;
	if (copy)
		t->old = nfavirt_alone(t->old & ~VIRT_PTE_READ_ONLY);
	sys_store(s, core, t->entry, t->old | frame);
	put_frame(s, old);
	return true;
}

static bool age(struct sys *s, unsigned core, struct sys_task *t)
{
	unsigned level;

	if (t->phase > 0)
		return true;
	t->entry = sys_entry_of(s, t->process, t->va, &level);
	t->old = t->entry == 0 ? 0 : sys_load(s, core, t->entry);
	if ((t->old & VIRT_PTE_VALID) == 0)
		return true;
	sys_store(s, core, t->entry, t->old & ~VIRT_PTE_ACCESSED);
	tlbi(s, t, VIRT_TLBI_VA_LAST);
	return false;
}

/* Gives a page a second address. It lies in a region of its own. */
static bool alias(struct sys *s, unsigned core, struct sys_task *t)
{
	uint64_t other = t->va ^ UINT64_C(0x2000000000), entry;
	unsigned level;

	if (t->phase == 0) {
		t->entry = sys_entry_of(s, t->process, t->va, &level);
		t->old = t->entry == 0 || level != VIRT_LAST_LEVEL ? 0 : sys_load(s, core, t->entry);
		if ((t->old & VIRT_PTE_VALID) == 0 || (t->old & VIRT_PTE_READ_ONLY) != 0)
			return true;
		sys_store(s, core, t->entry, nfavirt_shared(t->old));
		tlbi(s, t, VIRT_TLBI_VA_LAST);
		return false;
	}
	entry = make_entry(s, core, t->process, other, VIRT_LAST_LEVEL);
	if (entry == 0 || sys_load(s, core, entry) != 0)
		return true;
	s->frames.maps[(t->old & VIRT_PTE_ADDRESS) / FRAME]++;
	sys_store(s, core, entry, nfavirt_shared(t->old));
	return true;
}

struct fork {
	unsigned core;
};

/* Gives the child the same frame. Both processes may then only read it. */
static void share_frame(struct sys *s, void *ctx, uint64_t va, uint64_t entry, unsigned level)
{
	const struct fork *f = ctx;
	uint64_t value = sys_load(s, f->core, entry), child;

	if (level != VIRT_LAST_LEVEL)
		return;
	value = nfavirt_shared(value | VIRT_PTE_READ_ONLY);
	sys_store(s, f->core, entry, value);
	child = make_entry(s, f->core, 2, va, VIRT_LAST_LEVEL);
	if (child == 0)
		return;
	sys_store(s, f->core, child, value);
	s->frames.maps[(value & VIRT_PTE_ADDRESS) / FRAME]++;
}

static bool fork_child(struct sys *s, unsigned core, struct sys_task *t)
{
	struct sys_process *child = &s->process[2];
	struct fork f = { core };

	if (t->phase > 0) {
		child->alive = true;
		return true;
	}
	if (child->alive || child->pgd != 0)
		return true;
	child->pgd = take_frame(s);
	if (child->pgd == 0)
		return true;
	sys_zero(s, core, child->pgd);
	child->asid = s->next_asid++;
	sys_each_page(s, t->process, share_frame, &f);
	tlbi(s, t, VIRT_TLBI_ASID);
	return false;
}

/* Frees a table and all tables and frames below it. */
static void free_table(struct sys *s, uint64_t table, unsigned level)
{
	for (unsigned i = 0; i < ENTRIES; i++) {
		uint64_t value = sys_peek(s, table + i * 8);

		if ((value & VIRT_PTE_VALID) == 0)
			continue;
		if (level == VIRT_LAST_LEVEL)
			put_frame(s, value & VIRT_PTE_ADDRESS);
		else if ((value & VIRT_PTE_TABLE) != 0)
			free_table(s, value & VIRT_PTE_ADDRESS, level + 1);
	}
	put_frame(s, table);
}

static bool end_child(struct sys *s, struct sys_task *t)
{
	struct sys_process *child = &s->process[2];

	if (t->phase == 0) {
		if (!child->alive)
			return true;
		child->alive = false;
		s->thread[3].pending = false;
		s->thread[3].want = SYS_NO_TASK;
		tlbi(s, t, VIRT_TLBI_ASID);
		return false;
	}
	free_table(s, child->pgd, root_level(s));
	child->pgd = 0;
	return true;
}

static bool do_phase(struct sys *s, unsigned core, struct sys_task *t)
{
	switch (t->kind) {
	case SYS_UNMAP:
		return unmap_page(s, core, t);
	case SYS_MIGRATE:
	case SYS_COPY:
		return migrate_page(s, core, t);
	case SYS_AGE:
		return age(s, core, t);
	case SYS_ALIAS:
		return alias(s, core, t);
	case SYS_FORK:
		return fork_child(s, core, t);
	case SYS_EXIT:
		return end_child(s, t);
	default:
		return true;
	}
}

void sys_work(struct sys *s, unsigned core)
{
	struct sys_task *t = &s->core[core].task;
	struct sys_cause cause = s->known.cause;

	s->known.cause = (struct sys_cause){ .kind = SYS_KERNEL, .process = -1 };
	while (t->kind != SYS_NO_TASK && t->wait <= s->schedule.step && !s->failed) {
		if (do_phase(s, core, t)) {
			s->process[t->process].busy = -1;
			t->kind = SYS_NO_TASK;
		}
		t->phase++;
		if (s->o.machine.latency != 0)
			break;
	}
	s->known.cause = cause;
}

bool sys_begin(struct sys *s, unsigned core, enum sys_task_kind kind, int p, uint64_t va)
{
	if (kind == SYS_FORK && s->process[2].alive) {
		kind = SYS_EXIT;
		p = 2;
	}
	if (s->process[p].busy >= 0 || s->core[core].task.kind != SYS_NO_TASK)
		return false;
	s->process[p].busy = (int)core;
	s->core[core].task = (struct sys_task){ .kind = kind, .process = p,
						.va = virt_align(va, VIRT_PAGE_BITS) };
	sys_work(s, core);
	return true;
}

void sys_rollover(struct sys *s)
{
	for (int p = 0; p < SYS_PROCESSES; p++)
		s->process[p].asid = s->next_asid++;
	for (unsigned i = 0; i < s->o.machine.cores; i++)
		sys_tlb_flush(&s->core[i]);
	if (s->front != NULL)
		virt_front_write(s->front, VIRT_ASID_AT, s->process[0].asid);
}

/* ---- all pages ---- */

static void each_below(struct sys *s, uint64_t table, unsigned level, uint64_t va,
		       void (*visit)(struct sys *, void *, uint64_t, uint64_t, unsigned), void *ctx)
{
	for (unsigned i = 0; i < ENTRIES; i++) {
		uint64_t entry = table + i * 8, value = sys_peek(s, entry);
		uint64_t at = va + ((uint64_t)i << virt_span_bits(level));

		if ((value & VIRT_PTE_VALID) == 0)
			continue;
		if (level < VIRT_LAST_LEVEL && (value & VIRT_PTE_TABLE) != 0)
			each_below(s, value & VIRT_PTE_ADDRESS, level + 1, at, visit, ctx);
		else
			visit(s, ctx, at, entry, level);
	}
}

void sys_each_page(struct sys *s, int p,
		   void (*visit)(struct sys *s, void *ctx, uint64_t va, uint64_t entry,
				 unsigned level),
		   void *ctx)
{
	each_below(s, s->process[p].pgd, root_level(s), 0, visit, ctx);
}

bool sys_kernel_new(struct sys *s)
{
	s->frames.memory = calloc((size_t)s->o.machine.frames * ENTRIES, sizeof *s->frames.memory);
	s->frames.maps = calloc(s->o.machine.frames, sizeof *s->frames.maps);
	s->frames.free = calloc(s->o.machine.frames, sizeof *s->frames.free);
	if (s->frames.memory == NULL || s->frames.maps == NULL || s->frames.free == NULL)
		return false;
	for (unsigned i = s->o.machine.frames; i-- > SYS_HUGE_FRAMES;)
		s->frames.free[s->frames.nfree++] = (uint16_t)i;
	s->next_asid = 1;
	for (int p = 0; p < SYS_PROCESSES; p++)
		s->process[p].busy = -1;
	for (int p = 0; p < 2; p++) {
		s->process[p].pgd = take_frame(s);
		s->process[p].asid = s->next_asid++;
		s->process[p].alive = true;
	}
	return true;
}
