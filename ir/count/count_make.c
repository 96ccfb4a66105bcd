/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/count/count_make.h"

#include <inttypes.h>
#include <string.h>

#include "support/buf.h"

static uint64_t hash_node(const struct count_maker *m, const struct rx *x)
{
	uint64_t h = hash_add(x->kind, x->kind == RX_PRED ? x->pred : 0);

	h = hash_add(h, x->kind == RX_COUNTER ? x->counter : 0);
	if (x->kind == RX_REP)
		h = hash_add(hash_add(h, x->lo), x->hi);
	for (uint32_t i = 0; i < x->n; i++)
		h = hash_add(h, m->same.at[x->sub[i]]);
	return h;
}

static uint64_t hash_of(const void *maker, uint32_t id)
{
	const struct count_maker *m = maker;

	return hash_node(m, &m->s->nodes.at[id]);
}

static bool maker_alike(const struct count_maker *m, const struct rx *x, const struct rx *y)
{
	if (x->kind != y->kind || x->n != y->n ||
	    (x->kind == RX_PRED && x->pred != y->pred) ||
	    (x->kind == RX_COUNTER && x->counter != y->counter) ||
	    (x->kind == RX_REP && (x->lo != y->lo || x->hi != y->hi)))
		return false;
	for (uint32_t i = 0; i < x->n; i++)
		if (m->same.at[x->sub[i]] != m->same.at[y->sub[i]])
			return false;
	return true;
}

static bool maker_same(const void *maker, uint32_t id, const void *key)
{
	const struct count_maker *m = maker;

	return maker_alike(m, key, &m->s->nodes.at[id]);
}

/* Returns the place of a node with the same structure as x, or the free one where x belongs if
 * there is no such node. */
static size_t maker_place(const struct count_maker *m, const struct rx *x)
{
	return hash_find(&m->hash, hash_node(m, x), maker_same, m, x);
}

/* Enters the new node `id` into the hash table, unless a node with the same structure is there
 * already. same[id] becomes the node that is in the table. False: out of memory. */
static bool maker_enter(struct count_maker *m, rx_id_t id)
{
	size_t i;

	if (!hash_room(&m->hash, hash_of, m))
		return false;
	i = maker_place(m, &m->s->nodes.at[id]);
	if (hash_id(&m->hash, i) == HASH_NONE)
		hash_put(&m->hash, i, id);
	return vec_push(&m->same, hash_id(&m->hash, i)) && vec_push(&m->last, UINT32_MAX);
}

bool count_maker_init(struct count_maker *m, struct spec *s)
{
	memset(m, 0, sizeof *m);
	m->s = s;
	m->first = (uint32_t)s->counters.n;
	for (size_t i = 0; i < s->nodes.n; i++)
		if (!maker_enter(m, (rx_id_t)i)) {
			m->failed = true;
			return false;
		}
	return true;
}

void count_maker_free(struct count_maker *m)
{
	vec_free(&m->same);
	vec_free(&m->last);
	vec_free(&m->before);
	vec_free(&m->list);
	vec_free(&m->todo);
	hash_free(&m->hash);
}

static rx_id_t maker_add(struct count_maker *m, struct rx x, const rx_id_t *sub, uint32_t n)
{
	size_t i;
	rx_id_t id;

	m->list.n = 0;
	for (uint32_t k = 0; k < n && !m->failed; k++)
		m->failed = sub[k] == RX_NONE || !vec_push(&m->list, m->same.at[sub[k]]);
	if (m->failed)
		return RX_NONE;
	x.n = n;
	x.sub = m->list.at;
	i = maker_place(m, &x);
	if (hash_id(&m->hash, i) != HASH_NONE)
		return hash_id(&m->hash, i);
	id = spec_add(m->s, x, m->list.at, n);
	if (id == RX_NONE || !maker_enter(m, id)) {
		m->failed = true;
		return RX_NONE;
	}
	return id;
}

rx_id_t make_list(struct count_maker *m, enum rx_kind kind, const rx_id_t *sub, uint32_t n,
		  struct diag_range range)
{
	struct rx x = { .kind = n == 0 ? RX_EPS : kind, .pred = PRED_NONE, .range = range };

	return n == 1 ? sub[0] : maker_add(m, x, sub, n);
}

rx_id_t make_pair(struct count_maker *m, rx_id_t x, rx_id_t y, struct diag_range range)
{
	rx_id_t both[] = { x, y };

	return make_list(m, RX_CAT, both, 2, range);
}

rx_id_t make_repeat(struct count_maker *m, rx_id_t x, uint32_t lo, uint32_t hi,
		    struct diag_range range)
{
	struct rx rep = { .kind = RX_REP, .pred = PRED_NONE, .lo = lo, .hi = hi, .range = range };

	return maker_add(m, rep, &x, 1);
}

rx_id_t make_pred(struct count_maker *m, pred_id_t p, struct diag_range range)
{
	struct rx x = { .kind = RX_PRED, .pred = p, .range = range };

	m->failed = m->failed || p == PRED_NONE;
	return maker_add(m, x, NULL, 0);
}

rx_id_t make_active(struct count_maker *m, uint32_t counter, struct diag_range range)
{
	struct rx x = { .kind = RX_COUNTER, .pred = PRED_NONE, .counter = counter, .range = range };

	m->failed = m->failed || counter == UINT32_MAX;
	return maker_add(m, x, NULL, 0);
}

rx_id_t make_prefix(struct count_maker *m, const struct count_prefix *a, rx_id_t last,
		    struct diag_range range, uint64_t *steps)
{
	m->todo.n = 0;
	if (last != RX_NONE && !vec_push(&m->todo, last))
		m->failed = true;
	for (; a != NULL && a->rx == RX_NONE && *steps != 0 && !m->failed; a = a->before) {
		--*steps;
		m->failed = !vec_push(&m->todo, a->factor);
	}
	if (a != NULL && a->rx != RX_NONE && !vec_push(&m->todo, a->rx))
		m->failed = true;
	for (size_t i = 0; i < m->todo.n / 2; i++) {
		rx_id_t id = m->todo.at[i];
		m->todo.at[i] = m->todo.at[m->todo.n - 1 - i];
		m->todo.at[m->todo.n - 1 - i] = id;
	}
	return m->failed ? RX_NONE
			 : make_list(m, RX_CAT, m->todo.at, (uint32_t)m->todo.n, range);
}

uint32_t make_counter(struct count_maker *m, struct spec_counter c)
{
	struct buf name = { 0 };
	uint32_t i;

	if (m->failed || c.count == RX_NONE || c.reset == RX_NONE) {
		m->failed = true;
		return UINT32_MAX;
	}
	for (i = m->last.at[c.count]; i != UINT32_MAX; i = m->before.at[i - m->first]) {
		const struct spec_counter *d = &m->s->counters.at[i];
		if (d->reset == c.reset && d->k == c.k && d->mode == c.mode)
			return i;
	}
	buf_addf(&name, "repeat %" PRIu32 " of %s", ++m->named, m->owner);
	c.name = name.failed ? NULL : arena_strndup(&m->s->arena, name.at, name.n);
	c.made = true;
	buf_free(&name);
	if (c.name == NULL || !vec_reserve(&m->before, 1) || !vec_push(&m->s->counters, c)) {
		m->failed = true;
		return UINT32_MAX;
	}
	i = (uint32_t)m->s->counters.n - 1;
	m->before.at[m->before.n++] = m->last.at[c.count];
	return m->last.at[c.count] = i;
}

void make_drop(struct count_maker *m, size_t n)
{
	while (m->s->counters.n > n) {
		const struct spec_counter *c = &m->s->counters.at[--m->s->counters.n];
		m->last.at[c->count] = m->before.at[--m->before.n];
	}
}
