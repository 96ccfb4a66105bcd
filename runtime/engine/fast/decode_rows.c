/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes keys of dense rows, as they lie in memory in a trace. The levels of instructions differ in
 * how they find the slots of a row whose keys are looked up (keys.h, Note [sets of opcodes]), and
 * in how many of these slots they look up at once. For a row with at most FEW such slots, no branch
 * depends on which slots these are.
 */
#include "runtime/engine/fast/decode_keys.h"
#include "runtime/engine/fast/look_up.h"

enum { GROUP = 32 }; /* rows whose slots are found before their keys are looked up */

struct lanes_512;

/* Returns the slots whose keys are to be looked up in the row of n headers at p. *key becomes the
 * OR of the keys of all other slots. */
typedef uint64_t find_slots(const struct key_table *t, const struct lanes_512 *l,
			    const unsigned char *p, uint32_t n, uint64_t *key);

/* The OR of the keys of all n headers at p. */
typedef uint64_t look_up_all(const struct key_table *t, const unsigned char *p, uint32_t n);

INLINE uint64_t each_slot(const struct key_table *t, const unsigned char *p, uint32_t n,
			  look_up *one)
{
	const struct lookup l = lookup(t);
	uint64_t a = 0, b = 0;
	uint32_t s = 0;

	for (; s + 1 < n; s += 2) {
		a |= one(&l, s, p + 8 * (size_t)s);
		b |= one(&l, s + 1, p + 8 * (size_t)s + 8);
	}
	return s < n ? a | b | one(&l, s, p + 8 * (size_t)s) : a | b;
}

INLINE uint64_t all_slots(const struct key_table *t, const unsigned char *p, uint32_t n)
{
	return each_slot(t, p, n, look_up_portable);
}

/* Makes the key of the row of n headers at p again, if it depends on more tests than could be made
 * at once. */
static uint64_t row_again(const struct key_table *t, uint64_t key, const unsigned char *p,
			  uint32_t n)
{
	if ((key & KEY_GUARDED) == 0)
		return key;
	key = 0;
	for (uint32_t s = 0; s < n; s++)
		key |= key_of_message(t, s, key_load(p + 8 * (size_t)s));
	return key & ~KEY_IDLE;
}

/* How the rows of a protocol are decoded. */
struct row_way {
	find_slots *find;
	look_up *one;
	look_up_all *all;
	bool tests;
	const struct lanes_512 *lanes; /* not NULL: sets of slots are sets of lanes */
};

INLINE void fetch_row(const unsigned char *p, size_t size)
{
	for (size_t at = 0; at < size; at += 64)
		__builtin_prefetch(p + at, 0, 2);
}

/* Returns the key of the row of `slots` headers at h: k, and the keys of the slots m. If these are
 * fewer than FEW, the slot after the last slot is looked up as well. The key of that slot is 0
 * whatever its header is, but its header lies beyond the row. */
INLINE uint64_t row_key(const struct key_table *t, const struct lookup *l, struct row_way way,
			const unsigned char *h, uint32_t slots, uint64_t m, uint64_t k)
{
	uint64_t end = (uint64_t)1 << (way.lanes != NULL ? 63 : slots);

	if (__builtin_popcountll(m) > FEW) {
		k = way.all(t, h, slots) & ~KEY_IDLE;
	} else {
#pragma GCC unroll 4
		for (int j = 0; j < FEW; j++) {
			uint32_t s = (uint32_t)__builtin_ctzll(m | end);
			s = way.lanes != NULL ? t->lanes.slot[s] : s;
			k |= way.one(l, s, h + 8 * (size_t)s);
			m &= m - 1;
		}
	}
	return way.tests ? row_again(t, k, h, slots) : k;
}

/* Makes the keys of n rows of `slots` < 64 headers, after which 8 bytes can be read (row_key()).
 * Where few rows have slots to look up, the processor foresees that a row has none. Elsewhere it
 * can't foresee which rows have some; so those of a group of rows are noted without a branch first,
 * and then looked up. */
INLINE void decode_rows_of(const struct key_table *t, const unsigned char *p, size_t n,
			   uint32_t slots, struct rows_pace *pace,
			   uint64_t *restrict key, struct row_way way)
{
	size_t size = 8 + 8 * (size_t)slots, ahead = pace->ahead;
	const struct lookup l = lookup(t);
	uint64_t found[GROUP];
	uint8_t row[GROUP];

	for (size_t rows; n > 0; n -= rows, p += rows * size, key += rows) {
		bool few = pace->few;
		size_t named = 0;
		rows = n < GROUP ? n : GROUP;
		for (size_t i = 0; few && i < rows; i++) {
			const unsigned char *h = p + i * size + 8;
			uint64_t m, k;
			if (ahead != 0)
				fetch_row(h - 8 + ahead, size);
			m = way.find(t, way.lanes, h, slots, &k);
			if (m != 0) {
				k = row_key(t, &l, way, h, slots, m, k);
				named++;
			}
			key[i] = k;
		}
		for (size_t i = 0; !few && i < rows; i++) {
			const unsigned char *h = p + i * size + 8;
			if (ahead != 0)
				fetch_row(h - 8 + ahead, size);
			row[named] = (uint8_t)i;
			found[named] = way.find(t, way.lanes, h, slots, &key[i]);
			named += found[named] != 0;
		}
		for (size_t i = 0; !few && i < named; i++)
			key[row[i]] = row_key(t, &l, way, p + row[i] * size + 8, slots, found[i],
					      key[row[i]]);
		if (rows >= GROUP / 2)
			pace->few = named < rows / 8;
	}
}

/* Calls decode_rows_of() for the slots of the protocol. The numbers of slots of the shipped
 * protocols are given as constants, so that the compiler unrolls loops over slots. `busy` finds all
 * slots that are not idle. */
INLINE void rows_of(const struct key_table *t, const unsigned char *p, size_t n,
		    struct rows_pace *pace, uint64_t *key, struct row_way named,
		    find_slots *busy)
{
	struct row_way every = { busy, named.one, named.all, named.tests, NULL };
	uint32_t slots = t->nslots;

	if (!t->sets.any)
		decode_rows_of(t, p, n, slots, pace, key, every);
	else if (slots == 28)
		decode_rows_of(t, p, n, 28, pace, key, named);
	else if (slots == 20)
		decode_rows_of(t, p, n, 20, pace, key, named);
	else
		decode_rows_of(t, p, n, slots, pace, key, named);
}

static void rows_portable(const struct key_table *t, const unsigned char *p, size_t n,
			  uint64_t *key)
{
	uint32_t slots = t->nslots;

	for (size_t i = 0; i < n; i++, p += 8 + 8 * (size_t)slots) {
		key[i] = all_slots(t, p + 8, slots) & ~KEY_IDLE;
		if (t->tested.any)
			key[i] = row_again(t, key[i], p + 8, slots);
	}
}

#if defined(__x86_64__)
AVX2 INLINE __m256i load_avx2(const void *p)
{
	return _mm256_loadu_si256(p);
}

/* Returns bit 63 of the four words of x. */
AVX2 INLINE uint64_t signs_avx2(__m256i x)
{
	return (uint64_t)(uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(x));
}

AVX2 INLINE uint64_t busy_avx2(const struct key_table *t, const struct lanes_512 *l,
			       const unsigned char *p, uint32_t n, uint64_t *key)
{
	__m256i op = _mm256_set1_epi64x((long long)t->op.mask);
	__m256i idle = _mm256_set1_epi64x((long long)t->op.idle);
	uint64_t m = 0;
	uint32_t s = 0;

	(void)l;
	*key = 0;
	for (; s + 4 <= n; s += 4) {
		__m256i x = _mm256_and_si256(load_avx2(p + 8 * (size_t)s), op);
		m |= (~signs_avx2(_mm256_cmpeq_epi64(x, idle)) & 15) << s;
	}
	for (; s < n; s++)
		m |= (uint64_t)((key_load(p + 8 * (size_t)s) & t->op.mask) != t->op.idle) << s;
	return m;
}

AVX2 INLINE uint64_t named_avx2(const struct key_table *t, const struct lanes_512 *l,
				const unsigned char *p, uint32_t n, uint64_t *key)
{
	__m256i op = _mm256_set1_epi64x((long long)t->op.mask), plain = _mm256_setzero_si256();
	__m128i shift = _mm_cvtsi32_si128((int)t->op.lsb);
	uint64_t m = 0, rest = 0;
	uint32_t s = 0;

	(void)l;
#pragma GCC unroll 8
	for (; s + 4 <= n; s += 4) {
		__m256i x = _mm256_and_si256(load_avx2(p + 8 * (size_t)s), op);
		x = _mm256_srl_epi64(x, shift);
		m |= signs_avx2(_mm256_sllv_epi64(load_avx2(t->sets.named + s), x)) << s;
		plain = _mm256_or_si256(plain, _mm256_sllv_epi64(load_avx2(t->sets.plain + s), x));
	}
	for (; s < n; s++) {
		uint64_t x = (key_load(p + 8 * (size_t)s) & t->op.mask) >> t->op.lsb;
		m |= t->sets.named[s] << x >> 63 << s;
		rest |= t->sets.plain[s] << x;
	}
	*key = -(uint64_t)((signs_avx2(plain) | rest >> 63) != 0) & t->sets.plain_key;
	return m;
}

AVX2 static void rows_avx2(const struct key_table *t, const unsigned char *p, size_t n,
			   struct rows_pace *pace, uint64_t *key)
{
	rows_of(t, p, n, pace, key,
		(struct row_way){ named_avx2, look_up_bmi, all_slots, false, NULL }, busy_avx2);
}

AVX2 INLINE uint64_t all_tests(const struct key_table *t, const unsigned char *p, uint32_t n)
{
	return each_slot(t, p, n, look_up_tests);
}

AVX2 static void rows_tests(const struct key_table *t, const unsigned char *p, size_t n,
			    struct rows_pace *pace, uint64_t *key)
{
	rows_of(t, p, n, pace, key,
		(struct row_way){ named_avx2, look_up_tests, all_tests, true, NULL }, busy_avx2);
}

/* Loads slots s … s + 7 of the row of n headers at p. *there becomes the set of those slots that
 * exist. The others are not loaded, and are 0 in the result. */
AVX512 INLINE __m512i load_avx512(const unsigned char *p, uint32_t s, uint32_t n, __mmask8 *there)
{
	*there = (__mmask8)(n - s >= 8 ? 255 : (1u << (n - s)) - 1);
	return _mm512_maskz_loadu_epi64(*there, p + 8 * (size_t)s);
}

AVX512 INLINE uint64_t busy_avx512(const struct key_table *t, const struct lanes_512 *l,
				   const unsigned char *p, uint32_t n, uint64_t *key)
{
	__m512i op = _mm512_set1_epi64((long long)t->op.mask);
	__m512i idle = _mm512_set1_epi64((long long)t->op.idle);
	uint64_t m = 0;

	(void)l;
	*key = 0;
	for (uint32_t s = 0; s < n; s += 8) {
		__mmask8 there;
		__m512i x = load_avx512(p, s, n, &there);
		x = _mm512_and_si512(x, op);
		m |= (uint64_t)_mm512_mask_cmpneq_epi64_mask(there, x, idle) << s;
	}
	return m;
}

/* Shifts of 512 bits, and moves out of mask registers, all wait for one port of the processor. So
 * here one bit is shifted and tested in both sets, and masks are joined before they are moved. */
AVX512 INLINE uint64_t named_avx512(const struct key_table *t, const struct lanes_512 *l,
				    const unsigned char *p, uint32_t n, uint64_t *key)
{
	__m512i op = _mm512_set1_epi64((long long)t->op.mask), plain = _mm512_setzero_si512();
	__m512i top = _mm512_set1_epi64(INT64_MIN);
	__m128i shift = _mm_cvtsi32_si128((int)t->op.lsb);
	__mmask8 found[NFART_SLOTS / 8 + 2]; /* gcc 12 thinks that n can be more than NFART_SLOTS */
	uint64_t m = 0;

	(void)l;
#pragma GCC unroll 8
	for (uint32_t s = 0; s < n; s += 8) {
		__mmask8 there;
		__m512i x = load_avx512(p, s, n, &there);
		x = _mm512_srl_epi64(_mm512_and_si512(x, op), shift);
		x = _mm512_srlv_epi64(top, x);
		found[s / 8] = _mm512_test_epi64_mask(x, _mm512_loadu_si512(t->sets.named + s));
		plain = _mm512_ternarylogic_epi64(plain, x,
						  _mm512_loadu_si512(t->sets.plain + s), 0xf8);
	}
#pragma GCC unroll 4
	for (uint32_t s = 0; s < n; s += 16) {
		__mmask16 two = s + 8 < n ? _mm512_kunpackb(found[s / 8 + 1], found[s / 8]) :
					    found[s / 8];
		m |= (uint64_t)two << s;
	}
	*key = -(uint64_t)(_mm512_test_epi64_mask(plain, plain) != 0) & t->sets.plain_key;
	return m;
}

/* The OR of the keys of all n headers at p. It gathers eight keys at once. */
AVX512 INLINE uint64_t all_avx512(const struct key_table *t, const unsigned char *p, uint32_t n)
{
	__m128i shift = _mm_cvtsi32_si128((int)t->op.lsb);
	__m512i slot = _mm512_sll_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
					_mm_cvtsi32_si128((int)t->op.bits));
	__m512i op = _mm512_set1_epi64((long long)t->op.mask), k = _mm512_setzero_si512();

#pragma GCC unroll 8
	for (uint32_t s = 0; s < n; s += 8) {
		__mmask8 there;
		__m512i x = load_avx512(p, s, n, &there);
		x = _mm512_srl_epi64(_mm512_and_si512(x, op), shift);
		x = _mm512_add_epi64(x, slot);
		k = _mm512_or_si512(
			k, _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), there, x,
						       t->of_code + ((size_t)s << t->op.bits), 8));
	}
	return (uint64_t)_mm512_reduce_or_epi64(k);
}

AVX512 static void rows_avx512(const struct key_table *t, const unsigned char *p, size_t n,
			       struct rows_pace *pace, uint64_t *key)
{
	rows_of(t, p, n, pace, key,
		(struct row_way){ named_avx512, look_up_bmi, all_avx512, false, NULL },
		busy_avx512);
}

/* The lanes of a key table (keys.h, Note [lanes]), in registers. Loads limit the decoding of rows,
 * since most vectors of a row cross a line of the cache. */
struct lanes_512 {
	__m512i lsb, from, named, plain;
	__mmask64 used;
};

/* Eight opcodes are collected at once, those of slots 8i … 8i + 7 in bytes i of the eight words. */
LANES INLINE uint64_t named_lanes(const struct key_table *t, const struct lanes_512 *l,
				  const unsigned char *p, uint32_t n, uint64_t *key)
{
	__mmask64 byte = 0x0101010101010101, plain;
	__m512i x = _mm512_setzero_si512();

#pragma GCC unroll 8
	for (uint32_t s = 0; s < n; s += 8) {
		__mmask8 there;
		__m512i header = load_avx512(p, s, n, &there);
		x = _mm512_mask_multishift_epi64_epi8(x, byte << s / 8, l->lsb, header);
	}
	x = _mm512_permutexvar_epi8(l->from, x);
	plain = _mm512_mask_bitshuffle_epi64_mask(l->used, l->plain, x);
	*key = -(uint64_t)(plain != 0) & t->sets.plain_key;
	return _mm512_mask_bitshuffle_epi64_mask(l->used, l->named, x);
}

LANES static void rows_lanes(const struct key_table *t, const unsigned char *p, size_t n,
			     struct rows_pace *pace, uint64_t *key)
{
	const struct lanes_512 l = { _mm512_set1_epi8((char)t->op.lsb),
				     _mm512_loadu_si512(t->lanes.from),
				     _mm512_loadu_si512(t->lanes.named),
				     _mm512_loadu_si512(t->lanes.plain), t->lanes.used };

	rows_of(t, p, n, pace, key,
		(struct row_way){ named_lanes, look_up_bmi, all_avx512, false, &l }, busy_avx512);
}
#endif

void decode_rows(const struct key_table *t, const unsigned char *p, size_t n, bool more,
		 struct rows_pace *pace, uint64_t *key)
{
	size_t done = 0;

#if defined(__x86_64__)
	if (n > 0 && t->nslots < 64 && t->level != NFART_SIMD_PORTABLE) {
		done = more ? n : n - 1;
		/* Lanes are slower than AVX-512 alone while memory is fetched ahead. */
		if (t->tested.any)
			rows_tests(t, p, done, pace, key);
		else if (t->level == NFART_SIMD_AVX512 && t->lanes.any && pace->ahead == 0)
			rows_lanes(t, p, done, pace, key);
		else if (t->level == NFART_SIMD_AVX512)
			rows_avx512(t, p, done, pace, key);
		else
			rows_avx2(t, p, done, pace, key);
	}
#endif
	rows_portable(t, p + done * row_bytes(t), n - done, key + done);
}
