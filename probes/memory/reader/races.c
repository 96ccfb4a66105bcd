/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/races.h"

#include <stdlib.h>
#include <string.h>

#include "probes/memory/reader/race.h"
#include "probes/memory/reader/report.h"
#include "support/hash.h"

enum { LEAST_SEEN = 64 };

/* A pair of instructions that was written, the lower one first. */
struct pair {
	uint64_t low, high; /* high 0: the entry is empty */
};

struct races {
	struct memory *memory;
	struct findings *findings;
	struct race *race;
	struct report_ignored ignored;
	struct pair *seen; /* a hash table (support/hash.h) of `places` entries, `nseen` in use */
	size_t nseen, places;
	uint64_t count;
	struct nfart_error error; /* why a race could not be written */
	bool threads; /* there is, or was, a second thread: accesses before it race with none */
};

static bool pair_hash(const void *entry, uint64_t *h)
{
	const struct pair *p = entry;

	*h = hash_add(hash_add(0, p->low), p->high);
	return p->high != 0;
}

HASH_INLINE bool pair_ends(const void *ctx, size_t place, const void *key)
{
	const struct races *x = ctx;
	const struct pair *a = &x->seen[place], *b = key;

	return a->high == 0 || (a->low == b->low && a->high == b->high);
}

/* Whether a pair was written before. Remembers it. Without memory it counts as new. */
static bool was_seen(struct races *x, uint64_t a, uint64_t b)
{
	const struct pair p = { a < b ? a : b, a < b ? b : a };
	uint64_t h;
	size_t at;

	pair_hash(&p, &h);
	if (2 * x->nseen >= x->places &&
	    !hash_widen((void **)&x->seen, &x->places, sizeof *x->seen, LEAST_SEEN, pair_hash))
		return false;
	at = hash_probe(x->places, h, pair_ends, x, &p);
	if (x->seen[at].high != 0)
		return true;
	x->seen[at] = p;
	x->nseen++;
	return false;
}

/*
 * race.c keeps the pc of each access, and does not look at it. If the call stack is known, it keeps
 * the number of the stack, whose first address is the pc.
 */
#define STACK (UINT64_C(1) << 63)

static uint64_t pc_or_stack(uint64_t pc, uint32_t stack)
{
	return stack != 0 ? STACK | stack : pc;
}

/* Sets the pc and the stack of a message. */
static void set_pc(const struct races *x, struct message *m, uint64_t kept)
{
	size_t n;

	m->stack = kept & STACK ? (uint32_t)kept : 0;
	m->pc = kept & STACK ? call_stacks_at(x->memory->stacks, m->stack, &n)[0] : kept;
}

static bool take_race(void *ctx, const struct race_access *now, const struct race_access *before)
{
	struct races *x = ctx;
	struct message a = { .address = now->address, .bytes = now->bytes,
			     .place = places_find(x->memory->places, now->address),
			     .thread = now->thread, .kind = now->kind };
	struct message b = { .bytes = before->bytes, .thread = before->thread,
			     .kind = before->kind };
	struct finding f = { .check = "race", .message = &a, .before = &b };

	set_pc(x, &a, now->pc);
	set_pc(x, &b, before->pc);
	if (was_seen(x, a.pc, b.pc) || report_is_ignored(x->memory, &x->ignored, &a) ||
	    report_is_ignored(x->memory, &x->ignored, &b))
		return true;
	x->count++;
	findings_take_turn(x->findings);
	findings_write(x->findings, x->memory, &f);
	return findings_give_turn(x->findings, &x->error);
}

struct races *races_new(struct memory *m, struct findings *w)
{
	struct races *x = calloc(1, sizeof *x);

	if (x == NULL)
		return NULL;
	*x = (struct races){ .memory = m, .findings = w };
	x->race = race_new(take_race, x);
	if (x->race == NULL) {
		free(x);
		return NULL;
	}
	return x;
}

void races_free(struct races *x)
{
	if (x != NULL) {
		race_free(x->race);
		free(x->seen);
	}
	free(x);
}

void races_ignore(struct races *x, const char *pattern)
{
	report_ignore(&x->ignored, pattern);
}

uint64_t races_count(const struct races *x)
{
	return x->count;
}

void races_inherit(struct races *x)
{
	race_forget(x->race);
	x->threads = false;
}

static bool done(const struct races *x, bool fine, struct nfart_error *e)
{
	if (!fine && x->error.status != NFART_OK)
		*e = x->error;
	else if (!fine)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	return fine;
}

static bool take_access(void *ctx, const struct memory_access *a, struct nfart_error *e)
{
	struct races *x = ctx;
	const unsigned code = a->site != NULL ? a->site->code : memory_code_of(x->memory, a->pc);
	struct race_access r = { .address = a->address, .bytes = a->bytes,
				 .pc = pc_or_stack(a->pc, a->stack),
				 .thread = a->thread, .kind = (uint8_t)a->kind };

	if (a->site != NULL && a->site->atomic)
		r.how = RACE_ATOMIC;
	if (code == MEMORY_CODE_LIBC || !x->threads)
		return true;
	if (code == MEMORY_CODE_OPENMP)
		r.how = RACE_SYNC;
	return done(x, race_access(x->race, &r), e);
}

/* A function of the program or the kernel accesses bytes. */
static bool take_block(struct races *x, const struct memory_event *v, uint64_t at, uint64_t bytes,
		       uint8_t kind)
{
	const struct race_access a = { .address = at, .bytes = bytes,
				       .pc = pc_or_stack(v->pc, v->stack),
				       .thread = v->thread, .kind = kind };

	return !x->threads || memory_code_of(x->memory, v->pc) != MEMORY_CODE_OTHER ||
	       race_access(x->race, &a);
}

/* A block is freed. */
static bool take_free(struct races *x, const struct memory_event *v, uint64_t at,
		      const struct place *place)
{
	if (place == NULL || place->at != at || place->kind >= PLACE_SYMBOL)
		return true;
	return take_block(x, v, at, place->bytes, MEM_FREE);
}

static bool take_order(struct races *x, const struct memory_event *v)
{
	struct race *r = x->race;

	switch (v->kind) {
	case MEM_THREAD:
		x->threads = true;
		return race_create(r, v->thread, (uint32_t)v->address);
	case MEM_JOIN:
		return race_join(r, (uint32_t)v->address, v->thread);
	case MEM_LOCK:
		return race_lock(r, v->thread, v->address, v->how != 0);
	case MEM_UNLOCK:
		return race_unlock(r, v->thread, v->address);
	case MEM_GIVE:
		return race_give(r, v->thread, v->address, (enum mem_object)v->how);
	case MEM_TAKE:
		return race_takes(r, v->thread, v->address, (enum mem_object)v->how);
	case MEM_BEGIN:
		/* Nothing was told of what came before, such as new threads. */
		x->threads = true;
		race_forget(r);
		return true;
	default:
		return true;
	}
}

static bool take_event(void *ctx, const struct memory_event *v, struct nfart_error *e)
{
	struct races *x = ctx;
	bool fine;

	switch (v->kind) {
	case MEM_COPY:
		fine = take_block(x, v, v->from, v->bytes, MEM_LOAD) &&
		       take_block(x, v, v->address, v->bytes, MEM_SAVE);
		break;
	case MEM_STORE:
	case MEM_FILL:
		fine = take_block(x, v, v->address, v->bytes, MEM_SAVE);
		break;
	case MEM_FETCH:
		fine = take_block(x, v, v->address, v->bytes, MEM_LOAD);
		break;
	case MEM_REALLOC:
	case MEM_MREMAP:
		fine = take_free(x, v, v->from, v->other);
		race_renew(x->race, v->address, v->bytes);
		break;
	case MEM_FREE:
		fine = take_free(x, v, v->address, v->place);
		break;
	case MEM_MALLOC:
	case MEM_CALLOC:
	case MEM_MMAP:
	case MEM_MUNMAP:
	case MEM_UNREGION:
		race_renew(x->race, v->address, v->bytes);
		fine = true;
		break;
	default:
		fine = take_order(x, v);
	}
	return done(x, fine, e);
}

static bool take_stamp(void *ctx, uint32_t thread, struct nfart_error *e)
{
	struct races *x = ctx;

	return done(x, race_settle(x->race, thread), e);
}

struct memory_output races_output(struct races *x)
{
	return (struct memory_output){ .access = take_access, .event = take_event, .ctx = x,
				       .stamp = take_stamp };
}
