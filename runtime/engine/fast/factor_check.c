/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The proof that factors leave out nothing (factor.h, Note [factors]). It knows the automaton and
 * the tables, and not how the cut was chosen.
 */
#include "runtime/engine/fast/factor.h"

/* Is a place found at which this gram ends? */
static bool is_found(const struct factor_tables *t, uint64_t word)
{
	uint64_t eight = factor_eight(t, word);
	bool found = factor_has(&t->grams_of, eight) && teddy_finds(t, word);

	for (unsigned i = 0; i < t->stride; i++)
		found = found && factor_has(&t->windows, eight << 8 * i);
	return found;
}

static bool has_gram(struct factor_tables *t, uint64_t word, uint32_t state, uint32_t from)
{
	const struct factor_gram *g = factor_gram_place(t, word);

	for (uint32_t i = g->first_plus_1; i != 0; i = t->of_gram.at[i - 1].next_plus_1)
		if (t->of_gram.at[i - 1].state == state && t->of_gram.at[i - 1].from == from)
			return is_found(t, word);
	return false;
}

/* Is each path of fewer states than a gram has bytes that leads to state s entered by a state? */
static bool is_deep(struct factor *x, uint32_t s, unsigned k)
{
	const struct factor_tables *t = &x->table;
	const struct image_nfa *a = x->nfa;

	if (k == 1)
		return true;
	if (++x->work > FACTOR_MOST_STEPS || (a->states[s].flags & STATE_ALWAYS) != 0)
		return false;
	for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++)
		if ((a->states[t->pred[i]].flags & STATE_START) != 0 ||
		    !is_deep(x, t->pred[i], k - 1))
			return false;
	return true;
}

/* Is what the walks rely on true of state s, which is before the cut? */
static bool is_walkable(const struct factor *x, uint32_t s)
{
	const struct factor_tables *t = &x->table;

	if ((t->kind[s] & FACTOR_OUTPUT) != 0)
		return false;
	for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++) {
		uint32_t p = t->pred[i];
		if ((t->kind[p] & FACTOR_AFTER) != 0)
			return false;
		if (p == s && (t->kind[s] & FACTOR_LOOP) == 0)
			return false;
		if (p != s && (t->kind[s] & FACTOR_LOOP) != 0 &&
		    ((x->nfa->states[p].flags & STATE_ALWAYS) == 0 ||
		     (t->kind[p] & FACTOR_LOOP) != 0))
			return false;
	}
	return true;
}

bool factor_check(struct factor *x)
{
	const struct factor_tables *t = &x->table;
	const struct image_nfa *a = x->nfa;

	if (t->length < 1 || t->length > FACTOR_MOST_LENGTH || t->depth + 2 > FACTOR_PAST ||
	    t->stride < 1 || t->stride >= t->length ||
	    t->windows.bytes != UINT64_MAX << 8 * (t->stride - 1 + 8 - t->length))
		return false;
	x->work = 0;
	for (uint32_t s = 0; s < a->nstates; s++) {
		bool output = a->states[s].labelset != 0 || (a->states[s].flags & STATE_LOG) != 0;
		bool after = (t->kind[s] & FACTOR_AFTER) != 0, cut = (t->kind[s] & FACTOR_CUT) != 0;
		if (output != ((t->kind[s] & FACTOR_OUTPUT) != 0) || (cut && !after) ||
		    (!after && !is_walkable(x, s)) ||
		    (cut && !is_deep(x, s, t->length)) ||
		    (after && !cut && (a->states[s].flags & STATE_ALWAYS) != 0))
			return false;
		for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++)
			if (after && !cut && (t->kind[t->pred[i]] & FACTOR_AFTER) == 0)
				return false;
	}
	return factor_each_gram(x, has_gram);
}
