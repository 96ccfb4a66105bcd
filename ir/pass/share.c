/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes fewer distinct predicates, for overlays that share decoders. State y can have predicate q
 * instead of p if every batch that satisfies only one of p and q is covered: for each predecessor x
 * of y, the batch satisfies the predicate of another successor of x that simulates the future of y.
 * Such a batch makes no difference, whether the change adds it to y or takes it from y (reduce.c,
 * Note [simulation]). If there is no such batch, p and q mean the same. If all states with
 * predicate p can take another predicate of the automaton, p is no longer needed. The pass ends
 * because each such step removes one predicate.
 */
#include <string.h>

#include "ir/pass/passes.h"
#include "ir/pass/simulation.h"
#include "ir/pred_logic.h"

enum { MOST_COVER = 16 };

struct work {
	struct dense d;
	uint64_t *sim, *set, left;
};

/* Is every batch that satisfies only one of p and q covered by the states of w->set that simulate
 * y? */
static bool may_differ(const struct work *w, uint32_t y, pred_id_t p, pred_id_t q)
{
	const uint64_t *row = dense_row(&w->d, w->sim, y);
	pred_id_t cover[MOST_COVER + 1];
	size_t n = 0;

	for (uint32_t z = 0; z < w->d.n; z++)
		if (z != y && bits_get(row, z) && bits_get(w->set, z) && n < MOST_COVER)
			cover[n++] = w->d.q[z].pred;
	cover[n] = q;
	if (!pred_covered(w->d.a->preds, p, cover, n + 1))
		return false;
	cover[n] = p;
	return pred_covered(w->d.a->preds, q, cover, n + 1);
}

static bool may_have(struct work *w, uint32_t y, pred_id_t q)
{
	const struct dense *d = &w->d;
	const uint64_t *in = dense_row(d, d->in, y);
	pred_id_t p = d->q[y].pred;

	memcpy(w->set, d->always, d->words * sizeof *w->set);
	if (may_differ(w, y, p, q))
		return true;
	if (bits_get(d->always, y))
		return false;
	for (size_t i = 0; i < d->words; i++)
		w->set[i] |= d->first[i];
	if (bits_get(d->first, y) && !may_differ(w, y, p, q))
		return false;
	for (size_t x = bits_next(in, d->n, 0); x < d->n; x = bits_next(in, d->n, x + 1)) {
		for (size_t i = 0; i < d->words; i++)
			w->set[i] = d->always[i] | dense_row(d, d->out, x)[i];
		if (!may_differ(w, y, p, q))
			return false;
	}
	return true;
}

static bool share_has(const struct dense *d, uint32_t s, pred_id_t p)
{
	return bits_get(d->alive, s) && d->q[s].kind == NFA_STE && d->q[s].pred == p;
}

/* Gives all states of p the predicate q, one after the other, or leaves them all as they are. */
static bool replace(struct work *w, pred_id_t p, pred_id_t q, uint32_t *changed)
{
	struct dense *d = &w->d;
	uint32_t n = 0;
	bool ok = true;

	for (uint32_t s = 0; s < d->n && ok; s++)
		if (share_has(d, s, p)) {
			ok = w->left != 0 && may_have(w, s, q);
			w->left -= w->left != 0;
			if (ok) {
				changed[n++] = s;
				d->q[s].pred = q;
			}
		}
	while (!ok && n != 0)
		d->q[changed[--n]].pred = p;
	return ok;
}

/* Finds the distinct predicates of the states, in the order of the states. Returns how many there
 * are. */
static size_t find_preds(const struct dense *d, pred_id_t *preds)
{
	size_t n = 0;

	for (uint32_t s = 0; s < d->n; s++) {
		size_t k = 0;
		if (!share_has(d, s, d->q[s].pred))
			continue;
		while (k < n && preds[k] != d->q[s].pred)
			k++;
		preds[k] = d->q[s].pred;
		n += k == n;
	}
	return n;
}

static void share_states(struct work *w, pred_id_t *preds, uint32_t *changed)
{
	size_t n = find_preds(&w->d, preds);

	for (size_t i = n; i-- > 0;)
		for (size_t k = 0; k < n; k++)
			if (k != i && replace(w, preds[i], preds[k], changed)) {
				memmove(&preds[i], &preds[i + 1], (n - i - 1) * sizeof *preds);
				n--;
				break;
			}
}

enum nfart_status pass_share(struct nfa *a)
{
	struct work w = { .left = PASS_WORK };
	enum nfart_status status = NFART_SYSTEM;
	uint32_t *changed = NULL;
	pred_id_t *preds = NULL;

	if (a->states.n > PASS_PAIRS_MOST)
		return NFART_OK;
	if (!dense_make(&w.d, a))
		goto out;
	w.sim = malloc((w.d.n * w.d.words + w.d.words + 1) * sizeof *w.sim);
	preds = malloc((w.d.n + 1) * sizeof *preds);
	changed = malloc((w.d.n + 1) * sizeof *changed);
	if (w.sim == NULL || preds == NULL || changed == NULL)
		goto out;
	w.set = w.sim + w.d.n * w.d.words;
	status = simulate_future(&w.d, w.sim, &w.left);
	if (status == NFART_OK) {
		w.left = PASS_SHARE_TRIES;
		share_states(&w, preds, changed);
		status = dense_store(&w.d) ? NFART_OK : NFART_SYSTEM;
	} else if (status == NFART_GAVEUP) {
		status = NFART_OK;
	}
out:
	free(w.sim);
	free(preds);
	free(changed);
	dense_free(&w.d);
	return status;
}
