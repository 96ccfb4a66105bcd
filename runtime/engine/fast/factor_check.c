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
	uint32_t hash = factor_gram_hash(t, word);

	for (uint32_t i = t->first[hash]; i < t->first[hash + 1] && i < t->grams; i++)
		if (t->gram[i].word == word && t->gram[i].node == t->node_of[state] &&
		    t->gram[i].walk < t->walks && t->walk_state[t->gram[i].walk][0] == from)
			return is_found(t, word);
	return false;
}

/* Is there a node for state s, which is after the cut, that does what the state does? */
static bool is_node(const struct factor *x, uint32_t s)
{
	const struct factor_tables *t = &x->table;
	const struct image_nfa *a = x->nfa;
	const struct factor_node *n = &t->node[t->node_of[s]];
	uint32_t succs = a->succ_first[s + 1] - a->succ_first[s];

	if (t->node_of[s] >= t->nodes || t->state_of[t->node_of[s]] != s ||
	    n->pred != factor_pred(a, s) || n->flags != factor_flags(a, s) ||
	    n[1].first_succ - n->first_succ != succs)
		return false;
	for (uint32_t i = 0; i < succs; i++)
		if (t->succ[n->first_succ + i] != t->node_of[a->succ[a->succ_first[s] + i]])
			return false;
	return true;
}

/* Does the walk have all states before the cut that lead to its state k by one step, and no others?
 * */
static bool is_whole(const struct factor_tables *t, const struct factor_walk *w,
		     const uint32_t *state, unsigned k)
{
	uint32_t s = state[k], left = w->before[k];

	for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++) {
		uint32_t p = t->pred[i];
		unsigned j = 0;
		while (j < w->n && (state[j] != p || (w->before[k] >> j & 1) == 0))
			j++;
		if (j == w->n && (t->kind[p] & FACTOR_AFTER) == 0)
			return false;
		left &= j == w->n ? left : ~(1u << j);
	}
	return left == 0;
}

/* Does a walk follow the predecessors of its states? */
static bool is_walk(const struct factor *x, size_t number)
{
	const struct factor_tables *t = &x->table;
	const struct factor_walk *w = &t->walk[number];
	const uint32_t *state = t->walk_state[number];
	const struct image_nfa *a = x->nfa;

	if (w->n > FACTOR_MOST_WALK)
		return false;
	for (unsigned k = 0; k < FACTOR_MOST_WALK; k++)
		if (state[k] >= a->nstates)
			return false;
	for (unsigned k = 0; k < w->n; k++) {
		const struct image_state *s = &a->states[state[k]];
		bool always = (s->flags & STATE_ALWAYS) != 0;
		if (w->pred[k] != factor_pred(a, state[k]) ||
		    (w->always >> k & 1) != always || !is_whole(t, w, state, k))
			return false;
	}
	return true;
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

/* Do both tables of predicates and bytes say the same? */
static bool is_held(const struct factor_tables *t, uint32_t npreds)
{
	for (uint32_t p = 0; p <= npreds; p++)
		for (unsigned b = 0; b < 256; b++)
			if (bits_get(factor_byte_holds(t, (unsigned char)b), p) !=
			    bits_get(t->letters[p], b))
				return false;
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
	if (!is_held(t, a->npreds))
		return false;
	x->work = 0;
	for (uint32_t s = 0; s < a->nstates; s++) {
		bool output = a->states[s].labelset != 0 || (a->states[s].flags & STATE_LOG) != 0;
		bool after = (t->kind[s] & FACTOR_AFTER) != 0, cut = (t->kind[s] & FACTOR_CUT) != 0;
		if (output != ((t->kind[s] & FACTOR_OUTPUT) != 0) || (cut && !after) ||
		    (!after && !is_walkable(x, s)) ||
		    (cut && !is_deep(x, s, t->length)) || (after && !is_node(x, s)) ||
		    (after && !cut && (a->states[s].flags & STATE_ALWAYS) != 0))
			return false;
		for (uint32_t i = t->pred_first[s]; i < t->pred_first[s + 1]; i++)
			if (after && !cut && (t->kind[t->pred[i]] & FACTOR_AFTER) == 0)
				return false;
	}
	for (size_t i = 0; i < t->walks; i++)
		if (!is_walk(x, i))
			return false;
	return factor_each_gram(x, has_gram);
}
