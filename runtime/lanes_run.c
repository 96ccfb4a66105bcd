/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Stepping by words: one source for every level of instructions, one form for a single block, whose
 * states stay in registers, and one for many.
 */
#include <string.h>

#include "runtime/lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

typedef bool is_any(const lanes_set *s);

INLINE bool any_portable(const lanes_set *s)
{
	uint64_t m = 0;

	for (int w = 0; w < LANES; w++)
		m |= (*s)[w];
	return m != 0;
}

/* ---- one block ---- */

/* Adds where the exceptions of the states in s lead. */
static void follow_far(const struct lanes *l, const lanes_set *s, lanes_set *next)
{
	for (uint32_t w = 0; w < LANES; w++)
		for (uint64_t m = (*s)[w]; m != 0; m &= m - 1)
			*next |= l->to_set[64 * w + (uint32_t)__builtin_ctzll(m)];
}

INLINE size_t run(struct lanes *l, const uint16_t *symbol, size_t n, uint32_t *flags, is_any *any,
		  bool far)
{
	lanes_set s = l->active[0], stay = l->block->stay, one = l->block->one, two = l->block->two;
	lanes_set always = l->block->always, out = l->accepting[0] | l->logging[0];
	const lanes_set *reach = l->reach;
	size_t i = 0;

	while (i < n) {
		uint32_t y = symbol[i++];
		lanes_set next = (s & stay) | (s & one) << 1 | (s & two) << 2 | always, x;
		if (y == 0) /* no batch: nothing changes */
			continue;
		if (far) {
			x = s & l->far[0];
			if (any(&x))
				follow_far(l, &x, &next);
		}
		s = next & reach[l->slot[y] - 1];
		x = s & out;
		if (any(&x)) {
			x = s & l->accepting[0];
			*flags |= any(&x) ? FAST_ACCEPTED : 0;
			x = s & l->logging[0];
			*flags |= any(&x) ? FAST_LOGGED : 0;
			break;
		}
	}
	l->active[0] = s;
	l->busy[0] = any(&s);
	return i;
}

/* ---- many blocks ---- */

/* One step of block b with what the symbol lets stay. */
INLINE void step_block(struct lanes *l, uint32_t b, const lanes_set *reach, bool late)
{
	const struct lanes_block *k = &l->block[b];
	lanes_set s = l->active[b];

	s = (s & k->stay) | (s & k->one) << 1 | (s & k->two) << 2 | k->always;
	if (late) {
		s |= l->pending[b];
		l->pending[b] = (lanes_set){ 0 };
	}
	l->active[b] = s & reach[b];
}

/* One step. How many blocks have an active special state; they are in l->hit. */
INLINE uint32_t step_blocks(struct lanes *l, uint32_t slot, is_any *any)
{
	const lanes_set *reach = l->reach + (size_t)slot * l->nblocks;
	const uint64_t *begins = l->begins + (size_t)slot * l->busy_words;
	uint32_t hits = 0;

	for (uint32_t w = 0; w < l->busy_words; w++) {
		uint64_t late = l->late[w], m = l->busy[w] | begins[w] | late, busy = 0;
		l->late[w] = 0;
		for (; m != 0; m &= m - 1) {
			uint32_t bit = (uint32_t)__builtin_ctzll(m), b = 64 * w + bit;
			lanes_set x;
			step_block(l, b, reach, (late >> bit & 1) != 0);
			busy |= (uint64_t)any(&l->active[b]) << bit;
			x = l->active[b] & l->block[b].special;
			l->hit[hits] = b;
			hits += any(&x);
		}
		l->busy[w] = busy;
	}
	return hits;
}

/* What the special states of a block do. */
INLINE void be_special(struct lanes *l, uint32_t b, uint32_t *flags, is_any *any)
{
	lanes_set x = l->active[b] & l->accepting[b];

	*flags |= any(&x) ? FAST_ACCEPTED : 0;
	x = l->active[b] & l->logging[b];
	*flags |= any(&x) ? FAST_LOGGED : 0;
	lanes_follow(l, b);
}

INLINE size_t run_blocks(struct lanes *l, const uint16_t *symbol, size_t n, uint32_t *flags,
			 is_any *any)
{
	size_t i = 0;

	while (i < n && *flags == 0) {
		uint32_t y = symbol[i++], hits;
		if (y == 0)
			continue;
		hits = step_blocks(l, l->slot[y] - 1, any);
		for (uint32_t h = 0; h < hits; h++)
			be_special(l, l->hit[h], flags, any);
	}
	return i;
}

/* ---- levels ---- */

/* Few automata of one block have exceptions. */
INLINE size_t run_either(struct lanes *l, const uint16_t *symbol, size_t n, uint32_t *flags,
			 is_any *any)
{
	return l->nblocks != 1	       ? run_blocks(l, symbol, n, flags, any) :
	       any_portable(&l->far[0]) ? run(l, symbol, n, flags, any, true) :
					  run(l, symbol, n, flags, any, false);
}

static size_t run_portable(struct lanes *l, const uint16_t *symbol, size_t n, uint32_t *flags)
{
	return run_either(l, symbol, n, flags, any_portable);
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,bmi,bmi2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2")))

AVX2 INLINE bool any_avx2(const lanes_set *s)
{
	__m256i a, b;

	memcpy(&a, s, 32);
	memcpy(&b, (const char *)s + 32, 32);
	a = _mm256_or_si256(a, b);
	return _mm256_testz_si256(a, a) == 0;
}

AVX2 static size_t run_avx2(struct lanes *l, const uint16_t *symbol, size_t n, uint32_t *flags)
{
	return run_either(l, symbol, n, flags, any_avx2);
}

AVX512 INLINE bool any_avx512(const lanes_set *s)
{
	__m512i x;

	memcpy(&x, s, 64);
	return _mm512_test_epi64_mask(x, x) != 0;
}

AVX512 static size_t run_avx512(struct lanes *l, const uint16_t *symbol, size_t n, uint32_t *flags)
{
	return run_either(l, symbol, n, flags, any_avx512);
}
#endif

size_t lanes_run(struct lanes *l, enum nfart_simd level, const uint16_t *symbol, size_t n,
		 uint32_t *flags)
{
	*flags = 0;
#if defined(__x86_64__)
	if (level == NFART_SIMD_AVX512)
		return run_avx512(l, symbol, n, flags);
	if (level == NFART_SIMD_AVX2)
		return run_avx2(l, symbol, n, flags);
#endif
	(void)level;
	return run_portable(l, symbol, n, flags);
}
