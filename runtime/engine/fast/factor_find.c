/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds where states of the cut become active (factor.h, Note [factors]).
 *
 * Note [searching in passes]
 * A piece of the text is searched in passes, each over what the one before has left: windows, ends
 * of grams, the places where the table has them, and walks. No pass but the last one branches on
 * what it finds: it writes each place down, and keeps it by counting it. Each pass fetches what the
 * next one reads, so that misses of the cache overlap.
 */
#include <string.h>

#include "runtime/engine/fast/factor.h"
#include "support/bits.h"

/* ---- walks ---- */

/* Returns where a byte of the set came last, plus 1, of `seen`. */
static uint64_t last_of(const uint64_t seen[256], const uint64_t set[4], bool in_set)
{
	uint64_t last = 0;

	for (unsigned b = 0; b < 256; b++)
		if ((set[b / 64] >> b % 64 & 1) == in_set && seen[b] > last)
			last = seen[b];
	return last;
}

bool factor_loop_is_active(const struct factor *x, uint32_t s, const uint64_t seen[256])
{
	const struct factor_tables *t = &x->table;
	uint64_t broken = last_of(seen, t->letters[x->nfa->states[s].pred], false);

	if ((x->nfa->states[s].flags & STATE_ALWAYS) != 0)
		return true;
	for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++) {
		uint32_t p = t->pred[i], pred = x->nfa->states[p].pred;
		uint64_t entered;
		if (broken == 0 && bits_get(x->stream.base_set, p))
			return true;
		if (p == s || pred == IMAGE_NO_PRED)
			continue;
		entered = last_of(seen, t->letters[pred], true);
		if (entered != 0 && entered >= broken)
			return true;
	}
	return false;
}

/* Makes x->walk[1] the predecessors before the cut of the states in x->walk[0], as far as `byte`
 * lets them be active. False: out of memory. */
static bool walk_back(struct factor *x, unsigned char byte)
{
	const struct factor_tables *t = &x->table;

	x->walk[1].n = 0;
	factor_list_begin(x);
	for (size_t k = 0; k < x->walk[0].n; k++) {
		uint32_t s = x->walk[0].at[k];
		for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++) {
			uint32_t p = t->pred[i];
			x->work++;
			if ((t->kind[p] & FACTOR_AFTER) == 0 && factor_holds(x, p, byte) &&
			    factor_list_mark(x, p) && !vec_push(&x->walk[1], p))
				return false;
		}
	}
	return true;
}

/* Returns the first of the last bytes that are kept. */
static uint64_t kept_from(const struct factor_stream *s)
{
	return s->at - s->base > FACTOR_PAST ? s->at - FACTOR_PAST : s->base;
}

/* Is one of the states in x->walk[0], which the byte at `place` lets be active, active for sure? If
 * that is not so, *more says whether a walk may go on. */
static bool is_begun(const struct factor *x, uint64_t place, bool *more)
{
	const struct factor_stream *s = &x->stream;
	uint64_t kept = kept_from(s);

	*more = place > kept;
	for (size_t k = 0; k < x->walk[0].n; k++) {
		uint32_t q = x->walk[0].at[k];
		if ((x->nfa->states[q].flags & STATE_ALWAYS) != 0)
			return true;
		for (uint32_t i = x->table.pred_first[q];
		     place == s->base && i < x->table.pred_first[q + 1]; i++)
			if (bits_get(s->base_set, x->table.pred[i]))
				return true;
		if (place == kept && kept != s->base && (x->table.kind[q] & FACTOR_LOOP) != 0 &&
		    factor_loop_is_active(x, q, s->seen))
			return true;
	}
	return false;
}

bool factor_confirm(struct factor *x, const struct factor_text *t, uint32_t s, uint64_t place,
		    bool *active)
{
	bool more;

	x->walk[0].n = 0;
	*active = false;
	if (!vec_push(&x->walk[0], s))
		return false;
	while (!(*active = is_begun(x, place, &more)) && more && x->walk[0].n != 0) {
		if (!walk_back(x, factor_byte(t, --place)))
			return false;
		factor_list_swap(&x->walk[0], &x->walk[1]);
	}
	return true;
}

/* Finds out the same about the first state of a walk. 1: it is active. 0: it is not. -1: the bytes
 * behind `kept` do not say. */
static inline int walk_quickly(struct factor *x, const struct factor_text *t,
			       const struct factor_walk *w, uint64_t place, uint64_t kept)
{
	const unsigned char *p = t->at + (place - t->first), *end = t->at + (kept - t->first);
	uint32_t active = 1;

	while ((active & w->always) == 0) {
		const uint64_t *holds;
		uint32_t before = 0;
		unsigned char byte;
		if (active == 0)
			return 0;
		if (p <= end)
			return -1;
		byte = *--p;
		x->work++;
		for (; active != 0; active &= active - 1)
			before |= w->before[__builtin_ctz(active)];
		holds = factor_byte_holds(&x->table, byte);
		for (; before != 0; before &= before - 1) {
			unsigned i = (unsigned)__builtin_ctz(before);
			active |= (uint32_t)bits_get(holds, w->pred[i]) << i;
		}
	}
	return 1;
}

/* ---- passes ---- */

/* Finds the bytes of [i, n) at which a gram may end, with Teddy. Returns how many there are. */
static size_t ends_by_teddy(struct factor *x, const unsigned char *at, size_t i, size_t n)
{
	const struct factor_tables *t = &x->table;
	size_t k = 0, from = i;

	for (;;) {
		i = teddy_next(t, at, i, n);
		while (i < n && n - i < 64 && !factor_has(&t->grams_of, key_load(at + i - 7)))
			i++;
		if (i >= n)
			return k;
		x->search.end[k++] = (uint16_t)(i++ - from);
	}
}

/* Finds them by windows: without branches. */
static size_t ends_by_windows(struct factor *x, const unsigned char *at, size_t i, size_t n)
{
	const struct factor_set windows = x->table.windows, grams = x->table.grams_of;
	uint16_t *window = x->search.window, *end = x->search.end;
	size_t stride = x->table.stride, size = n - i, k = 0, m = 0;

	at += i;
	for (size_t p = 0; p < size; p += stride) {
		window[k] = (uint16_t)p;
		k += factor_has(&windows, key_load(at + p - 7));
	}
	if (stride == 1) {
		memcpy(end, window, k * sizeof *end);
		return k;
	}
	for (size_t j = 0; j < k; j++)
		for (size_t p = window[j]; p < window[j] + stride; p++) {
			end[m] = (uint16_t)p;
			m += p < size && factor_has(&grams, key_load(at + p - 7));
		}
	return m;
}

/* Appends the states to which the grams lead that end at byte i of the block. False: out of memory.
 * */
static bool find_states(struct factor *x, const struct factor_text *t, size_t i, uint32_t hash,
			uint64_t word)
{
	const struct factor_tables *f = &x->table;
	uint64_t kept = kept_from(&x->stream), place = x->stream.at + i - (f->length - 1);
	uint32_t last = UINT32_MAX;

	x->work++;
	for (uint32_t k = f->first[hash]; k < f->first[hash + 1]; k++) {
		const struct factor_gram *g = &f->gram[k];
		struct factor_found y = { (uint32_t)i, g->node };
		int active;
		if (g->word != word || g->node == last)
			continue;
		active = f->walk[g->walk].n == 0
				 ? -1
				 : walk_quickly(x, t, &f->walk[g->walk], place, kept);
		if (active < 0) {
			bool yes;
			if (!factor_confirm(x, t, f->walk_state[g->walk][0], place, &yes))
				return false;
			active = yes;
		}
		x->work++;
		if (active == 0)
			continue;
		last = g->node;
		__builtin_prefetch(&f->node[last]);
		if (!vec_push(&x->found, y))
			return false;
	}
	return true;
}

bool factor_find(struct factor *x, const struct factor_text *t, size_t i, size_t n, uint64_t worth)
{
	const struct factor_tables *f = &x->table;
	const unsigned char *at = t->at + FACTOR_PAST;
	struct factor_search *s = &x->search;
	unsigned shift = 8 * (8 - f->length);
	size_t ends = (f->teddy.bytes != 0 ? ends_by_teddy : ends_by_windows)(x, at, i, n);

	x->found.n = 0;
	for (size_t k = 0; k < ends; k++) {
		s->hash[k] = factor_gram_hash(f, key_load(at + i + s->end[k] - 7) >> shift);
		__builtin_prefetch(&f->first[s->hash[k]]);
	}
	for (size_t k = 0; k < ends; k++)
		__builtin_prefetch(&f->gram[f->first[s->hash[k]]]);
	for (size_t k = 0; k < ends; k++)
		__builtin_prefetch(&f->walk[f->gram[f->first[s->hash[k]]].walk]);
	for (size_t k = 0; k < ends && x->work <= worth; k++) {
		size_t end = i + s->end[k];
		if (!find_states(x, t, end, s->hash[k], key_load(at + end - 7) >> shift))
			return false;
	}
	return true;
}
