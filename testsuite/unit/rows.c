/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Keys of dense rows, at all levels of instructions that the processor has: for protocols of every
 * number of slots and width of opcodes, whatever share of the opcodes is named.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/fast/decode_keys.h"
#include "support/processor.h"
#include "testsuite/unit/unit.h"

enum { ROUNDS = 40, ROWS = 37 };

/* A protocol as a key table, and rows of it. */
struct subject {
	struct key_table t;
	uint64_t code[(NFART_SLOTS + 1) * 256], *slot[NFART_SLOTS + 1];
	unsigned char row[ROWS * (8 + 8 * NFART_SLOTS)];
	uint64_t want[ROWS];
};

/* Fills in a table of random keys. One code of a slot in `often` has another key than `plain`. Slot
 * s has the keys of slot s % kinds. */
static void make_table(struct subject *x, uint32_t slots, uint32_t bits, uint64_t plain,
		       uint32_t often, uint32_t kinds, uint64_t *seed)
{
	uint32_t lsb = unit_below(seed, 64 - bits + 1), idle = unit_below(seed, 1u << bits);

	memset(x, 0, sizeof *x);
	x->t.nslots = slots;
	x->t.of_code = x->code;
	x->t.of_slot = x->slot;
	x->t.op.lsb = lsb;
	x->t.op.bits = bits;
	x->t.op.mask = (((uint64_t)1 << bits) - 1) << lsb;
	x->t.op.idle = (uint64_t)idle << lsb;
	for (uint32_t s = 0; s <= slots; s++)
		x->slot[s] = x->code + ((size_t)s << bits);
	for (uint32_t c = 0; c < slots << bits; c++)
		x->code[c] = c >= kinds << bits ? x->code[c - (kinds << bits)] :
			     (c & ((1u << bits) - 1)) == idle ? KEY_IDLE :
			     unit_below(seed, often) != 0     ? plain :
			     1 | (uint64_t)1 << unit_below(seed, 62);
	unit_check(key_sets_init(&x->t, plain));
}

/* Fills in rows in which about `busy` of 16 slots have a message, and their keys by definition. */
static void make_rows(struct subject *x, uint32_t busy, uint64_t *seed)
{
	uint32_t ops = 1u << x->t.op.bits;

	for (uint32_t i = 0; i < ROWS; i++) {
		unsigned char *row = x->row + i * row_bytes(&x->t);
		put_le64(row, unit_random(seed));
		x->want[i] = 0;
		for (uint32_t s = 0; s < x->t.nslots; s++) {
			uint32_t op = unit_below(seed, ops);
			uint64_t idle = x->t.op.idle >> x->t.op.lsb;
			op = unit_below(seed, 16) < busy ? op : (uint32_t)idle;
			put_le64(row + 8 + 8 * (size_t)s,
				 (unit_random(seed) & ~x->t.op.mask) |
					 (uint64_t)op << x->t.op.lsb);
			if (op != idle)
				x->want[i] |= x->code[(s << x->t.op.bits) + op];
		}
	}
}

/* Makes the keys of n rows at all levels, in all ways to go about it. */
static void compare(struct subject *x, size_t n)
{
	for (int level = NFART_SIMD_PORTABLE * 8; level < ((int)nfart_simd_best() + 1) * 8; level++) {
		uint64_t key[ROWS + 1];
		struct rows_pace pace = { (level & 1) != 0 ? n * row_bytes(&x->t) : 0,
					  (level & 2) != 0 };
		bool more = (level & 4) != 0 && n * row_bytes(&x->t) + 8 <= sizeof x->row;
		memset(key, 0x55, sizeof key);
		x->t.level = (enum nfart_simd)(level / 8);
		decode_rows(&x->t, x->row, n, more, &pace, key);
		for (size_t i = 0; i < n; i++)
			unit_eq(key[i], x->want[i]);
		unit_eq(key[n], 0x5555555555555555);
	}
}

START_TEST(rows_agree)
{
	static const uint32_t some[] = { 4, 7, 8, 9, 20, 28, 31, 32, 33, 63, NFART_SLOTS };
	static struct subject x;
	uint64_t seed = 7;
	uint32_t lanes = 0;

	for (uint32_t round = 0; round < ROUNDS * (sizeof some / sizeof *some); round++) {
		uint32_t slots = round % 4 == 0 ? 1 + unit_below(&seed, NFART_SLOTS) :
						  some[round / 4 % (sizeof some / sizeof *some)];
		uint64_t plain = round % 3 == 0 ? 1 | KEY_HAS_LINE : 1;
		uint32_t kinds = 1 + unit_below(&seed, round % 2 == 0 ? slots : 5);
		make_table(&x, slots, 1 + unit_below(&seed, 8), plain, 1 + unit_below(&seed, 40),
			   kinds, &seed);
		lanes += x.t.lanes.any;
		make_rows(&x, unit_below(&seed, 18), &seed);
		compare(&x, round % 5 == 0 ? unit_below(&seed, ROWS + 1) : ROWS);
		free(x.t.sets.named);
	}
#if defined(__x86_64__)
	unit_check(lanes > ROUNDS || !processor_has_vbmi() || !processor_has_bitalg());
#endif
}
END_TEST

Suite *suite_rows(void)
{
	const TTest *const tests[] = { rows_agree, NULL };

	return unit_suite("rows", tests);
}
