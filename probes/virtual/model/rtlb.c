/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/model/rtlb.h"

#include <string.h>

void virt_rtlb_init(struct virt_rtlb *t, unsigned entries)
{
	memset(t, 0, sizeof *t);
	t->entries = entries;
}

void virt_rtlb_clear(struct virt_rtlb *t)
{
	virt_rtlb_init(t, t->entries);
}

static bool entry_covers(const struct virt_entry *e, uint64_t pa)
{
	return e->used && virt_align(pa, virt_span_bits(e->m.level)) == e->m.pa;
}

static unsigned set_of(const struct virt_rtlb *t, uint64_t pa)
{
	return (unsigned)(pa >> VIRT_PAGE_BITS) & (t->entries / VIRT_WAYS - 1);
}

const struct virt_entry *virt_rtlb_find(const struct virt_rtlb *t, uint64_t pa)
{
	const struct virt_entry *set = t->page + set_of(t, pa) * VIRT_WAYS;

	for (unsigned i = 0; i < VIRT_WAYS; i++)
		if (entry_covers(&set[i], pa))
			return &set[i];
	for (unsigned i = 0; i < VIRT_BLOCKS; i++)
		if (entry_covers(&t->block[i], pa))
			return &t->block[i];
	return NULL;
}

/*
 * Returns the place for a mapping among n entries: the entry of the same frame, else a free entry,
 * else the entry that is to be replaced next.
 */
static struct virt_entry *place_for(struct virt_entry *among, unsigned n, uint64_t pa,
				    uint8_t *next)
{
	struct virt_entry *at = NULL;

	for (unsigned i = 0; i < n; i++)
		if (entry_covers(&among[i], pa))
			return &among[i];
	for (unsigned i = n; i-- > 0;)
		if (!among[i].used)
			at = &among[i];
	if (at == NULL) {
		at = &among[*next];
		*next = (uint8_t)((*next + 1) % n);
	}
	return at;
}

bool virt_rtlb_refill(struct virt_rtlb *t, const struct virt_mapping *m, bool aliases,
		      struct virt_entry *out)
{
	unsigned set = set_of(t, m->pa);
	bool page = m->level == VIRT_LAST_LEVEL;
	struct virt_entry *e = page ? place_for(t->page + set * VIRT_WAYS, VIRT_WAYS, m->pa,
						&t->next[set])
				    : place_for(t->block, VIRT_BLOCKS, m->pa, &t->next_block);
	bool same = entry_covers(e, m->pa), evicts = e->used && !same;

	if (evicts)
		*out = *e;
	e->alias = same && aliases && (e->alias || e->m.va != m->va);
	e->used = true;
	e->m = *m;
	return evicts;
}

static bool drop_among(struct virt_entry *among, unsigned n, uint64_t va)
{
	bool alias = false;

	for (unsigned i = 0; i < n; i++)
		if (among[i].used &&
		    (among[i].alias ||
		     virt_align(va, virt_span_bits(among[i].m.level)) == among[i].m.va)) {
			alias |= among[i].alias;
			among[i].used = false;
		}
	return alias;
}

bool virt_rtlb_drop(struct virt_rtlb *t, uint64_t va)
{
	bool page = drop_among(t->page, t->entries, va);
	bool block = drop_among(t->block, VIRT_BLOCKS, va);

	return page || block;
}
