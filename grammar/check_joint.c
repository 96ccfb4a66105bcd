/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Decides whether a message can pass all tests of a guard together, where each test can be passed
 * by itself.
 *
 * The bits of a header are chosen from the highest to the lowest. What matters of the bits chosen
 * so far is one state for each test: for `!=`, whether the value already differs; for `in`, whether
 * the value so far equals the beginning of the lowest value, or of the highest one. All
 * combinations of such states that can be reached are kept. When the last bit of a test was chosen,
 * its state no longer matters. So there are more than a few combinations only if many fields share
 * bits.
 *
 * Tests of payload are taken to be such that a message can pass them, with all others.
 */
#include <string.h>

#include "grammar/check.h"

enum { MOST_TESTS = 32, MOST_STATES = 256 };

/* The states of test i are bits 2 * i and 2 * i + 1 of a combination. */
enum { DIFFERS = 1, AT_LOWEST = 1, AT_HIGHEST = 2 };

/* A test as a condition on the bits of a header that `mask` has. */
struct condition {
	bool in; /* they are lo … hi; otherwise: they are not lo */
	uint64_t mask, lo, hi;
};

struct joint {
	uint64_t mask, value; /* bits that are known, and their values */
	uint32_t n;
	struct condition at[MOST_TESTS];
	uint32_t nstates;
	uint64_t states[MOST_STATES];
};

/* Adds the condition that the bits of `mask` have this value. False: no header can meet it. */
static bool fix(struct joint *j, uint64_t mask, uint64_t value)
{
	bool conflict = ((j->value ^ value) & j->mask & mask) != 0 || (value & ~mask) != 0;

	j->mask |= mask;
	j->value |= value;
	return !conflict;
}

/* Adds a test of messages with this code, which have the field. False: no header can pass. */
static bool add_test(struct joint *j, const struct nfart_proto *p, const struct ast_test *t,
		     uint32_t code)
{
	bool addr = t->field == PROTO_ADDR;
	const struct proto_place *place = addr ? NULL : proto_field_place(p, t->field, code);
	uint32_t lsb = addr ? p->header.addr_lsb : place->lsb,
		 bits = addr ? p->header.addr_bits : place->bits;
	uint32_t zeros = addr ? p->header.line_shift : 0; /* bits of a value that are 0 */
	uint64_t field = ((uint64_t)1 << bits) - 1;
	uint64_t low = ((uint64_t)1 << zeros) - 1, mask = t->mask.value, value = t->value.value;
	uint64_t first = (value >> zeros) + ((value & low) != 0), last = t->last.value >> zeros;
	struct condition x = { .in = t->kind == AST_TEST_IN };

	if (t->kind == AST_TEST_IS || t->kind == AST_TEST_IS_NOT)
		mask = UINT64_MAX;
	if (x.in) {
		if (first > last || first > field)
			return false;
		x.mask = field << lsb;
		x.lo = first << lsb;
		x.hi = (last < field ? last : field) << lsb;
	} else {
		bool never = (value & low) != 0 || (value >> zeros & ~(mask >> zeros & field)) != 0;
		bool equal = t->kind == AST_TEST_IS || t->kind == AST_TEST_MASK_IS;

		x.mask = (mask >> zeros & field) << lsb;
		x.lo = never ? 0 : value >> zeros << lsb;
		if (equal)
			return !never && fix(j, x.mask, x.lo);
		if (never)
			return true;
		if (x.mask == 0)
			return false;
	}
	if (j->n < MOST_TESTS)
		j->at[j->n++] = x;
	return true;
}

/* Changes the state of condition i in *state when `bit`, a single bit, of the header is chosen.
 * False: the condition is not met any more. */
static bool joint_choose(const struct condition *x, uint32_t i, uint64_t bit, bool one,
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
	if (j->nstates == MOST_STATES)
		return false;
	j->states[j->nstates++] = state;
	return true;
}

/* Can the conditions be met together? If there are too many combinations, the answer is true. */
static bool joint_search(struct joint *j)
{
	uint64_t before[MOST_STATES];
	uint32_t n;

	/* A single condition on bits that are not known can be met. */
	if (j->n == 0 || (j->n == 1 && (j->at[0].mask & j->mask) == 0))
		return true;
	j->nstates = 1;
	j->states[0] = 0;
	for (uint32_t i = 0; i < j->n; i++)
		if (j->at[i].in)
			j->states[0] |= (uint64_t)(AT_LOWEST | AT_HIGHEST) << 2 * i;
	for (uint64_t bit = (uint64_t)1 << 63; bit != 0; bit >>= 1) {
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
			if (met && !add_state(j, state))
				return true;
		}
	}
	return j->nstates != 0;
}

bool check_joint(const struct check *c, const struct ast_basic *b, uint32_t code)
{
	const struct nfart_proto *p = c->proto;
	uint64_t opcode = code & ((1u << p->header.op_bits) - 1);
	struct joint j = { .n = 0 };

	fix(&j, (uint64_t)((1u << p->header.op_bits) - 1) << p->header.op_lsb,
	    opcode << p->header.op_lsb);
	for (uint32_t i = 0; i < b->ntests; i++)
		if (c->ast->tests.at[b->first_test + i].field != PROTO_PAYLOAD &&
		    !add_test(&j, p, &c->ast->tests.at[b->first_test + i], code))
			return false;
	return joint_search(&j);
}
