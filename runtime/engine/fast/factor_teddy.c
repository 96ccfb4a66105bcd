/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds where a few grams end, many bytes at once (factor_teddy.h, Note [Teddy]).
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/fast/factor.h"

/* Bytes of a text are taken for random ones of at least so many letters. */
enum { TEDDY_LETTERS = 16 };

/* What a place costs at which Teddy stops and no gram ends, in looks at a byte of a gram; and how
 * many of them the search without Teddy costs. */
enum { TEDDY_STOP = 200, TEDDY_WORTH = 24 };

static uint8_t byte_of(const struct factor_tables *t, uint64_t word, unsigned k)
{
	return (uint8_t)(word >> 8 * (t->length - 1 - k));
}

bool teddy_finds(const struct factor_tables *t, uint64_t word)
{
	uint8_t buckets = 0xff;

	for (unsigned k = 0; k < t->teddy.bytes; k++) {
		uint8_t b = byte_of(t, word, k);
		buckets &= t->teddy.low[k][b & 15] & t->teddy.high[k][b >> 4];
	}
	return buckets != 0;
}

#if defined(__x86_64__)

#include <immintrin.h>

static int compare_words(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* How many bytes may be byte k before the last of a gram in this bucket? */
static unsigned bytes_of(const struct teddy *y, unsigned k, unsigned bucket)
{
	unsigned low = 0, high = 0;

	for (unsigned i = 0; i < 16; i++) {
		low += y->low[k][i] >> bucket & 1;
		high += y->high[k][i] >> bucket & 1;
	}
	return low * high;
}

/* Chooses how many bytes to look at; 0: Teddy is not worth it. */
static unsigned choose_bytes(const struct factor_tables *t, unsigned letters)
{
	double often[TEDDY_BUCKETS], best = TEDDY_WORTH;
	unsigned most = t->length < TEDDY_MOST_BYTES ? t->length : TEDDY_MOST_BYTES, bytes = 0;

	for (unsigned i = 0; i < TEDDY_BUCKETS; i++)
		often[i] = 1;
	for (unsigned k = 0; k < most; k++) {
		double stops = 0, cost;
		for (unsigned i = 0; i < TEDDY_BUCKETS; i++) {
			unsigned n = bytes_of(&t->teddy, k, i);
			often[i] *= n < letters ? (double)n / letters : 1;
			stops += often[i];
		}
		cost = k + 1 + TEDDY_STOP * stops;
		if (cost < best) {
			best = cost;
			bytes = k + 1;
		}
	}
	return bytes;
}

void teddy_make(struct factor_tables *t, enum nfart_simd level)
{
	struct teddy *y = &t->teddy;
	unsigned most = t->length < TEDDY_MOST_BYTES ? t->length : TEDDY_MOST_BYTES, letters = 0;
	uint64_t words[TEDDY_MOST_GRAMS];
	bool seen[256] = { false };
	size_t n = 0;

	if (level == NFART_SIMD_PORTABLE || t->grams > TEDDY_MOST_GRAMS)
		return;
	for (; n < t->grams; n++)
		words[n] = t->gram[n].word;
	qsort(words, n, sizeof *words, compare_words);
	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < most; k++) {
			uint8_t b = byte_of(t, words[i], k);
			uint8_t bucket = (uint8_t)(1u << i * TEDDY_BUCKETS / n);
			y->low[k][b & 15] |= bucket;
			y->high[k][b >> 4] |= bucket;
			letters += !seen[b];
			seen[b] = true;
		}
	y->level = level;
	y->bytes = choose_bytes(t, letters > TEDDY_LETTERS ? letters : TEDDY_LETTERS);
}

#define AVX2 __attribute__((target("avx2,bmi")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi")))
#define INLINE static inline __attribute__((always_inline))

/* Returns the first place of these at which a gram may end, as its distance from at; 64: none. */
INLINE unsigned first_of(const struct factor_tables *t, const unsigned char *at, uint64_t places)
{
	for (; places != 0; places &= places - 1) {
		unsigned k = (unsigned)__builtin_ctzll(places);
		if (factor_has(&t->grams_of, key_load(at + k - 7)))
			return k;
	}
	return 64;
}

/* The buckets of 32 bytes that are byte k before the last of a gram. */
AVX2 INLINE __m256i buckets_256(const struct teddy *y, unsigned k, const unsigned char *at)
{
	const __m256i half = _mm256_set1_epi8(15);
	__m256i x, low, high;

	x = _mm256_loadu_si256((const __m256i *)(const void *)(at - k));
	low = _mm256_broadcastsi128_si256(
		_mm_loadu_si128((const __m128i *)(const void *)y->low[k]));
	high = _mm256_broadcastsi128_si256(
		_mm_loadu_si128((const __m128i *)(const void *)y->high[k]));
	return _mm256_and_si256(_mm256_shuffle_epi8(low, _mm256_and_si256(x, half)),
				_mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(x, 4),
									   half)));
}

AVX2 INLINE size_t next_256(const struct factor_tables *t, unsigned bytes, const unsigned char *at,
			    size_t i, size_t n)
{
	for (; n - i >= 32; i += 32) {
		__m256i x = buckets_256(&t->teddy, 0, at + i);
		uint32_t none;
		unsigned k;
		for (k = 1; k < bytes; k++)
			x = _mm256_and_si256(x, buckets_256(&t->teddy, k, at + i));
		none = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_setzero_si256()));
		k = first_of(t, at + i, (uint32_t)~none);
		if (k != 64)
			return i + k;
	}
	return i;
}

AVX512 INLINE __m512i buckets_512(const struct teddy *y, unsigned k, const unsigned char *at)
{
	const __m512i half = _mm512_set1_epi8(15);
	__m512i x, low, high;

	x = _mm512_loadu_si512(at - k);
	low = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)y->low[k]));
	high = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)y->high[k]));
	return _mm512_and_si512(_mm512_shuffle_epi8(low, _mm512_and_si512(x, half)),
				_mm512_shuffle_epi8(high, _mm512_and_si512(_mm512_srli_epi16(x, 4),
									   half)));
}

AVX512 INLINE size_t next_512(const struct factor_tables *t, unsigned bytes,
			      const unsigned char *at, size_t i, size_t n)
{
	for (; n - i >= 64; i += 64) {
		__m512i x = buckets_512(&t->teddy, 0, at + i);
		unsigned k;
		for (k = 1; k < bytes; k++)
			x = _mm512_and_si512(x, buckets_512(&t->teddy, k, at + i));
		k = first_of(t, at + i, _mm512_test_epi8_mask(x, x));
		if (k != 64)
			return i + k;
	}
	return i;
}

/* A loop of its own for each number of bytes. */
#define NEXT(TARGET, WIDTH)                                                                        \
	TARGET static size_t teddy_next_##WIDTH(const struct factor_tables *t,                     \
						const unsigned char *at, size_t i, size_t n)       \
	{                                                                                          \
		switch (t->teddy.bytes) {                                                          \
		case 1:                                                                            \
			return next_##WIDTH(t, 1, at, i, n);                                       \
		case 2:                                                                            \
			return next_##WIDTH(t, 2, at, i, n);                                       \
		case 3:                                                                            \
			return next_##WIDTH(t, 3, at, i, n);                                       \
		case 4:                                                                            \
			return next_##WIDTH(t, 4, at, i, n);                                       \
		case 5:                                                                            \
			return next_##WIDTH(t, 5, at, i, n);                                       \
		default:                                                                           \
			return next_##WIDTH(t, TEDDY_MOST_BYTES, at, i, n);                        \
		}                                                                                  \
	}
NEXT(AVX2, 256)
NEXT(AVX512, 512)

size_t teddy_next(const struct factor_tables *t, const unsigned char *at, size_t i, size_t n)
{
	if (t->teddy.level == NFART_SIMD_AVX512)
		return teddy_next_512(t, at, i, n);
	return teddy_next_256(t, at, i, n);
}

#else

void teddy_make(struct factor_tables *t, enum nfart_simd level)
{
	(void)t;
	(void)level;
}

size_t teddy_next(const struct factor_tables *t, const unsigned char *at, size_t i, size_t n)
{
	(void)t;
	(void)at;
	(void)n;
	return i;
}

#endif
