/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/leap.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/engine/leap_parts.h"

enum { BUDGET = 1 << 20 }; /* how many ticks of a part are tried in a search for its period */

struct leap *leap_new(struct nfart_engine *en)
{
	struct leap *l = calloc(1, sizeof *l);

	if (l != NULL && leap_parts_find(l, en))
		return l;
	leap_free(l);
	return NULL;
}

void leap_free(struct leap *l)
{
	if (l == NULL)
		return;
	for (uint32_t i = 0; i < l->nparts; i++)
		for (uint32_t k = 0; k < LEAP_POWERS; k++)
			free(l->part[i].power[k]);
	arena_free(&l->arena);
	free(l);
}

/* ---- a walk: a part takes ticks one by one, or periods at once ---- */

struct walk {
	struct leap *l;
	const struct leap_part *p;
	uint64_t *set;      /* the active states of the part, by their places in it */
	uint32_t *counts;   /* of the counters of the part */
	uint64_t t;         /* how many ticks were taken */
	uint64_t logged;    /* how many of them were logged */
	uint64_t unlogged;  /* how many were taken before the first that was logged */
};

/* A point in a walk to which the walk may come back. */
struct mark {
	uint64_t *set;
	uint32_t *counts;
	uint64_t t, logged;
	uint64_t next, since; /* Brent's algorithm: the mark moves when `since` reaches `next` */
};

static size_t set_bytes(const struct leap_part *p)
{
	return bits_words(p->n) * 8;
}

static void set_mark(struct mark *m, const struct walk *w)
{
	memcpy(m->set, w->set, set_bytes(w->p));
	memcpy(m->counts, w->counts, w->p->ncounters * sizeof *w->counts);
	m->t = w->t;
	m->logged = w->logged;
	m->since = 0;
}

static bool same_set(const struct mark *m, const struct walk *w)
{
	return memcmp(m->set, w->set, set_bytes(w->p)) == 0;
}

static void leap_put(uint64_t *set, size_t i, bool on)
{
	set[i / 64] = (set[i / 64] & ~((uint64_t)1 << i % 64)) | (uint64_t)on << i % 64;
}

static bool leap_meets(const uint64_t *set, const uint64_t *other, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if ((set[i] & other[i]) != 0)
			return true;
	return false;
}

static bool any_of(const uint64_t *set, const struct image_list *places)
{
	for (uint32_t i = 0; i < places->n; i++)
		if (bits_get(set, places->at[i]))
			return true;
	return false;
}

/* Lets the counters of the part count, as engine_count() does. l->next has the set of states after
 * the tick, l->next_counts the counts. Returns whether one became active that was not, or was
 * reset. */
static bool leap_count(struct walk *w, bool *reset)
{
	bool event = false;

	for (uint32_t i = 0; i < w->p->ncounters; i++) {
		const struct leap_counter *x = &w->p->counter[i];
		const struct image_counter *c = x->counter;
		uint32_t *n = &w->l->next_counts[i];
		bool reached = false;
		*n = w->counts[i];
		if (any_of(w->l->next, &x->reset)) {
			*n = 0;
			*reset |= w->counts[i] != 0;
		} else if (*n < c->k && any_of(w->l->next, &x->count)) {
			reached = ++*n == c->k;
		}
		if (reached || (c->mode == COUNTER_LATCH && *n == c->k))
			bits_set(w->l->next, x->place);
		if (reached && c->mode == COUNTER_ROLL)
			*n = 0;
		event |= reached;
	}
	return event;
}

/* Computes the next set and the next counts. Returns whether a counter became active. *reset
 * becomes true if a count went back to 0. */
static bool leap_step(struct walk *w, bool *reset)
{
	const struct leap_part *p = w->p;
	size_t words = bits_words(p->n);

	memcpy(w->l->next, p->source.set, words * 8);
	for (size_t i = 0; i < words; i++)
		for (uint64_t m = w->set[i]; m != 0; m &= m - 1) {
			uint32_t s = (uint32_t)(i * 64 + (unsigned)__builtin_ctzll(m));
			for (uint32_t k = p->succ_first[s]; k < p->succ_first[s + 1]; k++)
				bits_set(w->l->next, p->succ[k]);
		}
	return leap_count(w, reset);
}

static void leap_take_step(struct walk *w)
{
	size_t words = bits_words(w->p->n);

	memcpy(w->set, w->l->next, words * 8);
	memcpy(w->counts, w->l->next_counts, w->p->ncounters * sizeof *w->counts);
	w->t++;
	w->logged += leap_meets(w->set, w->p->logs, words);
	if (w->logged == 0)
		w->unlogged = w->t;
}

/* The walk came back to the mark, apart from counts that went up. Returns how many such periods may
 * follow within `left` ticks, so that all counters stay below their bounds. */
static uint64_t periods(const struct walk *w, const struct mark *m, uint64_t left)
{
	uint64_t q = left / (w->t - m->t);

	for (uint32_t i = 0; i < w->p->ncounters; i++) {
		uint32_t up = w->counts[i] - m->counts[i], k = w->p->counter[i].counter->k;
		if (up != 0 && (k - 1 - w->counts[i]) / up < q)
			q = (k - 1 - w->counts[i]) / up;
	}
	return q;
}

static void leap_over(struct walk *w, const struct mark *m, uint64_t q)
{
	for (uint32_t i = 0; i < w->p->ncounters; i++)
		w->counts[i] += (uint32_t)q * (w->counts[i] - m->counts[i]);
	w->logged += q * (w->logged - m->logged);
	w->t += q * (w->t - m->t);
}

/* The walk came back to the mark and could leap over q periods. If `keep` logged ticks must be
 * left, it leaps over fewer, and ends. Returns whether it ends; *end becomes how many ticks it
 * took. */
static bool keeps(struct walk *w, const struct mark *m, uint64_t q, uint64_t keep, uint64_t *end)
{
	uint64_t each = w->logged - m->logged, need;

	if (keep == 0 || w->logged == 0)
		return false;
	*end = w->unlogged;
	if (each == 0)
		return true;
	need = keep / each + 2;
	if (q > need) {
		leap_over(w, m, q - need);
		*end = w->t;
	}
	return true;
}

static bool same_counts(const struct mark *m, const struct walk *w)
{
	return memcmp(m->counts, w->counts, w->p->ncounters * sizeof *w->counts) == 0;
}

/* Moves a mark, if it is time to. */
static void move_mark(struct mark *m, const struct walk *w)
{
	if (++m->since < m->next)
		return;
	m->next *= 2;
	set_mark(m, w);
}

static void new_mark(struct mark *m, const struct walk *w)
{
	m->next = 1;
	set_mark(m, w);
}

/* Lets the part take `most` ticks, or fewer: it stops before a tick in which a state of `stop` is
 * active, after `budget` steps, and so that `keep` logged ticks are left. Returns how many ticks it
 * took, or, with `keep`, how many it may take. */
static uint64_t leap_walk(struct walk *w, uint64_t most, const uint64_t *stop, uint64_t keep,
			  uint64_t budget)
{
	struct mark ticks = { .set = w->l->mark[0], .counts = w->l->mark_counts[0] };
	struct mark events = { .set = w->l->mark[1], .counts = w->l->mark_counts[1] };
	size_t words = bits_words(w->p->n);
	bool reset = false, any_event = false;
	uint64_t end;

	new_mark(&ticks, w);
	while (w->t < most && budget-- != 0) {
		bool event = leap_step(w, &reset);
		if (stop != NULL && leap_meets(w->l->next, stop, words))
			break;
		leap_take_step(w);
		if (event && any_event && same_set(&events, w) && same_counts(&events, w)) {
			uint64_t q = (most - w->t) / (w->t - events.t);
			if (keeps(w, &events, q, keep, &end))
				return end;
			leap_over(w, &events, q);
			any_event = false;
		} else if (event && any_event) {
			move_mark(&events, w);
		} else if (event) {
			new_mark(&events, w);
			any_event = true;
		}
		if (event) {
			new_mark(&ticks, w);
			reset = false;
		} else if (same_set(&ticks, w) && (!reset || same_counts(&ticks, w))) {
			uint64_t q = periods(w, &ticks, most - w->t);
			if (keeps(w, &ticks, q, keep, &end))
				return end;
			leap_over(w, &ticks, q);
			new_mark(&ticks, w);
			reset = false;
		} else if (++ticks.since == ticks.next) {
			ticks.next *= 2;
			set_mark(&ticks, w);
			reset = false;
		}
	}
	return keep != 0 && w->logged != 0 ? w->unlogged : w->t;
}

/* Begins a walk of a part of the copy. False: nothing in the part can ever be active. */
static bool leap_begin(struct walk *w, struct leap *l, const struct leap_part *p,
		       const uint64_t *active, const uint32_t *counts)
{
	bool any = p->source.any;

	*w = (struct walk){ .l = l, .p = p, .set = l->now, .counts = l->now_counts };
	memset(w->set, 0, set_bytes(p));
	for (uint32_t i = 0; i < p->n; i++)
		if (bits_get(p->initial, i) && bits_get(active, p->state[i])) {
			bits_set(w->set, i);
			any = true;
		}
	for (uint32_t i = 0; i < p->ncounters; i++)
		w->counts[i] = counts[p->counter[i].counter - l->en->im->nfa.counters];
	return any;
}

/* ---- parts without counters ---- */

/* Returns after how many ticks the part first is in a state of p->stop[any]; UINT64_MAX: never. */
static uint64_t distance(const struct walk *w, bool any)
{
	const struct leap_part *p = w->p;
	uint32_t least = p->source.far[any];

	for (size_t i = 0; i < bits_words(p->n); i++)
		for (uint64_t m = w->set[i]; m != 0; m &= m - 1) {
			uint32_t far = p->far[any][i * 64 + (unsigned)__builtin_ctzll(m)];
			least = far < least ? far : least;
		}
	return least == LEAP_NEVER ? UINT64_MAX : least;
}

static bool has_powers(const struct leap_part *p)
{
	return p->ncounters == 0 && p->n <= LEAP_MOST_LINEAR;
}

/* Lets a part without counters take n ticks, by powers of its matrix. False: out of memory. */
static bool take_by_powers(struct walk *w, uint64_t n)
{
	size_t words = bits_words(w->p->n + 1);
	struct leap_part *p = &w->l->part[w->p - w->l->part];
	uint64_t *now = w->l->row[0], *next = w->l->row[1];

	memset(now, 0, words * 8);
	memcpy(now, w->set, set_bytes(p));
	bits_set(now, p->n);
	for (uint32_t k = 0; n != 0; k++, n >>= 1) {
		if (!leap_power(p, k))
			return false;
		if ((n & 1) == 0)
			continue;
		leap_multiply(now, p->power[k], words, next);
		memcpy(now, next, words * 8);
	}
	for (uint32_t i = 0; i < p->n; i++)
		leap_put(w->set, i, bits_get(now, i));
	return true;
}

/* ---- the copy ---- */

/* Returns how many of `most` ticks the part may leap over. `any`: not over logged ones. */
static uint64_t quiet_part(const struct leap_part *p, struct walk *w, uint64_t most, bool any)
{
	uint64_t far;

	if (p->ncounters != 0)
		return leap_walk(w, most, p->stop[any], 0, BUDGET);
	far = distance(w, any);
	most = far <= most ? far - 1 : most;
	/* leap_take() can't count logged ticks, or take many ticks of a large part. */
	return has_powers(p) && (any || !p->may_log) ? most : leap_walk(w, most, NULL, 0, BUDGET);
}

uint64_t leap_quiet(struct leap *l, const uint64_t *active, const uint32_t *counts,
		    const struct leap_limits *limits)
{
	bool any = limits->logs || l->many_log;
	uint64_t most = limits->most;
	struct walk w;

	for (uint32_t i = 0; i < l->nparts && most != 0; i++)
		if (leap_begin(&w, l, &l->part[i], active, counts))
			most = quiet_part(&l->part[i], &w, most, any);
	for (uint32_t i = 0; i < l->nparts && most != 0 && limits->keep != 0 && !any; i++)
		if (l->part[i].may_log && leap_begin(&w, l, &l->part[i], active, counts))
			most = leap_walk(&w, most, NULL, limits->keep, BUDGET);
	return most;
}

bool leap_take(struct leap *l, uint64_t *active, uint32_t *counts, uint64_t n, uint64_t *logged)
{
	uint32_t ncounters = l->en->im->nfa.ncounters;
	struct walk w;

	memset(l->result, 0, l->en->words * 8);
	memcpy(l->result_counts, counts, ncounters * sizeof *counts);
	for (uint32_t i = 0; i < l->nparts; i++) {
		const struct leap_part *p = &l->part[i];
		uint64_t budget = !has_powers(p) ? UINT64_MAX :
				  p->may_log	 ? 4 * BUDGET : 4 * (uint64_t)p->n + 64;
		if (!leap_begin(&w, l, p, active, counts))
			continue;
		leap_walk(&w, n, NULL, 0, budget);
		if (w.t < n && !take_by_powers(&w, n - w.t))
			return false;
		*logged += w.logged;
		for (uint32_t k = 0; k < p->n; k++)
			if (bits_get(w.set, k) && bits_get(p->report, k))
				bits_set(l->result, p->state[k]);
		/* The last counter is the one that the part is for. */
		if (p->ncounters != 0)
			l->result_counts[p->counter[p->ncounters - 1].counter -
					 l->en->im->nfa.counters] = w.counts[p->ncounters - 1];
	}
	memcpy(active, l->result, l->en->words * 8);
	memcpy(counts, l->result_counts, ncounters * sizeof *counts);
	return true;
}
