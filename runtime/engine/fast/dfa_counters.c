/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [counting entries]
 * What a counter does depends on its count, which is not part of any DFA state. But most batches
 * touch no counter: no state that is active makes one count or resets it. Then all counts stay as
 * they are, and pulse and roll counters are inactive. A latch counter is active exactly as long as
 * its count is at its bound, so it stays as it was. Hence an entry leads to the set of the states
 * that are entered, plus the latch counters that were active.
 *
 * If that set touches a counter, the entry has DFA_COUNT. Each time such an entry is taken, the
 * counters that its state touches count, and the walk goes on in the set that results. That is
 * usually the same set as the last time, so the last result is remembered.
 *
 * What a set touches is found when its state is made. Counters may be nested: the state of one
 * counter makes another one count, or resets it. Then what a set touches depends on counts as well,
 * and the engine does the counting.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/fast/dfa_cache.h"

/* Is a state of the list in the set? */
static bool touches(const uint64_t *set, const struct image_list *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (bits_get(set, l->at[i]))
			return true;
	return false;
}

static bool has_counter(const struct nfart_image *im, const struct image_list *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if ((im->nfa.states[l->at[i]].flags & STATE_COUNTER) != 0)
			return true;
	return false;
}

void dfa_counters_prepare(struct dfa_cache *d)
{
	const struct nfart_image *im = d->en->im;

	for (uint32_t i = 0; i < im->nfa.ncounters; i++) {
		const struct image_counter *c = &im->nfa.counters[i];
		if (c->mode == COUNTER_LATCH)
			bits_set(d->counters.latches, c->state);
		d->counters.nested |= has_counter(im, &c->count) || has_counter(im, &c->reset);
	}
}

struct dfa_touch dfa_touches(const struct dfa_cache *d, const uint64_t *set)
{
	const struct nfart_image *im = d->en->im;
	struct dfa_touch t = { .row = 0 };

	for (uint32_t i = 0; i < im->nfa.ncounters; i++) {
		const struct image_counter *c = &im->nfa.counters[i];
		uint64_t bit = (uint64_t)1 << i;
		t.reset |= touches(set, &c->reset) ? bit : 0;
		t.count |= touches(set, &c->count) ? bit : 0;
		t.active |= bits_get(set, c->state) ? bit : 0;
	}
	return t;
}

void dfa_keep_latches(struct dfa_cache *d, uint32_t row)
{
	const uint64_t *set = dfa_set(d, row);

	for (size_t w = 0; w < d->en->words; w++)
		d->scratch[w] |= set[w] & d->counters.latches[w];
}

/* Updates the counts of the counters that a state touches; t says which these are. Returns the set
 * of counters that are active afterwards. */
static uint64_t counters_count(const struct dfa_cache *d, const struct dfa_touch *t,
			       uint32_t *counts)
{
	uint64_t active = t->active & ~t->reset;

	for (uint64_t m = t->reset; m != 0; m &= m - 1)
		counts[__builtin_ctzll(m)] = 0;
	for (uint64_t m = t->count & ~t->reset; m != 0; m &= m - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(m);
		const struct image_counter *c = &d->en->im->nfa.counters[i];
		if (counts[i] == c->k || ++counts[i] != c->k)
			continue;
		active |= (uint64_t)1 << i;
		if (c->mode == COUNTER_ROLL)
			counts[i] = 0;
	}
	return active;
}

uint32_t dfa_count(struct dfa_cache *d, uint32_t entry, uint32_t *counts)
{
	const struct nfart_image *im = d->en->im;
	uint32_t s = (entry & DFA_ROW) / d->stride, row;
	uint64_t active = 0;

	if (!d->counters.nested) {
		active = counters_count(d, &d->counters.touch[s], counts);
		if (active == d->counters.touch[s].active)
			return entry & ~DFA_COUNT;
		if (active == d->counters.touch[s].last && d->counters.touch[s].row != 0)
			return d->counters.touch[s].row;
	}
	memcpy(d->scratch, dfa_set(d, entry), d->en->words * 8);
	for (size_t w = 0; w < d->en->words; w++)
		d->scratch[w] &= ~d->counters.latches[w];
	if (d->counters.nested)
		engine_count(d->en, d->scratch, counts);
	for (uint64_t m = active; m != 0; m &= m - 1)
		bits_set(d->scratch, im->nfa.counters[__builtin_ctzll(m)].state);
	row = dfa_row(d, d->scratch);
	if (row == 0)
		return 0;
	d->counters.touch[s].last = active;
	d->counters.touch[s].row = row | (d->states.flags[row / d->stride] & ~DFA_COUNT);
	return d->counters.touch[s].row;
}
