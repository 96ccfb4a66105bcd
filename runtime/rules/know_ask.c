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

static bool ask_allows(const struct know *k, uint32_t belief, uint32_t event, uint32_t *rule)
{
	const struct kept_composed *c = &k->kept->composed;

	for (uint32_t i = 0; i < c->moves.n; i++) {
		ksets_begin(k->composed);
		if (c->moves.at[i].event == event &&
		    ksets_leaving(k->composed, k->roots.at[belief], i) != KSETS_NONE) {
			*rule = c->moves.at[i].rule;
			return true;
		}
	}
	return false;
}

bool know_allows(const struct know *k, uint32_t belief, uint32_t event, uint32_t *rule)
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

uint32_t know_values(const struct know *k, uint32_t belief, uint32_t var)
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

/* Do tests hold in any state of a set? One that compares two variables is taken for each value of
 * the first. */
static bool ask_possible(const struct know *k, uint32_t set, const struct kept_test *tests,
			 uint32_t n)
{
	uint32_t values[KEPT_PARTS], part, other;

	ksets_begin(k->composed);
	if (set == KSETS_NONE || n == 0)
		return set != KSETS_NONE;
	memset(values, 0xff, sizeof values);
	part = ask_part(k, tests->var);
	if (tests->other == KEPT_NONE) {
		values[part] = tests->values;
		return ask_possible(k, ksets_meets(k->composed, set, values), tests + 1, n - 1);
	}
	other = ask_part(k, tests->other);
	for (uint32_t i = 0; i < k->kept->composed.parts.at[part].base; i++) {
		uint32_t others = 0, some;

		for (uint32_t j = 0; j < k->kept->composed.parts.at[other].base; j++)
			others |= (uint32_t)kept_compares(tests->compare, i, j) << j;
		values[other] = others;
		values[part] = (uint32_t)1 << i & (part == other ? others : UINT32_MAX);
		some = ksets_meets(k->composed, set, values);
		if (ask_possible(k, some, tests + 1, n - 1))
			return true;
	}
	return false;
}

bool know_possible(const struct know *k, uint32_t belief, const struct kept_test *tests,
		   uint32_t n)
{
	const uint64_t *set;

	if (k->composed != NULL)
		return ask_possible(k, k->roots.at[belief], tests, n);
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
