/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [simulation]. Write F(q, l) for the future of state q and label l: the sequences of batches after
 * which l may be output because q was active before them; and P(q) for its past: the sequences after
 * which q is active. The log mark is a label here, and so is each port of a counter: what a counter
 * does depends on its ports alone, port by port and batch by batch (nfa.h, Note [counters]), so it
 * stays the same where the batches of every port do; nothing asks which state a port was active in,
 * or in how many. A counter itself is a source of activity that every rule leaves alone: nothing enters
 * it, and its past is comparable to its own alone. Two more sources are the beginning, which enters the
 * states of `first`, and the one that is active before every batch, which enters the always states;
 * every state counts as a predecessor of an always state. What states accept at the empty prefix does
 * not matter: it is never output.
 *
 * The future simulation says F(q, l) ⊆ F(r, l) for all l, the past one P(q) ⊆ P(r). The rules, as in
 * Mayr and Clemente, "Advanced automata minimization" (POPL 2013), by one side at a time, each by
 * induction on the length of a sequence:
 *
 *   prune future:    x -> y goes where x -> z stays, p(y) implies p(z) and z simulates y's future: or
 *                    where several such z share out the batches of p(y). All F stay. Transitions go one
 *                    after the other, so that what covers is there.
 *   saturate future: the reverse: x -> y comes where x -> z is there. All F stay, pasts grow.
 *   merge future:    states with equal F and predicates that mean the same; F of the merged one is
 *                    that of each. Also states y and z with equal F, different predicates, and one
 *                    predicate p that says p(y) or p(z): p comes in for both. Where a predecessor
 *                    enters both that changes nothing: alternatives that differ in one predicate
 *                    become one. Where x enters y and not z, it adds x -> z, which is sound where
 *                    other successors of x cover it, as for saturating.
 *   prune past:      x -> y goes where z -> y stays and P(x) ⊆ P(z); likewise a label of x that z has.
 *                    All P stay, and for each label the union of P over the states that carry it.
 *   saturate past:   the reverse. All P stay, futures grow.
 *   merge past:      states with equal P.
 *   always:          a set of states that the first batch may enter, in which for each state every batch
 *                    satisfies the predicate of a predecessor out of the set (or of an always state):
 *                    by induction all of them can be entered by every batch. The greatest such set.
 *
 * Pruning or saturating by a pair, past of x and future of y both replaced, is sound one way only and
 * with care (there, section 5); it is not done: rounds of the one-sided rules find most of it. A state
 * that another one covers in past and future goes by prune past or future, transition by transition.
 */
#include "ir/pass/reduce.h"

#include <string.h>

#include "ir/pred_logic.h"

enum { MOST_FEEDERS = 16 };

/* ---- future ---- */

/* Removes from the set each state that others of the set, or always states, cover. States go one after the
 * other, so that what covers a state is still there when the state goes. */
static void prune_set(const struct dense *d, const uint64_t *sim, uint64_t *set, uint64_t *others)
{
	for (size_t y = bits_next(set, d->n, 0); y < d->n; y = bits_next(set, d->n, y + 1)) {
		for (size_t i = 0; i < d->words; i++)
			others[i] = set[i] | d->always[i];
		others[y / 64] &= ~((uint64_t)1 << (y % 64));
		if (simulation_covers(d, sim, (uint32_t)y, others))
			set[y / 64] &= ~((uint64_t)1 << (y % 64));
	}
}

bool reduce_prune_future(struct dense *d, const uint64_t *sim)
{
	size_t w = d->words;
	uint64_t *set = malloc((2 * w + 1) * sizeof *set), *others;

	if (set == NULL)
		return false;
	others = set + w;
	memcpy(set, d->always, w * sizeof *set);
	memset(d->always, 0, w * sizeof *set); /* they cover as long as they are in the set */
	prune_set(d, sim, set, others);
	memcpy(d->always, set, w * sizeof *set);
	prune_set(d, sim, d->first, others);
	for (uint32_t x = 0; x < d->n; x++) {
		memcpy(set, dense_row(d, d->out, x), w * sizeof *set);
		prune_set(d, sim, set, others);
		for (size_t i = 0; i < w; i++)
			for (uint64_t k = dense_row(d, d->out, x)[i] & ~set[i]; k != 0; k &= k - 1)
				dense_cut(d, x,
					  (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(k));
	}
	free(set);
	return dense_trim(d);
}

void reduce_saturate_future(struct dense *d, const uint64_t *sim)
{
	for (uint32_t y = 0; y < d->n; y++)
		for (uint32_t z = 0; z < d->n && !bits_get(d->always, y); z++) {
			if (z == y || !bits_get(dense_row(d, (uint64_t *)sim, y), z) ||
			    !bits_get(dense_row(d, d->implies, y), z))
				continue;
			if (bits_get(d->always, z)) {
				dense_set_always(d, y);
				continue;
			}
			if (bits_get(d->first, z))
				bits_set(d->first, y);
			for (uint32_t x = 0; x < d->n; x++)
				if (bits_get(dense_row(d, d->in, z), x))
					dense_connect(d, x, y);
		}
}

static bool mutual(const struct dense *d, const uint64_t *sim, uint32_t x, uint32_t y)
{
	return bits_get(dense_row(d, (uint64_t *)sim, x), y) &&
	       bits_get(dense_row(d, (uint64_t *)sim, y), x);
}

/* Does whatever enters y enter z as well, or else states that cover z? `set` is scratch. */
static bool enters_both(const struct dense *d, const uint64_t *sim, uint32_t y, uint32_t z,
			uint64_t *set)
{
	const uint64_t *in = dense_row(d, d->in, y);

	if (bits_get(d->always, z))
		return true;
	if (bits_get(d->always, y))
		return simulation_covers(d, sim, z, d->always);
	if (bits_get(d->first, y) && !bits_get(d->first, z)) {
		for (size_t i = 0; i < d->words; i++)
			set[i] = d->first[i] | d->always[i];
		if (!simulation_covers(d, sim, z, set))
			return false;
	}
	for (size_t x = bits_next(in, d->n, 0); x < d->n; x = bits_next(in, d->n, x + 1)) {
		if (bits_get(dense_row(d, d->in, z), x))
			continue;
		for (size_t i = 0; i < d->words; i++)
			set[i] = dense_row(d, d->out, x)[i] | d->always[i];
		if (!simulation_covers(d, sim, z, set))
			return false;
	}
	return true;
}

/* Merges z into y where one predicate can stand for both. False: out of memory. */
static bool join(struct dense *d, const uint64_t *sim, uint32_t y, uint32_t z, uint64_t *set,
		 bool *joined)
{
	pred_id_t p;

	if (d->q[y].kind != NFA_STE || d->q[z].kind != NFA_STE || !mutual(d, sim, y, z) ||
	    !enters_both(d, sim, y, z, set) || !enters_both(d, sim, z, y, set))
		return true;
	if (!pred_or(d->a->preds, d->q[y].pred, d->q[z].pred, &p))
		return false;
	if (p == PRED_NONE)
		return true;
	dense_fold(d, y, z);
	d->q[y].pred = p;
	dense_new_pred(d, y);
	*joined = true;
	return true;
}

/* Rows and columns of `sim` of merged states are those of one that stays, so sim holds on. */
bool reduce_merge_future(struct dense *d, const uint64_t *sim)
{
	uint64_t *set = malloc((d->words + 1) * sizeof *set);
	bool ok = set != NULL, again = ok;

	for (uint32_t y = 0; ok && y < d->n; y++)
		for (uint32_t z = y + 1; z < d->n && bits_get(d->alive, y); z++)
			if (bits_get(d->alive, z) && mutual(d, sim, y, z) &&
			    mutual(d, d->implies, y, z))
				dense_fold(d, y, z);
	/* A merge may make the predecessors of other states equal. So repeat until a round merges none. */
	while (ok && again) {
		again = false;
		for (uint32_t y = 0; ok && y < d->n; y++)
			for (uint32_t z = y + 1; ok && z < d->n && bits_get(d->alive, y); z++)
				ok = !bits_get(d->alive, z) || join(d, sim, y, z, set, &again);
	}
	free(set);
	return ok;
}

/* ---- always ---- */

/* Does every batch leave active one of those that enter y, out of `set`? */
static bool is_fed(const struct dense *d, pred_id_t yes, uint32_t y, const uint64_t *set)
{
	const uint64_t *in = dense_row(d, d->in, y);
	pred_id_t preds[MOST_FEEDERS];
	size_t n = 0;

	for (size_t x = bits_next(in, d->n, 0); x < d->n; x = bits_next(in, d->n, x + 1)) {
		if (!bits_get(set, x))
			continue;
		if (n == MOST_FEEDERS)
			return false;
		preds[n++] = d->q[x].pred;
	}
	return n != 0 && pred_covered(d->a->preds, yes, preds, n);
}

bool reduce_always(struct dense *d)
{
	pred_id_t yes = pred_true(d->a->preds);
	uint64_t *set = malloc((d->words + 1) * sizeof *set);
	bool again = true;

	if (yes == PRED_NONE || set == NULL) {
		free(set);
		return false;
	}
	for (size_t i = 0; i < d->words; i++)
		set[i] = d->first[i] | d->always[i];
	while (again) {
		again = false;
		for (uint32_t y = 0; y < d->n; y++)
			if (bits_get(set, y) && !bits_get(d->always, y) && !is_fed(d, yes, y, set)) {
				set[y / 64] &= ~((uint64_t)1 << (y % 64));
				again = true;
			}
	}
	for (uint32_t y = 0; y < d->n; y++)
		if (bits_get(set, y) && !bits_get(d->always, y))
			dense_set_always(d, y);
	free(set);
	return true;
}

/* ---- past ---- */

/* The labels and log mark of x that none of the states in row x has, less what was dropped already. */
static bool prune_labels(struct dense *d, const uint64_t *sim, uint32_t x)
{
	const struct labelset *l = &d->a->labelsets.at[d->q[x].labels];
	const uint64_t *row = dense_row(d, (uint64_t *)sim, x);
	VEC(uint32_t) kept = { 0 };
	bool ok = true;

	for (uint32_t i = 0; ok && i <= l->n; i++) { /* the last turn is for the log mark */
		bool covered = false;
		for (size_t z = bits_next(row, d->n, 0); z < d->n && !covered;
		     z = bits_next(row, d->n, z + 1)) {
			const struct labelset *m = &d->a->labelsets.at[d->q[z].labels];
			bool has = i == l->n && d->q[z].log;
			for (uint32_t k = 0; i < l->n && k < m->n && !has; k++)
				has = m->labels[k] == l->labels[i];
			covered = has && z != x;
		}
		if (i == l->n)
			d->q[x].log &= !covered;
		else if (!covered)
			ok = vec_push(&kept, l->labels[i]);
	}
	if (ok && kept.n != l->n) {
		labelset_t made = nfa_labelset(d->a, kept.at, (uint32_t)kept.n);
		ok = made != UINT32_MAX;
		if (ok)
			d->q[x].labels = made;
	}
	vec_free(&kept);
	return ok;
}

/* Drops transitions and labels one at a time, so that what covers one of them is still there when it goes.
 * Dropping them does not change the past of any state. */
bool reduce_prune_past(struct dense *d, const uint64_t *sim)
{
	for (uint32_t y = 0; y < d->n; y++) {
		uint64_t *in = dense_row(d, d->in, y);
		for (size_t x = bits_next(in, d->n, 0); x < d->n; x = bits_next(in, d->n, x + 1)) {
			const uint64_t *row = dense_row(d, (uint64_t *)sim, x);
			bool covered = false;
			for (size_t i = 0; i < d->words; i++) {
				uint64_t z = row[i] & in[i];
				if (i == x / 64)
					z &= ~((uint64_t)1 << (x % 64));
				covered |= z != 0;
			}
			if (covered)
				dense_cut(d, (uint32_t)x, y);
		}
	}
	for (uint32_t x = 0; x < d->n; x++)
		if (bits_get(d->alive, x) && (d->q[x].labels != 0 || d->q[x].log) &&
		    !prune_labels(d, sim, x))
			return false;
	return dense_trim(d);
}

static bool join_says(struct dense *d, uint32_t x, uint32_t z)
{
	labelset_t l;

	if (dense_says_less(d, z, x))
		return true;
	l = nfa_labelset_union(d->a, d->q[x].labels, d->q[z].labels);
	if (l == UINT32_MAX)
		return false;
	d->q[x].labels = l;
	d->q[x].log |= d->q[z].log;
	return true;
}

bool reduce_saturate_past(struct dense *d, const uint64_t *sim)
{
	for (uint32_t x = 0; x < d->n; x++) {
		const uint64_t *row = dense_row(d, (uint64_t *)sim, x);
		for (size_t z = bits_next(row, d->n, 0); z < d->n; z = bits_next(row, d->n, z + 1)) {
			const uint64_t *out = dense_row(d, d->out, z);
			if (z == x)
				continue;
			for (size_t y = bits_next(out, d->n, 0); y < d->n;
			     y = bits_next(out, d->n, y + 1))
				dense_connect(d, x, (uint32_t)y);
			if (!join_says(d, x, (uint32_t)z))
				return false;
		}
	}
	return true;
}

bool reduce_merge_past(struct dense *d, const uint64_t *sim)
{
	for (uint32_t y = 0; y < d->n; y++)
		for (uint32_t z = y + 1; z < d->n && bits_get(d->alive, y); z++)
			if (bits_get(d->alive, z) && mutual(d, sim, y, z)) {
				if (!join_says(d, y, z))
					return false;
				dense_fold(d, y, z);
			}
	return true;
}
