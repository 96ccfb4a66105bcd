/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * joint.h: decides whether a header can pass several tests of its fields together.
 *
 * The bits of a header are chosen from the highest to the lowest. What matters of the bits chosen
 * so far is one state for each test: for `!=`, whether the value already differs; for `in`, whether
 * the value so far equals the beginning of the lowest value, or of the highest one. All
 * combinations of such states that can be reached are kept. When the last bit of a test was chosen,
 * its state no longer matters. So there are more than a few combinations only if many fields share
 * bits, or many tests their masks.
 */
#ifndef NFACC_DESCRIBE_JOINT_H
#define NFACC_DESCRIBE_JOINT_H

#include <stdbool.h>
#include <stdint.h>

/* The most conditions but those that say what bits are, and the most combinations of states. */
enum { JOINT_TESTS = 32, JOINT_STATES = 256 };

enum joint_kind { JOINT_IS, JOINT_IS_NOT, JOINT_IN };

/* A test of a field, which has `bits` bits (1 to 64) from bit `lsb` of the header on, and whose
 * values have `zeros` bits less than 64 that are 0 below them. They are `first` under the mask, or
 * another value, or `first` to `last`. */
struct joint_test {
	enum joint_kind kind;
	uint32_t lsb, bits, zeros;
	uint64_t mask, first, last;
};

/* A test as a condition on the bits of a header that `mask` has. */
struct joint_condition {
	bool in; /* they are lo … hi; otherwise: they are not lo */
	uint64_t mask, lo, hi;
};

/* Tests. Zeroed, there are none. */
struct joint {
	uint64_t mask, value; /* bits that are known, and their values */
	bool left_out;        /* there are more than JOINT_TESTS conditions */
	uint32_t n;
	struct joint_condition at[JOINT_TESTS];
	uint64_t work; /* how often combinations were looked at */
	uint32_t nstates;
	uint64_t states[JOINT_STATES];
};

enum joint_answer { JOINT_NEVER, JOINT_CAN, JOINT_UNKNOWN };

/* Adds the condition that the bits of `mask` have this value. False: no header can meet it. */
bool joint_fix(struct joint *j, uint64_t mask, uint64_t value);

/* Adds a test. False: no header can pass it. */
bool joint_add(struct joint *j, const struct joint_test *t);

/* Can a header pass all tests? Unknown: there are too many, or too many combinations. */
enum joint_answer joint_search(struct joint *j);

#endif
