/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/places.h"

#include <stdlib.h>
#include <string.h>

#include "probes/memory/reader/ranges.h"
#include "support/arena.h"
#include "support/vec.h"

enum {
	PAGE_BITS = 12,
	LEAF_BITS = 18,
	ROOT_BITS = MEM_ADDRESS_BITS - PAGE_BITS - LEAF_BITS,
	PAGE = 1 << PAGE_BITS,
	GRAIN = 16, /* bytes in a grain, the smallest part of a page that has a place of its own */
	GRAINS = PAGE / GRAIN,
	/* Places, or tables of grains, that are allocated at once: so many that malloc maps new
	 * pages. */
	CHUNK = 2048
};

/*
 * The entry of a page: 0, or the number of a place (from 1 on), of a table, or of a module. One of
 * these bits marks a table or a module.
 */
#define IS_TABLE ((uint32_t)1 << 31)
#define IS_MODULE ((uint32_t)1 << 30)
#define NUMBER (~(IS_TABLE | IS_MODULE))

/*
 * The variables of a module. Their places are made when an address in the module is first asked
 * for.
 */
struct variables {
	uint64_t bias, low, high;
	struct names_file *file;
	bool listed;     /* the places were made */
	uint32_t *place; /* sorted by address */
	size_t n;
};

/* What can be used again. */
struct spare {
	VEC(uint32_t) free_places, free_tables;
	VEC(uint32_t) loose; /* places without pieces; places_settle() makes them free */
};

struct places {
	struct names *names;
	struct arena arena; /* for the names of regions */
	VEC(uint32_t *) leaves; /* all leaves, for freeing */
	VEC(struct place *) chunks;
	VEC(uint32_t *) tables;
	uint32_t nplaces, ntables;
	struct spare spare;
	VEC(struct variables) modules; /* a module that was unloaded has low = high */
	struct ranges regions;         /* each range has the number of its place */
	uint64_t nregions;
	uint32_t allocations;
	bool failed; /* there was too little memory for the variables of a module */
	uint32_t *root[1 << ROOT_BITS]; /* leaves with the entries of pages; NULL: no entries */
};

struct places *places_new(struct names *names)
{
	struct places *p = calloc(1, sizeof *p);

	if (p != NULL)
		p->names = names;
	return p;
}

void places_free(struct places *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->leaves.n; i++)
		free(p->leaves.at[i]);
	vec_free(&p->leaves);
	for (size_t i = 0; i < p->chunks.n; i++)
		free(p->chunks.at[i]);
	for (size_t i = 0; i < p->tables.n; i++)
		free(p->tables.at[i]);
	for (size_t i = 0; i < p->modules.n; i++)
		free(p->modules.at[i].place);
	vec_free(&p->chunks);
	vec_free(&p->tables);
	vec_free(&p->spare.free_places);
	vec_free(&p->spare.free_tables);
	vec_free(&p->spare.loose);
	vec_free(&p->modules);
	vec_free(&p->regions);
	arena_free(&p->arena);
	free(p);
}

/* ---- places and tables by number ---- */

static struct place *place_at(const struct places *p, uint32_t number)
{
	return &p->chunks.at[number / CHUNK][number % CHUNK];
}

static uint32_t *table_at(const struct places *p, uint32_t number)
{
	return &p->tables.at[number / CHUNK][(size_t)(number % CHUNK) * GRAINS];
}

/* Makes a place and returns its number; 0 if there is no memory. */
static uint32_t new_place(struct places *p, const struct place *value)
{
	uint32_t number;

	if (p->spare.free_places.n > 0) {
		number = p->spare.free_places.at[--p->spare.free_places.n];
	} else {
		number = ++p->nplaces;
		if (number > NUMBER || !vec_reserve(&p->spare.free_places, number) ||
		    !vec_reserve(&p->spare.loose, number))
			return 0;
		if (number / CHUNK == p->chunks.n) {
			struct place *chunk = calloc(CHUNK, sizeof *chunk);

			if (chunk == NULL || !vec_push(&p->chunks, chunk)) {
				free(chunk);
				p->nplaces--;
				return 0;
			}
		}
	}
	*place_at(p, number) = *value;
	return number;
}

/* Removes one piece from a place. Cannot fail: `loose` always has room for all places. */
static void drop_piece(struct places *p, uint32_t number)
{
	struct place *place = place_at(p, number);

	place->holes = true;
	if (--place->pieces == 0)
		p->spare.loose.at[p->spare.loose.n++] = number;
}

bool places_settle(struct places *p)
{
	while (p->spare.loose.n > 0) {
		uint32_t number = p->spare.loose.at[--p->spare.loose.n];

		place_at(p, number)->bytes = 0;
		p->spare.free_places.at[p->spare.free_places.n++] = number;
	}
	return !p->failed && !names_failed(p->names);
}

/*
 * Makes a table in which all grains belong to the place `number`. Returns the number of the table;
 * 0 if there is no memory.
 */
static uint32_t new_table(struct places *p, uint32_t number)
{
	uint32_t t;

	if (p->spare.free_tables.n > 0) {
		t = p->spare.free_tables.at[--p->spare.free_tables.n];
	} else {
		t = ++p->ntables;
		if (t > NUMBER || !vec_reserve(&p->spare.free_tables, t))
			return 0;
		if (t / CHUNK == p->tables.n) {
			uint32_t *chunk = malloc((size_t)CHUNK * GRAINS * sizeof *chunk);

			if (chunk == NULL || !vec_push(&p->tables, chunk)) {
				free(chunk);
				p->ntables--;
				return 0;
			}
		}
	}
	for (unsigned i = 0; i < GRAINS; i++)
		table_at(p, t)[i] = number;
	return t;
}

/* ---- pages ---- */

static uint32_t *find_page(const struct places *p, uint64_t page)
{
	uint32_t *leaf = p->root[page >> LEAF_BITS];

	return leaf == NULL ? NULL : &leaf[page & ((1 << LEAF_BITS) - 1)];
}

static uint32_t *need_page(struct places *p, uint64_t page)
{
	uint32_t **leaf = &p->root[page >> LEAF_BITS];

	if (*leaf == NULL && vec_reserve(&p->leaves, 1)) {
		*leaf = calloc((size_t)1 << LEAF_BITS, sizeof **leaf);
		p->leaves.at[p->leaves.n++] = *leaf;
	}
	return find_page(p, page);
}

/* Empties the entry of a page. Pieces are removed from the places that it belonged to. */
static void clear_page(struct places *p, uint32_t *entry)
{
	if (*entry & IS_TABLE) {
		for (unsigned i = 0; i < GRAINS; i++)
			if (table_at(p, *entry & NUMBER)[i] != 0)
				drop_piece(p, table_at(p, *entry & NUMBER)[i]);
		p->spare.free_tables.at[p->spare.free_tables.n++] = *entry & NUMBER;
	} else if (*entry != 0 && !(*entry & IS_MODULE)) {
		drop_piece(p, *entry);
	}
	*entry = 0;
}

/* Gives the grains `first` to `last` of a page to a place. Returns false if there is no memory. */
static bool give_grains(struct places *p, uint64_t page, unsigned first, unsigned last,
			uint32_t number)
{
	uint32_t *entry = need_page(p, page), *grain;
	uint32_t old;

	if (entry == NULL)
		return false;
	if (first == 0 && last == GRAINS - 1) {
		clear_page(p, entry);
		*entry = number;
		place_at(p, number)->pieces++;
		return true;
	}
	old = *entry & IS_MODULE ? 0 : *entry;
	if (!(old & IS_TABLE)) {
		uint32_t t = new_table(p, old);

		if (t == 0)
			return false;
		if (old != 0)
			place_at(p, old)->pieces += GRAINS - 1;
		*entry = t | IS_TABLE;
	}
	grain = table_at(p, *entry & NUMBER);
	for (unsigned i = first; i <= last; i++) {
		if (grain[i] != 0)
			drop_piece(p, grain[i]);
		grain[i] = number;
	}
	place_at(p, number)->pieces += last - first + 1;
	return true;
}

static bool range_is_sane(uint64_t at, uint64_t bytes)
{
	return at >> MEM_ADDRESS_BITS == 0 && bytes <= ((uint64_t)1 << MEM_ADDRESS_BITS) - at;
}

/* Gives a range of addresses to a place. Returns false if there is no memory. */
static bool give(struct places *p, uint64_t at, uint64_t bytes, uint32_t number)
{
	uint64_t first = at / GRAIN, last = (at + (bytes > 0 ? bytes - 1 : 0)) / GRAIN;

	for (uint64_t page = first / GRAINS; page <= last / GRAINS; page++)
		if (!give_grains(p, page, page == first / GRAINS ? first % GRAINS : 0,
				 page == last / GRAINS ? last % GRAINS : GRAINS - 1, number))
			return false;
	return true;
}

/* ---- regions ---- */

static struct place *region_of(const struct places *p, uint64_t at)
{
	uint32_t number = ranges_find(&p->regions, at);

	return number == 0 ? NULL : place_at(p, number);
}

/*
 * Returns the name of a region: that of its module with a suffix, or one such as "[heap]". Returns
 * NULL if there is no memory.
 */
static const char *region_name(struct places *p, uint64_t at, enum mem_region_kind kind)
{
	static const char *const suffix[] = { ".data", ".bss" };
	const struct names_module *m = names_module(p->names, at);
	const char *base;
	char *name;

	if (kind == MEM_HEAP)
		return "[heap]";
	if (kind >= MEM_MAPPED || m == NULL)
		return kind == MEM_DATA ? "[data]" : kind == MEM_BSS ? "[bss]" : "[mmap]";
	base = m->file->base;
	name = arena_alloc(&p->arena, strlen(base) + strlen(suffix[kind]) + 1);
	return name == NULL ? NULL : strcat(strcpy(name, base), suffix[kind]);
}

bool places_unregion(struct places *p, uint64_t at, uint64_t bytes)
{
	return !range_is_sane(at, bytes) || ranges_remove(&p->regions, at, at + bytes);
}

bool places_region(struct places *p, uint64_t at, uint64_t bytes, enum mem_region_kind kind)
{
	/*
	 * A region counts as having holes, because blocks may lie in it. So place_has() is false
	 * for it.
	 */
	struct place value = { .at = at, .bytes = bytes, .kind = PLACE_REGION, .where = kind,
			       .pieces = 1, .holes = true };
	uint32_t number;

	if (!range_is_sane(at, bytes) || bytes == 0 || kind >= MEM_REGION_KINDS)
		return true;
	value.name = value.region = region_name(p, at, kind);
	number = value.name != NULL ? new_place(p, &value) : 0;
	if (number == 0 || !ranges_add(&p->regions, at, at + bytes, number))
		return false;
	p->nregions++;
	return true;
}

uint64_t places_regions(const struct places *p)
{
	return p->nregions;
}

/* ---- modules ---- */

/*
 * Makes the places of a module's variables. If there is no memory, returns false, and some places
 * are missing.
 */
static bool list_variables(struct places *p, struct variables *v)
{
	const struct symbols *symbols = &v->file->symbols;

	names_read(p->names, v->file);
	v->listed = true;
	v->place = calloc(symbols->n + 1, sizeof v->place[0]);
	if (v->place == NULL)
		return false;
	for (size_t i = 0; i < symbols->n; i++) {
		const struct symbol *s = &symbols->at[i];
		/* `holes` makes place_has() false until find_variable() has set the region. */
		struct place value = { .at = s->at + v->bias, .bytes = s->bytes, .name = s->name,
				       .kind = PLACE_SYMBOL, .pieces = 1, .holes = true };

		if (s->code || value.at < v->low || value.at >= v->high || s->bytes == 0)
			continue;
		v->place[v->n] = new_place(p, &value);
		if (v->place[v->n] == 0)
			return false;
		v->n++;
	}
	return true;
}

bool places_module(struct places *p, const struct names_module *m)
{
	struct variables v = { m->bias, m->low, m->high, m->file, false, NULL, 0 };
	uint32_t index = (uint32_t)p->modules.n;

	if (m->high <= m->low || !range_is_sane(m->low, m->high - m->low))
		return true;
	if (!vec_push(&p->modules, v))
		return false;
	for (uint64_t page = m->low >> PAGE_BITS; page <= (m->high - 1) >> PAGE_BITS; page++) {
		uint32_t *entry = need_page(p, page);

		if (entry == NULL)
			return false;
		clear_page(p, entry);
		*entry = IS_MODULE | index;
	}
	return true;
}

void places_unmodule(struct places *p, uint64_t low)
{
	for (size_t i = 0; i < p->modules.n; i++) {
		struct variables *v = &p->modules.at[i];

		if (v->low != low || v->high == v->low)
			continue;
		for (uint64_t page = v->low >> PAGE_BITS; page <= (v->high - 1) >> PAGE_BITS; page++) {
			uint32_t *entry = find_page(p, page);

			if (entry != NULL && *entry == (IS_MODULE | i))
				*entry = 0;
		}
		for (size_t k = 0; k < v->n; k++)
			drop_piece(p, v->place[k]);
		free(v->place);
		*v = (struct variables){ 0 };
	}
}

static struct place *find_variable(struct places *p, struct variables *v, uint64_t at)
{
	size_t low = 0, high;
	struct place *place, *region;

	if (!v->listed && !list_variables(p, v))
		p->failed = true;
	high = v->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (place_at(p, v->place[middle])->at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	region = region_of(p, at);
	if (low == 0)
		return region;
	place = place_at(p, v->place[low - 1]);
	if (at - place->at >= place->bytes)
		return region;
	if (place->region == NULL) {
		place->region = region != NULL ? region->name : "[data]";
		place->where = region != NULL ? region->where : MEM_DATA;
		place->holes = false;
	}
	return place;
}

/* ---- blocks ---- */

struct place *places_allocate(struct places *p, enum place_kind kind, uint64_t at, uint64_t bytes,
			      uint64_t pc)
{
	bool mapped = kind == PLACE_MMAP || kind == PLACE_MREMAP;
	const struct place *region = region_of(p, at);
	struct place value = { .at = at, .bytes = bytes, .pc = pc, .kind = kind,
			       .where = mapped ? MEM_MAPPED : MEM_HEAP, .region = "[heap]" };
	uint32_t number;

	if (!range_is_sane(at, bytes))
		return NULL;
	if (mapped)
		value.region = region != NULL ? region->name : "[mmap]";
	value.number = ++p->allocations;
	number = new_place(p, &value);
	if (number == 0 || !give(p, at, bytes, number))
		return NULL;
	return place_at(p, number);
}

/* Returns the number of the place that a grain belongs to; 0 if there is none. */
static uint32_t grain_at(const struct places *p, uint64_t at)
{
	const uint32_t *entry = find_page(p, at >> PAGE_BITS);

	if (entry == NULL || *entry & IS_MODULE)
		return 0;
	return *entry & IS_TABLE ? table_at(p, *entry & NUMBER)[at / GRAIN % GRAINS] : *entry;
}

struct place *places_release(struct places *p, uint64_t at)
{
	uint32_t number = at >> MEM_ADDRESS_BITS == 0 ? grain_at(p, at) : 0;
	struct place *place;

	if (number == 0)
		return NULL;
	place = place_at(p, number);
	if (place->at != at)
		return NULL;
	place->gone = true;
	return place;
}

/*
 * Marks the place of one page as gone. If the place reaches beyond [at, end), the page gets a new
 * place: a copy of the old one that is gone.
 */
static bool unmap_page(struct places *p, uint64_t page, uint64_t at, uint64_t end)
{
	uint32_t number = grain_at(p, page << PAGE_BITS);
	struct place *place = number == 0 ? NULL : place_at(p, number), twin;
	uint32_t before = page << PAGE_BITS > at ? grain_at(p, (page - 1) << PAGE_BITS) : 0;

	if (place == NULL || place->gone)
		return true;
	if (place->at >= at && place->at + place->bytes <= end) {
		place->gone = true;
		return true;
	}
	twin = *place;
	twin.gone = true;
	twin.pieces = 0;
	if (before == 0 || place_at(p, before)->number != twin.number || !place_at(p, before)->gone)
		before = new_place(p, &twin);
	return before != 0 && give_grains(p, page, 0, GRAINS - 1, before);
}

struct place *places_unmap(struct places *p, uint64_t at, uint64_t bytes)
{
	uint64_t end = at + bytes;

	if (!range_is_sane(at, bytes) || bytes == 0)
		return NULL;
	for (uint64_t page = at >> PAGE_BITS; page <= (end - 1) >> PAGE_BITS; page++)
		if (!unmap_page(p, page, at, (end + PAGE - 1) / PAGE * PAGE))
			return NULL;
	return places_find(p, at);
}

/*
 * Returns the block before an address, at most one page before it. Returns NULL if there is none.
 */
static struct place *find_before(struct places *p, uint64_t at)
{
	for (unsigned i = 1; i <= GRAINS && at >= (uint64_t)i * GRAIN; i++) {
		uint32_t number = grain_at(p, at - (uint64_t)i * GRAIN);

		if (number != 0)
			return place_at(p, number)->where == MEM_HEAP ? place_at(p, number) : NULL;
	}
	return NULL;
}

/* Returns the block after an address, at most one page after it. Returns NULL if there is none. */
static struct place *find_after(struct places *p, uint64_t at)
{
	for (unsigned i = 1; i <= GRAINS; i++) {
		uint32_t number = grain_at(p, at + (uint64_t)i * GRAIN);

		if (number != 0)
			return place_at(p, number)->where == MEM_HEAP ? place_at(p, number) : NULL;
	}
	return NULL;
}

struct place *places_find(struct places *p, uint64_t at)
{
	const uint32_t *entry;
	struct place *region;
	uint32_t number;

	if (at >> MEM_ADDRESS_BITS != 0)
		return NULL;
	entry = find_page(p, at >> PAGE_BITS);
	if (entry != NULL && *entry & IS_MODULE)
		return find_variable(p, &p->modules.at[*entry & NUMBER], at);
	number = grain_at(p, at);
	if (number != 0)
		return place_at(p, number);
	region = region_of(p, at);
	/*
	 * The heap of libnfamem-inside.so records no region. An address there that has no place is
	 * in the gap between two blocks.
	 */
	if (region == NULL || region->where == MEM_HEAP) {
		struct place *block = find_before(p, at);

		if (block == NULL)
			block = find_after(p, at);
		if (block != NULL)
			return block;
	}
	return region;
}

struct place *places_nearer(struct places *p, struct place *before, uint64_t at)
{
	const uint64_t end = before->at + before->bytes;
	struct place *after;

	if (before->where != MEM_HEAP || at < end)
		return before;
	after = find_after(p, at);
	return after != NULL && after->at - at < at - end ? after : before;
}
