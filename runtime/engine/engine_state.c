/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/engine_state.h"

#include <string.h>

#include "runtime/engine/machine.h"

static bool at_start(const struct nfart_engine *en, const uint64_t *active, const uint32_t *counts)
{
	for (uint32_t i = 0; i < en->im->nfa.ncounts; i++)
		if (counts[i] != 0)
			return false;
	return memcmp(active, en->table.start, en->words * 8) == 0;
}

static bool add_copy(const struct nfart_engine *en, uint64_t number, const uint64_t *active,
		     const uint32_t *counts, struct engine_state *s)
{
	size_t n = engine_state_copy_words(en);
	uint64_t *w;

	if (!vec_reserve(&s->words, n))
		return false;
	w = s->words.at + s->words.n;
	*w++ = number;
	memcpy(w, active, en->words * 8);
	w += en->words;
	for (uint32_t i = 0, end = en->im->nfa.ncounts; i < end; i += 2)
		*w++ = counts[i] | (i + 1 < end ? (uint64_t)counts[i + 1] << 32 : 0);
	s->words.n += n;
	return true;
}

static int by_number(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

bool engine_save(const struct nfart_engine *en, struct engine_state *s)
{
	size_t n = engine_state_copy_words(en);

	s->words.n = 0;
	for (size_t i = 0; i < en->pool.copies.n; i++) {
		const uint64_t *active = en->pool.active + i * en->words;
		const uint32_t *counts = en->pool.counts + i * (en->im->nfa.ncounts + 1u);
		if (en->pool.copies.at[i].epoch == en->pool.epoch &&
		    !at_start(en, active, counts) &&
		    !add_copy(en, en->pool.copies.at[i].number, active, counts, s))
			return false;
	}
	if (s->words.n > n)
		qsort(s->words.at, s->words.n / n, n * 8, by_number);
	return true;
}

/* Returns the highest value of count i. */
static uint32_t most_count(const struct nfart_image *im, uint32_t i)
{
	const struct image_machine *m = im->nfa.machines;

	if (i < im->nfa.ncounters)
		return im->nfa.counters[i].k;
	while (i - m->first_count >= m->ncounters)
		m++;
	return m->counters[i - m->first_count].k;
}

/* Could the words at w, which describe one copy, have been saved from an engine like en? */
static bool plausible(const struct nfart_engine *en, const uint64_t *w)
{
	const uint64_t *counts = w + 1 + en->words;
	uint32_t n = en->im->nfa.ncounts;

	for (size_t i = en->im->nfa.nstates; i < en->words * 64; i++)
		if (bits_get(w + 1, i))
			return false;
	for (uint32_t i = 0; i < (n + 1) / 2 * 2; i++) {
		uint32_t count = (uint32_t)(counts[i / 2] >> i % 2 * 32);
		if (count > (i < n ? most_count(en->im, i) : 0))
			return false;
	}
	for (uint32_t i = 0; i < en->im->nfa.nmachines; i++) {
		const struct image_machine *m = &en->im->nfa.machines[i];

		if (!(m->orders != 0 ? orders_has_state : machine_has_state)(m, w + 1))
			return false;
	}
	return w[0] < en->map.n;
}

bool engine_state_fits(const struct nfart_engine *en, const struct engine_state *s)
{
	size_t n = engine_state_copy_words(en);
	bool ok = s->words.n % n == 0;

	for (size_t i = 0; ok && i < s->words.n; i += n)
		ok = plausible(en, s->words.at + i) &&
		     (i == 0 || s->words.at[i - n] < s->words.at[i]);
	return ok;
}

bool engine_load(struct nfart_engine *en, const struct engine_state *s)
{
	size_t n = engine_state_copy_words(en);
	uint64_t *active;
	uint32_t *counts;
	bool ok = engine_state_fits(en, s);

	nfart_engine_reset(en);
	for (size_t i = 0; ok && i < s->words.n; i += n) {
		const uint64_t *w = s->words.at + i;
		ok = engine_copy(en, w[0], &active, &counts);
		if (!ok)
			break;
		memcpy(active, w + 1, en->words * 8);
		for (uint32_t k = 0; k < en->im->nfa.ncounts; k++)
			counts[k] = (uint32_t)(w[1 + en->words + k / 2] >> k % 2 * 32);
	}
	if (!ok)
		nfart_engine_reset(en);
	return ok;
}

bool engine_state_same(const struct engine_state *a, const struct engine_state *b)
{
	return a->words.n == b->words.n &&
	       (a->words.n == 0 || memcmp(a->words.at, b->words.at, a->words.n * 8) == 0);
}

bool engine_state_copy(struct engine_state *to, const struct engine_state *from)
{
	to->words.n = 0;
	if (from->words.n == 0)
		return true;
	if (!vec_reserve(&to->words, from->words.n))
		return false;
	memcpy(to->words.at, from->words.at, from->words.n * 8);
	to->words.n = from->words.n;
	return true;
}

void engine_state_free(struct engine_state *s)
{
	vec_free(&s->words);
}
