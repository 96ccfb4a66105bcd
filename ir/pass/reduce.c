/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [simulation]. F(q, l) is the future of state q and label l: the sequences of batches after
 * which l may be output because q was active before them. P(q) is the past of q: the sequences
 * after which q is active. The log mark is a label here, and so is each port of a counter. What a
 * counter does depends on its ports alone, port by port and batch by batch (nfa.h, Note
 * [counters]). So it stays the same if the batches of every port do. It does not matter in which
 * state a port was active, or in how many.
 *
 * A counter itself is a source of activity that every rule leaves alone: nothing enters it, and its
 * past is comparable to its own alone. There are two more sources. The beginning enters the states
 * of `first`. A source that is active before every batch enters the always states; every state
 * counts as a predecessor of an always state. What states accept at the empty prefix does not
 * matter, because it is never output.
 *
 * If r simulates q by the future simulation, F(q, l) ⊆ F(r, l) for all l; by the past simulation,
 * P(q) ⊆ P(r). The rules follow Mayr and Clemente, "Advanced automata minimization" (POPL 2013),
 * one side at a time. Each is proved by induction on the length of a sequence. p(y) is the
 * predicate of y.
 *
 *   prune future: x -> y is dropped if x -> z stays, p(y) implies p(z), and z simulates the future
 *     of y. Several such z may share out the batches of p(y). All F stay. Transitions are dropped
 *     one after the other, so that what covers a transition is still there.
 *   saturate future: the reverse: x -> y is added if x -> z is there. All F stay, pasts grow.
 *   merge future: states with equal F are merged if their predicates mean the same. F of the merged
 *     state is that of each. States y and z with equal F and different predicates are merged, too,
 *     if one predicate p says p(y) or p(z): the merged state has p. If a predecessor enters both y
 *     and z, this changes nothing for it: alternatives that differ in one predicate become one. If
 *     x enters y and not z, this adds x -> z, which is sound if other successors of x cover z, as
 *     for saturating.
 *   prune past: x -> y is dropped if z -> y stays and P(x) ⊆ P(z). A label of x that such a z has
 *     is dropped, too. All P stay, and so does, for each label, the union of P over the states that
 *     carry it.
 *   saturate past: the reverse. All P stay, futures grow.
 *   merge past: states with equal P are merged.
 *   always: take a set of states that the first batch may enter. For each of its states, let every
 *     batch satisfy the predicate of some predecessor that is in the set or is an always state. By
 *     induction every batch can enter all states of the set. The greatest such set becomes always
 *     states.
 *
 * There are also rules that replace a transition in both ways at once, by the past of x and the
 * future of y. They are sound in one direction only, and with care (section 5 of that paper). They
 * are not used, because rounds of the one-sided rules find most of what they would. A state that
 * another one covers in past and future is dropped by prune past or prune future, transition by
 * transition.
 */
#include "ir/pass/reduce.h"

#include <string.h>

#include "ir/pred_logic.h"

enum { MOST_FEEDERS = 16 };

/* ---- future ---- */

/* Removes from the set each state that others of the set, or always states, cover. One state is
 * removed after the other, so that what covers a state is still there. `others` is scratch
 * space. */
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
	/* An always state covers others only while it is in `set`. */
	memset(d->always, 0, w * sizeof *set);
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

/* Does each predecessor of y also enter z, or else states that together cover z? The beginning
 * counts as a predecessor here, and so does the source of always states. `set` is scratch space. */
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

/* Merges z into y if one predicate can stand for both, and then sets *joined. `set` is scratch
 * space. False: out of memory. */
static bool reduce_join(struct dense *d, const uint64_t *sim, uint32_t y, uint32_t z, uint64_t *set,
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

/* Merges states that simulate each other. Their rows and columns of `sim` are equal, so `sim` stays
 * valid for the states that stay. */
bool reduce_merge_future(struct dense *d, const uint64_t *sim)
{
	uint64_t *set = malloc((d->words + 1) * sizeof *set);
	bool ok = set != NULL, again = ok;

	for (uint32_t y = 0; ok && y < d->n; y++)
		for (uint32_t z = y + 1; z < d->n && bits_get(d->alive, y); z++)
			if (bits_get(d->alive, z) && mutual(d, sim, y, z) &&
			    mutual(d, d->implies, y, z))
				dense_fold(d, y, z);
	/* A merge may make the predecessors of other states equal. So repeat until a round merges
	 * none. */
	while (ok && again) {
		again = false;
		for (uint32_t y = 0; ok && y < d->n; y++)
			for (uint32_t z = y + 1; ok && z < d->n && bits_get(d->alive, y); z++)
				ok = !bits_get(d->alive, z) ||
				     reduce_join(d, sim, y, z, set, &again);
	}
	free(set);
	return ok;
}

/* ---- always ---- */

/* Does every batch leave some predecessor of y active, out of those in `set`? `yes` is the
 * predicate `true`. */
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
			if (bits_get(set, y) && !bits_get(d->always, y) &&
			    !is_fed(d, yes, y, set)) {
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

/* Drops each label of x that another state in row x of `sim` has, too, and in the same way the log
 * mark. False: out of memory. */
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

/* Drops transitions and labels one at a time, so that what covers a dropped one is still there. The
 * past of every state stays the same. */
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
		for (size_t z = bits_next(row, d->n, 0); z < d->n;
		     z = bits_next(row, d->n, z + 1)) {
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
