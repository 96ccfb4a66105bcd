/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * look_up.h: the look-up of one message's key, for the decoders of dense rows and of records. All
 * levels of instructions share one source.
 */
#ifndef NFART_LOOK_UP_H
#define NFART_LOOK_UP_H

#include "runtime/engine/fast/keys.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

enum { FEW = 4 }; /* the most messages that are looked up without a branch */

/* The part of the key table that a look-up needs. Loops use a local copy, which stays in registers.
 * The members of the key table itself would be loaded again after every key that a loop writes,
 * because the compiler can't know that the key is not written into the table. */
struct lookup {
	uint64_t *const *of_slot;
	uint64_t op_mask;
	uint32_t op_lsb, op_bits;
	const uint64_t *place, *of_tests; /* only for images with tests */
	const struct key_tests *tests;
};

INLINE struct lookup lookup(const struct key_table *t)
{
	return (struct lookup){ t->of_slot, t->op.mask, t->op.lsb, t->op.bits,
				t->tested.place, t->tested.keys, t->tested.tests };
}

/* The key of the message in slot s, whose header is at p. */
typedef uint64_t look_up(const struct lookup *l, uint32_t s, const unsigned char *p);

INLINE uint64_t look_up_portable(const struct lookup *l, uint32_t s, const unsigned char *p)
{
	return l->of_slot[s][(key_load(p) & l->op_mask) >> l->op_lsb];
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define AVX512 \
	__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt,lzcnt")))

#define LANES                                                                                      \
	__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512bitalg,"        \
			      "bmi,bmi2,popcnt,lzcnt")))

AVX2 INLINE uint64_t look_up_bmi(const struct lookup *l, uint32_t s, const unsigned char *p)
{
	return l->of_slot[s][_bextr_u64(key_load(p), l->op_lsb, l->op_bits)];
}

/* Makes all tests of the message's code at once (keys.h, Note [tests at once]). */
AVX2 INLINE uint64_t look_up_tests(const struct lookup *l, uint32_t s, const unsigned char *p)
{
	uint64_t header = key_load(p);
	size_t code = (size_t)s << l->op_bits | _bextr_u64(header, l->op_lsb, l->op_bits);
	uint64_t place = l->place[code];
	const struct key_tests *t = &l->tests[place >> 32];
	__m256i x = _mm256_set1_epi64x((long long)header);

	x = _mm256_and_si256(x, _mm256_load_si256((const __m256i *)(const void *)t->mask));
	x = _mm256_sub_epi64(x, _mm256_load_si256((const __m256i *)(const void *)t->low));
	x = _mm256_cmpgt_epi64(x, _mm256_load_si256((const __m256i *)(const void *)t->most));
	return l->of_tests[(uint32_t)place + (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(x))];
}
#endif

#endif
