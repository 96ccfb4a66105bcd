/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/propagate/domain.h"

#include <string.h>

static void fill_domains(struct domains *d)
{
	const struct map_adj *cliques = &d->task->cliques;

	for (uint32_t c = 0; c < cliques->n; c++)
		for (size_t i = cliques->first[c]; i < cliques->first[c + 1]; i++)
			bits_set(d->near + c * d->words, cliques->to[i]);
	for (uint32_t v = 0; v < d->task->nfa.n; v++) {
		for (uint32_t c = 0; c < cliques->n; c++)
			bits_set(d->dom + v * d->words, c);
		memcpy(d->told + v * d->words, d->dom + v * d->words,
		       d->words * sizeof *d->told);
		d->size[v] = cliques->n;
		d->changed.states[d->changed.n++] = v;
		d->changed.has[v] = true;
		if (cliques->n == 1)
			d->units[d->nunits++] = v;
	}
}

bool domain_init(struct domains *d, const struct map_task *task, struct arena *arena)
{
	size_t n = task->nfa.n, k = task->cliques.n;

	d->task = task;
	d->ncliques = task->cliques.n;
	d->words = bits_words(k);
	d->near = arena_array(arena, k * d->words, sizeof *d->near);
	d->dom = arena_array(arena, n * d->words, sizeof *d->dom);
	d->told = arena_array(arena, n * d->words, sizeof *d->told);
	d->size = arena_array(arena, n, sizeof *d->size);
	d->reach = arena_array(arena, d->words, sizeof *d->reach);
	d->queue.states = arena_array(arena, n, sizeof *d->queue.states);
	d->queue.has = arena_array(arena, n, sizeof *d->queue.has);
	d->changed.states = arena_array(arena, n, sizeof *d->changed.states);
	d->changed.has = arena_array(arena, n, sizeof *d->changed.has);
	d->units = arena_array(arena, n, sizeof *d->units);
	if (d->near == NULL || d->dom == NULL || d->told == NULL || d->size == NULL ||
	    d->reach == NULL || d->queue.states == NULL || d->queue.has == NULL ||
	    d->changed.states == NULL || d->changed.has == NULL || d->units == NULL)
		return false;
	fill_domains(d);
	return true;
}

void domain_free(struct domains *d)
{
	vec_free(&d->trail);
}

/* Notes that v's domain shrank, for propagation and for the matching. */
static void tell(struct domains *d, uint32_t v)
{
	if (!d->queue.has[v]) {
		d->queue.has[v] = true;
		d->queue.states[(d->queue.head + (size_t)d->queue.n++) % d->task->nfa.n] = v;
	}
	if (!d->changed.has[v]) {
		d->changed.has[v] = true;
		d->changed.states[d->changed.n++] = v;
	}
}

/* Replaces word i of v's domain by `to`, a subset of it, and remembers the old
 * word. False: out of memory. */
static bool shrink(struct domains *d, uint32_t v, size_t i, uint64_t to)
{
	size_t word = v * d->words + i;
	uint64_t from = d->dom[word];

	if (from == to)
		return true;
	if (!vec_push(&d->trail, ((struct domain_change){word, from}))) {
		d->no_memory = true;
		return false;
	}
	d->dom[word] = to;
	d->size[v] -= (uint32_t)__builtin_popcountll(from ^ to);
	tell(d, v);
	return true;
}

/* Notes the result when v's domain has shrunk from `before` cliques. False: the domain is empty. */
static bool is_left(struct domains *d, uint32_t v, uint32_t before)
{
	if (d->size[v] == 0)
		d->emptied = v;
	else if (d->size[v] == 1 && before > 1)
		d->units[d->nunits++] = v;
	return d->size[v] > 0;
}

bool domain_keep(struct domains *d, uint32_t v, uint32_t c)
{
	uint32_t before = d->size[v];

	for (size_t i = 0; i < d->words; i++) {
		uint64_t mask = i == c / 64 ? (uint64_t)1 << c % 64 : 0;
		if (!shrink(d, v, i, domain_of(d, v)[i] & mask))
			return false;
	}
	return is_left(d, v, before);
}

bool domain_remove(struct domains *d, uint32_t v, uint32_t c)
{
	uint32_t before = d->size[v];

	return shrink(d, v, c / 64, domain_of(d, v)[c / 64] & ~((uint64_t)1 << c % 64)) &&
	       is_left(d, v, before);
}

bool domain_subtract(struct domains *d, uint32_t v, const uint64_t *set)
{
	uint32_t before = d->size[v];

	for (size_t i = 0; i < d->words; i++)
		if (!shrink(d, v, i, domain_of(d, v)[i] & ~set[i]))
			return false;
	return d->size[v] == before || is_left(d, v, before);
}

bool domain_intersect(struct domains *d, uint32_t v, const uint64_t *set)
{
	uint32_t before = d->size[v];

	for (size_t i = 0; i < d->words; i++)
		if (!shrink(d, v, i, domain_of(d, v)[i] & set[i]))
			return false;
	return d->size[v] == before || is_left(d, v, before);
}

/* Is c adjacent to a clique of `dom`, or in it? */
static bool is_near(const struct domains *d, const uint64_t *dom, uint32_t c)
{
	const struct map_adj *g = &d->task->cliques;

	for (size_t i = g->first[c]; i < g->first[c + 1]; i++)
		if (bits_get(dom, g->to[i]))
			return true;
	return false;
}

/* Finds the cliques that are in v's domain or adjacent to it, from what the domain lost since v's
 * neighbours were revised last. Only lost cliques and their neighbours can have dropped out, so
 * d->reach becomes all cliques but those that did. False: none dropped out. */
static bool fill_by_loss(struct domains *d, uint32_t v)
{
	const struct map_adj *g = &d->task->cliques;
	const uint64_t *dom = domain_of(d, v), *told = d->told + v * d->words;
	bool is_less = false;

	memset(d->reach, 0xff, d->words * sizeof *d->reach);
	for (size_t i = 0; i < d->words; i++) {
		for (uint64_t lost = told[i] & ~dom[i]; lost != 0; lost &= lost - 1) {
			size_t c = i * 64 + (size_t)__builtin_ctzll(lost);
			for (size_t j = g->first[c]; j < g->first[c + 1]; j++) {
				uint32_t near = g->to[j];
				if (is_near(d, dom, near))
					continue;
				d->reach[near / 64] &= ~((uint64_t)1 << near % 64);
				is_less = true;
			}
		}
	}
	return is_less;
}

/* Sets d->reach to the cliques that are in v's domain or adjacent to it, computed from the cliques
 * that are left in the domain. */
static void fill_by_rest(struct domains *d, uint32_t v)
{
	const uint64_t *dom = domain_of(d, v);
	uint32_t k = d->ncliques;

	memset(d->reach, 0, d->words * sizeof *d->reach);
	for (size_t c = bits_next(dom, k, 0); c < k; c = bits_next(dom, k, c + 1))
		for (size_t i = 0; i < d->words; i++)
			d->reach[i] |= d->near[c * d->words + i];
}

/* Sets d->reach in the cheaper of the two ways. False: no clique dropped out. */
static bool fill_reach(struct domains *d, uint32_t v)
{
	const uint64_t *dom = domain_of(d, v), *told = d->told + v * d->words;
	size_t degree = map_degree(&d->task->cliques, 0), lost = 0;

	for (size_t i = 0; i < d->words; i++)
		lost += (size_t)__builtin_popcountll(told[i] & ~dom[i]);
	if (lost * degree * degree <= d->size[v] * d->words)
		return fill_by_loss(d, v);
	fill_by_rest(d, v);
	return true;
}

/* Takes from the domains of v's neighbours the cliques that are neither in v's domain nor adjacent
 * to it. False: a domain is empty, or memory is short. */
static bool revise_neighbours(struct domains *d, uint32_t v)
{
	const struct map_adj *g = &d->task->nfa;
	bool is_new = fill_reach(d, v);

	memcpy(d->told + v * d->words, domain_of(d, v), d->words * sizeof *d->told);
	for (size_t j = g->first[v]; is_new && j < g->first[v + 1]; j++)
		if (!domain_intersect(d, g->to[j], d->reach))
			return false;
	return true;
}

bool domain_propagate(struct domains *d, bool fine)
{
	while (d->queue.n > 0) {
		uint32_t v = d->queue.states[d->queue.head];

		d->queue.head = d->queue.head + 1 < d->task->nfa.n ? d->queue.head + 1 : 0;
		d->queue.n--;
		d->queue.has[v] = false;
		fine = fine && revise_neighbours(d, v);
	}
	return fine;
}

void domain_undo(struct domains *d, struct domain_mark to)
{
	while (d->trail.n > to.trail) {
		struct domain_change c = d->trail.at[--d->trail.n];
		d->size[c.word / d->words] +=
			(uint32_t)__builtin_popcountll(c.before ^ d->dom[c.word]);
		d->dom[c.word] = d->told[c.word] = c.before;
	}
	d->nunits = to.units;
}
