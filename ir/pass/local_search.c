/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Local search for small automata. A move is any change that may remove a state. symbols.h decides
 * exactly whether the result means the same, so no move needs a proof of its own:
 *
 *   drop: removes a state. This is also tried after saturate(), which adds transitions and labels
 *     wherever the meaning stays, so that other states can do what this one did. A transition
 *     x -> y is added if y can be entered whenever x is active. The sets of states that are active
 *     together show this.
 *   fold: makes two states one, with the predicate of one of them, or with one that says either.
 *   always: makes a state one that every batch may enter.
 *   begin: lets the first batch enter all successors of some state. Then this state can have the
 *     start bit, and a start state without predicate is not needed.
 *
 * When no move helps, some transitions and predicates are changed at random without changing the
 * meaning, and all moves are tried again. The random numbers are the same in every run. The search
 * ends after comparisons have read PASS_SEARCH_WORK symbols, or after ROUNDS random changes without
 * success. An automaton above the bounds of symbols.h stays as it is.
 */
#include <string.h>

#include "ir/pass/passes.h"
#include "ir/pass/symbols.h"
#include "ir/pred_logic.h"

enum { ROUNDS = 2 };

struct search {
	struct symbols l;
	struct candidate cur, try;
	uint64_t work, random;
	bool failed; /* out of memory */
};

/* Replaces *to by a copy of *from. If memory is short *to stays as it is. */
static bool walk_copy(struct search *w, struct candidate *to, const struct candidate *from)
{
	struct dense d;

	if (!dense_copy(&d, &from->d)) {
		dense_free(&d);
		w->failed = true;
		return false;
	}
	dense_free(&to->d);
	to->d = d;
	memcpy(to->holds, from->holds, sizeof to->holds);
	return true;
}

static bool is_same(struct search *w)
{
	return !w->failed && w->work != 0 && symbols_same(&w->l, &w->try, &w->work);
}

/* Copies w->try to w->cur if it means the same and has fewer states. Returns whether it did. */
static bool accept(struct search *w)
{
	if (!w->failed && !dense_trim(&w->try.d))
		w->failed = true;
	return !w->failed && dense_states(&w->try.d) < dense_states(&w->cur.d) && is_same(w) &&
	       walk_copy(w, &w->cur, &w->try);
}

/* ---- moves ---- */

static bool set_labels(struct search *w, uint32_t s, uint64_t says)
{
	struct dense *d = &w->try.d;
	uint32_t labels[64], n = 0;

	if (symbols_says(d, (uint64_t)1 << s) == says)
		return true;
	d->q[s].log = says >> 63 != 0;
	for (uint64_t k = says << 1 >> 1; k != 0; k &= k - 1)
		labels[n++] = (uint32_t)__builtin_ctzll(k);
	d->q[s].labels = nfa_labelset(d->a, labels, n);
	if (d->q[s].labels == UINT32_MAX)
		w->failed = true;
	return !w->failed;
}

/* Adds to `try` every transition and label that changes no set of active states and no output. The
 * sets are in w->l.seen: the last symbols_same() must have compared `try`, and must have said
 * yes. */
static void saturate(struct search *w)
{
	struct dense *d = &w->try.d;

	for (uint32_t s = 0; s < d->n && !w->failed; s++) {
		uint64_t out = ~(uint64_t)0, says = ~(uint64_t)0;
		if (!bits_get(d->alive, s))
			continue;
		for (uint32_t i = 0; i < w->l.npairs; i++) {
			uint64_t active = w->l.seen[2 * (size_t)i + 1];
			if ((active >> s & 1) == 0)
				continue;
			out &= symbols_enabled(d, active, false);
			says &= symbols_says(d, active);
		}
		if (out == ~(uint64_t)0)
			continue; /* s is never active */
		out &= d->alive[0] & ~d->always[0];
		for (; out != 0; out &= out - 1)
			dense_connect(d, s, (uint32_t)__builtin_ctzll(out));
		set_labels(w, s, says);
	}
}

static bool walk_drop(struct search *w, const struct candidate *from, uint32_t s)
{
	struct dense *d = &w->try.d;

	if (!walk_copy(w, &w->try, from))
		return false;
	for (uint32_t r = 0; r < d->n; r++)
		dense_cut(d, r, s);
	d->first[0] &= ~((uint64_t)1 << s);
	d->always[0] &= ~((uint64_t)1 << s);
	return accept(w);
}

/* Which predicate the folded state has: one that says either, or that of the first or the
 * second. */
enum choice { EITHER, FIRST, SECOND, CHOICES };

static bool choose_pred(struct search *w, uint32_t s, uint32_t t, enum choice c)
{
	struct dense *d = &w->try.d;
	pred_id_t p = c == SECOND ? d->q[t].pred : d->q[s].pred;

	if (c == EITHER && !pred_or(d->a->preds, d->q[s].pred, d->q[t].pred, &p))
		w->failed = true;
	if (p == PRED_NONE)
		return false;
	for (size_t i = 0; i < SYMBOLS_MOST / 64; i++) {
		if (c == EITHER)
			w->try.holds[s][i] |= w->try.holds[t][i];
		else if (c == SECOND)
			w->try.holds[s][i] = w->try.holds[t][i];
	}
	d->q[s].pred = p;
	return !w->failed;
}

static bool fold(struct search *w, const struct candidate *from, uint32_t s, uint32_t t,
		 enum choice c)
{
	struct dense *d = &w->try.d;

	if (c != EITHER && from->d.q[s].pred == from->d.q[t].pred)
		return false;
	if (!walk_copy(w, &w->try, from) || !choose_pred(w, s, t, c) ||
	    !set_labels(w, s, symbols_says(d, (uint64_t)1 << s | (uint64_t)1 << t)))
		return false;
	dense_fold(d, s, t);
	return accept(w);
}

static bool walk_begin(struct search *w, const struct candidate *from, uint32_t s)
{
	if (!walk_copy(w, &w->try, from))
		return false;
	w->try.d.first[0] |= w->try.d.out[s];
	return accept(w);
}

static bool always(struct search *w, const struct candidate *from, uint32_t s)
{
	if (!walk_copy(w, &w->try, from))
		return false;
	dense_set_always(&w->try.d, s);
	return accept(w);
}

static bool any_move(struct search *w, const struct candidate *from)
{
	uint32_t n = from->d.n;

	for (uint32_t s = 0; s < n && !w->failed; s++)
		if (bits_get(from->d.alive, s) &&
		    (walk_drop(w, from, s) || walk_begin(w, from, s) || always(w, from, s)))
			return true;
	for (uint32_t s = 0; s < n && !w->failed; s++)
		for (uint32_t t = s + 1; t < n && bits_get(from->d.alive, s) && !w->failed; t++)
			for (int c = 0; c < CHOICES && bits_get(from->d.alive, t); c++)
				if (fold(w, from, s, t, (enum choice)c))
					return true;
	return false;
}

/* Tries the moves on the current automaton; if none is accepted, tries them on the saturated one.
 * Repeats this until no move is accepted on either, or the work is used up. */
static void descend(struct search *w)
{
	struct candidate from = { .holds = { { 0 } } };
	bool again = true;

	while (again && !w->failed && w->work != 0) {
		again = any_move(w, &w->cur);
		if (again || !walk_copy(w, &w->try, &w->cur) || !is_same(w))
			continue;
		saturate(w);
		again = walk_copy(w, &from, &w->try) && any_move(w, &from);
	}
	dense_free(&from.d);
}

/* ---- chance ---- */

/* Returns a random number below n, by SplitMix64 (Steele, Lea, Flood 2014). */
static uint32_t walk_below(struct search *w, uint32_t n)
{
	uint64_t z = w->random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (uint32_t)((z >> 32) % n);
}

/* Makes one change at random, and keeps it if the meaning stays. */
static void shake(struct search *w)
{
	struct dense *d = &w->try.d;
	uint32_t n = w->cur.d.n, s = walk_below(w, n), t = walk_below(w, n),
		 kind = walk_below(w, 4);

	if (!bits_get(w->cur.d.alive, s) || !bits_get(w->cur.d.alive, t) ||
	    !walk_copy(w, &w->try, &w->cur))
		return;
	if (kind == 0 && s != t) {
		if (!choose_pred(w, s, t, walk_below(w, 2) != 0 ? EITHER : SECOND))
			return;
	} else if (kind == 1) {
		d->first[0] ^= (uint64_t)1 << t & ~d->always[0];
	} else if (bits_get(d->always, t)) {
		return;
	} else if (bits_get(dense_row(d, d->out, s), t)) {
		dense_cut(d, s, t);
	} else {
		dense_connect(d, s, t);
	}
	if (dense_states(d) <= dense_states(&w->cur.d) && is_same(w))
		walk_copy(w, &w->cur, &w->try);
}

static bool walk_search(struct search *w, struct candidate *best)
{
	for (int round = 0; round <= ROUNDS && w->work != 0 && !w->failed; round++) {
		if (round != 0)
			for (uint32_t i = 0; i < 4 * w->cur.d.n; i++)
				shake(w);
		descend(w);
		if (!w->failed && dense_states(&w->cur.d) < dense_states(&best->d)) {
			walk_copy(w, best, &w->cur);
			round = 0;
		}
	}
	return !w->failed;
}

enum nfart_status pass_search(struct nfa *a)
{
	struct search *w;
	struct candidate *best;
	enum nfart_status status = NFART_SYSTEM;

	if (a->states.n > PASS_PAIRS_MOST) /* symbols.h takes far fewer states */
		return NFART_OK;
	w = calloc(1, sizeof *w);
	best = calloc(1, sizeof *best);
	if (w == NULL || best == NULL || !dense_make(&best->d, a))
		goto out;
	w->work = PASS_SEARCH_WORK;
	status = symbols_make(&w->l, &best->d, &w->work);
	if (status == NFART_GAVEUP)
		status = NFART_OK;
	else if (status == NFART_OK) {
		uint32_t before = dense_states(&best->d);
		memcpy(best->holds, w->l.holds, sizeof best->holds);
		status = walk_copy(w, &w->cur, best) && walk_search(w, best) &&
				 (dense_states(&best->d) == before || dense_store(&best->d))
			 ? NFART_OK : NFART_SYSTEM;
	}
out:
	if (w != NULL) {
		symbols_free(&w->l);
		dense_free(&w->cur.d);
		dense_free(&w->try.d);
	}
	if (best != NULL)
		dense_free(&best->d);
	free(w);
	free(best);
	return status;
}
