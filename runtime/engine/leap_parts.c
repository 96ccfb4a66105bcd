/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/leap_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- which states belong together ---- */

static uint32_t find(uint32_t *group, uint32_t s)
{
	while (group[s] != s)
		s = group[s] = group[group[s]];
	return s;
}

static void unite(uint32_t *group, uint32_t a, uint32_t b)
{
	a = find(group, a);
	b = find(group, b);
	group[a < b ? b : a] = a < b ? a : b;
}

/* Can state s be active after a batch of a tick alone? en->truth has the predicates that hold
 * then. */
static bool stays(const struct nfart_engine *en, uint32_t s)
{
	const struct image_state *q = &en->im->states[s];

	return (q->flags & STATE_COUNTER) != 0 ||
	       (q->pred != IMAGE_NO_PRED && bits_get(en->truth, q->pred));
}

static void unite_list(const struct nfart_engine *en, uint32_t *group, uint32_t s,
		       const struct image_list *list)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (stays(en, list->at[i]))
			unite(group, s, list->at[i]);
}

/* Puts states into one group if they belong to one part. group[s] is LEAP_NO_PART if s can't stay
 * active. */
static void make_groups(const struct nfart_engine *en, uint32_t *group)
{
	const struct nfart_image *im = en->im;

	for (uint32_t s = 0; s < im->nstates; s++)
		group[s] = s;
	for (uint32_t s = 0; s < im->nstates; s++)
		for (uint32_t i = im->succ_first[s]; stays(en, s) && i < im->succ_first[s + 1]; i++)
			if (stays(en, im->succ[i]))
				unite(group, s, im->succ[i]);
	for (uint32_t i = 0; i < im->ncounters; i++) {
		unite_list(en, group, im->counters[i].state, &im->counters[i].count);
		unite_list(en, group, im->counters[i].state, &im->counters[i].reset);
	}
	for (uint32_t s = 0; s < im->nstates; s++)
		group[s] = find(group, s);
	for (uint32_t s = 0; s < im->nstates; s++)
		if (!stays(en, s))
			group[s] = LEAP_NO_PART;
}

/* ---- making the parts ---- */

/* A list of all states that can stay active, ordered by group. */
struct grouped {
	uint32_t group, state;
};

static int by_group(const void *x, const void *y)
{
	const struct grouped *a = x, *b = y;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return (a->state > b->state) - (a->state < b->state);
}

static bool make_sets(struct leap *l, struct leap_part *p)
{
	size_t words = bits_words(p->n);

	p->source = arena_array(&l->arena, words, 8);
	p->logs = arena_array(&l->arena, words, 8);
	for (int i = 0; i < 2; i++) {
		p->stop[i] = arena_array(&l->arena, words, 8);
		p->far[i] = arena_array(&l->arena, p->n, sizeof **p->far);
		if (p->stop[i] == NULL || p->far[i] == NULL)
			return false;
	}
	if (p->source == NULL || p->logs == NULL)
		return false;
	for (uint32_t i = 0; i < p->n; i++) {
		const struct image_state *q = &l->en->im->states[p->state[i]];
		bool logs = (q->flags & STATE_LOG) != 0;
		bool accepts = l->en->im->labelsets[q->labelset].n != 0;
		if ((q->flags & STATE_ALWAYS) != 0) {
			bits_set(p->source, i);
			p->sourced = true;
		}
		if (logs)
			bits_set(p->logs, i);
		if (accepts)
			bits_set(p->stop[0], i);
		if (logs || accepts)
			bits_set(p->stop[1], i);
		p->may_log |= logs;
	}
	return true;
}

/* Fills in p->far[any] and p->source_far[any]: a search in breadth over transitions, backwards, as
 * rounds over all of them. `queue` has room for p->n places; `from` and `from_first` are the
 * transitions of the part, backwards. */
static void find_far(const struct leap *l, struct leap_part *p, int any, uint32_t *queue,
		     const uint32_t *from_first, const uint32_t *from)
{
	uint32_t head = 0, tail = 0;

	for (uint32_t i = 0; i < p->n; i++)
		p->far[any][i] = LEAP_NEVER;
	p->source_far[any] = LEAP_NEVER;
	for (uint32_t i = 0; i < p->n; i++)
		for (uint32_t k = p->succ_first[i]; k < p->succ_first[i + 1]; k++)
			if (p->far[any][i] == LEAP_NEVER && bits_get(p->stop[any], l->succ[k])) {
				p->far[any][i] = 1;
				queue[tail++] = i;
			}
	while (head < tail) {
		uint32_t to = queue[head++];
		for (uint32_t k = from_first[to]; k < from_first[to + 1]; k++) {
			if (p->far[any][from[k]] != LEAP_NEVER)
				continue;
			p->far[any][from[k]] = p->far[any][to] + 1;
			queue[tail++] = from[k];
		}
	}
	for (size_t i = bits_next(p->source, p->n, 0); i < p->n;
	     i = bits_next(p->source, p->n, i + 1)) {
		uint32_t far = bits_get(p->stop[any], i)	? 1 :
			       p->far[any][i] == LEAP_NEVER	? LEAP_NEVER :
								  p->far[any][i] + 1;
		p->source_far[any] = far < p->source_far[any] ? far : p->source_far[any];
	}
}

static bool find_distances(const struct leap *l, struct leap_part *p)
{
	uint32_t nsucc = p->succ_first[p->n] - p->succ_first[0];
	uint32_t *first = calloc((size_t)p->n + 2, sizeof *first);
	uint32_t *from = calloc((size_t)nsucc + 1, sizeof *from);
	uint32_t *queue = calloc((size_t)p->n + 1, sizeof *queue);
	bool ok = first != NULL && from != NULL && queue != NULL;

	for (uint32_t k = 0; ok && k < nsucc; k++)
		first[l->succ[p->succ_first[0] + k] + 2]++;
	for (uint32_t i = 0; ok && i < p->n; i++)
		first[i + 2] += first[i + 1];
	for (uint32_t i = 0; ok && i < p->n; i++)
		for (uint32_t k = p->succ_first[i]; k < p->succ_first[i + 1]; k++)
			from[first[l->succ[k] + 1]++] = i;
	for (int any = 0; ok && any < 2; any++)
		find_far(l, p, any, queue, first, from);
	free(first);
	free(from);
	free(queue);
	return ok;
}

static bool make_counters(struct leap *l, struct leap_part *p, const uint32_t *group)
{
	const struct nfart_image *im = l->en->im;

	for (uint32_t i = 0; i < im->ncounters; i++)
		p->ncounters += group[im->counters[i].state] == group[p->state[0]];
	p->counter = arena_array(&l->arena, p->ncounters, sizeof *p->counter);
	if (p->counter == NULL)
		return false;
	p->ncounters = 0;
	for (uint32_t i = 0; i < im->ncounters; i++)
		if (group[im->counters[i].state] == group[p->state[0]])
			p->counter[p->ncounters++] = &im->counters[i];
	return true;
}

/* Fills in the part whose p->n states begin at g. *nsucc counts the transitions of all parts. */
static bool make_part(struct leap *l, struct leap_part *p, const struct grouped *g,
		      const uint32_t *group, uint32_t *nsucc)
{
	const struct nfart_image *im = l->en->im;
	uint32_t *state = arena_array(&l->arena, p->n, sizeof *state);
	uint32_t *first = arena_array(&l->arena, (size_t)p->n + 1, sizeof *first);

	if (state == NULL || first == NULL)
		return false;
	for (uint32_t i = 0; i < p->n; i++) {
		state[i] = g[i].state;
		l->place[g[i].state] = i;
	}
	for (uint32_t i = 0; i < p->n; i++) {
		first[i] = *nsucc;
		for (uint32_t k = im->succ_first[state[i]]; k < im->succ_first[state[i] + 1]; k++)
			if (group[im->succ[k]] != LEAP_NO_PART)
				l->succ[(*nsucc)++] = l->place[im->succ[k]];
	}
	first[p->n] = *nsucc;
	p->state = state;
	p->succ_first = first;
	return make_sets(l, p) && make_counters(l, p, group) && find_distances(l, p);
}

static bool make_parts(struct leap *l, struct grouped *g, uint32_t *group)
{
	const struct nfart_image *im = l->en->im;
	uint32_t n = 0, nsucc = 0, logging = 0;

	make_groups(l->en, group);
	for (uint32_t s = 0; s < im->nstates; s++)
		if (group[s] != LEAP_NO_PART)
			g[n++] = (struct grouped){ group[s], s };
	qsort(g, n, sizeof *g, by_group);
	for (uint32_t i = 0; i < n; i++)
		l->nparts += i == 0 || g[i].group != g[i - 1].group;
	l->part = arena_array(&l->arena, l->nparts, sizeof *l->part);
	if (l->part == NULL)
		return false;
	l->nparts = 0;
	for (uint32_t i = 0, end; i < n; i = end) {
		struct leap_part *p = &l->part[l->nparts++];
		for (end = i; end < n && g[end].group == g[i].group; end++)
			;
		p->n = end - i;
		if (!make_part(l, p, g + i, group, &nsucc))
			return false;
		logging += p->may_log;
	}
	l->many_log = logging > 1;
	return true;
}

static bool make_scratch(struct leap *l)
{
	uint32_t n = 0, ncounters = 0;
	size_t words;

	for (uint32_t i = 0; i < l->nparts; i++) {
		n = l->part[i].n > n ? l->part[i].n : n;
		ncounters = l->part[i].ncounters > ncounters ? l->part[i].ncounters : ncounters;
	}
	words = bits_words(n + (size_t)1);
	l->now = arena_array(&l->arena, words, 8);
	l->next = arena_array(&l->arena, words, 8);
	l->now_counts = arena_array(&l->arena, ncounters, sizeof *l->now_counts);
	l->next_counts = arena_array(&l->arena, ncounters, sizeof *l->next_counts);
	for (int i = 0; i < 2; i++) {
		l->mark[i] = arena_array(&l->arena, words, 8);
		l->row[i] = arena_array(&l->arena, words, 8);
		l->mark_counts[i] = arena_array(&l->arena, ncounters, sizeof **l->mark_counts);
		if (l->mark[i] == NULL || l->row[i] == NULL || l->mark_counts[i] == NULL)
			return false;
	}
	return l->now != NULL && l->next != NULL && l->now_counts != NULL &&
	       l->next_counts != NULL;
}

bool leap_parts_find(struct leap *l, struct nfart_engine *en)
{
	const struct nfart_image *im = en->im;
	uint32_t tick = im->time + NFART_TICK;
	uint32_t *group = calloc((size_t)im->nstates + 1, sizeof *group);
	struct grouped *g = calloc((size_t)im->nstates + 1, sizeof *g);
	bool ok;

	l->en = en;
	l->place = arena_array(&l->arena, im->nstates, sizeof *l->place);
	l->succ = arena_array(&l->arena, im->nstates != 0 ? im->succ_first[im->nstates] : 0,
			      sizeof *l->succ);
	ok = group != NULL && g != NULL && l->place != NULL && l->succ != NULL;
	for (uint32_t s = 0; ok && s < im->nstates; s++)
		l->place[s] = LEAP_NO_PART;
	if (ok) {
		engine_truth(en, &tick, 1);
		ok = make_parts(l, g, group) && make_scratch(l);
	}
	free(group);
	free(g);
	return ok;
}

/* ---- powers ---- */

void leap_multiply(const uint64_t *from, const uint64_t *matrix, size_t words, uint64_t *to)
{
	memset(to, 0, words * 8);
	for (size_t w = 0; w < words; w++)
		for (uint64_t m = from[w]; m != 0; m &= m - 1) {
			const uint64_t *row = matrix + (w * 64 + (size_t)__builtin_ctzll(m)) * words;
			for (size_t i = 0; i < words; i++)
				to[i] |= row[i];
		}
}

bool leap_power(struct leap *l, struct leap_part *p, uint32_t k)
{
	size_t words = bits_words(p->n + (size_t)1);
	uint64_t *to;

	if (p->power[k] != NULL)
		return true;
	to = p->power[k] = calloc((p->n + (size_t)1) * words, 8);
	if (to == NULL)
		return false;
	if (k != 0) {
		for (uint32_t s = 0; s <= p->n; s++)
			leap_multiply(p->power[k - 1] + s * words, p->power[k - 1], words,
				      to + s * words);
		return true;
	}
	for (uint32_t s = 0; s < p->n; s++)
		for (uint32_t i = p->succ_first[s]; i < p->succ_first[s + 1]; i++)
			bits_set(to + s * words, l->succ[i]);
	memcpy(to + p->n * words, p->source, bits_words(p->n) * 8);
	bits_set(to + p->n * words, p->n);
	return true;
}
