/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/race.h"

#include <stdlib.h>
#include <string.h>

#include "probes/memory/reader/words.h"
#include "support/hash.h"

enum { LEAST = 64, MOST_THREADS = 1 << 16 };

struct object {
	uint64_t key; /* 1 + address; 0: the entry is not in use */
	/* `given`: by all but those that held it shared. `open`: of the round that ended last. */
	struct clock given, shared, open;
	uint32_t owner; /* 1 + the thread that holds a lock alone; else 0 */
	bool gathers;   /* a barrier: there were arrivals since `open` */
};

struct race {
	race_take *take;
	void *ctx;
	struct clocks clocks;
	struct words words;
	struct object *object; /* a hash table */
	size_t nobjects, objects;
	struct {
		uint64_t at; /* the access that race_settle() is about; 0: none */
		uint8_t mask;
		bool always; /* it takes the clock of its word in any case */
	} *pending; /* [MOST_THREADS] */
};

struct race *race_new(race_take *take, void *ctx)
{
	struct race *r = calloc(1, sizeof *r);

	if (r == NULL)
		return NULL;
	r->take = take;
	r->ctx = ctx;
	r->pending = calloc(MOST_THREADS, sizeof *r->pending);
	if (r->pending == NULL) {
		free(r);
		return NULL;
	}
	return r;
}

void race_renew(struct race *r, uint64_t address, uint64_t bytes)
{
	words_renew(&r->words, address, bytes);
}

void race_forget(struct race *r)
{
	words_free(&r->words);
	memset(r->pending, 0, MOST_THREADS * sizeof *r->pending);
}

void race_free(struct race *r)
{
	if (r == NULL)
		return;
	words_free(&r->words);
	for (size_t i = 0; i < r->objects; i++) {
		clock_free(&r->object[i].given);
		clock_free(&r->object[i].shared);
		clock_free(&r->object[i].open);
	}
	clocks_free(&r->clocks);
	free(r->object);
	free(r->pending);
	free(r);
}

/* ---- the clock of a word ---- */

static bool take_word(struct race *r, uint32_t thread, const struct word *w)
{
	return w->clock == NULL || clocks_take(&r->clocks, thread, w->clock);
}

static bool give_word(struct race *r, uint32_t thread, struct word *w)
{
	if (w->clock == NULL)
		w->clock = calloc(1, sizeof *w->clock);
	return w->clock != NULL && clocks_give(&r->clocks, thread, w->clock);
}

/* Whether the last store to any of these bytes was atomic. */
static bool is_atomic(const struct word *w, uint8_t mask)
{
	for (const struct cell *c = &w->first; c != NULL; c = c->next)
		if (c->mask & mask && c->atomic)
			return true;
	return false;
}

bool race_settle(struct race *r, uint32_t thread)
{
	const uint64_t at = r->pending[thread].at;
	const struct word *w;

	if (at == 0)
		return true;
	r->pending[thread].at = 0;
	w = words_find(&r->words, at, false);
	return w == NULL || !(r->pending[thread].always || is_atomic(w, r->pending[thread].mask)) ||
	       take_word(r, thread, w);
}

/* ---- accesses ---- */

/* One access to bytes of one word. */
struct touch {
	const struct race_access *a;
	const struct clock *own; /* of the thread */
	uint64_t epoch;
	uint8_t mask;
	bool gives; /* it gives the clock of the word */
};

static bool report(struct race *r, const struct touch *t, uint64_t epoch, uint64_t pc,
		   uint8_t kind)
{
	const struct race_access before = { .address = t->a->address, .bytes = t->a->bytes,
					    .pc = pc, .thread = clocks_thread(epoch),
					    .kind = kind };

	return r->take(r->ctx, t->a, &before);
}

static bool check_store(struct race *r, const struct touch *t, const struct cell *c)
{
	return c->store == 0 || clocks_before(c->store, t->own) ||
	       report(r, t, c->store, c->store_pc, c->kind);
}

static bool check_loads(struct race *r, const struct touch *t, const struct cell *c)
{
	if (c->loads == NULL)
		return c->load == 0 || clocks_before(c->load, t->own) ||
		       report(r, t, c->load, c->load_pc, MEM_LOAD);
	for (uint32_t u = 0; u < c->loads->n; u++) {
		const uint64_t epoch = (uint64_t)u << CLOCKS_BITS | c->loads->at[u].number;

		if (!clocks_before(epoch, t->own) &&
		    !report(r, t, epoch, c->loads->at[u].pc, MEM_LOAD))
			return false;
	}
	return true;
}

static bool add_load(struct cell *c, uint64_t epoch, uint64_t pc)
{
	const uint32_t u = clocks_thread(epoch), n = c->loads != NULL ? c->loads->n : 0;

	if (u >= n) {
		struct loads *l = realloc(c->loads, sizeof *l + (u + 1) * sizeof l->at[0]);

		if (l == NULL)
			return false;
		memset(l->at + n, 0, (u + 1 - n) * sizeof l->at[0]);
		l->n = u + 1;
		c->loads = l;
	}
	c->loads->at[u].number = clocks_number(epoch);
	c->loads->at[u].pc = pc;
	return true;
}

static bool load_cell(struct race *r, const struct touch *t, struct cell *c)
{
	if (c->loads == NULL && c->load == t->epoch)
		return true;
	if (!check_store(r, t, c))
		return false;
	if (c->loads != NULL)
		return add_load(c, t->epoch, t->a->pc);
	if (c->load != 0 && !clocks_before(c->load, t->own))
		return add_load(c, c->load, c->load_pc) && add_load(c, t->epoch, t->a->pc);
	c->load = t->epoch;
	c->load_pc = t->a->pc;
	return true;
}

static void set_store(const struct touch *t, struct cell *c, bool atomic)
{
	c->store = t->epoch;
	c->store_pc = t->a->pc;
	c->kind = t->a->kind;
	c->atomic = atomic;
}

static bool store_cell(struct race *r, struct touch *t, struct cell *c)
{
	if (t->a->how == RACE_ATOMIC) {
		if (!c->atomic && !check_store(r, t, c))
			return false;
		set_store(t, c, true);
		return true;
	}
	if (c->atomic && t->a->kind == MEM_SAVE && clocks_before(c->store, t->own)) {
		t->gives = true;
		set_store(t, c, true);
		return true;
	}
	if (!check_store(r, t, c) || !check_loads(r, t, c))
		return false;
	free(c->loads);
	c->loads = NULL;
	c->load = 0;
	set_store(t, c, false);
	return true;
}

static bool touch_cells(struct race *r, struct touch *t, struct word *w)
{
	const bool loads = t->a->kind == MEM_LOAD && t->a->how == RACE_PLAIN;
	uint8_t left = t->mask;
	struct cell *c;

	for (c = &w->first; c != NULL && left != 0; c = c->next) {
		if (!(c->mask & t->mask))
			continue;
		if (!words_cut(c, t->mask) ||
		    !(loads ? load_cell(r, t, c) : store_cell(r, t, c)))
			return false;
		left &= (uint8_t)~c->mask;
	}
	if (left == 0)
		return true;
	c = words_add(w, left);
	return c != NULL && (loads ? load_cell(r, t, c) : store_cell(r, t, c));
}

static bool touch_word(struct race *r, const struct race_access *a, uint64_t at, uint8_t mask)
{
	struct touch t = { .a = a, .mask = mask };
	const bool make = a->kind != MEM_FREE || a->bytes <= RACE_FREED_BYTES;
	struct word *w = words_find(&r->words, at, make);

	if (w == NULL)
		return !make;
	r->pending[a->thread].at = a->kind != MEM_SAVE || a->how == RACE_ATOMIC ? at : 0;
	r->pending[a->thread].mask = mask;
	r->pending[a->thread].always = a->how != RACE_PLAIN;
	if (a->how == RACE_SYNC)
		return (a->kind == MEM_SAVE || take_word(r, a->thread, w)) &&
		       (a->kind == MEM_LOAD || give_word(r, a->thread, w));
	t.gives = a->how == RACE_ATOMIC;
	if ((t.gives || (a->kind == MEM_LOAD && is_atomic(w, mask))) && !take_word(r, a->thread, w))
		return false;
	t.own = clocks_of(&r->clocks, a->thread);
	if (t.own == NULL)
		return false;
	t.epoch = clocks_epoch(t.own, a->thread);
	return touch_cells(r, &t, w) && (!t.gives || give_word(r, a->thread, w));
}

bool race_access(struct race *r, const struct race_access *a)
{
	const uint64_t end = a->address + a->bytes;

	if (a->bytes > RACE_MOST_BYTES)
		return true;
	for (uint64_t at = a->address; at < end; at = (at | 7) + 1) {
		const uint64_t most = (at | 7) + 1 - at, n = end - at < most ? end - at : most;

		if (!touch_word(r, a, at, (uint8_t)(((1U << n) - 1) << (at & 7))))
			return false;
	}
	return true;
}

/* ---- threads and objects ---- */

bool race_create(struct race *r, uint32_t thread, uint32_t created)
{
	return clocks_tick(&r->clocks, created) && clocks_edge(&r->clocks, thread, created);
}

bool race_join(struct race *r, uint32_t thread, uint32_t ended)
{
	return clocks_edge(&r->clocks, ended, thread);
}

static bool object_hash(const void *entry, uint64_t *h)
{
	const struct object *o = entry;

	*h = hash_add(0, o->key);
	return o->key != 0;
}

HASH_INLINE bool object_ends(const void *ctx, size_t place, const void *key)
{
	const struct race *r = ctx;

	return r->object[place].key == 0 || r->object[place].key == *(const uint64_t *)key;
}

/* The object at an address. Returns NULL if there is no memory. */
static struct object *find_object(struct race *r, uint64_t address)
{
	const uint64_t key = address + 1;
	size_t at;

	if (2 * r->nobjects >= r->objects &&
	    !hash_widen((void **)&r->object, &r->objects, sizeof *r->object, LEAST, object_hash))
		return NULL;
	at = hash_probe(r->objects, hash_add(0, key), object_ends, r, &key);
	r->nobjects += r->object[at].key == 0;
	r->object[at].key = key;
	return &r->object[at];
}

bool race_lock(struct race *r, uint32_t thread, uint64_t object, bool shared)
{
	struct object *o = find_object(r, object);

	if (o == NULL || !clocks_take(&r->clocks, thread, &o->given))
		return false;
	if (shared)
		return true;
	o->owner = thread + 1;
	return clocks_take(&r->clocks, thread, &o->shared);
}

bool race_unlock(struct race *r, uint32_t thread, uint64_t object)
{
	struct object *o = find_object(r, object);

	if (o == NULL)
		return false;
	if (o->owner != thread + 1)
		return clocks_give(&r->clocks, thread, &o->shared);
	o->owner = 0;
	return clocks_give(&r->clocks, thread, &o->given);
}

bool race_give(struct race *r, uint32_t thread, uint64_t object, enum mem_object kind)
{
	struct object *o = find_object(r, object);

	if (o == NULL)
		return false;
	o->gathers = kind == MEM_OBJECT_BARRIER;
	return clocks_give(&r->clocks, thread, &o->given);
}

/*
 * At a barrier, the first thread to go on closes the round: all have arrived, and none of them can
 * have arrived again.
 */
bool race_takes(struct race *r, uint32_t thread, uint64_t object, enum mem_object kind)
{
	struct object *o = find_object(r, object);

	if (o == NULL)
		return false;
	if (kind != MEM_OBJECT_BARRIER)
		return clocks_take(&r->clocks, thread, &o->given);
	if (o->gathers) {
		const struct clock ended = o->open;

		o->open = o->given;
		o->given = ended;
		if (o->given.n > 0)
			memset(o->given.at, 0, o->given.n * sizeof o->given.at[0]);
		o->gathers = false;
	}
	return clocks_take(&r->clocks, thread, &o->open);
}
