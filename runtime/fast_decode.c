/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Keys of batches as they lie in a trace. One source, instantiated for each level of instructions:
 * what differs is how the slots that have a message are found in a dense row, and how many of them
 * are looked up at once. Batches of up to four messages take no branch that depends on them.
 */
#include <string.h>

#include "runtime/fast.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

enum { FEW = 4 }; /* messages that are looked up without a branch */

/* The key of the message in slot s, whose header is at p. */
INLINE uint64_t look_up(const struct fast *f, uint32_t s, const unsigned char *p)
{
	return f->narrow ? f->keys[s * FAST_KEYS + p[f->op_byte]] : fast_key(f, s, fast_load(p));
}

/* ---- dense rows ---- */

/* The slots of the row of n headers at p that are not idle. */
typedef uint64_t find_slots(const struct fast *f, const unsigned char *p, uint32_t n);

/* The OR of all keys of the row. */
typedef uint64_t look_up_all(const struct fast *f, const unsigned char *p, uint32_t n);

INLINE uint64_t all_slots(const struct fast *f, const unsigned char *p, uint32_t n)
{
	uint64_t a = 0, b = 0;
	uint32_t s = 0;

	for (; s + 1 < n; s += 2) {
		a |= look_up(f, s, p + 8 * (size_t)s);
		b |= look_up(f, s + 1, p + 8 * (size_t)s + 8);
	}
	return s < n ? a | b | look_up(f, s, p + 8 * (size_t)s) : a | b;
}

/* Rows of `slots` < 64 headers, all but the last: looking up the slot behind the last, which has key
 * 0, reads a byte behind the row. */
INLINE void rows(const struct fast *f, const unsigned char *p, size_t n, size_t ahead,
		 uint32_t slots, uint64_t *key, find_slots *find, look_up_all *all)
{
	size_t size = 8 + 8 * (size_t)slots;

	for (size_t i = 0; i < n; i++, p += size) {
		const unsigned char *h = p + 8;
		uint64_t m, end = (uint64_t)1 << slots, k = 0;
		for (size_t at = 0; at < size; at += 64)
			__builtin_prefetch(p + ahead + at, 0, 2);
		m = find(f, h, slots);
		if (__builtin_popcountll(m) > FEW) {
			key[i] = all(f, h, slots) & ~FAST_IDLE;
			continue;
		}
		for (int j = 0; j < FEW; j++) {
			uint32_t s = (uint32_t)__builtin_ctzll(m | end);
			k |= look_up(f, s, h + 8 * (size_t)s);
			m &= m - 1;
		}
		key[i] = k;
	}
}

/* The loops over slots are unrolled for the shipped protocols. */
INLINE void rows_of(const struct fast *f, const unsigned char *p, size_t n, size_t ahead,
		    uint64_t *key, find_slots *find, look_up_all *all)
{
	uint32_t slots = f->en->im->proto->nslots;

	if (slots == 28)
		rows(f, p, n, ahead, 28, key, find, all);
	else if (slots == 20)
		rows(f, p, n, ahead, 20, key, find, all);
	else
		rows(f, p, n, ahead, slots, key, find, all);
}

static void rows_portable(const struct fast *f, const unsigned char *p, size_t n, uint64_t *key)
{
	uint32_t slots = f->en->im->proto->nslots;

	for (size_t i = 0; i < n; i++, p += 8 + 8 * (size_t)slots)
		key[i] = all_slots(f, p + 8, slots) & ~FAST_IDLE;
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define AVX512 \
	__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt,lzcnt")))

AVX2 INLINE uint64_t find_avx2(const struct fast *f, const unsigned char *p, uint32_t n)
{
	__m256i op = _mm256_set1_epi64x((long long)f->op_mask);
	__m256i idle = _mm256_set1_epi64x((long long)f->idle);
	uint64_t m = 0;
	uint32_t s = 0;

	for (; s + 4 <= n; s += 4) {
		__m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(p + 8 * (size_t)s));
		x = _mm256_cmpeq_epi64(_mm256_and_si256(x, op), idle);
		m |= (uint64_t)(~_mm256_movemask_pd(_mm256_castsi256_pd(x)) & 15) << s;
	}
	for (; s < n; s++)
		m |= (uint64_t)((fast_load(p + 8 * (size_t)s) & f->op_mask) != f->idle) << s;
	return m;
}

AVX2 static void rows_avx2(const struct fast *f, const unsigned char *p, size_t n, size_t ahead,
			   uint64_t *key)
{
	rows_of(f, p, n, ahead, key, find_avx2, all_slots);
}

/* Slots s … s + 7 of the row at p; those behind the last read as 0 without a load. */
AVX512 INLINE __m512i load_avx512(const unsigned char *p, uint32_t s, uint32_t n, __mmask8 *there)
{
	*there = (__mmask8)(n - s >= 8 ? 255 : (1u << (n - s)) - 1);
	return _mm512_maskz_loadu_epi64(*there, p + 8 * (size_t)s);
}

AVX512 INLINE uint64_t find_avx512(const struct fast *f, const unsigned char *p, uint32_t n)
{
	__m512i op = _mm512_set1_epi64((long long)f->op_mask);
	__m512i idle = _mm512_set1_epi64((long long)f->idle);
	uint64_t m = 0;

#pragma GCC unroll 8
	for (uint32_t s = 0; s < n; s += 8) {
		__mmask8 there;
		__m512i x = load_avx512(p, s, n, &there);
		x = _mm512_and_si512(x, op);
		m |= (uint64_t)_mm512_mask_cmpneq_epi64_mask(there, x, idle) << s;
	}
	return m;
}

/* Gathers eight keys at once; only where the opcode lies in one byte. */
AVX512 INLINE uint64_t all_avx512(const struct fast *f, const unsigned char *p, uint32_t n)
{
	__m512i slot = _mm512_setr_epi64(0, FAST_KEYS, 2 * FAST_KEYS, 3 * FAST_KEYS, 4 * FAST_KEYS,
					 5 * FAST_KEYS, 6 * FAST_KEYS, 7 * FAST_KEYS);
	__m512i byte = _mm512_set1_epi64(255), k = _mm512_setzero_si512();
	__m128i shift = _mm_cvtsi32_si128((int)(8 * f->op_byte));

#pragma GCC unroll 8
	for (uint32_t s = 0; s < n; s += 8) {
		__mmask8 there;
		__m512i x = load_avx512(p, s, n, &there);
		x = _mm512_and_si512(_mm512_srl_epi64(x, shift), byte);
		x = _mm512_add_epi64(x, slot);
		k = _mm512_or_si512(k, _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), there, x,
								   f->keys + s * FAST_KEYS, 8));
	}
	return (uint64_t)_mm512_reduce_or_epi64(k);
}

AVX512 static void rows_avx512(const struct fast *f, const unsigned char *p, size_t n,
			       size_t ahead, uint64_t *key)
{
	rows_of(f, p, n, ahead, key, find_avx512, all_avx512);
}
#endif

void fast_decode_rows(const struct fast *f, const unsigned char *p, size_t n, size_t ahead,
		      uint64_t *key)
{
	size_t done = 0;

#if defined(__x86_64__)
	if (n > 1 && f->narrow && f->en->im->proto->nslots < 64 &&
	    f->level != NFART_SIMD_PORTABLE) {
		done = n - 1;
		if (f->level == NFART_SIMD_AVX512)
			rows_avx512(f, p, done, ahead, key);
		else
			rows_avx2(f, p, done, ahead, key);
	}
#endif
	rows_portable(f, p + done * fast_row_size(f), n - done, key + done);
}

/* ---- records ---- */

/* One record of any kind. Answers where it ends, NULL where it can't be one. */
static const unsigned char *record(const struct fast *f, const struct nfart_reader *r,
				   struct trace_clock *clock, const unsigned char *p,
				   const unsigned char *end, struct fast_batch *out, bool *plain)
{
	const struct nfart_proto *proto = r->proto;
	size_t head = 16 + (size_t)r->label_words * 8;
	uint64_t m, slots;

	out->key = 0;
	if ((size_t)(end - p) < head)
		return NULL;
	m = fast_load(p + 8);
	slots = (uint64_t)__builtin_popcountll(m) + (m == 0);
	if ((m & ~(UINT64_MAX >> (64 - proto->nslots))) != 0 ||
	    (size_t)(end - p - head) / 8 < slots || !trace_clock_next(clock, fast_load(p), m == 0))
		return NULL;
	if (m == 0)
		*plain = false;
	for (const unsigned char *h = p + head; m != 0; m &= m - 1, h += 8) {
		if (!trace_header_ok(proto, fast_load(h)))
			return NULL;
		out->key |= look_up(f, (uint32_t)__builtin_ctzll(m), h);
	}
	return p + head + 8 * slots;
}

/* Most records have up to FEW messages: they go through here, the others through record(). */
INLINE bool records(const struct fast *f, const struct nfart_reader *r, struct trace_clock *clock,
		    const unsigned char *begin, size_t bytes, uint32_t count,
		    struct fast_batch *out, bool *plain)
{
	const unsigned char *p = begin, *end = begin + bytes;
	size_t head = 16 + (size_t)r->label_words * 8, byte = f->op_byte;
	uint32_t nslots = r->proto->nslots;
	uint64_t past = (uint64_t)1 << (nslots & 63), idle = 0;
	const uint64_t *keys = f->keys;
	bool easy = f->narrow && nslots < 64 && r->proto->header_bits == 64;
	struct trace_clock c = *clock;

	while (count > 0) {
		/* Here a time above the last is in order. */
		while (easy && count > 0 && c.any_batch && !c.after_loss &&
		       (size_t)(end - p) >= head + 8 * FEW) {
			uint64_t time = fast_load(p), m = fast_load(p + 8), k = 0;
			__builtin_prefetch(p + bytes, 0, 2); /* the next chunk */
			unsigned n = (unsigned)__builtin_popcountll(m);
			const unsigned char *h = p + head + byte;
			if (m - 1 >= past - 1 || n > FEW || time <= c.last)
				break;
			c.last = time;
			out->place = (uint32_t)(p - begin);
			for (int j = 0; j < FEW; j++) {
				k |= keys[(size_t)__builtin_ctzll(m | past) * FAST_KEYS + h[8 * j]];
				m &= m - 1;
			}
			idle |= k;
			out++->key = k;
			p += head + 8 * (size_t)n;
			count--;
		}
		c.last_batch = c.any_batch && !c.after_loss ? c.last : c.last_batch;
		if (count == 0)
			break;
		out->place = (uint32_t)(p - begin);
		p = record(f, r, &c, p, end, out++, plain);
		count--;
		if (p == NULL)
			return false;
	}
	*clock = c;
	return (idle & FAST_IDLE) == 0 && p == end;
}

static bool records_portable(const struct fast *f, const struct nfart_reader *r,
			     struct trace_clock *clock, const unsigned char *p, size_t n,
			     uint32_t count, struct fast_batch *out, bool *plain)
{
	return records(f, r, clock, p, n, count, out, plain);
}

#if defined(__x86_64__)
AVX2 static bool records_avx2(const struct fast *f, const struct nfart_reader *r,
			      struct trace_clock *clock, const unsigned char *p, size_t n,
			      uint32_t count, struct fast_batch *out, bool *plain)
{
	return records(f, r, clock, p, n, count, out, plain);
}
#endif

bool fast_decode_records(const struct fast *f, const struct nfart_reader *r,
			 struct trace_clock *clock, const unsigned char *p, size_t n,
			 uint32_t count, struct fast_batch *out, bool *plain)
{
#if defined(__x86_64__)
	if (f->level != NFART_SIMD_PORTABLE)
		return records_avx2(f, r, clock, p, n, count, out, plain);
#endif
	return records_portable(f, r, clock, p, n, count, out, plain);
}

/* ---- levels ---- */

#if defined(__x86_64__)
/* Clang's __builtin_cpu_supports() does not know it: CPUID 0x80000001, ecx bit 5. */
static bool has_lzcnt(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (c >> 5 & 1) != 0;
}
#endif

enum nfart_simd nfart_simd_best(void)
{
#if defined(__x86_64__)
	bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
		    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
		    has_lzcnt();
	if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
		return NFART_SIMD_AVX512;
	if (avx2)
		return NFART_SIMD_AVX2;
#endif
	return NFART_SIMD_PORTABLE;
}

const char *nfart_simd_name(enum nfart_simd level)
{
	static const char *const names[] = { "best", "portable", "AVX2", "AVX-512" };

	return names[level];
}
