/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * memory.c: two levels of caches. The second level contains all lines of the first-level data
 * caches, but not those of the instruction caches. Instruction caches are not coherent. They lose a
 * line only by an invalidation of its address.
 */
#include <stdlib.h>
#include <string.h>

#include "probes/virtual/system/parts.h"

bool sys_cache_new(struct sys_cache *c, unsigned lines, unsigned ways)
{
	c->ways = ways;
	c->sets = lines / ways;
	c->line = calloc(lines, sizeof *c->line);
	return c->line != NULL;
}

static uint64_t line_of(uint64_t pa)
{
	return virt_align(pa, 6);
}

static unsigned word_of(uint64_t pa)
{
	return (unsigned)(pa >> 3) % SYS_LINE_WORDS;
}

static struct sys_line *set_of(const struct sys_cache *c, uint64_t pa)
{
	return c->line + (pa >> 6) % c->sets * c->ways;
}

static struct sys_line *find_line(const struct sys_cache *c, uint64_t pa)
{
	struct sys_line *set = set_of(c, pa);

	for (unsigned i = 0; i < c->ways; i++)
		if (set[i].pa == line_of(pa) + 1)
			return &set[i];
	return NULL;
}

/*
 * Returns the line of a set to replace: a free one, or the one that was unused for the longest
 * time.
 */
static struct sys_line *oldest(const struct sys_cache *c, uint64_t pa)
{
	struct sys_line *set = set_of(c, pa), *old = set;

	for (unsigned i = 0; i < c->ways; i++) {
		if (set[i].pa == 0)
			return &set[i];
		if (c->clock - set[i].used > c->clock - old->used)
			old = &set[i];
	}
	return old;
}

static uint64_t *memory_at(const struct sys *s, uint64_t pa)
{
	return s->frames.memory + line_of(pa) / sizeof s->frames.memory[0];
}

/* If a first-level line is dirty, writes it to the second level, which also has the line. */
static void write_down(struct sys *s, struct sys_line *l)
{
	struct sys_line *below = find_line(&s->l2, l->pa - 1);

	if (l->dirty) {
		memcpy(below->word, l->word, sizeof l->word);
		below->dirty = true;
	}
	l->dirty = false;
}

/*
 * Removes a line from the first-level data caches of all cores except for `but`; -1: of all cores.
 */
static void take_up(struct sys *s, uint64_t pa, int but)
{
	for (unsigned i = 0; i < s->o.machine.cores; i++) {
		struct sys_line *l = find_line(&s->core[i].l1d, pa);

		if ((int)i == but || l == NULL)
			continue;
		write_down(s, l);
		l->pa = 0;
	}
}

static void drop_l2(struct sys *s, struct sys_line *l)
{
	take_up(s, l->pa - 1, -1);
	if (l->dirty)
		memcpy(memory_at(s, l->pa - 1), l->word, sizeof l->word);
	l->pa = 0;
}

/* Returns the line in the second level. If it has to be fetched, there is a snoop. */
static struct sys_line *l2_get(struct sys *s, uint64_t pa, enum virt_snoop_kind kind)
{
	struct sys_line *l = find_line(&s->l2, pa);

	if (l == NULL) {
		l = oldest(&s->l2, pa);
		if (l->pa != 0)
			drop_l2(s, l);
		s->counts.misses[1]++;
		sys_snoop(s, kind, pa);
		*l = (struct sys_line){ .pa = line_of(pa) + 1 };
		memcpy(l->word, memory_at(s, pa), sizeof l->word);
	}
	l->used = ++s->l2.clock;
	return l;
}

/* Fetches the next line after a miss, if it is in the same page. */
static void prefetch(struct sys *s, uint64_t pa, enum virt_snoop_kind kind)
{
	uint64_t next = line_of(pa) + VIRT_LINE_BYTES;
	struct sys_cause cause = s->known.cause;

	if (s->known.cause.kind != SYS_ACCESS || (next ^ pa) >> VIRT_PAGE_BITS != 0 ||
	    s->o.machine.prefetch == 0 || (pa >> 6) % s->o.machine.prefetch != 0)
		return;
	s->known.cause.kind = SYS_PREFETCH;
	s->known.cause.va = line_of(s->known.cause.va) + VIRT_LINE_BYTES;
	l2_get(s, next, kind);
	s->known.cause = cause;
}

/* Returns the line in a first-level data cache. */
static struct sys_line *l1_get(struct sys *s, unsigned core, uint64_t pa,
			       enum virt_snoop_kind kind)
{
	struct sys_cache *c = &s->core[core].l1d;
	struct sys_line *l = find_line(c, pa), *below;

	take_up(s, pa, (int)core);
	if (l == NULL) {
		s->counts.misses[0]++;
		below = l2_get(s, pa, kind);
		l = oldest(c, pa);
		if (l->pa != 0)
			write_down(s, l);
		*l = (struct sys_line){ .pa = below->pa };
		memcpy(l->word, below->word, sizeof l->word);
		if (kind != VIRT_MAKE_UNIQUE)
			prefetch(s, pa, VIRT_READ_SHARED);
		l = find_line(c, pa); /* the prefetch may have replaced the line */
		if (l == NULL)
			return l1_get(s, core, pa, kind);
	}
	l->used = ++c->clock;
	return l;
}

uint64_t sys_load(struct sys *s, unsigned core, uint64_t pa)
{
	uint64_t value = l1_get(s, core, pa, VIRT_READ_SHARED)->word[word_of(pa)];

	sys_after_operation(s);
	return value;
}

void sys_store(struct sys *s, unsigned core, uint64_t pa, uint64_t value)
{
	struct sys_line *l = l1_get(s, core, pa, VIRT_READ_UNIQUE);

	l->word[word_of(pa)] = value;
	l->dirty = true;
	sys_after_operation(s);
}

void sys_fetch(struct sys *s, unsigned core, uint64_t pa)
{
	struct sys_cache *c = &s->core[core].l1i;
	struct sys_line *l = find_line(c, pa);

	if (l == NULL) {
		s->counts.misses[0]++;
		take_up(s, pa, -1);
		l2_get(s, pa, VIRT_READ_CLEAN);
		l = oldest(c, pa);
		l->pa = line_of(pa) + 1;
		prefetch(s, pa, VIRT_READ_CLEAN);
	}
	l->used = ++c->clock;
	sys_after_operation(s);
}

uint64_t sys_walk_read(struct sys *s, uint64_t pa)
{
	uint64_t value;

	take_up(s, pa, -1);
	value = l2_get(s, pa, VIRT_READ_SHARED)->word[word_of(pa)];
	sys_after_operation(s);
	return value;
}

void sys_zero(struct sys *s, unsigned core, uint64_t pa)
{
	for (unsigned i = 0; i < VIRT_TABLE_LINES; i++) {
		struct sys_line *l = l1_get(s, core, pa + i * VIRT_LINE_BYTES, VIRT_MAKE_UNIQUE);

		memset(l->word, 0, sizeof l->word);
		l->dirty = true;
		sys_after_operation(s);
	}
}

void sys_copy(struct sys *s, unsigned core, uint64_t from, uint64_t to)
{
	for (unsigned i = 0; i < VIRT_TABLE_LINES; i++) {
		uint64_t word[SYS_LINE_WORDS];
		struct sys_line *l = l1_get(s, core, from + i * VIRT_LINE_BYTES, VIRT_READ_SHARED);

		memcpy(word, l->word, sizeof word);
		sys_after_operation(s);
		l = l1_get(s, core, to + i * VIRT_LINE_BYTES, VIRT_MAKE_UNIQUE);
		memcpy(l->word, word, sizeof word);
		l->dirty = true;
		sys_after_operation(s);
	}
}

uint64_t sys_peek(const struct sys *s, uint64_t pa)
{
	const struct sys_line *l;

	for (unsigned i = 0; i < s->o.machine.cores; i++) {
		l = find_line(&s->core[i].l1d, pa);
		if (l != NULL && l->dirty)
			return l->word[word_of(pa)];
	}
	l = find_line(&s->l2, pa);
	return l != NULL ? l->word[word_of(pa)] : memory_at(s, pa)[word_of(pa)];
}

void sys_clean_line(struct sys *s, uint64_t pa)
{
	struct sys_line *l = find_line(&s->l2, pa);

	if (l != NULL)
		drop_l2(s, l);
}

void sys_drop_code(struct sys *s, uint64_t pa)
{
	for (unsigned i = 0; i < s->o.machine.cores; i++) {
		struct sys_line *l = find_line(&s->core[i].l1i, pa);

		if (l != NULL)
			l->pa = 0;
	}
}

void sys_clean_all(struct sys *s)
{
	for (unsigned i = 0; i < s->l2.sets * s->l2.ways; i++)
		if (s->l2.line[i].pa != 0)
			drop_l2(s, &s->l2.line[i]);
}
