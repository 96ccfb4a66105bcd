/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Stepping by words: one source for every level of instructions, one form for a single block, whose
 * states stay in registers, and one for many.
 */
#include <string.h>

#include "runtime/engine/fast/bit_parallel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* Half a block: what processors without wider registers work with. */
enum { HALF = LANES / 2 };
typedef uint64_t half_set __attribute__((vector_size(8 * HALF), aligned(8), may_alias));

typedef bool is_any(const half_set *s);

INLINE bool any_portable(const half_set *s)
{
	uint64_t m = 0;

	for (int w = 0; w < HALF; w++)
		m |= (*s)[w];
	return m != 0;
}

INLINE bool any_of(const lanes_set *s, is_any *any)
{
	half_set x[2];

	memcpy(x, s, sizeof x);
	x[0] |= x[1];
	return any(x);
}

/* ---- one block ---- */

/* A block, in the halves that are looked at; and what steps need. */
struct steps {
	half_set s[2], stay[2], one[2], two[2], always[2], far[2], out[2];
	const lanes_set *reach;
	const struct lanes *l;
};

/* Adds where the exceptions of the active states lead. */
static void follow_far(const struct steps *t, half_set *next)
{
	for (uint32_t w = 0; w < LANES; w++)
		for (uint64_t m = t->s[w / HALF][w % HALF] & t->far[w / HALF][w % HALF]; m != 0; m &= m - 1) {
			half_set to[2];
			memcpy(to, &t->l->to_set[64 * w + (uint32_t)__builtin_ctzll(m)], sizeof to);
			next[0] |= to[0];
			next[1] |= to[1];
		}
}

/* One step. What is active waits for a shift and two operations. */
INLINE void step(struct steps *t, uint32_t symbol, int halves, bool far, is_any *any)
{
	const half_set *reach = (const half_set *)(const void *)&t->reach[symbol - 1];
	half_set next[2], x = { 0 };

	for (int h = 0; h < halves; h++) {
		next[h] = (t->s[h] << 1 & t->one[h]) | (t->s[h] << 2 & t->two[h]) |
			  ((t->s[h] & t->stay[h]) | t->always[h]);
		x |= t->s[h] & t->far[h];
	}
	if (far && any(&x))
		follow_far(t, next);
	for (int h = 0; h < halves; h++)
		t->s[h] = next[h] & reach[h];
}

/* Is one of the places in `of` active? */
INLINE bool active(const struct steps *t, const lanes_set *of, int halves, is_any *any)
{
	half_set m[2], x = { 0 };

	memcpy(m, of, sizeof m);
	for (int h = 0; h < halves; h++)
		x |= t->s[h] & m[h];
	return any(&x);
}

INLINE uint32_t symbol_at(const struct lanes_input *in, bool bytes, size_t i)
{
	return bytes ? in->symbol_of[in->at[i]] : in->symbol[i];
}

enum { STRIDE = 8 }; /* steps between two looks at what they accept */

/* Steps over all of [i, n), STRIDE at a time, as long as nothing is accepted or logged. */
INLINE size_t skip(struct steps *t, const struct lanes_input *in, bool bytes, size_t i, size_t n, int halves,
		   bool far, is_any *any)
{
	for (; n - i >= STRIDE; i += STRIDE) {
		half_set before[2] = { t->s[0], t->s[1] }, seen[2] = { { 0 }, { 0 } }, x = { 0 };
#pragma GCC unroll 8
		for (size_t k = 0; k < STRIDE; k++) {
			uint32_t symbol = symbol_at(in, bytes, i + k);
			if (!bytes && symbol == 0) /* no batch: nothing changes */
				continue;
			step(t, symbol, halves, far, any);
			for (int h = 0; h < halves; h++)
				seen[h] |= t->s[h];
		}
		for (int h = 0; h < halves; h++)
			x |= seen[h] & t->out[h];
		if (any(&x)) {
			t->s[0] = before[0];
			t->s[1] = before[1];
			return i;
		}
	}
	return i;
}

INLINE size_t run(struct lanes *l, const struct lanes_input *in, bool bytes, size_t i, size_t n,
		  uint32_t *flags, int halves, bool far, is_any *any)
{
	lanes_set out = l->accepting[0] | l->logging[0];
	struct steps t = { .reach = l->reach, .l = l };

	memcpy(t.s, &l->active[0], sizeof t.s);
	memcpy(t.stay, &l->block->stay, sizeof t.stay);
	memcpy(t.one, &l->block->one, sizeof t.one);
	memcpy(t.two, &l->block->two, sizeof t.two);
	memcpy(t.always, &l->block->always, sizeof t.always);
	memcpy(t.far, &l->far[0], sizeof t.far);
	memcpy(t.out, &out, sizeof t.out);
	i = skip(&t, in, bytes, i, n, halves, far, any);
	while (i < n && *flags == 0) {
		uint32_t symbol = symbol_at(in, bytes, i++);
		if (!bytes && symbol == 0)
			continue;
		step(&t, symbol, halves, far, any);
		*flags |= active(&t, &l->accepting[0], halves, any) ? FAST_ACCEPTED : 0;
		*flags |= active(&t, &l->logging[0], halves, any) ? FAST_LOGGED : 0;
	}
	memcpy(&l->active[0], t.s, sizeof t.s);
	l->busy[0] = any_of(&l->active[0], any);
	return i;
}

/* ---- many blocks ---- */

/* One step of block b with what the symbol lets stay. */
INLINE void step_block(struct lanes *l, uint32_t b, const lanes_set *reach, bool late)
{
	const struct lanes_block *k = &l->block[b];
	lanes_set s = l->active[b];

	s = (s << 1 & k->one) | (s << 2 & k->two) | (s & k->stay) | k->always;
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
			busy |= (uint64_t)any_of(&l->active[b], any) << bit;
			x = l->active[b] & l->block[b].special;
			l->hit[hits] = b;
			hits += any_of(&x, any);
		}
		l->busy[w] = busy;
	}
	return hits;
}

/* What the special states of a block do. */
INLINE void be_special(struct lanes *l, uint32_t b, uint32_t *flags, is_any *any)
{
	lanes_set x = l->active[b] & l->accepting[b];

	*flags |= any_of(&x, any) ? FAST_ACCEPTED : 0;
	x = l->active[b] & l->logging[b];
	*flags |= any_of(&x, any) ? FAST_LOGGED : 0;
	lanes_follow(l, b);
}

INLINE size_t run_blocks(struct lanes *l, const uint16_t *symbol, size_t i, size_t n, uint32_t *flags,
			 is_any *any)
{
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

INLINE size_t run_block(struct lanes *l, const struct lanes_input *in, bool bytes, size_t i, size_t n,
			uint32_t *flags, is_any *any)
{
	half_set far[2];

	if (l->half)
		return run(l, in, bytes, i, n, flags, 1, false, any);
	memcpy(far, &l->far[0], sizeof far);
	far[0] |= far[1];
	return any_portable(far) ? run(l, in, bytes, i, n, flags, 2, true, any) :
				   run(l, in, bytes, i, n, flags, 2, false, any);
}

INLINE size_t run_either(struct lanes *l, const struct lanes_input *in, size_t i, size_t n,
			 uint32_t *flags, is_any *any)
{
	return l->nblocks != 1 ? run_blocks(l, in->symbol, i, n, flags, any) :
	       in->at != NULL  ? run_block(l, in, true, i, n, flags, any) :
				 run_block(l, in, false, i, n, flags, any);
}

static size_t run_portable(struct lanes *l, const struct lanes_input *in, size_t i, size_t n,
			   uint32_t *flags)
{
	return run_either(l, in, i, n, flags, any_portable);
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,bmi,bmi2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2")))

AVX2 INLINE bool any_avx2(const half_set *s)
{
	__m256i a;

	memcpy(&a, s, sizeof a);
	return _mm256_testz_si256(a, a) == 0;
}

AVX2 static size_t run_avx2(struct lanes *l, const struct lanes_input *in, size_t i, size_t n,
			    uint32_t *flags)
{
	return run_either(l, in, i, n, flags, any_avx2);
}

AVX512 static size_t run_avx512(struct lanes *l, const struct lanes_input *in, size_t i, size_t n,
				uint32_t *flags)
{
	return run_either(l, in, i, n, flags, any_avx2);
}
#endif

size_t lanes_run(struct lanes *l, enum nfart_simd level, const struct lanes_input *in, size_t i, size_t n,
		 uint32_t *flags)
{
	*flags = 0;
#if defined(__x86_64__)
	if (level == NFART_SIMD_AVX512)
		return run_avx512(l, in, i, n, flags);
	if (level == NFART_SIMD_AVX2)
		return run_avx2(l, in, i, n, flags);
#endif
	(void)level;
	return run_portable(l, in, i, n, flags);
}
