/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/dense/dense.h"

#include <string.h>

static bool dense_allocate(struct dense *d)
{
	size_t w = d->words, n = d->n;
	uint64_t *m = calloc(3 * n * w + 3 * w + 1, sizeof *m);

	d->q = malloc((n + 1) * sizeof *d->q);
	d->out = m;
	if (m == NULL || d->q == NULL)
		return false;
	d->in = m + n * w;
	d->implies = m + 2 * n * w;
	d->first = m + 3 * n * w;
	d->always = d->first + w;
	d->alive = d->always + w;
	return true;
}

void dense_free(struct dense *d)
{
	free(d->out);
	free(d->q);
	memset(d, 0, sizeof *d);
}

bool dense_copy(struct dense *to, const struct dense *from)
{
	size_t w = from->words, n = from->n;

	*to = (struct dense){ .a = from->a, .n = from->n, .words = w };
	if (!dense_allocate(to))
		return false;
	memcpy(to->out, from->out, (3 * n * w + 3 * w) * sizeof *to->out);
	if (n != 0)
		memcpy(to->q, from->q, n * sizeof *to->q);
	return true;
}

/* ---- predicates ---- */

static bool enters(const struct dense *d, uint32_t s)
{
	return d->q[s].kind == NFA_STE && d->q[s].pred != PRED_NONE;
}

/* Computes row s of d->implies and, if `both`, column s as well. */
static void dense_compare(struct dense *d, uint32_t s, bool both)
{
	const struct pred_table *t = d->a->preds;
	uint64_t *row = dense_row(d, d->implies, s);

	memset(row, 0, d->words * sizeof *row);
	bits_set(row, s);
	for (uint32_t r = 0; r < d->n; r++) {
		uint64_t *other = dense_row(d, d->implies, r);
		if (r == s)
			continue;
		if (both)
			other[s / 64] &= ~((uint64_t)1 << (s % 64));
		if (!enters(d, s) || !enters(d, r) || !bits_get(d->alive, r))
			continue;
		if (pred_implies(t, d->q[s].pred, d->q[r].pred))
			bits_set(row, r);
		if (both && pred_implies(t, d->q[r].pred, d->q[s].pred))
			bits_set(other, s);
	}
}

void dense_new_pred(struct dense *d, uint32_t s)
{
	dense_compare(d, s, true);
}

/* Computes all rows of d->implies. States with equal predicates have equal rows, which are computed
 * once. */
static bool compare_all(struct dense *d)
{
	/* [predicates]: the first state that has the predicate; UINT32_MAX: none so far */
	uint32_t *seen = malloc((d->a->preds->preds.n + 1) * sizeof *seen);

	if (seen == NULL)
		return false;
	memset(seen, 0xff, (d->a->preds->preds.n + 1) * sizeof *seen);
	for (uint32_t s = 0; s < d->n; s++) {
		if (!enters(d, s)) {
			bits_set(dense_row(d, d->implies, s), s);
			continue;
		}
		if (seen[d->q[s].pred] == UINT32_MAX) {
			seen[d->q[s].pred] = s;
			dense_compare(d, s, false);
		} else {
			memcpy(dense_row(d, d->implies, s),
			       dense_row(d, d->implies, seen[d->q[s].pred]),
			       d->words * sizeof *d->implies);
		}
	}
	free(seen);
	/* A row that was copied for a later state is complete, because dense_compare() looks at all
	 * states. It has the bit of the later state itself, because a predicate implies itself. */
	return true;
}

/* ---- from an NFA and back ---- */

bool dense_make(struct dense *d, struct nfa *a)
{
	uint32_t *number = malloc((a->states.n + 1) * sizeof *number);
	bool ok = number != NULL;

	*d = (struct dense){ .a = a };
	for (size_t s = 0; ok && s < a->states.n; s++) {
		bool bare = a->states.at[s].kind == NFA_STE && a->states.at[s].pred == PRED_NONE;
		number[s] = bare ? UINT32_MAX : d->n++;
	}
	d->words = bits_words(d->n);
	ok = ok && dense_allocate(d);
	for (size_t s = 0; ok && s < a->states.n; s++)
		if (number[s] != UINT32_MAX) {
			d->q[number[s]] = a->states.at[s];
			bits_set(d->alive, number[s]);
			if (a->states.at[s].always)
				bits_set(d->always, number[s]);
		}
	for (size_t i = 0; ok && i < a->edges.n; i++) {
		const struct nfa_edge *e = &a->edges.at[i];
		uint32_t from = number[e->from], to = number[e->to];
		if (to == UINT32_MAX || bits_get(d->always, to))
			continue;
		if (from != UINT32_MAX)
			dense_connect(d, from, to);
		if (a->states.at[e->from].start)
			bits_set(d->first, to);
	}
	ok = ok && compare_all(d);
	free(number);
	return ok;
}

static bool may_start(const struct dense *d, uint32_t s)
{
	const uint64_t *out = dense_row(d, d->out, s);

	for (size_t i = 0; i < d->words; i++)
		if ((out[i] & ~d->first[i]) != 0)
			return false;
	return bits_any(out, d->words) && d->q[s].kind == NFA_STE;
}

/* Chooses the states that get a start bit, one after the other. `left` begins as d->first. Each
 * time the state is chosen that enters most of the states in `left`, which are then removed from
 * it. States that remain in `left` are entered by no state that may have a start bit. */
static void choose_starts(const struct dense *d, bool *start, uint64_t *left)
{
	memcpy(left, d->first, d->words * sizeof *left);
	for (;;) {
		uint32_t best = UINT32_MAX, most = 0;
		for (uint32_t s = 0; s < d->n; s++) {
			const uint64_t *out = dense_row(d, d->out, s);
			uint32_t gain = 0;
			for (size_t i = 0; i < d->words; i++)
				gain += (uint32_t)__builtin_popcountll(out[i] & left[i]);
			if (gain > most && may_start(d, s)) {
				best = s;
				most = gain;
			}
		}
		if (best == UINT32_MAX)
			return;
		start[best] = true;
		for (size_t i = 0; i < d->words; i++)
			left[i] &= ~dense_row(d, d->out, best)[i];
	}
}

bool dense_store(const struct dense *d)
{
	struct nfa *a = d->a;
	uint32_t *number = malloc((d->n + 1) * sizeof *number), begin = UINT32_MAX;
	bool *start = calloc(d->n + 1, sizeof *start);
	uint64_t *left = calloc(d->words + 1, sizeof *left);
	bool ok = number != NULL && start != NULL && left != NULL;

	if (ok) {
		choose_starts(d, start, left);
		a->states.n = a->edges.n = 0;
	}
	if (ok && bits_any(left, d->words)) {
		struct nfa_state q = { .start = true, .pred = PRED_NONE,
				       .range = d->q[bits_next(left, d->n, 0)].range };
		begin = nfa_add_state(a, q);
		ok = begin != UINT32_MAX;
	}
	for (uint32_t s = 0; ok && s < d->n; s++) {
		struct nfa_state q = d->q[s];
		if (!bits_get(d->alive, s))
			continue;
		q.start = start[s];
		q.always = bits_get(d->always, s);
		number[s] = nfa_add_state(a, q);
		ok = number[s] != UINT32_MAX;
	}
	for (uint32_t s = 0; ok && s < d->n; s++)
		for (size_t t = bits_next(dense_row(d, d->out, s), d->n, 0); ok && t < d->n;
		     t = bits_next(dense_row(d, d->out, s), d->n, t + 1))
			ok = nfa_add_edge(a, number[s], number[t], d->q[t].pred);
	for (size_t t = ok ? bits_next(left, d->n, 0) : d->n; ok && t < d->n;
	     t = bits_next(left, d->n, t + 1))
		ok = nfa_add_edge(a, begin, number[t], d->q[t].pred);
	free(number);
	free(start);
	free(left);
	return ok && nfa_sort_edges(a);
}

uint32_t dense_states(const struct dense *d)
{
	uint32_t n = 0;
	uint64_t left = 0;

	for (size_t i = 0; i < d->words; i++)
		n += (uint32_t)__builtin_popcountll(d->alive[i]);
	for (size_t i = 0; i < d->words; i++) {
		uint64_t w = d->first[i];
		for (uint32_t s = 0; w != 0 && s < d->n; s++)
			if (may_start(d, s))
				w &= ~dense_row(d, d->out, s)[i];
		left |= w;
	}
	return n + (left != 0);
}

uint32_t dense_edges(const struct dense *d)
{
	uint32_t n = 0;

	for (size_t i = 0; i < d->n * d->words; i++)
		n += (uint32_t)__builtin_popcountll(d->out[i]);
	return n;
}

/* ---- changes ---- */

void dense_connect(struct dense *d, uint32_t from, uint32_t to)
{
	bits_set(dense_row(d, d->out, from), to);
	bits_set(dense_row(d, d->in, to), from);
}

static void dense_clear(uint64_t *w, size_t i)
{
	w[i / 64] &= ~((uint64_t)1 << (i % 64));
}

void dense_cut(struct dense *d, uint32_t from, uint32_t to)
{
	dense_clear(dense_row(d, d->out, from), to);
	dense_clear(dense_row(d, d->in, to), from);
}

static void cut_entries(struct dense *d, uint32_t s)
{
	for (uint32_t r = 0; r < d->n; r++)
		dense_clear(dense_row(d, d->out, r), s);
	memset(dense_row(d, d->in, s), 0, d->words * sizeof *d->in);
	dense_clear(d->first, s);
}

static void kill(struct dense *d, uint32_t s)
{
	cut_entries(d, s);
	for (uint32_t r = 0; r < d->n; r++) {
		dense_clear(dense_row(d, d->in, r), s);
		dense_clear(dense_row(d, d->implies, r), s);
	}
	memset(dense_row(d, d->out, s), 0, d->words * sizeof *d->out);
	memset(dense_row(d, d->implies, s), 0, d->words * sizeof *d->implies);
	dense_clear(d->always, s);
	dense_clear(d->alive, s);
}

void dense_set_always(struct dense *d, uint32_t s)
{
	cut_entries(d, s);
	bits_set(d->always, s);
}

void dense_fold(struct dense *d, uint32_t s, uint32_t from)
{
	bool always = bits_get(d->always, s) || bits_get(d->always, from);
	uint32_t n = d->n;

	for (uint32_t r = 0; r < n; r++) {
		if (bits_get(dense_row(d, d->in, from), r))
			dense_connect(d, r == from ? s : r, s);
		if (bits_get(dense_row(d, d->out, from), r))
			dense_connect(d, s, r == from ? s : r);
	}
	if (bits_get(d->first, from))
		bits_set(d->first, s);
	kill(d, from);
	if (always)
		dense_set_always(d, s);
}

/* Adds to `set` every state that its members reach through rows of `matrix`. `todo` is scratch
 * space for d->n numbers. */
static void dense_spread(const struct dense *d, uint64_t *matrix, uint64_t *set, uint32_t *todo)
{
	size_t n = 0;

	for (size_t s = bits_next(set, d->n, 0); s < d->n; s = bits_next(set, d->n, s + 1))
		todo[n++] = (uint32_t)s;
	while (n != 0) {
		const uint64_t *row = dense_row(d, matrix, todo[--n]);
		for (size_t i = 0; i < d->words; i++) {
			uint64_t fresh = row[i] & ~set[i];
			set[i] |= fresh;
			for (; fresh != 0; fresh &= fresh - 1)
				todo[n++] = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(fresh);
		}
	}
}

bool dense_trim(struct dense *d)
{
	uint64_t *live = calloc(2 * d->words + 1, sizeof *live);
	uint64_t *useful = live != NULL ? live + d->words : NULL;
	uint32_t *todo = malloc((d->n + 1) * sizeof *todo);
	bool ok = live != NULL && todo != NULL;

	for (size_t i = 0; ok && i < d->words; i++)
		live[i] = d->first[i] | d->always[i];
	for (uint32_t s = 0; ok && s < d->n; s++) {
		bool counter = d->q[s].kind == NFA_COUNTER;
		if (counter)
			bits_set(live, s);
		if (counter || d->q[s].labels != 0 || d->q[s].log)
			bits_set(useful, s);
	}
	if (ok) {
		dense_spread(d, d->out, live, todo);
		dense_spread(d, d->in, useful, todo);
		for (uint32_t s = 0; s < d->n; s++)
			if (bits_get(d->alive, s) && !(bits_get(live, s) && bits_get(useful, s)))
				kill(d, s);
	}
	free(live);
	free(todo);
	return ok;
}

bool dense_says_less(const struct dense *d, uint32_t x, uint32_t y)
{
	const struct labelset *s = &d->a->labelsets.at[d->q[x].labels],
			      *t = &d->a->labelsets.at[d->q[y].labels];
	uint32_t k = 0;

	if (d->q[x].log && !d->q[y].log)
		return false;
	for (uint32_t i = 0; s != t && i < s->n; i++) {
		while (k < t->n && t->labels[k] < s->labels[i])
			k++;
		if (k == t->n || t->labels[k] != s->labels[i])
			return false;
	}
	return true;
}
