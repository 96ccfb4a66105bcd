/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Compares race.h with a slow search: random threads access a few words and synchronise. The search
 * keeps each access with the whole clock of its thread, and looks at all pairs. For each byte, both
 * must find the first race at the same access, and each pair that race.h reports must be a race.
 */
#include <stdlib.h>
#include <string.h>

#include "probes/memory/reader/race.h"
#include "probes/memory/tests/random.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { THREADS = 5, BYTES = 32, STEPS = 400, OBJECTS = 3, BASE = 0x10000 };

struct vector {
	uint64_t at[THREADS];
};

struct past {
	struct vector clock; /* of the thread, at the access */
	uint64_t number;     /* its own number then */
	uint32_t thread, from, bytes;
	bool store, atomic;
	uint64_t pc;
};

struct object {
	struct vector given, shared, open;
	uint32_t arrived; /* bit i: thread i waits at the barrier */
	int owner;        /* the thread that holds it alone; -1: none */
	uint32_t holders; /* bit i: thread i holds it shared */
};

struct play {
	struct race *race;
	struct past past[STEPS];
	unsigned n;
	struct vector clock[THREADS], word[BYTES / 8];
	struct object lock[OBJECTS], barrier, signal;
	uint32_t born, ended, joined; /* bit i: thread i */
	int pending[THREADS];  /* the access that the next stamp is about; -1: none */
	bool found[BYTES];     /* the search found a race on this byte */
	bool reported[BYTES];  /* race.h did */
	bool wrong;
	bool no_join; /* a planted mistake: race.h is not told of joins */
};

static void join(struct vector *to, const struct vector *from)
{
	for (int i = 0; i < THREADS; i++)
		if (from->at[i] > to->at[i])
			to->at[i] = from->at[i];
}

static void give(struct play *p, uint32_t t, struct vector *to)
{
	join(to, &p->clock[t]);
	p->clock[t].at[t]++;
}

static bool races(const struct past *a, const struct past *b)
{
	return (a->store || b->store) && !(a->atomic && b->atomic) &&
	       !(a->atomic && !b->store) && !(b->atomic && !a->store) &&
	       a->number > b->clock.at[a->thread];
}

static bool covers(const struct past *a, uint32_t byte)
{
	return byte >= a->from && byte < a->from + a->bytes;
}

/* The last store to a byte before access n; -1: none. */
static int last_store(const struct play *p, unsigned n, uint32_t byte)
{
	int i = (int)n - 1;

	while (i >= 0 && !(p->past[i].store && covers(&p->past[i], byte)))
		i--;
	return i;
}

static bool last_is_atomic(const struct play *p, unsigned n, const struct past *a)
{
	for (uint32_t b = a->from; b < a->from + a->bytes; b++) {
		const int i = last_store(p, n, b);

		if (i >= 0 && p->past[i].atomic)
			return true;
	}
	return false;
}

static bool take_race(void *ctx, const struct race_access *now, const struct race_access *before)
{
	struct play *p = ctx;
	const struct past *a = &p->past[now->pc - 1], *b = &p->past[before->pc - 1];
	bool any = false;

	for (uint32_t i = 0; i < BYTES; i++)
		if (covers(a, i) && covers(b, i)) {
			p->reported[i] = true;
			any = true;
		}
	if (!any || !races(b, a))
		p->wrong = true;
	return true;
}

/* A plain store to bytes with an atomic last store that is ordered before it counts as atomic. */
static bool counts_as_atomic(struct play *p, const struct past *a, bool only)
{
	bool some = false, all = true;

	for (uint32_t b = a->from; b < a->from + a->bytes; b++) {
		const int i = last_store(p, p->n, b);
		const bool gives = i >= 0 && p->past[i].atomic && !only &&
				   p->past[i].number <= p->clock[a->thread].at[p->past[i].thread];

		some |= gives;
		all &= gives;
	}
	return some && all;
}

static void play_access(struct play *p, uint32_t t)
{
	struct past *a = &p->past[p->n];
	const unsigned what = (unsigned)random_below(10);
	struct race_access r = { .thread = t, .pc = p->n + 1 };
	struct vector *word;

	*a = (struct past){ .thread = t, .pc = p->n + 1 };
	/* The upper half of the bytes has atomic accesses, of whole words. */
	a->from = (uint32_t)random_below(BYTES);
	a->bytes = 1U << random_below(4);
	if (a->from >= BYTES / 2) {
		a->bytes = 8;
		a->from &= ~7U;
	} else if (a->from + a->bytes > BYTES / 2) {
		a->from = BYTES / 2 - a->bytes;
	}
	word = &p->word[a->from / 8];
	r.kind = what < 4 ? MEM_LOAD : what < 8 ? MEM_SAVE : MEM_BOTH;
	r.how = a->from >= BYTES / 2 && random_below(2) == 0 ? RACE_ATOMIC : RACE_PLAIN;
	r.address = BASE + a->from;
	r.bytes = a->bytes;
	if (r.how == RACE_ATOMIC)
		r.kind = MEM_BOTH;
	a->store = r.kind != MEM_LOAD;
	a->atomic = r.how == RACE_ATOMIC;
	if (a->atomic || (!a->store && last_is_atomic(p, p->n, a)))
		join(&p->clock[t], word);
	a->clock = p->clock[t];
	a->number = p->clock[t].at[t];
	p->pending[t] = r.kind == MEM_SAVE ? -1 : (int)p->n;
	if (r.how == RACE_PLAIN && counts_as_atomic(p, a, r.kind != MEM_SAVE))
		a->atomic = true;
	memset(p->reported, 0, sizeof p->reported);
	if (!race_access(p->race, &r))
		p->wrong = true;
	for (uint32_t b = a->from; b < a->from + a->bytes; b++) {
		bool now = false;

		for (unsigned i = 0; i < p->n; i++)
			now |= covers(&p->past[i], b) && races(&p->past[i], a);
		if (!p->found[b] && now != p->reported[b])
			p->wrong = true;
		p->found[b] |= now;
	}
	if (a->atomic)
		give(p, t, word);
	p->n++;
}

static void play_stamp(struct play *p, uint32_t t)
{
	const int i = p->pending[t];

	p->pending[t] = -1;
	if (!race_settle(p->race, t))
		p->wrong = true;
	if (i >= 0 && ((p->past[i].atomic && p->past[i].store) ||
		       last_is_atomic(p, p->n, &p->past[i])))
		join(&p->clock[t], &p->word[p->past[i].from / 8]);
}

static void play_lock(struct play *p, uint32_t t)
{
	const uint64_t k = random_below(OBJECTS);
	struct object *o = &p->lock[k];
	bool fine = true;

	if (o->owner == (int)t) {
		fine = race_unlock(p->race, t, k + 1);
		give(p, t, &o->given);
		o->owner = -1;
	} else if (o->holders >> t & 1) {
		fine = race_unlock(p->race, t, k + 1);
		give(p, t, &o->shared);
		o->holders &= ~(1U << t);
	} else if (o->owner < 0 && o->holders == 0 && random_below(2) == 0) {
		fine = race_lock(p->race, t, k + 1, false);
		join(&p->clock[t], &o->given);
		join(&p->clock[t], &o->shared);
		o->owner = (int)t;
	} else if (o->owner < 0) {
		fine = race_lock(p->race, t, k + 1, true);
		join(&p->clock[t], &o->given);
		o->holders |= 1U << t;
	}
	p->wrong |= !fine;
}

/* All threads that live meet at a barrier, in a random order, and go on in another one. */
static void play_barrier(struct play *p)
{
	const uint32_t live = p->born & ~p->ended, first = (uint32_t)random_below(THREADS);
	struct vector all = { { 0 } };

	for (uint32_t i = 0; i < THREADS; i++) {
		const uint32_t t = (first + i) % THREADS;

		if (!(live >> t & 1))
			continue;
		p->wrong |= !race_give(p->race, t, 100, MEM_OBJECT_BARRIER);
		give(p, t, &all);
	}
	for (uint32_t t = 0; t < THREADS; t++)
		if (live >> t & 1) {
			p->wrong |= !race_takes(p->race, t, 100, MEM_OBJECT_BARRIER);
			join(&p->clock[t], &all);
		}
}

static void play_life(struct play *p, uint32_t t)
{
	const uint32_t u = (uint32_t)random_below(THREADS);

	if (!(p->born >> u & 1)) {
		p->wrong |= !race_create(p->race, t, u);
		p->born |= 1U << u;
		p->clock[u].at[u] = 2;
		give(p, t, &p->clock[u]);
	} else if (u != t && u != 0 && !(p->ended >> u & 1) && random_below(4) == 0) {
		p->ended |= 1U << u;
	} else if (p->ended >> u & 1 && !(p->joined >> u & 1)) {
		p->joined |= 1U << u;
		if (!p->no_join)
			p->wrong |= !race_join(p->race, t, u);
		join(&p->clock[t], &p->clock[u]);
	}
}

static void play_step(struct play *p)
{
	uint32_t t;

	do
		t = (uint32_t)random_below(THREADS);
	while (!((p->born & ~p->ended) >> t & 1));
	switch (random_below(16)) {
	case 0:
	case 1:
	case 2:
		play_lock(p, t);
		break;
	case 3:
		play_life(p, t);
		break;
	case 4:
		if (random_below(2) == 0)
			play_barrier(p);
		break;
	case 5:
		p->wrong |= !race_give(p->race, t, 200, MEM_OBJECT_OTHER);
		give(p, t, &p->signal.given);
		break;
	case 6:
		p->wrong |= !race_takes(p->race, t, 200, MEM_OBJECT_OTHER);
		join(&p->clock[t], &p->signal.given);
		break;
	case 7:
	case 8:
		play_stamp(p, t);
		break;
	default:
		play_access(p, t);
	}
}

/* Returns whether race.h and the search agree. */
static bool play_once(uint64_t seed, bool no_join)
{
	struct play *p = calloc(1, sizeof *p);
	bool fine;

	random_state = seed * 2 + 1;
	p->no_join = no_join;
	p->race = race_new(take_race, p);
	p->born = 1;
	for (int i = 0; i < THREADS; i++) {
		p->clock[i].at[i] = 1;
		p->pending[i] = -1;
	}
	for (int i = 0; i < OBJECTS; i++)
		p->lock[i].owner = -1;
	for (int step = 0; step < STEPS; step++)
		play_step(p);
	/* New bytes have no past: no thread races with it. */
	race_renew(p->race, BASE, BYTES);
	fine = !p->wrong;
	memset(p->reported, 0, sizeof p->reported);
	race_access(p->race, &(struct race_access){ .address = BASE, .bytes = BYTES, .pc = 1,
						    .kind = MEM_SAVE });
	for (int i = 0; i < BYTES; i++)
		fine &= !p->reported[i];
	race_free(p->race);
	free(p);
	return fine;
}

int main(void)
{
	struct tap t = { 0, 0 };
	uint64_t seed = setting("NFACC_SEED", 1), n = setting("NFACC_RACE_SEEDS", 300);
	bool fine = true, mistaken = false;

	for (uint64_t i = seed; i < seed + n; i++) {
		if (!play_once(i, false)) {
			printf("# seed %llu\n", (unsigned long long)i);
			fine = false;
		}
		mistaken |= !play_once(i, true);
	}
	tap_case(&t, fine, "each first race on a byte, as the search of all pairs finds it");
	tap_case(&t, mistaken, "a join that is not told is noticed");
	return tap_end(&t);
}
