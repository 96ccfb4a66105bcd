/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/map/domain.h"

#include <string.h>

bool domain_init(struct domains *d, const struct map_problem *p, struct arena *arena)
{
	const struct map_adj *cliques = &p->cliques;
	size_t n = p->nfa.n;

	d->p = p;
	d->ncliques = cliques->n;
	d->words = bits_words(cliques->n);
	d->near = arena_array(arena, cliques->n * d->words, sizeof *d->near);
	d->dom = arena_array(arena, n * d->words, sizeof *d->dom);
	d->size = arena_array(arena, n, sizeof *d->size);
	d->reach = arena_array(arena, d->words, sizeof *d->reach);
	d->queue = arena_array(arena, n, sizeof *d->queue);
	d->queued = arena_array(arena, n, sizeof *d->queued);
	if (d->near == NULL || d->dom == NULL || d->size == NULL || d->reach == NULL ||
	    d->queue == NULL || d->queued == NULL)
		return false;
	for (uint32_t c = 0; c < cliques->n; c++)
		for (size_t i = cliques->first[c]; i < cliques->first[c + 1]; i++)
			bits_set(d->near + c * d->words, cliques->to[i]);
	for (uint32_t v = 0; v < n; v++) {
		for (uint32_t c = 0; c < cliques->n; c++) {
			if (problem_allows(p, v, c)) {
				bits_set(d->dom + v * d->words, c);
				d->size[v]++;
			}
		}
	}
	return true;
}

void domain_free(struct domains *d)
{
	vec_free(&d->trail);
}

/* Replaces word i of v's domain by a subset of it. False: the domain is empty, or no memory. */
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
	if (!d->queued[v]) {
		d->queued[v] = true;
		d->queue[d->nqueue++] = v;
	}
	if (d->size[v] == 0)
		d->emptied = v;
	return d->size[v] > 0;
}

bool domain_keep(struct domains *d, uint32_t v, uint32_t c)
{
	bool fine = true;

	for (size_t i = 0; i < d->words && fine; i++)
		fine = i == c / 64 || shrink(d, v, i, 0);
	return fine && shrink(d, v, c / 64, domain_of(d, v)[c / 64] & (uint64_t)1 << c % 64);
}

bool domain_remove(struct domains *d, uint32_t v, uint32_t c)
{
	return shrink(d, v, c / 64, domain_of(d, v)[c / 64] & ~((uint64_t)1 << c % 64));
}

/* All cliques adjacent to one in v's domain. */
static void fill_reach(struct domains *d, uint32_t v)
{
	const uint64_t *dom = domain_of(d, v);

	memset(d->reach, 0, d->words * sizeof *d->reach);
	for (size_t c = bits_next(dom, d->ncliques, 0); c < d->ncliques;
	     c = bits_next(dom, d->ncliques, c + 1))
		for (size_t i = 0; i < d->words; i++)
			d->reach[i] |= d->near[c * d->words + i];
}

static bool revise_neighbours(struct domains *d, uint32_t v)
{
	const struct map_adj *g = &d->p->nfa;

	fill_reach(d, v);
	for (size_t j = g->first[v]; j < g->first[v + 1]; j++) {
		uint32_t u = g->to[j];
		for (size_t i = 0; i < d->words; i++)
			if (!shrink(d, u, i, domain_of(d, u)[i] & d->reach[i]))
				return false;
	}
	return true;
}

bool domain_propagate(struct domains *d, bool fine)
{
	while (d->nqueue > 0) {
		uint32_t v = d->queue[--d->nqueue];
		d->queued[v] = false;
		fine = fine && revise_neighbours(d, v);
	}
	return fine;
}

void domain_undo(struct domains *d, size_t length)
{
	while (d->trail.n > length) {
		struct domain_change c = d->trail.at[--d->trail.n];
		d->size[c.word / d->words] +=
			(uint32_t)__builtin_popcountll(c.before ^ d->dom[c.word]);
		d->dom[c.word] = c.before;
	}
}
