/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "grammar/describe/joint.h"

#include <string.h>

/* The states of condition i are bits 2 * i and 2 * i + 1 of a combination. */
enum { DIFFERS = 1, AT_LOWEST = 1, AT_HIGHEST = 2 };

bool joint_fix(struct joint *j, uint64_t mask, uint64_t value)
{
	bool conflict = ((j->value ^ value) & j->mask & mask) != 0 || (value & ~mask) != 0;

	j->mask |= mask;
	j->value |= value;
	return !conflict;
}

bool joint_add(struct joint *j, const struct joint_test *t)
{
	uint32_t zeros = t->zeros;
	uint64_t field = UINT64_MAX >> (64 - t->bits);
	uint64_t low = ((uint64_t)1 << zeros) - 1, value = t->first;
	uint64_t first = (value >> zeros) + ((value & low) != 0), last = t->last >> zeros;
	struct joint_condition x = { .in = t->kind == JOINT_IN };

	if (x.in) {
		if (first > last || first > field)
			return false;
		x.mask = field << t->lsb;
		x.lo = first << t->lsb;
		x.hi = (last < field ? last : field) << t->lsb;
	} else {
		uint64_t mask = t->mask >> zeros & field;
		bool never = (value & low) != 0 || (value >> zeros & ~mask) != 0;

		x.mask = mask << t->lsb;
		x.lo = never ? 0 : value >> zeros << t->lsb;
		if (t->kind == JOINT_IS)
			return !never && joint_fix(j, x.mask, x.lo);
		if (never)
			return true;
		if (x.mask == 0)
			return false;
	}
	if (j->n < JOINT_TESTS)
		j->at[j->n++] = x;
	else
		j->left_out = true;
	return true;
}

/* Changes the state of condition i in *state when `bit`, a single bit, of the header is chosen.
 * False: the condition is not met any more. */
static bool joint_choose(const struct joint_condition *x, uint32_t i, uint64_t bit, bool one,
			 uint64_t *state)
{
	uint64_t s = *state >> 2 * i & 3;
	bool lo = (x->lo & bit) != 0, hi = (x->hi & bit) != 0;

	if ((x->mask & bit) == 0)
		return true;
	if (x->in) {
		if (((s & AT_LOWEST) != 0 && one < lo) || ((s & AT_HIGHEST) != 0 && one > hi))
			return false;
		s &= (one == lo ? AT_LOWEST : 0u) | (one == hi ? AT_HIGHEST : 0u);
	} else if (one != lo) {
		s = DIFFERS;
	}
	if ((x->mask & (bit - 1)) == 0) { /* this was the last bit */
		if (!x->in && s != DIFFERS)
			return false;
		s = 0;
	}
	*state = (*state & ~((uint64_t)3 << 2 * i)) | s << 2 * i;
	return true;
}

/* Adds a combination of states unless it is there. False: there are too many. */
static bool add_state(struct joint *j, uint64_t state)
{
	for (uint32_t i = 0; i < j->nstates; i++)
		if (j->states[i] == state)
			return true;
	if (j->nstates == JOINT_STATES)
		return false;
	j->states[j->nstates++] = state;
	return true;
}

enum joint_answer joint_search(struct joint *j)
{
	uint64_t before[JOINT_STATES], open = j->mask;
	uint32_t n;

	/* A single condition on bits that are not known can be met. */
	if (!j->left_out && (j->n == 0 || (j->n == 1 && (j->at[0].mask & j->mask) == 0)))
		return JOINT_CAN;
	j->nstates = 1;
	j->states[0] = 0;
	for (uint32_t i = 0; i < j->n; i++) {
		open |= j->at[i].mask;
		if (j->at[i].in)
			j->states[0] |= (uint64_t)(AT_LOWEST | AT_HIGHEST) << 2 * i;
	}
	for (uint64_t bit = (uint64_t)1 << 63; bit != 0; bit >>= 1) {
		if ((open & bit) == 0)
			continue;
		n = j->nstates;
		memcpy(before, j->states, n * sizeof *before);
		j->nstates = 0;
		for (uint32_t k = 0; k < 2 * n; k++) {
			uint64_t state = before[k / 2];
			bool one = k % 2 == 1, met = true;

			if ((j->mask & bit) != 0 && one != ((j->value & bit) != 0))
				continue;
			for (uint32_t i = 0; i < j->n && met; i++)
				met = joint_choose(&j->at[i], i, bit, one, &state);
			j->work += 1 + j->nstates;
			if (met && !add_state(j, state))
				return JOINT_UNKNOWN;
		}
	}
	return j->nstates == 0 ? JOINT_NEVER : j->left_out ? JOINT_UNKNOWN : JOINT_CAN;
}
