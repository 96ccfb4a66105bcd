/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/model/stalker.h"

#include <string.h>

void virt_stalker_init(struct virt_stalker *st, uint64_t pgd, unsigned levels, uint64_t start,
		       uint64_t end)
{
	memset(st, 0, sizeof *st);
	st->start = start;
	st->end = end;
	st->root_level = VIRT_LAST_LEVEL + 1 - levels;
	st->table[0] = (struct virt_table){ .used = true, .pa = pgd, .level = st->root_level,
					    .next_line = VIRT_TABLE_LINES };
}

void virt_stalker_clear(struct virt_stalker *st)
{
	for (unsigned i = 1; i < VIRT_TABLES; i++)
		st->table[i].used = false;
}

bool virt_stalker_in_range(const struct virt_stalker *st, const struct virt_table *t,
			   unsigned line)
{
	uint64_t bytes = UINT64_C(1) << virt_span_bits(t->level);
	uint64_t first = t->va + line * VIRT_LINE_ENTRIES * bytes;

	return first < st->end && first + VIRT_LINE_ENTRIES * bytes > st->start;
}

struct virt_table *virt_stalker_find(struct virt_stalker *st, uint64_t pa)
{
	unsigned line = (unsigned)(pa >> 6) % VIRT_TABLE_LINES;

	for (unsigned i = 0; i < VIRT_TABLES; i++)
		if (st->table[i].used && st->table[i].pa == virt_align(pa, VIRT_PAGE_BITS))
			return virt_stalker_in_range(st, &st->table[i], line) ? &st->table[i]
									      : NULL;
	return NULL;
}

/*
 * Whether a core may keep this entry in its TLB. An entry that was not accessed yet faults and is
 * not kept. An entry with an address that has too many bits is not kept either.
 */
static bool is_kept(uint64_t entry, unsigned level)
{
	bool table = (entry & VIRT_PTE_TABLE) != 0;

	if ((entry & VIRT_PTE_VALID) == 0 || (entry & VIRT_PTE_BEYOND) != 0)
		return false;
	if (level < VIRT_LAST_LEVEL && table)
		return true;
	return (entry & VIRT_PTE_ACCESSED) != 0 &&
	       (level == VIRT_LAST_LEVEL ? table : level > 0);
}

void virt_stalker_read(const struct virt_stalker *st, const struct virt_table *t, uint64_t pa,
		       const uint64_t line[VIRT_LINE_ENTRIES], struct virt_seen *seen)
{
	unsigned bits = virt_span_bits(t->level);
	uint64_t first = (pa >> 3) % (1 << VIRT_INDEX_BITS); /* index of the line's first entry */

	seen->nmappings = seen->ntables = seen->valid = 0;
	for (unsigned i = 0; i < VIRT_LINE_ENTRIES; i++) {
		uint64_t va = t->va + ((first + i) << bits), to = line[i] & VIRT_PTE_ADDRESS;

		if (!is_kept(line[i], t->level) || va >= st->end ||
		    va + (UINT64_C(1) << bits) <= st->start)
			continue;
		seen->valid |= (uint8_t)(1 << i);
		if (t->level < VIRT_LAST_LEVEL && (line[i] & VIRT_PTE_TABLE) != 0)
			seen->table[seen->ntables++] = (struct virt_table){
				.used = true, .pa = to, .va = va, .level = t->level + 1
			};
		else
			seen->mapping[seen->nmappings++] = (struct virt_mapping){
				.va = va, .pa = virt_align(to, bits),
				.entry = virt_align(pa, 6) + i * sizeof line[0], .level = t->level,
				.shared = (line[i] & VIRT_PTE_SHARED) != 0
			};
	}
}

bool virt_stalker_watch(struct virt_stalker *st, const struct virt_table *t)
{
	struct virt_table *free = NULL;

	for (unsigned i = VIRT_TABLES; i-- > 0;) {
		struct virt_table *at = &st->table[i];

		if (at->used && at->pa == t->pa && at->va == t->va && at->level == t->level)
			return true;
		if (i > 0 && at->pa == t->pa) /* the frame is now used for another table */
			at->used = false;
		if (!at->used)
			free = at;
	}
	if (free == NULL)
		return false;
	*free = *t;
	st->unfinished = true;
	return true;
}

bool virt_stalker_drop(struct virt_stalker *st, uint64_t va)
{
	bool any = false;

	for (unsigned i = 1; i < VIRT_TABLES; i++) {
		struct virt_table *t = &st->table[i];

		if (t->used && virt_align(va, virt_span_bits(t->level) + VIRT_INDEX_BITS) == t->va) {
			t->used = false;
			any = true;
		}
	}
	return any;
}

void virt_stalker_restart(struct virt_stalker *st, uint64_t since)
{
	struct virt_table *root = &st->table[0];

	virt_stalker_clear(st);
	root->next_line = 0;
	root->found = true;
	root->since = since;
	st->unfinished = true;
}

enum virt_next virt_stalker_next(struct virt_stalker *st, unsigned *table, uint64_t *pa,
				 uint64_t *since)
{
	for (unsigned i = 0; i < VIRT_TABLES; i++) {
		struct virt_table *t = &st->table[i];

		while (t->used && t->next_line < VIRT_TABLE_LINES) {
			unsigned line = t->next_line++;

			*table = i;
			*since = t->since;
			*pa = t->pa + line * VIRT_LINE_BYTES;
			if (virt_stalker_in_range(st, t, line))
				return VIRT_NEXT_LINE;
			if (t->next_line == VIRT_TABLE_LINES && t->found)
				return VIRT_NEXT_END;
		}
	}
	st->table[0].found = false; /* the set-up has found all tables */
	st->unfinished = false;
	return VIRT_NEXT_NONE;
}

uint64_t virt_stalker_distrust(struct virt_stalker *st, uint64_t since)
{
	for (unsigned i = 0; i < VIRT_TABLES; i++) {
		struct virt_table *t = &st->table[i];

		if (t->used && t->next_line < VIRT_TABLE_LINES) {
			t->found = true;
			if (t->since < since)
				since = t->since;
		}
	}
	return since;
}

void virt_stalker_mark(struct virt_stalker *st, unsigned table)
{
	st->table[table].found = true;
}
