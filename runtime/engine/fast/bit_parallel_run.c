/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs bit-parallel steps (bit_parallel.h, Note [bit-parallel steps]). All levels of instructions
 * share one source. It has one form for a single vector, which stays in registers, and one for
 * several vectors.
 */
#include <string.h>

#include "runtime/engine/fast/bit_parallel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* Half a vector. It is the widest register that many processors have. */
enum { HALF = BP_WORDS / 2 };
typedef uint64_t half_set __attribute__((vector_size(8 * HALF), aligned(8), may_alias));

typedef bool is_any(const half_set *s);

INLINE bool any_portable(const half_set *s)
{
	uint64_t m = 0;

	for (int w = 0; w < HALF; w++)
		m |= (*s)[w];
	return m != 0;
}

INLINE bool any_of(const bp_vector *s, is_any *any)
{
	half_set x[2];

	memcpy(x, s, sizeof x);
	x[0] |= x[1];
	return any(x);
}

/* ---- steps of a single vector ---- */

/* The single vector in two halves, and the masks that its steps need. */
struct steps {
	half_set s[2], stay[2], one[2], two[2], always[2], far[2], out[2];
	const bp_vector *reach;
	const struct bit_parallel *bp;
};

/* Adds to `next` the places to which the exceptions (Note [bit-parallel steps]) of the active
 * places lead. */
static void follow_far(const struct steps *t, half_set *next)
{
	for (uint32_t w = 0; w < BP_WORDS; w++)
		for (uint64_t m = t->s[w / HALF][w % HALF] & t->far[w / HALF][w % HALF]; m != 0;
		     m &= m - 1) {
			half_set to[2];
			memcpy(to, &t->bp->to.set[64 * w + (uint32_t)__builtin_ctzll(m)],
			       sizeof to);
			next[0] |= to[0];
			next[1] |= to[1];
		}
}

/* Makes one step. A step must wait for the `s` of the step before it. With AVX-512 the longest
 * chain of instructions from one `s` to the next is a shift and two logical operations. */
INLINE void bp_step(struct steps *t, uint32_t symbol, int halves, bool far, is_any *any)
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
INLINE bool active(const struct steps *t, const bp_vector *of, int halves, is_any *any)
{
	half_set m[2], x = { 0 };

	memcpy(m, of, sizeof m);
	for (int h = 0; h < halves; h++)
		x |= t->s[h] & m[h];
	return any(&x);
}

INLINE uint32_t symbol_at(const struct bp_input *in, bool bytes, size_t i)
{
	return bytes ? in->symbol_of[in->at[i]] : in->symbol[i];
}

enum { STRIDE = 8 }; /* steps between two checks of whether something was accepted or logged */

/* Steps over the batches [i, n), STRIDE at a time. Stops before STRIDE batches of which one is
 * accepted or logged, and when fewer than STRIDE batches are left. Returns the first batch that was
 * not stepped. */
INLINE size_t skip(struct steps *t, const struct bp_input *in, bool bytes, size_t i, size_t n,
		   int halves, bool far, is_any *any)
{
	for (; n - i >= STRIDE; i += STRIDE) {
		half_set before[2] = { t->s[0], t->s[1] }, seen[2] = { { 0 }, { 0 } }, x = { 0 };
#pragma GCC unroll 8
		for (size_t k = 0; k < STRIDE; k++) {
			uint32_t symbol = symbol_at(in, bytes, i + k);
			if (!bytes && symbol == 0) /* no batch: nothing changes */
				continue;
			bp_step(t, symbol, halves, far, any);
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

INLINE size_t bp_walk(struct bit_parallel *bp, const struct bp_input *in, bool bytes, size_t i,
		      size_t n, uint32_t *flags, int halves, bool far, is_any *any)
{
	bp_vector out = bp->accepting[0] | bp->logging[0];
	struct steps t = { .reach = bp->symbols.reach, .bp = bp };

	memcpy(t.s, &bp->copy.active[0], sizeof t.s);
	memcpy(t.stay, &bp->masks->stay, sizeof t.stay);
	memcpy(t.one, &bp->masks->one, sizeof t.one);
	memcpy(t.two, &bp->masks->two, sizeof t.two);
	memcpy(t.always, &bp->masks->always, sizeof t.always);
	memcpy(t.far, &bp->to.from[0], sizeof t.far);
	memcpy(t.out, &out, sizeof t.out);
	i = skip(&t, in, bytes, i, n, halves, far, any);
	while (i < n && *flags == 0) {
		uint32_t symbol = symbol_at(in, bytes, i++);
		if (!bytes && symbol == 0)
			continue;
		bp_step(&t, symbol, halves, far, any);
		*flags |= active(&t, &bp->accepting[0], halves, any) ? DFA_ACCEPTED : 0;
		*flags |= active(&t, &bp->logging[0], halves, any) ? DFA_LOGGED : 0;
	}
	memcpy(&bp->copy.active[0], t.s, sizeof t.s);
	bp->copy.busy[0] = any_of(&bp->copy.active[0], any);
	return i;
}

/* ---- steps of several vectors ---- */

/* Makes one step of vector b. `late` says that exceptions (Note [bit-parallel steps]) lead to
 * it. */
INLINE void step_vector(struct bit_parallel *bp, uint32_t b, const bp_vector *reach, bool late)
{
	const struct bp_masks *k = &bp->masks[b];
	bp_vector s = bp->copy.active[b];

	s = (s << 1 & k->one) | (s << 2 & k->two) | (s & k->stay) | k->always;
	if (late) {
		s |= bp->copy.pending[b];
		bp->copy.pending[b] = (bp_vector){ 0 };
	}
	bp->copy.active[b] = s & reach[b];
}

/* Makes one step of all vectors, with the prepared set number `slot`. Lists in bp->copy.hit the
 * vectors in which a place is active that accepts, logs or has exceptions. Returns how many these
 * are. */
INLINE uint32_t step_vectors(struct bit_parallel *bp, uint32_t slot, is_any *any)
{
	const bp_vector *reach = bp->symbols.reach + (size_t)slot * bp->nvectors;
	const uint64_t *begins = bp->symbols.begins + (size_t)slot * bp->busy_words;
	uint32_t hits = 0;

	for (uint32_t w = 0; w < bp->busy_words; w++) {
		uint64_t late = bp->copy.late[w], m = bp->copy.busy[w] | begins[w] | late, busy = 0;
		bp->copy.late[w] = 0;
		for (; m != 0; m &= m - 1) {
			uint32_t bit = (uint32_t)__builtin_ctzll(m), b = 64 * w + bit;
			bp_vector x;
			step_vector(bp, b, reach, (late >> bit & 1) != 0);
			busy |= (uint64_t)any_of(&bp->copy.active[b], any) << bit;
			x = bp->copy.active[b] & bp->masks[b].special;
			bp->copy.hit[hits] = b;
			hits += any_of(&x, any);
		}
		bp->copy.busy[w] = busy;
	}
	return hits;
}

/* Handles the active places of vector b that accept, log or have exceptions: sets flags, and
 * follows the exceptions. */
INLINE void be_special(struct bit_parallel *bp, uint32_t b, uint32_t *flags, is_any *any)
{
	bp_vector x = bp->copy.active[b] & bp->accepting[b];

	*flags |= any_of(&x, any) ? DFA_ACCEPTED : 0;
	x = bp->copy.active[b] & bp->logging[b];
	*flags |= any_of(&x, any) ? DFA_LOGGED : 0;
	bp_follow(bp, b);
}

INLINE size_t run_vectors(struct bit_parallel *bp, const uint16_t *symbol, size_t i, size_t n,
			  uint32_t *flags, is_any *any)
{
	while (i < n && *flags == 0) {
		uint32_t y = symbol[i++], hits;
		if (y == 0)
			continue;
		hits = step_vectors(bp, bp->symbols.slot[y] - 1, any);
		for (uint32_t h = 0; h < hits; h++)
			be_special(bp, bp->copy.hit[h], flags, any);
	}
	return i;
}

/* ---- levels of instructions ---- */

INLINE size_t run_vector(struct bit_parallel *bp, const struct bp_input *in, bool bytes, size_t i,
			 size_t n, uint32_t *flags, is_any *any)
{
	half_set far[2];

	if (bp->half)
		return bp_walk(bp, in, bytes, i, n, flags, 1, false, any);
	memcpy(far, &bp->to.from[0], sizeof far);
	far[0] |= far[1];
	return any_portable(far) ? bp_walk(bp, in, bytes, i, n, flags, 2, true, any) :
				   bp_walk(bp, in, bytes, i, n, flags, 2, false, any);
}

INLINE size_t run_either(struct bit_parallel *bp, const struct bp_input *in, size_t i, size_t n,
			 uint32_t *flags, is_any *any)
{
	return bp->nvectors != 1 ? run_vectors(bp, in->symbol, i, n, flags, any) :
	       in->at != NULL  ? run_vector(bp, in, true, i, n, flags, any) :
				 run_vector(bp, in, false, i, n, flags, any);
}

static size_t run_portable(struct bit_parallel *bp, const struct bp_input *in, size_t i, size_t n,
			   uint32_t *flags)
{
	return run_either(bp, in, i, n, flags, any_portable);
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

AVX2 static size_t run_avx2(struct bit_parallel *bp, const struct bp_input *in, size_t i, size_t n,
			    uint32_t *flags)
{
	return run_either(bp, in, i, n, flags, any_avx2);
}

AVX512 static size_t run_avx512(struct bit_parallel *bp, const struct bp_input *in, size_t i,
				size_t n, uint32_t *flags)
{
	return run_either(bp, in, i, n, flags, any_avx2);
}
#endif

size_t bp_run(struct bit_parallel *bp, enum nfart_simd level, const struct bp_input *in, size_t i,
	      size_t n, uint32_t *flags)
{
	*flags = 0;
#if defined(__x86_64__)
	if (level == NFART_SIMD_AVX512)
		return run_avx512(bp, in, i, n, flags);
	if (level == NFART_SIMD_AVX2)
		return run_avx2(bp, in, i, n, flags);
#endif
	(void)level;
	return run_portable(bp, in, i, n, flags);
}
