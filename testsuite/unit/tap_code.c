/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests each operation of the expressions of taps (runtime/wave/tap_code.h) on all values of two bits
 * that are 0, 1 or unknown. The definition: a bit of the result is known if it is the same whatever
 * the unknown bits of the operands are; but sums, shifts and orders are unknown as soon as a bit of
 * an operand is.
 */
#include "contract/proto/tap.h"
#include "runtime/wave/tap_code.h"
#include "testsuite/unit/unit.h"

enum { BITS = 2, MASK = 3, SIGNALS = 3, RESULT = 2 * SIGNALS, VALUES = 9 };

/* Bits that are 1, and bits that are 0 or 1. */
struct rails {
	uint64_t value, known;
};

/* Value number i of VALUES: each digit is 0, 1 or unknown. */
static struct rails rails_of(unsigned i)
{
	struct rails r = { 0, 0 };

	for (unsigned bit = 0; bit < BITS; bit++, i /= 3) {
		r.value |= (uint64_t)(i % 3 == 1) << bit;
		r.known |= (uint64_t)(i % 3 != 2) << bit;
	}
	return r;
}

/* The operation on known values. */
static uint64_t plain(enum tap_op op, uint64_t number, uint64_t a, uint64_t b, uint64_t c)
{
	switch (op) {
	case TAP_NUMBER:
		return number;
	case TAP_SLICE:
		return a >> number & 1;
	case TAP_CONCAT:
		return a << BITS | b;
	case TAP_INVERT:
		return ~a & MASK;
	case TAP_NEGATE:
		return (0 - a) & MASK;
	case TAP_AND:
		return a & b;
	case TAP_OR:
		return a | b;
	case TAP_XOR:
		return a ^ b;
	case TAP_ADD:
		return (a + b) & MASK;
	case TAP_SUB:
		return (a - b) & MASK;
	case TAP_LEFT:
		return a << b & MASK;
	case TAP_RIGHT:
		return a >> b;
	case TAP_CHOOSE:
		return a != 0 ? b : c;
	case TAP_PAST:
		return a;
	case TAP_NOT:
		return a == 0;
	case TAP_ALL:
		return a == MASK;
	case TAP_ANY:
		return a != 0;
	case TAP_PARITY:
		return (a ^ a >> 1) & 1;
	case TAP_LESS:
		return a < b;
	case TAP_LESS_EQUAL:
		return a <= b;
	case TAP_EQUAL:
		return a == b;
	case TAP_UNEQUAL:
		return a != b;
	case TAP_BOTH:
		return a != 0 && b != 0;
	case TAP_EITHER:
		return a != 0 || b != 0;
	}
	return 0;
}

static uint32_t width_of(enum tap_op op)
{
	return op == TAP_CONCAT ? 2 * BITS : op >= TAP_NOT || op == TAP_SLICE ? 1 : BITS;
}

/* Is the result unknown as soon as a bit of an operand is? */
static bool is_strict(enum tap_op op)
{
	return op == TAP_NEGATE || op == TAP_ADD || op == TAP_SUB || op == TAP_LEFT ||
	       op == TAP_RIGHT || op == TAP_LESS || op == TAP_LESS_EQUAL;
}

/* What the definition says. */
static struct rails wanted(const struct tap_code *code, const struct rails r[SIGNALS])
{
	uint64_t all = ((uint64_t)1 << code->width) - 1, ones = all, zeros = all;

	if (is_strict(code->op))
		for (int i = 0; i < tap_operands(code->op); i++)
			if (r[i].known != MASK)
				return (struct rails){ 0, 0 };
	for (unsigned x = 0; x < 1u << BITS * SIGNALS; x++) {
		uint64_t v[SIGNALS], got;
		for (unsigned i = 0; i < SIGNALS; i++)
			v[i] = r[i].value | ((x >> BITS * i & MASK) & ~r[i].known);
		got = plain(code->op, code->number, v[0], v[1], v[2]);
		ones &= got;
		zeros &= ~got;
	}
	return (struct rails){ ones, ones | zeros };
}

/* Prepares one operation on three signals. */
static void one_operation(struct tap_code_state *s, struct tap_interface *x, struct tap_code *code)
{
	static const struct tap_signal signals[SIGNALS] = {
		{ .name = "a", .bits = BITS }, { .name = "b", .bits = BITS }, { .name = "c", .bits = BITS }
	};

	*x = (struct tap_interface){ .nsignals = SIGNALS, .signals = signals, .ncode = 1,
				     .code = code };
	ck_assert(tap_code_prepare(s, x));
}

START_TEST(operations)
{
	for (enum tap_op op = TAP_NUMBER; op <= TAP_EITHER; op++) {
		struct tap_code code = { op, width_of(op), 0, 1, 2, 1 };
		const struct tap_expr e = { .result = RESULT, .begin = 0, .end = 1 };
		struct tap_code_state s = { 0 };
		struct tap_interface x;
		if (op == TAP_PAST)
			continue;
		one_operation(&s, &x, &code);
		for (unsigned i = 0; i < VALUES * VALUES * VALUES; i++) {
			struct rails r[SIGNALS] = { rails_of(i % VALUES),
						    rails_of(i / VALUES % VALUES),
						    rails_of(i / VALUES / VALUES) };
			struct rails want = wanted(&code, r);
			for (uint32_t k = 0; k < SIGNALS; k++) {
				s.value[s.place[k]] = r[k].value;
				s.known[s.place[k]] = r[k].known;
			}
			tap_code_run(&s, &e);
			ck_assert_msg(s.value[s.place[RESULT]] == want.value &&
					      s.known[s.place[RESULT]] == want.known,
				      "operation %d, operands %u: %#x of %#x, not %#x of %#x", (int)op,
				      i, (unsigned)s.value[s.place[RESULT]],
				      (unsigned)s.known[s.place[RESULT]], (unsigned)want.value,
				      (unsigned)want.known);
		}
		tap_code_free(&s);
	}
}
END_TEST

/* past() has the value of the sample before, and is unknown where there is none. */
START_TEST(past)
{
	struct tap_code code = { TAP_PAST, BITS, SIGNALS, 0, 0, 0 };
	const struct tap_expr e = { .result = RESULT, .begin = 0, .end = 1 };
	struct tap_code_state s = { 0 };
	struct tap_interface x;

	one_operation(&s, &x, &code);
	for (unsigned i = 0; i < 2 * VALUES; i++) {
		struct rails r = rails_of(i % VALUES);
		bool there = i < VALUES;
		s.value[s.place[0]] = r.value;
		s.known[s.place[0]] = r.known;
		tap_code_keep(&s, there);
		s.value[s.place[0]] = 0;
		s.known[s.place[0]] = MASK;
		tap_code_run(&s, &e);
		unit_eq(s.value[s.place[RESULT]], there ? r.value : 0);
		unit_eq(s.known[s.place[RESULT]], there ? r.known : 0);
	}
	tap_code_free(&s);
}
END_TEST

Suite *suite_tap_code(void)
{
	const TTest *const tests[] = { operations, past, NULL };

	return unit_suite("tap_code", tests);
}
