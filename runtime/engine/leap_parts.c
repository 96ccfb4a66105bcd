/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/leap_parts.h"

#include <stdlib.h>
#include <string.h>

#include "support/order.h"

/* What making the parts needs. */
struct making {
	struct leap *l;
	const struct nfart_image *im;
	uint32_t *group;  /* [states]: for the states of linear parts, a number of their part */
	uint32_t *from_first, *from; /* the transitions, backwards */
	/* [states]: the places of a state in the current part: as what drives a counter, or as a
	 * state of a linear part; and as the effect of a counter. LEAP_NO_PLACE: it has none. */
	uint32_t *driver, *effect;
	uint32_t *queue;  /* [2 * states + 1]: the states of the places of the current part */
	uint32_t n;       /* how many places the current part has */
	uint32_t ndriver; /* how many of them are not of the effect */
	uint32_t *of_counter; /* [states]: 1 + the number of the counter with this state; 0: none */
};

/* Can state s be active after a batch of a tick alone? en->truth has the predicates that hold
 * then. */
static bool stays(const struct making *m, uint32_t s)
{
	const struct image_state *q = &m->im->nfa.states[s];

	return m->of_counter[s] != 0 ||
	       (q->pred != IMAGE_NO_PRED && bits_get(m->l->en->scratch.truth, q->pred));
}

/* ---- which states belong to a part ---- */

static uint32_t parts_find(uint32_t *group, uint32_t s)
{
	while (group[s] != s)
		s = group[s] = group[group[s]];
	return s;
}

/* Puts states into one group if they belong to one linear part. */
static void make_groups(struct making *m)
{
	const struct nfart_image *im = m->im;

	for (uint32_t s = 0; s < im->nfa.nstates; s++)
		m->group[s] = s;
	for (uint32_t s = 0; s < im->nfa.nstates; s++)
		for (uint32_t i = im->nfa.succ_first[s]; i < im->nfa.succ_first[s + 1]; i++) {
			uint32_t a = parts_find(m->group, s),
				 b = parts_find(m->group, im->nfa.succ[i]);
			if (m->of_counter[s] == 0 && stays(m, s) && stays(m, im->nfa.succ[i]))
				m->group[a < b ? b : a] = a < b ? a : b;
		}
	for (uint32_t s = 0; s < im->nfa.nstates; s++)
		m->group[s] = parts_find(m->group, s);
}

static void turn_around(struct making *m)
{
	const struct nfart_image *im = m->im;

	for (uint32_t s = 0; s < im->nfa.nstates; s++)
		for (uint32_t i = im->nfa.succ_first[s]; i < im->nfa.succ_first[s + 1]; i++)
			m->from_first[im->nfa.succ[i] + 2]++;
	for (uint32_t s = 0; s < im->nfa.nstates; s++)
		m->from_first[s + 2] += m->from_first[s + 1];
	for (uint32_t s = 0; s < im->nfa.nstates; s++)
		for (uint32_t i = im->nfa.succ_first[s]; i < im->nfa.succ_first[s + 1]; i++)
			m->from[m->from_first[im->nfa.succ[i] + 1]++] = s;
}

static void add_place(struct making *m, uint32_t *place, uint32_t s)
{
	if (place[s] != LEAP_NO_PLACE || !stays(m, s))
		return;
	place[s] = m->n;
	m->queue[m->n++] = s;
}

static void add_list(struct making *m, const struct image_list *list)
{
	for (uint32_t i = 0; i < list->n; i++)
		add_place(m, m->driver, list->at[i]);
}

/* Adds all that drives a counter, and then its effect. */
static void add_counter(struct making *m, const struct image_counter *c)
{
	const struct nfart_image *im = m->im;

	add_place(m, m->driver, c->state);
	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t s = m->queue[i], of = m->of_counter[s];
		if (of != 0) {
			add_list(m, &im->nfa.counters[of - 1].count);
			add_list(m, &im->nfa.counters[of - 1].reset);
		}
		for (uint32_t k = m->from_first[s]; k < m->from_first[s + 1]; k++)
			add_place(m, m->driver, m->from[k]);
	}
	m->ndriver = m->n;
	for (uint32_t i = im->nfa.succ_first[c->state]; i < im->nfa.succ_first[c->state + 1]; i++)
		add_place(m, m->effect, im->nfa.succ[i]);
	for (uint32_t i = m->ndriver; i < m->n; i++)
		for (uint32_t k = im->nfa.succ_first[m->queue[i]];
		     k < im->nfa.succ_first[m->queue[i] + 1]; k++)
			add_place(m, m->effect, im->nfa.succ[k]);
}

/* ---- making a part ---- */

/* Finds the successors of place i. Returns how many there are, and stores them at `to` unless it is
 * NULL. `own` is the state of the part's counter, or LEAP_NO_PLACE. */
static uint32_t successors(const struct making *m, uint32_t i, uint32_t own, uint32_t *to)
{
	const struct nfart_image *im = m->im;
	uint32_t s = m->queue[i], n = 0;

	for (uint32_t k = im->nfa.succ_first[s]; k < im->nfa.succ_first[s + 1]; k++) {
		uint32_t at[2] = { i < m->ndriver ? m->driver[im->nfa.succ[k]] : LEAP_NO_PLACE,
				   i >= m->ndriver || s == own ? m->effect[im->nfa.succ[k]]
							       : LEAP_NO_PLACE };
		for (int j = 0; j < 2; j++) {
			if (at[j] == LEAP_NO_PLACE)
				continue;
			if (to != NULL)
				to[n] = at[j];
			n++;
		}
	}
	return n;
}

static bool make_places(struct making *m, struct leap_part *p, uint32_t own)
{
	struct arena *a = &m->l->arena;
	uint32_t *state = arena_array(a, m->n, sizeof *state), nsucc = 0;
	uint32_t *first = arena_array(a, (size_t)m->n + 1, sizeof *first), *succ;

	for (uint32_t i = 0; i < m->n; i++)
		nsucc += successors(m, i, own, NULL);
	succ = arena_array(a, nsucc, sizeof *succ);
	if (state == NULL || first == NULL || succ == NULL)
		return false;
	for (uint32_t i = 0; i < m->n; i++) {
		state[i] = m->queue[i];
		first[i + 1] = first[i] + successors(m, i, own, succ + first[i]);
	}
	p->n = m->n;
	p->state = state;
	p->succ_first = first;
	p->succ = succ;
	return true;
}

/* Fills in the sets of a part. */
static bool make_sets(struct making *m, struct leap_part *p, uint32_t own)
{
	struct arena *a = &m->l->arena;
	size_t words = bits_words(p->n);

	p->initial = arena_array(a, words, 8);
	p->report = arena_array(a, words, 8);
	p->source.set = arena_array(a, words, 8);
	p->logs = arena_array(a, words, 8);
	p->stop[0] = arena_array(a, words, 8);
	p->stop[1] = arena_array(a, words, 8);
	if (p->initial == NULL || p->report == NULL || p->source.set == NULL || p->logs == NULL ||
	    p->stop[0] == NULL || p->stop[1] == NULL)
		return false;
	for (uint32_t i = 0; i < p->n; i++) {
		const struct image_state *q = &m->im->nfa.states[p->state[i]];
		bool report = own == LEAP_NO_PLACE || i >= m->ndriver || p->state[i] == own;
		bool logs = report && (q->flags & STATE_LOG) != 0;
		bool accepts = report && m->im->nfa.labelsets[q->labelset].n != 0;
		if (i < m->ndriver)
			bits_set(p->initial, i);
		if (i < m->ndriver && (q->flags & STATE_ALWAYS) != 0)
			bits_set(p->source.set, i);
		if (report)
			bits_set(p->report, i);
		if (logs)
			bits_set(p->logs, i);
		if (accepts)
			bits_set(p->stop[0], i);
		if (logs || accepts)
			bits_set(p->stop[1], i);
		p->may_log |= logs;
	}
	p->source.any = bits_any(p->source.set, words);
	return true;
}

/* Copies a list of states, as places of the current part. */
static bool place_list(struct making *m, const struct image_list *list, struct image_list *to)
{
	uint32_t *at = arena_array(&m->l->arena, list->n, sizeof *at), n = 0;

	if (at == NULL)
		return false;
	for (uint32_t i = 0; i < list->n; i++)
		if (m->driver[list->at[i]] != LEAP_NO_PLACE)
			at[n++] = m->driver[list->at[i]];
	*to = (struct image_list){ n, at };
	return true;
}

/* Fills in the counters of the part of counter number `last`. Counters depend on earlier ones
 * only. */
static bool make_counters(struct making *m, struct leap_part *p, uint32_t last)
{
	p->counter = arena_array(&m->l->arena, last + (size_t)1, sizeof *p->counter);
	if (p->counter == NULL)
		return false;
	for (uint32_t i = 0; i <= last; i++) {
		const struct image_counter *c = &m->im->nfa.counters[i];
		struct leap_counter *to = &p->counter[p->ncounters];
		if (m->driver[c->state] == LEAP_NO_PLACE)
			continue;
		to->counter = c;
		to->place = m->driver[c->state];
		if (!place_list(m, &c->count, &to->count) || !place_list(m, &c->reset, &to->reset))
			return false;
		p->ncounters++;
	}
	return true;
}

/* Fills in p->far[any] and p->source_far[any] by a search in breadth, backwards. `queue` has room
 * for p->n places; `from` and `from_first` are the transitions of the part, backwards. */
static void find_far(struct leap_part *p, int any, uint32_t *queue, const uint32_t *from_first,
		     const uint32_t *from)
{
	uint32_t head = 0, tail = 0;

	for (uint32_t i = 0; i < p->n; i++)
		p->far[any][i] = LEAP_NEVER;
	p->source.far[any] = LEAP_NEVER;
	for (uint32_t i = 0; i < p->n; i++)
		for (uint32_t k = p->succ_first[i]; k < p->succ_first[i + 1]; k++)
			if (p->far[any][i] == LEAP_NEVER && bits_get(p->stop[any], p->succ[k])) {
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
	for (size_t i = bits_next(p->source.set, p->n, 0); i < p->n;
	     i = bits_next(p->source.set, p->n, i + 1)) {
		uint32_t far = bits_get(p->stop[any], i)      ? 1 :
			       p->far[any][i] == LEAP_NEVER   ? LEAP_NEVER :
								p->far[any][i] + 1;
		p->source.far[any] = far < p->source.far[any] ? far : p->source.far[any];
	}
}

static bool find_distances(struct leap *l, struct leap_part *p)
{
	uint32_t nsucc = p->succ_first[p->n];
	uint32_t *first = calloc((size_t)p->n + 2, sizeof *first);
	uint32_t *from = calloc((size_t)nsucc + 1, sizeof *from);
	uint32_t *queue = calloc((size_t)p->n + 1, sizeof *queue);
	bool ok = first != NULL && from != NULL && queue != NULL;

	p->far[0] = arena_array(&l->arena, p->n, sizeof **p->far);
	p->far[1] = arena_array(&l->arena, p->n, sizeof **p->far);
	ok = ok && p->far[0] != NULL && p->far[1] != NULL;
	for (uint32_t k = 0; ok && k < nsucc; k++)
		first[p->succ[k] + 2]++;
	for (uint32_t i = 0; ok && i < p->n; i++)
		first[i + 2] += first[i + 1];
	for (uint32_t i = 0; ok && i < p->n; i++)
		for (uint32_t k = p->succ_first[i]; k < p->succ_first[i + 1]; k++)
			from[first[p->succ[k] + 1]++] = i;
	for (int any = 0; ok && any < 2; any++)
		find_far(p, any, queue, first, from);
	free(first);
	free(from);
	free(queue);
	return ok;
}

/* Forgets the places of the current part, and begins another. */
static void begin_part(struct making *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		m->driver[m->queue[i]] = m->effect[m->queue[i]] = LEAP_NO_PLACE;
	m->n = 0;
}

/* ---- making all parts ---- */

struct grouped {
	uint32_t group, state;
};

static int by_group(const void *x, const void *y)
{
	const struct grouped *a = x, *b = y;

	return order_2(a->group, b->group, a->state, b->state);
}

static bool make_linear(struct making *m, const struct grouped *g, uint32_t n)
{
	for (uint32_t i = 0, end; i < n; i = end) {
		struct leap_part *p = &m->l->part[m->l->nparts++];
		begin_part(m);
		for (end = i; end < n && g[end].group == g[i].group; end++)
			add_place(m, m->driver, g[end].state);
		m->ndriver = m->n;
		if (!make_places(m, p, LEAP_NO_PLACE) || !make_sets(m, p, LEAP_NO_PLACE) ||
		    !find_distances(m->l, p))
			return false;
	}
	return true;
}

static bool make_parts(struct making *m, struct grouped *g)
{
	const struct nfart_image *im = m->im;
	uint32_t n = 0, logging = 0, parts = im->nfa.ncounters;

	make_groups(m);
	turn_around(m);
	for (uint32_t s = 0; s < im->nfa.nstates; s++)
		if (stays(m, s) && m->of_counter[s] == 0)
			g[n++] = (struct grouped){ m->group[s], s };
	qsort(g, n, sizeof *g, by_group);
	for (uint32_t i = 0; i < n; i++)
		parts += i == 0 || g[i].group != g[i - 1].group;
	m->l->part = arena_array(&m->l->arena, parts, sizeof *m->l->part);
	if (m->l->part == NULL || !make_linear(m, g, n))
		return false;
	for (uint32_t i = 0; i < im->nfa.ncounters; i++) {
		struct leap_part *p = &m->l->part[m->l->nparts++];
		uint32_t own = im->nfa.counters[i].state;
		begin_part(m);
		add_counter(m, &im->nfa.counters[i]);
		if (!make_places(m, p, own) || !make_sets(m, p, own) || !make_counters(m, p, i))
			return false;
	}
	for (uint32_t i = 0; i < m->l->nparts; i++)
		logging += m->l->part[i].may_log;
	m->l->many_log = logging > 1;
	return true;
}

static bool make_scratch(struct leap *l)
{
	size_t n = 0, ncounters = l->en->im->nfa.ncounters + 1u, words;

	for (uint32_t i = 0; i < l->nparts; i++)
		n = l->part[i].n > n ? l->part[i].n : n;
	words = bits_words(n + 1);
	l->now = arena_array(&l->arena, words, 8);
	l->next = arena_array(&l->arena, words, 8);
	l->result = arena_array(&l->arena, l->en->words, 8);
	l->now_counts = arena_array(&l->arena, ncounters, sizeof *l->now_counts);
	l->next_counts = arena_array(&l->arena, ncounters, sizeof *l->next_counts);
	l->result_counts = arena_array(&l->arena, ncounters, sizeof *l->result_counts);
	for (int i = 0; i < 2; i++) {
		l->mark[i] = arena_array(&l->arena, words, 8);
		l->row[i] = arena_array(&l->arena, words, 8);
		l->mark_counts[i] = arena_array(&l->arena, ncounters, sizeof **l->mark_counts);
		if (l->mark[i] == NULL || l->row[i] == NULL || l->mark_counts[i] == NULL)
			return false;
	}
	return l->now != NULL && l->next != NULL && l->now_counts != NULL &&
	       l->next_counts != NULL && l->result != NULL && l->result_counts != NULL;
}

bool leap_parts_find(struct leap *l, struct nfart_engine *en)
{
	const struct nfart_image *im = en->im;
	struct making m = { .l = l, .im = im };
	uint32_t tick = im->alphabet.time + NFART_TICK;
	size_t n = im->nfa.nstates + (size_t)1;
	size_t nsucc = im->nfa.nstates != 0 ? im->nfa.succ_first[im->nfa.nstates] : 0;
	struct grouped *g = calloc(n, sizeof *g);
	uint32_t *memory = calloc(9 * n + nsucc, sizeof *memory);
	bool ok = g != NULL && memory != NULL;

	l->en = en;
	if (ok) {
		m.group = memory;
		m.driver = memory + n;
		m.effect = memory + 2 * n;
		m.of_counter = memory + 3 * n;
		m.queue = memory + 4 * n;      /* 2 * n */
		m.from_first = memory + 6 * n; /* n + 1, so 2 * n is enough */
		m.from = memory + 8 * n;
		for (uint32_t s = 0; s < im->nfa.nstates; s++)
			m.driver[s] = m.effect[s] = LEAP_NO_PLACE;
		for (uint32_t i = 0; i < im->nfa.ncounters; i++)
			m.of_counter[im->nfa.counters[i].state] = i + 1;
		engine_truth(en, &tick, 1);
		ok = make_parts(&m, g) && make_scratch(l);
	}
	free(g);
	free(memory);
	return ok;
}

/* ---- powers ---- */

void leap_multiply(const uint64_t *from, const uint64_t *matrix, size_t words, uint64_t *to)
{
	memset(to, 0, words * 8);
	for (size_t w = 0; w < words; w++)
		for (uint64_t m = from[w]; m != 0; m &= m - 1) {
			size_t place = w * 64 + (size_t)__builtin_ctzll(m);
			const uint64_t *row = matrix + place * words;
			for (size_t i = 0; i < words; i++)
				to[i] |= row[i];
		}
}

bool leap_power(struct leap_part *p, uint32_t k)
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
			bits_set(to + s * words, p->succ[i]);
	memcpy(to + p->n * words, p->source.set, bits_words(p->n) * 8);
	bits_set(to + p->n * words, p->n);
	return true;
}
