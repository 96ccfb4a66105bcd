/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/propagate/matching.h"

#include <string.h>

bool matching_init(struct matching *m, struct domains *d, struct arena *arena)
{
	uint32_t n = d->task->nfa.n, k = d->ncliques, kinds = d->task->kinds;
	size_t total = 0;

	m->d = d;
	m->room = arena_array(arena, kinds, sizeof *m->room);
	m->base = arena_array(arena, kinds, sizeof *m->base);
	if (m->room == NULL || m->base == NULL)
		return false;
	for (uint32_t i = 0; i < kinds; i++) {
		m->room[i] = d->task->room[i] < n ? d->task->room[i] : n;
		m->base[i] = total;
		total += (size_t)m->room[i] * k;
	}
	m->clique = arena_array(arena, n, sizeof *m->clique);
	m->place = arena_array(arena, n, sizeof *m->place);
	m->load = arena_array(arena, (size_t)kinds * k, sizeof *m->load);
	m->members = arena_array(arena, total, sizeof *m->members);
	m->seen = arena_array(arena, d->words, sizeof *m->seen);
	m->queue = arena_array(arena, k, sizeof *m->queue);
	m->from = arena_array(arena, k, sizeof *m->from);
	if (m->clique == NULL || m->place == NULL || m->load == NULL || m->members == NULL ||
	    m->seen == NULL || m->queue == NULL || m->from == NULL)
		return false;
	for (uint32_t v = 0; v < n; v++)
		m->clique[v] = MATCHING_NONE;
	return true;
}

/* Returns the list of the states of one kind in clique c; load_of() is its length. */
static uint32_t *members_of(const struct matching *m, uint32_t kind, uint32_t c)
{
	return m->members + m->base[kind] + (size_t)c * m->room[kind];
}

static uint32_t *load_of(const struct matching *m, uint32_t kind, uint32_t c)
{
	return m->load + (size_t)kind * m->d->ncliques + c;
}

static void take_out(struct matching *m, uint32_t v)
{
	uint32_t c = m->clique[v], kind = m->d->task->kind[v], last;

	if (c == MATCHING_NONE)
		return;
	last = members_of(m, kind, c)[--*load_of(m, kind, c)];
	members_of(m, kind, c)[m->place[v]] = last;
	m->place[last] = m->place[v];
	m->clique[v] = MATCHING_NONE;
}

static void put_in(struct matching *m, uint32_t v, uint32_t c)
{
	uint32_t kind = m->d->task->kind[v];

	m->clique[v] = c;
	m->place[v] = (*load_of(m, kind, c))++;
	members_of(m, kind, c)[m->place[v]] = v;
}

/* Appends to the queue, whose length is n, the cliques of v's domain that were not seen yet.
 * Returns the new length. */
static uint32_t look_for_cliques(struct matching *m, uint32_t v, uint32_t n)
{
	const uint64_t *dom = domain_of(m->d, v);

	for (size_t i = 0; i < m->d->words; i++) {
		uint64_t fresh = dom[i] & ~m->seen[i];

		m->seen[i] |= fresh;
		for (; fresh != 0; fresh &= fresh - 1) {
			uint32_t c = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(fresh);
			m->from[c] = v;
			m->queue[n++] = c;
		}
	}
	return n;
}

/* Moves states along the path that was found from v to clique c, which has room. */
static void shift(struct matching *m, uint32_t v, uint32_t c)
{
	uint32_t w;

	do {
		uint32_t next;

		w = m->from[c];
		next = m->clique[w];
		take_out(m, w);
		put_in(m, w, c);
		c = next;
	} while (w != v);
}

/* Searches breadth first for a path of moves that gives v a clique, and makes these moves.
 * False: there is none. */
static bool augment(struct matching *m, uint32_t v)
{
	uint32_t kind = m->d->task->kind[v], n;

	memset(m->seen, 0, m->d->words * sizeof *m->seen);
	n = look_for_cliques(m, v, 0);
	for (uint32_t head = 0; head < n; head++) {
		uint32_t c = m->queue[head], load = *load_of(m, kind, c);

		if (load < m->room[kind]) {
			shift(m, v, c);
			return true;
		}
		for (uint32_t i = 0; i < load; i++)
			n = look_for_cliques(m, members_of(m, kind, c)[i], n);
	}
	return false;
}

/* Takes states out of cliques that are no longer in their domains. Only these states stay in the
 * list of changed ones. */
static void take_out_changed(struct matching *m)
{
	struct domains *d = m->d;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < d->changed.n; i++) {
		uint32_t v = d->changed.states[i];

		if (m->clique[v] != MATCHING_NONE && bits_get(domain_of(d, v), m->clique[v])) {
			d->changed.has[v] = false;
			continue;
		}
		take_out(m, v);
		d->changed.states[kept++] = v;
	}
	d->changed.n = kept;
}

uint32_t matching_repair(struct matching *m)
{
	struct domains *d = m->d;

	take_out_changed(m);
	while (d->changed.n > 0) {
		uint32_t v = d->changed.states[d->changed.n - 1];

		if (!augment(m, v))
			return v;
		d->changed.has[v] = false;
		d->changed.n--;
	}
	return MATCHING_NONE;
}

bool matching_has_room(const struct matching *m, uint32_t kind, uint32_t c)
{
	return *load_of(m, kind, c) < m->room[kind];
}

bool matching_keep(struct matching *m, uint32_t kind, uint32_t c, const uint64_t *set)
{
	for (uint32_t i = 0; i < *load_of(m, kind, c); i++)
		if (!domain_intersect(m->d, members_of(m, kind, c)[i], set))
			return false;
	return true;
}
