/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/leaks.h"

#include <stdlib.h>

#include "probes/memory/reader/report.h"
#include "support/hash.h"
#include "support/vec.h"

/* Blocks that were allocated alike, and that are lost alike. */
struct group {
	uint64_t pc;
	uint32_t stack;
	enum mem_leak state;
	struct place first; /* the block with the lowest number */
	uint64_t bytes, blocks;
	uint64_t more_bytes, more_blocks; /* MEM_LEAK_INDIRECT: what these blocks lead to */
};

struct leaks {
	struct memory *memory;
	struct findings *findings;
	VEC(struct group) groups;
	struct hash_ids ids; /* indices in `groups` */
	struct report_ignored ignored;
	bool reachable, looked;
	uint64_t count;
};

struct key {
	uint64_t pc;
	uint32_t stack;
	enum mem_leak state;
};

struct leaks *leaks_new(struct memory *m, struct findings *w, bool reachable)
{
	struct leaks *l = calloc(1, sizeof *l);

	if (l != NULL)
		*l = (struct leaks){ .memory = m, .findings = w, .reachable = reachable };
	return l;
}

void leaks_free(struct leaks *l)
{
	if (l != NULL) {
		vec_free(&l->groups);
		hash_free(&l->ids);
	}
	free(l);
}

uint64_t leaks_count(const struct leaks *l)
{
	return l->count;
}

void leaks_ignore(struct leaks *l, const char *pattern)
{
	report_ignore(&l->ignored, pattern);
}

bool leaks_looked(const struct leaks *l)
{
	return l->looked;
}

static uint64_t hash_key(const struct key *k)
{
	return hash_add(hash_add(hash_add(0, k->pc), k->stack), (uint64_t)k->state);
}

static uint64_t hash_of(const void *ctx, uint32_t id)
{
	const struct leaks *l = ctx;
	const struct group *g = &l->groups.at[id];
	const struct key k = { g->pc, g->stack, g->state };

	return hash_key(&k);
}

HASH_INLINE bool has_key(const void *ctx, uint32_t id, const void *key)
{
	const struct leaks *l = ctx;
	const struct group *g = &l->groups.at[id];
	const struct key *k = key;

	return g->pc == k->pc && g->stack == k->stack && g->state == k->state;
}

/* The group of a block. Makes it, if it is new. Returns NULL if there is no memory. */
static struct group *group_of(struct leaks *l, const struct place *p, enum mem_leak state)
{
	const struct key key = { p->pc, p->stack, state };
	struct group added = { .pc = p->pc, .stack = p->stack, .state = state, .first = *p };
	struct group *g;
	size_t place;

	if (!hash_room(&l->ids, hash_of, l))
		return NULL;
	place = hash_find(&l->ids, hash_key(&key), has_key, l, &key);
	if (hash_id(&l->ids, place) == HASH_NONE) {
		if (l->groups.n >= HASH_NONE - 1 || !vec_push(&l->groups, added))
			return NULL;
		hash_put(&l->ids, place, (uint32_t)(l->groups.n - 1));
	}
	g = &l->groups.at[hash_id(&l->ids, place)];
	if (p->number < g->first.number)
		g->first = *p;
	return g;
}

/* The block at an address, if it is one of malloc() and its like, and known. */
static const struct place *block_at(const struct leaks *l, uint64_t at)
{
	const struct place *p = places_find(l->memory->places, at);

	return p != NULL && p->at == at && !p->gone && p->kind <= PLACE_REALLOC ? p : NULL;
}

static bool take_block(struct leaks *l, const struct memory_event *v)
{
	const bool inner = v->how == MEM_LEAK_INDIRECT;
	const struct place *p = block_at(l, v->address), *leader = inner ? block_at(l, v->from) : p;
	struct group *g;

	/* Blocks from before the watching are not known. */
	if (p == NULL || v->how >= MEM_LEAK_KINDS)
		return true;
	if (leader == NULL)
		leader = p;
	g = group_of(l, leader, inner ? MEM_LEAK_LOST : (enum mem_leak)v->how);
	if (g == NULL)
		return false;
	*(inner ? &g->more_bytes : &g->bytes) += p->bytes;
	*(inner ? &g->more_blocks : &g->blocks) += 1;
	return true;
}

static bool take_access(void *ctx, const struct memory_access *a, struct nfart_error *e)
{
	(void)ctx;
	(void)a;
	(void)e;
	return true;
}

static bool take_event(void *ctx, const struct memory_event *v, struct nfart_error *e)
{
	struct leaks *l = ctx;

	if (v->kind != MEM_LEAK)
		return true;
	l->looked |= v->address == 0;
	if (v->address == 0 || take_block(l, v))
		return true;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return false;
}

struct memory_output leaks_output(struct leaks *l)
{
	return (struct memory_output){ .access = take_access, .event = take_event, .ctx = l };
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	const uint64_t m = x->bytes + x->more_bytes, n = y->bytes + y->more_bytes;

	if (x->state != y->state)
		return x->state < y->state ? -1 : 1;
	if (m != n)
		return m > n ? -1 : 1;
	return x->first.number < y->first.number ? -1 : x->first.number > y->first.number;
}

static bool is_ignored(const struct leaks *l, const struct group *g)
{
	const uint64_t *pc;
	struct message m = { .kind = MEM_MALLOC, .pc = g->pc };
	size_t n;
	bool ignored = report_is_ignored(l->memory, &l->ignored, &m);

	pc = call_stacks_at(l->memory->stacks, g->stack, &n);
	for (size_t i = 0; i < n && !ignored; i++) {
		m.pc = pc[i];
		ignored = report_is_ignored(l->memory, &l->ignored, &m);
	}
	return ignored;
}

static void write_group(const struct leaks *l, const struct group *g)
{
	const struct finding_leak leak = { .state = g->state, .bytes = g->bytes,
					   .blocks = g->blocks, .more_bytes = g->more_bytes,
					   .more_blocks = g->more_blocks, .first = &g->first };
	struct finding f = { .check = "leak", .leak = &leak };

	findings_write(l->findings, l->memory, &f);
}

bool leaks_end(struct leaks *l, struct nfart_error *e)
{
	if (l->groups.n == 0)
		return true;
	qsort(l->groups.at, l->groups.n, sizeof *l->groups.at, compare_groups);
	findings_take_turn(l->findings);
	for (size_t i = 0; i < l->groups.n; i++) {
		const struct group *g = &l->groups.at[i];

		if (is_ignored(l, g) || (g->state == MEM_LEAK_REACHABLE && !l->reachable))
			continue;
		l->count += g->state != MEM_LEAK_REACHABLE;
		write_group(l, g);
	}
	return findings_give_turn(l->findings, e);
}
