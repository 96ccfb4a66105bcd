/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * translate.c: the TLB of a core, its walk cache, and its walks. A walk reads tables through the
 * second-level cache.
 */
#include <string.h>

#include "probes/virtual/system/parts.h"

/* TRIES: if an invalidation comes during a walk, the walk begins anew, at most this often. */
enum { TLB_WAYS = 4, TRIES = 8 };

void sys_tlb_flush(struct sys_core *c)
{
	for (unsigned i = 0; i < SYS_TLB; i++)
		c->tlb[i].used = false;
	for (unsigned i = 0; i < SYS_TLB_BLOCKS; i++)
		c->block[i].used = false;
	for (unsigned i = 0; i < SYS_WALKS; i++)
		c->walk[i].used = false;
}

static bool concerns(const struct virt_dvm *m, uint16_t asid, uint64_t va, unsigned bits)
{
	if (m->kind == VIRT_TLBI_ALL)
		return true;
	return m->asid == asid &&
	       (m->kind == VIRT_TLBI_ASID || virt_align(m->va, bits) == virt_align(va, bits));
}

void sys_tlb_take(struct sys_core *c, const struct virt_dvm *m)
{
	if (m->kind > VIRT_TLBI_ALL)
		return;
	for (unsigned i = 0; i < SYS_TLB; i++)
		c->tlb[i].used &= !concerns(m, c->tlb[i].asid, c->tlb[i].va, VIRT_PAGE_BITS);
	for (unsigned i = 0; i < SYS_TLB_BLOCKS; i++)
		c->block[i].used &= !concerns(m, c->block[i].asid, c->block[i].va,
					      virt_span_bits(c->block[i].level));
	if (m->kind == VIRT_TLBI_VA_LAST)
		return;
	for (unsigned i = 0; i < SYS_WALKS; i++)
		c->walk[i].used &= !concerns(m, c->walk[i].asid, c->walk[i].va,
					     virt_span_bits(c->walk[i].level - 1));
}

static struct sys_tlb_entry *tlb_find(const struct sys *s, struct sys_core *c, uint16_t asid,
				      uint64_t va)
{
	unsigned set = (unsigned)(va >> VIRT_PAGE_BITS) % (s->o.machine.tlb_entries / TLB_WAYS);

	for (unsigned i = 0; i < TLB_WAYS; i++) {
		struct sys_tlb_entry *e = &c->tlb[set * TLB_WAYS + i];

		if (e->used && e->asid == asid && e->va == virt_align(va, VIRT_PAGE_BITS))
			return e;
	}
	for (unsigned i = 0; i < SYS_TLB_BLOCKS; i++)
		if (c->block[i].used && c->block[i].asid == asid &&
		    c->block[i].va == virt_align(va, virt_span_bits(c->block[i].level)))
			return &c->block[i];
	return NULL;
}

static struct sys_tlb_entry *tlb_place(const struct sys *s, struct sys_core *c, uint64_t va,
				       unsigned level)
{
	unsigned set = (unsigned)(va >> VIRT_PAGE_BITS) % (s->o.machine.tlb_entries / TLB_WAYS);

	if (level < VIRT_LAST_LEVEL)
		return &c->block[c->next_block++ % SYS_TLB_BLOCKS];
	return &c->tlb[set * TLB_WAYS + c->next_way++ % TLB_WAYS];
}

/* Finds the deepest table for an address in the walk cache; if there is none, the root. */
static struct sys_walk_entry walk_from(const struct sys *s, const struct sys_core *c,
				       const struct sys_process *p, uint64_t va)
{
	struct sys_walk_entry from = { .pa = p->pgd,
				       .level = VIRT_LAST_LEVEL + 1 - s->o.machine.levels };

	for (unsigned i = 0; i < SYS_WALKS; i++) {
		const struct sys_walk_entry *w = &c->walk[i];

		if (w->used && w->asid == p->asid && w->level > from.level &&
		    w->va == virt_align(va, virt_span_bits(w->level - 1)))
			from = *w;
	}
	return from;
}

/* Walks the tables. Returns NULL if there is no valid translation with the access flag set. */
static struct sys_tlb_entry *walk_tables(struct sys *s, struct sys_core *c,
					 const struct sys_process *p, uint64_t va)
{
	struct sys_walk_entry at = walk_from(s, c, p, va);
	struct sys_cause cause = s->known.cause;
	struct sys_tlb_entry *e = NULL;
	unsigned tries = 0;

	s->known.cause.kind = SYS_WALK;
	for (;;) {
		unsigned bits = virt_span_bits(at.level);
		uint64_t entry = sys_walk_read(s, at.pa + (va >> bits) % (1 << VIRT_INDEX_BITS) * 8);

		if ((entry & VIRT_PTE_VALID) == 0)
			break;
		if (at.level == VIRT_LAST_LEVEL || (entry & VIRT_PTE_TABLE) == 0) {
			if ((entry & VIRT_PTE_ACCESSED) == 0)
				break;
			e = tlb_place(s, c, va, at.level);
			*e = (struct sys_tlb_entry){
				.used = true, .writable = (entry & VIRT_PTE_READ_ONLY) == 0,
				.asid = p->asid, .va = virt_align(va, bits),
				.pa = virt_align(entry & VIRT_PTE_ADDRESS, bits), .level = at.level
			};
			break;
		}
		at = (struct sys_walk_entry){ .used = true, .asid = p->asid,
					      .va = virt_align(va, bits),
					      .pa = entry & VIRT_PTE_ADDRESS, .level = at.level + 1 };
		c->walk[c->next_walk++ % SYS_WALKS] = at;
		if (sys_between_operations(s) && tries++ < TRIES)
			at = walk_from(s, c, p, va);
	}
	s->known.cause = cause;
	return e;
}

bool sys_translate(struct sys *s, unsigned core, uint64_t va, bool store, uint64_t *pa)
{
	struct sys_core *c = &s->core[core];
	const struct sys_process *p = &s->process[s->known.cause.process];
	struct sys_tlb_entry *e = tlb_find(s, c, p->asid, va);

	if (e == NULL)
		e = walk_tables(s, c, p, va);
	if (e == NULL || (store && !e->writable))
		return false;
	*pa = e->pa + (va - e->va);
	return true;
}
