/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Computes the greatest simulation from above: it begins with all pairs that the states' own marks
 * allow, and removes those that fail. The row of y is the set of states that simulate y. When this
 * row changes, C(y) is computed: the states that have a successor (for the past: a predecessor)
 * that simulates y. The rows of the predecessors (successors) of y are then cut down to C(y).
 */
#include "ir/pass/simulation.h"

#include <string.h>

#include "ir/pred_logic.h"

enum { MOST_COVER = 16 }; /* most states that may share out the batches of one state */

struct work {
	const struct dense *d;
	uint64_t *sim;
	uint64_t *c;     /* C(y) of the current state y */
	uint64_t *set;   /* scratch space of refine_future() */
	bool *dirty;
	uint64_t *left;  /* what is left of the budget */
};

static bool simulation_spend(struct work *w, uint64_t cost)
{
	if (*w->left < cost) {
		*w->left = 0;
		return false;
	}
	*w->left -= cost;
	return true;
}

bool simulation_covers(const struct dense *d, const uint64_t *sim, uint32_t y, const uint64_t *set)
{
	const uint64_t *row = dense_row(d, (uint64_t *)sim, y);
	pred_id_t preds[MOST_COVER];
	size_t n = 0;

	for (size_t i = 0; i < d->words; i++)
		for (uint64_t x = row[i] & set[i]; x != 0; x &= x - 1) {
			size_t k = 0, r = i * 64 + (size_t)__builtin_ctzll(x);
			if (bits_get(dense_row(d, d->implies, y), r))
				return true;
			while (k < n && preds[k] != d->q[r].pred)
				k++;
			if (k == n && n == MOST_COVER)
				return false;
			preds[k] = d->q[r].pred;
			n += k == n;
		}
	return n >= 2 && pred_covered(d->a->preds, d->q[y].pred, preds, n);
}

/* Cuts the row of x, a predecessor of y, down to the states that can follow x to y. False: the
 * budget is used up. */
static bool refine_future(struct work *w, uint32_t x, uint32_t y, bool *changed)
{
	const struct dense *d = w->d;
	uint64_t *row = dense_row(d, w->sim, x);

	for (size_t i = 0; i < d->words; i++) {
		uint64_t drop = row[i] & ~w->c[i];
		for (uint64_t k = drop; k != 0; k &= k - 1) {
			size_t r = i * 64 + (size_t)__builtin_ctzll(k);
			for (size_t j = 0; j < d->words; j++)
				w->set[j] = dense_row(d, d->out, r)[j] | d->always[j];
			if (!simulation_spend(w, 4 + d->words))
				return false;
			if (simulation_covers(d, w->sim, y, w->set))
				drop &= ~(k & -k);
		}
		*changed |= drop != 0;
		row[i] &= ~drop;
	}
	return true;
}

static bool refine_past(struct work *w, uint32_t x, bool *changed)
{
	uint64_t *row = dense_row(w->d, w->sim, x);

	for (size_t i = 0; i < w->d->words; i++) {
		*changed |= (row[i] & ~w->c[i]) != 0;
		row[i] &= w->c[i];
	}
	return true;
}

/* Computes C(y), and cuts down the rows that depend on it. False: the budget is used up. */
static bool simulation_step(struct work *w, uint32_t y, bool future)
{
	const struct dense *d = w->d;
	const uint64_t *row = dense_row(d, w->sim, y), *implies = dense_row(d, d->implies, y);
	const uint64_t *near = dense_row(d, future ? d->in : d->out, y);
	bool ok = simulation_spend(w, 8 + d->words);

	if (future)
		memset(w->c, 0, d->words * sizeof *w->c);
	else
		memcpy(w->c, d->always, d->words * sizeof *w->c);
	for (size_t i = 0; ok && i < d->words; i++) {
		uint64_t k = row[i] & (future ? implies[i] : ~(uint64_t)0);
		if (future && (k & d->always[i]) != 0)
			return true;
		for (; ok && k != 0; k &= k - 1) {
			size_t r = i * 64 + (size_t)__builtin_ctzll(k);
			const uint64_t *from = dense_row(d, future ? d->in : d->out, r);
			for (size_t j = 0; j < d->words; j++)
				w->c[j] |= from[j];
			ok = simulation_spend(w, d->words);
		}
	}
	for (size_t x = bits_next(near, d->n, 0); ok && x < d->n;
	     x = bits_next(near, d->n, x + 1)) {
		bool changed = false;
		ok = simulation_spend(w, d->words) &&
		     (future ? refine_future(w, (uint32_t)x, y, &changed)
			     : refine_past(w, (uint32_t)x, &changed));
		w->dirty[x] |= changed;
	}
	return ok;
}

static enum nfart_status refine(const struct dense *d, uint64_t *sim, uint64_t *budget, bool future)
{
	struct work w = { .d = d, .sim = sim, .left = budget };
	bool ok = true, again = true;

	w.c = malloc((2 * d->words + 1) * sizeof *w.c);
	w.dirty = malloc(d->n + 1);
	if (w.c == NULL || w.dirty == NULL) {
		free(w.c);
		free(w.dirty);
		return NFART_SYSTEM;
	}
	w.set = w.c + d->words;
	memset(w.dirty, 1, d->n + 1);
	while (ok && again) {
		again = false;
		for (uint32_t i = 0; ok && i < d->n; i++) {
			/* States are numbered in the order of the source. Futures become stable
			 * sooner if the last states are visited first. */
			uint32_t y = future ? d->n - 1 - i : i;
			if (!w.dirty[y] || !bits_get(d->alive, y))
				continue;
			w.dirty[y] = false;
			again = true;
			ok = simulation_step(&w, y, future);
		}
	}
	free(w.c);
	free(w.dirty);
	return ok ? NFART_OK : NFART_GAVEUP;
}

enum nfart_status simulate_future(const struct dense *d, uint64_t *sim, uint64_t *work)
{
	memset(sim, 0, d->n * d->words * sizeof *sim);
	for (uint32_t q = 0; q < d->n; q++) {
		bool done = false;
		/* An earlier state with the same marks has the same row. */
		for (uint32_t r = 0; r < q && !done; r++)
			if (bits_get(d->alive, q) && bits_get(d->alive, r) &&
			    d->q[r].labels == d->q[q].labels && d->q[r].log == d->q[q].log) {
				memcpy(dense_row(d, sim, q), dense_row(d, sim, r),
				       d->words * sizeof *sim);
				done = true;
			}
		for (uint32_t r = 0; r < d->n && !done && bits_get(d->alive, q); r++)
			if (bits_get(d->alive, r) && dense_says_less(d, q, r))
				bits_set(dense_row(d, sim, q), r);
	}
	return refine(d, sim, work, true);
}

enum nfart_status simulate_past(const struct dense *d, uint64_t *sim, uint64_t *work)
{
	for (uint32_t q = 0; q < d->n; q++) {
		const uint64_t *implies = dense_row(d, d->implies, q);
		bool always = bits_get(d->always, q), first = bits_get(d->first, q);
		for (size_t i = 0; i < d->words; i++) {
			uint64_t fit = always ? d->always[i]
				       : first ? d->first[i] | d->always[i] : d->alive[i];
			if (d->q[q].kind == NFA_COUNTER)
				fit = ~(uint64_t)0;
			dense_row(d, sim, q)[i] = implies[i] & fit;
		}
	}
	return refine(d, sim, work, false);
}
