/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/map/matching.h"

#include <string.h>

bool matching_init(struct matching *m, const struct domains *d, struct arena *arena)
{
	uint32_t n = d->p->nfa.n, k = d->ncliques;

	m->d = d;
	m->capacity = d->p->overlay->clique_size < n ? d->p->overlay->clique_size : n;
	m->clique = arena_array(arena, n, sizeof *m->clique);
	m->place = arena_array(arena, n, sizeof *m->place);
	m->load = arena_array(arena, k, sizeof *m->load);
	m->members = arena_array(arena, (size_t)k * m->capacity, sizeof *m->members);
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

static uint32_t *members_of(const struct matching *m, uint32_t c)
{
	return m->members + (size_t)c * m->capacity;
}

static void take_out(struct matching *m, uint32_t v)
{
	uint32_t c = m->clique[v], last;

	if (c == MATCHING_NONE)
		return;
	last = members_of(m, c)[--m->load[c]];
	members_of(m, c)[m->place[v]] = last;
	m->place[last] = m->place[v];
	m->clique[v] = MATCHING_NONE;
}

static void put_in(struct matching *m, uint32_t v, uint32_t c)
{
	m->clique[v] = c;
	m->place[v] = m->load[c];
	members_of(m, c)[m->load[c]++] = v;
}

/* Adds the cliques of v's domain that were not seen to the queue, which has n; its new length. */
static uint32_t look(struct matching *m, uint32_t v, uint32_t n)
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

/* Moves states along the path found from v to clique c, which has room. */
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

/* Breadth first over cliques. */
static bool augment(struct matching *m, uint32_t v)
{
	uint32_t n;

	memset(m->seen, 0, m->d->words * sizeof *m->seen);
	n = look(m, v, 0);
	for (uint32_t head = 0; head < n; head++) {
		uint32_t c = m->queue[head];

		if (m->load[c] < m->capacity) {
			shift(m, v, c);
			return true;
		}
		for (uint32_t i = 0; i < m->load[c]; i++)
			n = look(m, members_of(m, c)[i], n);
	}
	return false;
}

uint32_t matching_repair(struct matching *m, const uint32_t *states, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t v = states[i];
		if (m->clique[v] != MATCHING_NONE && !bits_get(domain_of(m->d, v), m->clique[v]))
			take_out(m, v);
	}
	for (uint32_t i = 0; i < n; i++)
		if (m->clique[states[i]] == MATCHING_NONE && !augment(m, states[i]))
			return states[i];
	return MATCHING_NONE;
}
