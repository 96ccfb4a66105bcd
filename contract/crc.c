/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/crc.h"

#include <string.h>

#include "support/bits.h"
#include "support/processor.h"

/*
 * Tables for slicing by 8: slice[k][x] is what byte x adds to the CRC if k bytes follow it in
 * its block of 8. An entry is linear in the bits of x, so each table is given by its eight
 * entries at powers of two.
 */
#define BIT(x, b, v) ((x) >> (b) & 1 ? (v) : 0u)
#define ENTRY(x, a, b, c, d, e, f, g, h)                                                           \
	(BIT(x, 0, a) ^ BIT(x, 1, b) ^ BIT(x, 2, c) ^ BIT(x, 3, d) ^ BIT(x, 4, e) ^ BIT(x, 5, f) ^ \
	 BIT(x, 6, g) ^ BIT(x, 7, h))
#define ENTRIES4(x, ...)                                                                           \
	ENTRY(x, __VA_ARGS__), ENTRY(x + 1, __VA_ARGS__), ENTRY(x + 2, __VA_ARGS__),               \
		ENTRY(x + 3, __VA_ARGS__)
#define ENTRIES16(x, ...)                                                                          \
	ENTRIES4(x, __VA_ARGS__), ENTRIES4(x + 4, __VA_ARGS__), ENTRIES4(x + 8, __VA_ARGS__),      \
		ENTRIES4(x + 12, __VA_ARGS__)
#define ENTRIES64(x, ...)                                                                          \
	ENTRIES16(x, __VA_ARGS__), ENTRIES16(x + 16, __VA_ARGS__), ENTRIES16(x + 32, __VA_ARGS__), \
		ENTRIES16(x + 48, __VA_ARGS__)
#define SLICE(...)                                                                                 \
	{                                                                                          \
		ENTRIES64(0u, __VA_ARGS__), ENTRIES64(64u, __VA_ARGS__),                           \
			ENTRIES64(128u, __VA_ARGS__), ENTRIES64(192u, __VA_ARGS__)                 \
	}

static const uint32_t slice[8][256] = {
	SLICE(0xf26b8303, 0xe13b70f7, 0xc79a971f, 0x8ad958cf,
	      0x105ec76f, 0x20bd8ede, 0x417b1dbc, 0x82f63b78),
	SLICE(0x13a29877, 0x274530ee, 0x4e8a61dc, 0x9d14c3b8,
	      0x3fc5f181, 0x7f8be302, 0xff17c604, 0xfbc3faf9),
	SLICE(0xa541927e, 0x4f6f520d, 0x9edea41a, 0x38513ec5,
	      0x70a27d8a, 0xe144fb14, 0xc76580d9, 0x8b277743),
	SLICE(0xdd45aab8, 0xbf672381, 0x7b2231f3, 0xf64463e6,
	      0xe964b13d, 0xd725148b, 0xaba65fe7, 0x52a0c93f),
	SLICE(0x38116fac, 0x7022df58, 0xe045beb0, 0xc5670b91,
	      0x8f2261d3, 0x1ba8b557, 0x37516aae, 0x6ea2d55c),
	SLICE(0xef306b19, 0xdb8ca0c3, 0xb2f53777, 0x6006181f,
	      0xc00c303e, 0x85f4168d, 0x0e045beb, 0x1c08b7d6),
	SLICE(0x68032cc8, 0xd0065990, 0xa5e0c5d1, 0x4e2dfd53,
	      0x9c5bfaa6, 0x3d5b83bd, 0x7ab7077a, 0xf56e0ef4),
	SLICE(0x493c7d27, 0x9278fa4e, 0x211d826d, 0x423b04da,
	      0x847609b4, 0x0d006599, 0x1a00cb32, 0x34019664),
};

uint32_t crc32c_portable(uint32_t crc, const void *data, size_t n)
{
	const unsigned char *p = data;

	crc = ~crc;
	for (; n >= 8; p += 8, n -= 8) {
		uint32_t lo = get_le32(p) ^ crc, hi = get_le32(p + 4);
		crc = slice[7][lo & 255] ^ slice[6][lo >> 8 & 255] ^ slice[5][lo >> 16 & 255] ^
		      slice[4][lo >> 24] ^ slice[3][hi & 255] ^ slice[2][hi >> 8 & 255] ^
		      slice[1][hi >> 16 & 255] ^ slice[0][hi >> 24];
	}
	for (; n > 0; p++, n--)
		crc = crc >> 8 ^ slice[0][(crc ^ *p) & 255];
	return ~crc;
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("sse4.2"))) static uint32_t crc32c_sse42(uint32_t crc, const void *data,
							       size_t n)
{
	const unsigned char *p = data;
	uint64_t c = (uint32_t)~crc;

	for (; n >= 8; p += 8, n -= 8) {
		uint64_t word;
		memcpy(&word, p, 8);
		c = _mm_crc32_u64(c, word);
	}
	for (; n > 0; p++, n--)
		c = _mm_crc32_u8((uint32_t)c, *p);
	return ~(uint32_t)c;
}

/*
 * Folding. Take two registers of 128 bits, of which the first holds bits that are D bits earlier in
 * the stream. The first can be replaced by a value that is added to the second: its low half times
 * x^(D + 31) plus its high half times x^(D - 33), modulo the polynomial. Both products are
 * carry-less and bit-reflected (Gopal et al., "Fast CRC Computation for Generic Polynomials Using
 * PCLMULQDQ", Intel 2009). So a stream is folded into a few registers, and these into one register,
 * which has the stream's CRC. The loops over registers are unrolled; otherwise the compiler would
 * keep the registers in memory.
 */
#define FOLD_2048 0xdcb17aa4, 0xb9e02b86
#define FOLD_1024 0x6992cea2, 0x0d3b6092
#define FOLD_512 0x740eef02, 0x9e4addf8
#define FOLD_384 0x1c291d04, 0xddc0152b
#define FOLD_256 0x3da6d0cb, 0xba4fc28e
#define FOLD_128 0xf20c0dfe, 0x493c7d27

#define SSE __attribute__((target("sse4.2,pclmul")))
#define AVX2 __attribute__((target("avx2,vpclmulqdq,sse4.2,pclmul")))
#define AVX512 __attribute__((target("avx512f,vpclmulqdq,sse4.2,pclmul")))

SSE static inline __m128i fold_sse(__m128i x, __m128i k, __m128i next)
{
	return _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(x, k, 0x00),
					   _mm_clmulepi64_si128(x, k, 0x11)), next);
}

SSE static inline __m128i load_sse(const unsigned char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline __m128i crc_pair(uint32_t low, uint32_t high)
{
	return _mm_set_epi64x(high, low);
}

/* Returns the CRC of a stream whose last n bytes are at p. All earlier bytes, and the initial value
 * of the CRC, were folded into the 16 bytes of x. */
SSE static uint32_t crc_finish(__m128i x, const unsigned char *p, size_t n)
{
	uint64_t half[2], c;

	_mm_storeu_si128((__m128i *)(void *)half, x);
	c = _mm_crc32_u64(_mm_crc32_u64(0, half[0]), half[1]);
	return crc32c_sse42(~(uint32_t)c, p, n);
}

enum { LONG = 1024 }; /* folding is faster if there are at least so many bytes */

/* Folds into four registers of 128 bits. */
SSE static uint32_t crc32c_fold(uint32_t crc, const void *data, size_t n)
{
	const unsigned char *p = data;
	__m128i k = crc_pair(FOLD_512), x[4];

	if (n < LONG)
		return crc32c_sse42(crc, p, n);
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++)
		x[i] = load_sse(p + 16 * i);
	x[0] = _mm_xor_si128(x[0], _mm_cvtsi32_si128((int)~crc));
	for (p += 64, n -= 64; n >= 64; p += 64, n -= 64)
#pragma GCC unroll 4
		for (int i = 0; i < 4; i++)
			x[i] = fold_sse(x[i], k, load_sse(p + 16 * i));
	k = crc_pair(FOLD_128);
#pragma GCC unroll 4
	for (int i = 0; i < 3; i++)
		x[i + 1] = fold_sse(x[i], k, x[i + 1]);
	return crc_finish(x[3], p, n);
}

AVX2 static inline __m256i fold_avx2(__m256i x, __m256i k, __m256i next)
{
	return _mm256_xor_si256(_mm256_xor_si256(_mm256_clmulepi64_epi128(x, k, 0x00),
						 _mm256_clmulepi64_epi128(x, k, 0x11)), next);
}

AVX2 static inline __m256i load_avx2(const unsigned char *p)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* Folds into four registers of 256 bits. */
AVX2 static uint32_t crc32c_fold_avx2(uint32_t crc, const void *data, size_t n)
{
	const unsigned char *p = data;
	__m256i k = _mm256_broadcastsi128_si256(crc_pair(FOLD_1024)), x[4];

	if (n < LONG)
		return crc32c_sse42(crc, p, n);
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++)
		x[i] = load_avx2(p + 32 * i);
	x[0] = _mm256_xor_si256(x[0], _mm256_zextsi128_si256(_mm_cvtsi32_si128((int)~crc)));
	for (p += 128, n -= 128; n >= 128; p += 128, n -= 128)
#pragma GCC unroll 4
		for (int i = 0; i < 4; i++)
			x[i] = fold_avx2(x[i], k, load_avx2(p + 32 * i));
	k = _mm256_broadcastsi128_si256(crc_pair(FOLD_256));
#pragma GCC unroll 4
	for (int i = 0; i < 3; i++)
		x[i + 1] = fold_avx2(x[i], k, x[i + 1]);
	return crc_finish(fold_sse(_mm256_castsi256_si128(x[3]), crc_pair(FOLD_128),
				   _mm256_extracti128_si256(x[3], 1)), p, n);
}

AVX512 static inline __m512i fold_avx512(__m512i x, __m512i k, __m512i next)
{
	return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(x, k, 0x00),
					 _mm512_clmulepi64_epi128(x, k, 0x11), next, 0x96);
}

/* Folds into four registers of 512 bits. */
AVX512 static uint32_t crc32c_fold_avx512(uint32_t crc, const void *data, size_t n)
{
	const unsigned char *p = data;
	__m512i k = _mm512_broadcast_i32x4(crc_pair(FOLD_2048)), x[4];
	__m128i y;

	if (n < LONG)
		return crc32c_sse42(crc, p, n);
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++)
		x[i] = _mm512_loadu_si512(p + 64 * i);
	x[0] = _mm512_xor_si512(x[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)~crc)));
	for (p += 256, n -= 256; n >= 256; p += 256, n -= 256)
#pragma GCC unroll 4
		for (int i = 0; i < 4; i++)
			x[i] = fold_avx512(x[i], k, _mm512_loadu_si512(p + 64 * i));
	k = _mm512_broadcast_i32x4(crc_pair(FOLD_512));
#pragma GCC unroll 4
	for (int i = 0; i < 3; i++)
		x[i + 1] = fold_avx512(x[i], k, x[i + 1]);
	y = _mm512_extracti32x4_epi32(x[3], 3);
	y = fold_sse(_mm512_extracti32x4_epi32(x[3], 0), crc_pair(FOLD_384), y);
	y = fold_sse(_mm512_extracti32x4_epi32(x[3], 1), crc_pair(FOLD_256), y);
	y = fold_sse(_mm512_extracti32x4_epi32(x[3], 2), crc_pair(FOLD_128), y);
	return crc_finish(y, p, n);
}
#endif

crc32c_fn *crc32c_of(enum crc_way way)
{
#if defined(__x86_64__)
	bool sse42 = PROCESSOR_HAS(SSE4_2, "sse4.2");
	bool fold = sse42 && PROCESSOR_HAS(PCLMULQDQ, "pclmul");
	bool wide = fold && PROCESSOR_HAS(VPCLMULQDQ, "vpclmulqdq");

	if (way == CRC_SSE42)
		return sse42 ? crc32c_sse42 : NULL;
	if (way == CRC_FOLD_128)
		return fold ? crc32c_fold : NULL;
	if (way == CRC_FOLD_256)
		return wide && PROCESSOR_HAS(AVX2, "avx2") ? crc32c_fold_avx2 : NULL;
	if (way == CRC_FOLD_512)
		return wide && PROCESSOR_HAS(AVX512F, "avx512f") ? crc32c_fold_avx512 : NULL;
#endif
	return way == CRC_PORTABLE ? crc32c_portable : NULL;
}

uint32_t crc32c(uint32_t crc, const void *p, size_t n)
{
	crc32c_fn *run = NULL;

	for (int way = CRC_WAYS - 1; run == NULL; way--)
		run = crc32c_of((enum crc_way)way);
	return run(crc, p, n);
}
