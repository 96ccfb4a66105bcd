/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What is asked of a belief, to explain it.
 */
#include <string.h>

#include "runtime/rules/know.h"
#include "support/bits.h"

/* Returns the first state from number i on that a belief has, if the system is listed. */
static size_t ask_next(const struct know *k, const uint64_t *set, size_t i)
{
	return bits_next(set, k->kept->system.nstates, i);
}

/* Begins a question. Returns whether to ask: at first, and once more if there was no room for the
 * answer, because of what was asked before. */
static bool ask_begin(struct know *k, int *times)
{
	bool room = !k->composed->full || k->composed->steps > k->composed->most_steps;

	if (*times == 2 || (*times == 1 && room))
		return false;
	if (*times == 1)
		know_collect(k);
	++*times;
	ksets_begin(k->composed);
	return true;
}

static bool ask_allows(struct know *k, uint32_t belief, uint32_t event, uint32_t *rule)
{
	const struct kept_composed *c = &k->kept->composed;

	for (int times = 0; ask_begin(k, &times);)
		for (uint32_t i = 0; i < c->moves.n && !ksets_stop(k->composed); i++)
			if (c->moves.at[i].event == event &&
			    ksets_leaving(k->composed, k->roots.at[belief], i) != KSETS_NONE &&
			    !ksets_stop(k->composed)) {
				*rule = c->moves.at[i].rule;
				return true;
			}
	return ksets_stop(k->composed);
}

bool know_allows(struct know *k, uint32_t belief, uint32_t event, uint32_t *rule)
{
	const struct kept_system *s = &k->kept->system;
	const uint64_t *set;

	*rule = KEPT_NONE;
	if (k->composed != NULL)
		return ask_allows(k, belief, event, rule);
	set = know_states(k, belief);
	for (size_t i = ask_next(k, set, 0); i < s->nstates; i = ask_next(k, set, i + 1))
		for (uint32_t j = s->first[i]; j < s->first[i + 1]; j++)
			if (s->moves[j].event == event) {
				*rule = s->moves[j].rule;
				return true;
			}
	return false;
}

/* Returns the part that is a variable. */
static uint32_t ask_part(const struct know *k, uint32_t var)
{
	uint32_t i = 0;

	while (k->kept->composed.parts.at[i].var != var)
		i++;
	return i;
}

uint32_t know_values(struct know *k, uint32_t belief, uint32_t var)
{
	const uint64_t *set;
	uint32_t values = 0;

	if (k->composed != NULL) {
		uint32_t of[KEPT_PARTS] = { 0 };

		ksets_values(k->composed, k->roots.at[belief], of);
		return of[ask_part(k, var)];
	}
	set = know_states(k, belief);
	for (size_t i = ask_next(k, set, 0); i < k->kept->system.nstates;
	     i = ask_next(k, set, i + 1))
		values |= (uint32_t)1 << kept_values(k->kept, (uint32_t)i)[var];
	return values;
}

/* Returns those states of a set in which all tests hold that compare nothing. */
static uint32_t ask_plain(const struct know *k, uint32_t set, const struct kept_test *tests,
			  uint32_t n, uint32_t *values)
{
	memset(values, 0xff, KEPT_PARTS * sizeof *values);
	for (uint32_t i = 0; i < n; i++)
		if (tests[i].other == KEPT_NONE)
			values[ask_part(k, tests[i].var)] &= tests[i].values;
	set = ksets_meets(k->composed, set, values);
	memset(values, 0xff, KEPT_PARTS * sizeof *values);
	return set;
}

/* Do the tests that compare two variables hold in any state of a set? Each is taken for each value
 * of the first. values[] has all bits, before and after. At most KEPT_TESTS calls deep. */
static bool ask_compared(const struct know *k, uint32_t set, const struct kept_test *tests,
			 uint32_t n, uint32_t *values)
{
	const struct kept_composed *c = &k->kept->composed;
	uint32_t part, other;

	for (; n != 0 && tests->other == KEPT_NONE; n--)
		tests++;
	if (set == KSETS_NONE || n == 0 || ksets_stop(k->composed))
		return set != KSETS_NONE && !ksets_stop(k->composed);
	part = ask_part(k, tests->var);
	other = ask_part(k, tests->other);
	for (uint32_t i = 0; i < c->parts.at[part].base && !ksets_stop(k->composed); i++) {
		uint32_t others = 0, some;

		for (uint32_t j = 0; j < c->parts.at[other].base; j++)
			others |= (uint32_t)kept_compares(tests->compare, i, j) << j;
		values[other] = others;
		values[part] = (uint32_t)1 << i & (part == other ? others : UINT32_MAX);
		some = ksets_meets(k->composed, set, values);
		values[part] = values[other] = UINT32_MAX;
		ksets_spend(k->composed, c->parts.at[other].base);
		if (ask_compared(k, some, tests + 1, n - 1, values))
			return true;
	}
	return false;
}

static bool ask_possible(struct know *k, uint32_t belief, const struct kept_test *tests,
			 uint32_t n)
{
	uint32_t values[KEPT_PARTS];
	bool possible = false;

	for (int times = 0; ask_begin(k, &times);) {
		uint32_t set = ask_plain(k, k->roots.at[belief], tests, n, values);

		possible = ask_compared(k, set, tests, n, values);
	}
	return possible || ksets_stop(k->composed);
}

bool know_possible(struct know *k, uint32_t belief, const struct kept_test *tests, uint32_t n)
{
	const uint64_t *set;

	if (k->composed != NULL)
		return ask_possible(k, belief, tests, n);
	set = know_states(k, belief);
	for (size_t i = ask_next(k, set, 0); i < k->kept->system.nstates;
	     i = ask_next(k, set, i + 1)) {
		uint32_t t = 0;

		while (t < n && kept_holds(&tests[t], kept_values(k->kept, (uint32_t)i)))
			t++;
		if (t == n)
			return true;
	}
	return false;
}
