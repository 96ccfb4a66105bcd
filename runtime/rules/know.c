/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/rules/know.h"

#include <string.h>

#include "support/bits.h"

#define KNOW_UNKNOWN (UINT32_MAX - 1)

static bool know_sees(const struct know *k, const struct kept_move *m)
{
	return m->event != KEPT_NONE && (k->seen >> m->event & 1) != 0;
}

static bool know_moves(const struct know *k, const struct kept_move *m)
{
	return m->rule == KEPT_NONE || m->rule != k->without;
}

/* Adds to k->after all states that silent moves lead to. */
static void know_close(struct know *k)
{
	const struct kept_system *s = &k->kept->system;
	size_t n = 0;

	for (size_t i = bits_next(k->after, s->nstates, 0); i < s->nstates;
	     i = bits_next(k->after, s->nstates, i + 1))
		k->stack[n++] = (uint32_t)i;
	while (n > 0) {
		uint32_t from = k->stack[--n];

		for (uint32_t i = s->first[from]; i < s->first[from + 1]; i++) {
			const struct kept_move *m = &s->moves[i];

			if (know_sees(k, m) || !know_moves(k, m) || bits_get(k->after, m->to))
				continue;
			bits_set(k->after, m->to);
			k->stack[n++] = m->to;
		}
	}
}

static uint64_t know_hash(const void *know, uint32_t id)
{
	const struct know *k = know;

	return k->sets.at[id].hash;
}

const uint64_t *know_states(const struct know *k, uint32_t belief)
{
	const struct know_set *s = &k->sets.at[belief];

	if (s->n == KNOW_DENSE) {
		memcpy(k->shown, k->data.at + s->at, k->words * sizeof *k->shown);
		return k->shown;
	}
	memset(k->shown, 0, k->words * sizeof *k->shown);
	for (uint32_t i = 0; i < s->n; i++)
		bits_set(k->shown, k->data.at[s->at + i]);
	return k->shown;
}

/* Is the belief the set in k->after, whose hash this is? */
static bool know_same(const void *know, uint32_t id, const void *hash)
{
	const struct know *k = know;

	return k->sets.at[id].hash == *(const uint64_t *)hash &&
	       memcmp(know_states(k, id), k->after, k->words * sizeof *k->after) == 0;
}

static uint32_t know_fail(struct know *k)
{
	k->failed = true;
	return KNOW_ALL;
}

/* Appends the set in k->after to k->data. */
static bool know_store(struct know *k, struct know_set *s)
{
	size_t n = 0;

	for (size_t i = 0; i < k->words; i++)
		n += bits_count(k->after[i]);
	s->at = k->data.n;
	s->n = n < 2 * k->words ? (uint32_t)n : KNOW_DENSE;
	if (s->n == KNOW_DENSE) {
		if (!vec_reserve(&k->data, 2 * k->words))
			return false;
		memcpy(k->data.at + s->at, k->after, k->words * sizeof *k->after);
		k->data.n += 2 * k->words;
		return true;
	}
	if (!vec_reserve(&k->data, n))
		return false;
	for (size_t i = bits_next(k->after, k->kept->system.nstates, 0);
	     i < k->kept->system.nstates;
	     i = bits_next(k->after, k->kept->system.nstates, i + 1))
		k->data.at[k->data.n++] = (uint32_t)i;
	return true;
}

/* Adds the set in k->after, which is closed, as a new belief. */
static bool know_add(struct know *k, uint64_t hash, size_t place)
{
	struct know_set s = { hash, 0, 0 };

	if (!know_store(k, &s) || !vec_push(&k->sets, s) ||
	    !vec_reserve(&k->next, k->kept->events.n))
		return false;
	for (uint32_t i = 0; i < k->kept->events.n; i++)
		k->next.at[k->next.n++] = KNOW_UNKNOWN;
	hash_put(&k->hash, place, k->n++);
	return true;
}

/* Returns the number of the set in k->after, which is closed. */
static uint32_t know_number(struct know *k)
{
	uint64_t hash = hash_words(0, k->after, k->words);
	size_t place;

	if (!hash_room(&k->hash, know_hash, k))
		return know_fail(k);
	place = hash_find(&k->hash, hash, know_same, k, &hash);
	if (hash_id(&k->hash, place) != HASH_NONE)
		return hash_id(&k->hash, place);
	if (k->n == KNOW_MOST || k->data.n >= KNOW_BYTES / sizeof *k->data.at) {
		k->full = true;
		return KNOW_ALL;
	}
	return know_add(k, hash, place) ? k->n - 1 : know_fail(k);
}

/* ---- composed systems ---- */

static uint64_t know_root_hash(const void *know, uint32_t id)
{
	return hash_add(0, ((const struct know *)know)->roots.at[id]);
}

static bool know_same_root(const void *know, uint32_t id, const void *root)
{
	return ((const struct know *)know)->roots.at[id] == *(const uint32_t *)root;
}

/* Returns the number of a set, which is closed. */
static uint32_t know_number_root(struct know *k, uint32_t root)
{
	size_t place;

	if (!hash_room(&k->hash, know_root_hash, k))
		return know_fail(k);
	place = hash_find(&k->hash, hash_add(0, root), know_same_root, k, &root);
	if (hash_id(&k->hash, place) != HASH_NONE)
		return hash_id(&k->hash, place);
	if (k->n == KNOW_MOST) {
		k->full = true;
		return KNOW_ALL;
	}
	/* The last root, which stays the last, is that of know_sum(). */
	if (!vec_reserve(&k->next, k->kept->events.n) || !vec_reserve(&k->roots, 1))
		return know_fail(k);
	k->roots.at[k->n + 1] = k->roots.at[k->n];
	k->roots.n++;
	for (uint32_t i = 0; i < k->kept->events.n; i++)
		k->next.at[k->next.n++] = KNOW_UNKNOWN;
	k->roots.at[k->n] = root;
	hash_put(&k->hash, place, k->n++);
	return k->n - 1;
}

/* Finds the beliefs by their new roots. */
static void know_hash_roots(struct know *k)
{
	hash_clear(&k->hash);
	for (uint32_t i = 0; i < k->n; i++)
		hash_put(&k->hash, hash_find(&k->hash, know_root_hash(k, i), know_same_root, k,
					     &k->roots.at[i]), i);
}

void know_collect(struct know *k)
{
	VEC(uint32_t) roots = { 0 };
	size_t at = 0;
	bool ok = true;

	for (const struct know *i = k->family; i != NULL && ok; i = i->sibling) {
		ok = vec_reserve(&roots, i->roots.n);
		for (size_t j = 0; j < i->roots.n && ok; j++)
			roots.at[roots.n++] = i->roots.at[j];
	}
	if (ok)
		ksets_keep(k->composed, roots.at, roots.n);
	for (struct know *i = k->family; i != NULL && ok && !k->composed->failed;
	     i = i->sibling) {
		if (i->roots.n != 0)
			memcpy(i->roots.at, roots.at + at, i->roots.n * sizeof *roots.at);
		at += i->roots.n;
		know_hash_roots(i);
	}
	k->failed = k->failed || !ok;
	vec_free(&roots);
}

/* Returns what the moves of an event, and silent ones of `k` after it, make of a belief of `other`.
 * Without an event the silent ones alone. */
static uint32_t know_make(struct know *k, const struct know *other, uint32_t belief,
			  uint32_t event)
{
	const struct kept_composed *c = &k->kept->composed;
	struct ksets *x = k->composed;
	uint32_t from = other->roots.at[belief], root = KSETS_NONE;

	ksets_begin(x);
	for (uint32_t i = 0; i < c->moves.n && event != KEPT_NONE; i++)
		if (c->moves.at[i].event == event &&
		    (other->without == KEPT_NONE || c->moves.at[i].rule != other->without))
			root = ksets_union(x, root, ksets_move(x, from, i));
	return ksets_close(x, event != KEPT_NONE ? root : from, k->silent);
}

static uint32_t know_step_composed(struct know *k, const struct know *other, uint32_t belief,
				   uint32_t event)
{
	uint32_t root = know_make(k, other, belief, event);

	if (k->composed->full) {
		know_collect(k);
		root = know_make(k, other, belief, event);
	}
	if (k->composed->failed)
		return know_fail(k);
	if (k->composed->full) {
		k->full = true;
		return KNOW_ALL;
	}
	return root != KSETS_NONE ? know_number_root(k, root) : KEPT_NONE;
}

static bool know_init_composed(struct know *k)
{
	k->composed = calloc(1, sizeof *k->composed);
	k->family = k;
	k->silent = KSETS_SILENT;
	if (k->composed == NULL || !ksets_init(k->composed, &k->kept->composed, k->seen) ||
	    !vec_push(&k->roots, KSETS_NONE))
		return false;
	know_number_root(k, k->composed->all);
	return !k->failed;
}

bool know_share(struct know *k, struct know *first, uint32_t without)
{
	const struct kept_composed *c = &first->kept->composed;
	struct know **last = &first->sibling;

	if (first->composed == NULL)
		return know_init(k, first->kept, first->seen, without);
	*k = (struct know){ .kept = first->kept, .seen = first->seen, .without = without,
			    .composed = first->composed, .family = first };
	for (uint32_t i = 0; i < c->moves.n; i++)
		if (c->moves.at[i].rule == without && without != KEPT_NONE &&
		    (c->moves.at[i].event == KEPT_NONE ||
		     (k->seen >> c->moves.at[i].event & 1) == 0))
			k->silent = KSETS_WITHOUT + without;
	while (*last != NULL)
		last = &(*last)->sibling;
	*last = k;
	if (!vec_push(&k->roots, KSETS_NONE))
		return false;
	know_number_root(k, first->roots.at[KNOW_ALL]);
	return !k->failed;
}

/* ---- all ---- */

bool know_init(struct know *k, const struct kept *kept, uint64_t seen, uint32_t without)
{
	uint32_t n = kept->system.nstates;

	*k = (struct know){ .kept = kept, .seen = seen, .without = without,
			    .words = bits_words(n) };
	if (n == 0)
		return know_init_composed(k);
	k->after = calloc(k->words, sizeof *k->after);
	k->shown = calloc(k->words, sizeof *k->shown);
	k->stack = calloc(n, sizeof *k->stack);
	k->sum = calloc(k->words, sizeof *k->sum);
	if (k->after == NULL || k->shown == NULL || k->stack == NULL || k->sum == NULL)
		return false;
	for (uint32_t i = 0; i < n; i++)
		bits_set(k->after, i);
	know_number(k);
	return !k->failed;
}

void know_free(struct know *k)
{
	free(k->after);
	free(k->shown);
	free(k->stack);
	free(k->sum);
	if (k->composed != NULL && k->family == k)
		ksets_free(k->composed);
	if (k->family == k)
		free(k->composed);
	vec_free(&k->roots);
	vec_free(&k->sets);
	vec_free(&k->data);
	vec_free(&k->next);
	hash_free(&k->hash);
}

uint32_t know_start(struct know *k)
{
	if (k->composed != NULL) {
		uint32_t root;

		ksets_begin(k->composed);
		root = ksets_close(k->composed, KSETS_ZERO, k->silent);
		k->failed = k->failed || k->composed->failed;
		k->full = k->full || k->composed->full;
		return ksets_stop(k->composed) ? KNOW_ALL : know_number_root(k, root);
	}
	memset(k->after, 0, k->words * sizeof *k->after);
	bits_set(k->after, 0);
	know_close(k);
	return know_number(k);
}

uint32_t know_find(struct know *k, const uint64_t *states)
{
	memcpy(k->after, states, k->words * sizeof *k->after);
	know_close(k);
	return know_number(k);
}

/* Returns the belief after an event in any of the states, which does not come by the rule
 * `without`. */
static uint32_t know_step(struct know *k, const uint64_t *states, uint32_t event, uint32_t without)
{
	const struct kept_system *s = &k->kept->system;

	memset(k->after, 0, k->words * sizeof *k->after);
	for (size_t i = bits_next(states, s->nstates, 0); i < s->nstates;
	     i = bits_next(states, s->nstates, i + 1))
		for (uint32_t j = s->first[i]; j < s->first[i + 1]; j++)
			if (s->moves[j].event == event &&
			    (s->moves[j].rule == KEPT_NONE || s->moves[j].rule != without))
				bits_set(k->after, s->moves[j].to);
	if (!bits_any(k->after, k->words))
		return KEPT_NONE;
	know_close(k);
	return know_number(k);
}

uint32_t know_after(struct know *k, uint32_t belief, uint32_t event)
{
	size_t at = (size_t)belief * k->kept->events.n + event;

	if (k->next.at[at] == KNOW_UNKNOWN) {
		uint32_t next = k->composed != NULL
			? know_step_composed(k, k, belief, event)
			: know_step(k, know_states(k, belief), event, k->without);

		k->next.at[at] = next;
	}
	return k->next.at[at];
}

void know_sum_begin(struct know *k)
{
	if (k->composed != NULL) {
		ksets_begin(k->composed);
		k->roots.at[k->n] = KSETS_NONE;
	} else {
		memset(k->sum, 0, k->words * sizeof *k->sum);
	}
}

void know_sum_add(struct know *k, uint32_t belief)
{
	const uint64_t *states;

	if (k->composed != NULL) {
		uint32_t *sum = &k->roots.at[k->n], all;

		ksets_begin(k->composed);
		all = ksets_union(k->composed, *sum, k->roots.at[belief]);
		if (k->composed->full) {
			know_collect(k);
			all = ksets_union(k->composed, *sum, k->roots.at[belief]);
		}
		k->failed = k->failed || k->composed->failed;
		k->full = k->full || k->composed->full;
		*sum = ksets_stop(k->composed) ? k->roots.at[KNOW_ALL] : all;
		return;
	}
	states = know_states(k, belief);
	for (size_t i = 0; i < k->words; i++)
		k->sum[i] |= states[i];
}

uint32_t know_sum(struct know *k)
{
	if (k->composed == NULL)
		return bits_any(k->sum, k->words) ? know_find(k, k->sum) : KEPT_NONE;
	return k->roots.at[k->n] != KSETS_NONE ? know_number_root(k, k->roots.at[k->n])
					       : KEPT_NONE;
}

uint32_t know_after_other(struct know *k, const struct know *other, uint32_t belief,
			  uint32_t event)
{
	if (k->composed != NULL)
		return know_step_composed(k, other, belief, event);
	return know_step(k, know_states(other, belief), event, other->without);
}

uint32_t know_like(struct know *k, const struct know *other, uint32_t belief)
{
	if (k->composed != NULL)
		return know_step_composed(k, other, belief, KEPT_NONE);
	return know_find(k, know_states(other, belief));
}
