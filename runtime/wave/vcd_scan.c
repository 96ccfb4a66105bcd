/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Goes over ordinary lines of a VCD, 64 bytes at a time. A block becomes rows of 64 bits, one bit a
 * byte, and the form of all its lines is checked by arithmetic on these rows.
 *
 * An ordinary line is one of these, with no other blanks:
 *
 *     #123        a time stamp
 *     1code       a digit and a code
 *     b0101 code  a vector, real number or string, and a code
 *
 * Note [form of lines]
 * A separator is a blank or a newline. A line of the third kind has a blank as its first separator,
 * and a newline after that; the others have only a newline. Let `text` be the bytes that are no
 * separators, and `vector` the first bytes of lines of the third kind. In vector + text, each bit
 * of `vector` carries through the rest of its word, and comes out at the separator behind it. These
 * separators must be exactly the blanks. A carry out of the block belongs to the next one.
 *
 * Codes are found as Vectorscan's Teddy finds literals: for each of the first three bytes of a code
 * there are two tables of 16 bytes, which say to which groups of codes a half of a byte fits. Only
 * the places where a code begins are looked at.
 */
#include "runtime/wave/vcd.h"

#include "include/nfart.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { GROUPS = 8, BLOCK = 64, AHEAD = 2 /* bytes read behind a block */ };

static void fits(struct vcd_scan *s, size_t at, unsigned char c, unsigned char group)
{
	s->low[at][c & 15] |= group;
	s->high[at][c >> 4] |= group;
}

void vcd_scan_add(struct vcd_scan *s, size_t group, const unsigned char *code, size_t n)
{
	unsigned char bit = (unsigned char)(1u << group % GROUPS);

	for (size_t at = 0; at < 3; at++) {
		if (at < n) {
			fits(s, at, code[at], bit);
		} else if (at == n) {
			fits(s, at, '\n', bit);
		} else {
			for (unsigned k = 0; k < 16; k++)
				fits(s, at, (unsigned char)(k << 4 | k), bit);
		}
	}
}

bool vcd_scan_can(void)
{
#if defined(__x86_64__)
	return nfart_simd_best() != NFART_SIMD_PORTABLE;
#else
	return false;
#endif
}

#if defined(__x86_64__)

/* How a line may begin. The bits of a half byte's tables; a byte has what both of its halves have.
 * TIME: #. DIGIT: - 0 1 and the letters of states. VECTOR: b r s. */
enum {
	TIME = 1, DIGIT_MINUS = 2, DIGIT_NUMBER = 4, VECTOR_B = 8, VECTOR_RS = 16, DIGIT_HL = 32,
	DIGIT_UWXZ = 64, DIGIT = DIGIT_MINUS | DIGIT_NUMBER | DIGIT_HL | DIGIT_UWXZ,
	VECTOR = VECTOR_B | VECTOR_RS
};

/* A block as rows of bits. */
struct rows {
	uint64_t newline, blank, control, time, digit, vector, fits;
};

#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE static inline __attribute__((always_inline))

struct tables {
	__m256i begin_low, begin_high, low[3], high[3];
};

AVX2 INLINE __m256i twice(const unsigned char *p)
{
	return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
}

AVX2 INLINE void make_tables(struct tables *t, const struct vcd_scan *s)
{
	static const unsigned char low[16] = {
		[0] = DIGIT_NUMBER, [1] = DIGIT_NUMBER, [2] = VECTOR_B | VECTOR_RS,
		[3] = TIME | VECTOR_RS, [5] = DIGIT_UWXZ, [7] = DIGIT_UWXZ,
		[8] = DIGIT_HL | DIGIT_UWXZ, [10] = DIGIT_UWXZ, [12] = DIGIT_HL,
		[13] = DIGIT_MINUS,
	};
	static const unsigned char high[16] = {
		[2] = TIME | DIGIT_MINUS, [3] = DIGIT_NUMBER, [4] = VECTOR_B | DIGIT_HL,
		[5] = VECTOR_RS | DIGIT_UWXZ, [6] = VECTOR_B | DIGIT_HL,
		[7] = VECTOR_RS | DIGIT_UWXZ,
	};

	t->begin_low = twice(low);
	t->begin_high = twice(high);
	for (size_t i = 0; i < 3; i++) {
		t->low[i] = twice(s->low[i]);
		t->high[i] = twice(s->high[i]);
	}
}

/* The bits of two tables that fit to the halves of each byte. */
AVX2 INLINE __m256i both(__m256i low, __m256i high, __m256i x)
{
	const __m256i half = _mm256_set1_epi8(15);

	return _mm256_and_si256(_mm256_shuffle_epi8(low, _mm256_and_si256(x, half)),
				_mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(x, 4),
									   half)));
}

/* A row in which the bytes that are not 0 have a 1. */
AVX2 INLINE uint32_t not_zero(__m256i x)
{
	return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_setzero_si256()));
}

AVX2 INLINE uint32_t equal(__m256i x, char c)
{
	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_set1_epi8(c)));
}

AVX2 INLINE void half_rows(const struct tables *t, const unsigned char *p, struct rows *r,
			   int shift)
{
	__m256i x = _mm256_loadu_si256((const __m256i *)p);
	__m256i x1 = _mm256_loadu_si256((const __m256i *)(p + 1));
	__m256i x2 = _mm256_loadu_si256((const __m256i *)(p + 2));
	__m256i begins = both(t->begin_low, t->begin_high, x);
	__m256i found = _mm256_and_si256(both(t->low[0], t->high[0], x),
					 _mm256_and_si256(both(t->low[1], t->high[1], x1),
							  both(t->low[2], t->high[2], x2)));

	r->newline |= (uint64_t)equal(x, '\n') << shift;
	r->blank |= (uint64_t)equal(x, ' ') << shift;
	r->control |= (uint64_t)equal(_mm256_max_epu8(x, _mm256_set1_epi8(0x1f)), 0x1f) << shift;
	r->time |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(begins, 7)) << shift;
	r->digit |= (uint64_t)not_zero(_mm256_and_si256(begins, _mm256_set1_epi8(DIGIT))) << shift;
	r->vector |= (uint64_t)not_zero(_mm256_and_si256(begins, _mm256_set1_epi8(VECTOR)))
		     << shift;
	r->fits |= (uint64_t)not_zero(found) << shift;
}

/* What a block leaves to the next one. */
struct carry {
	uint64_t line;   /* 1: its last byte is a newline */
	uint64_t word;   /* 1: it ends within the first word of a vector */
	uint64_t scalar; /* 1: its last byte is the digit at the beginning of a line */
	uint64_t blank;  /* 1: its last byte is a blank */
};

/* Checks the form of the lines of a block. Returns false if one is no ordinary line. *codes has the
 * places where codes begin, *times those of time stamps. */
AVX2 INLINE bool check(const struct rows *r, struct carry *c, uint64_t *codes, uint64_t *times)
{
	uint64_t separator = r->newline | r->blank, text = ~separator;
	uint64_t begin = r->newline << 1 | c->line;
	uint64_t vector = begin & r->vector, scalar = begin & r->digit;
	unsigned long long sum, out1, out2;
	uint64_t ends, bad;

	sum = text + vector;
	out1 = sum < vector;
	sum += c->word;
	out2 = sum < c->word;
	ends = sum & separator;
	*times = begin & r->time;
	*codes = scalar << 1 | c->scalar | r->blank << 1 | c->blank;
	bad = begin & ~(vector | scalar | *times | r->newline); /* another first byte */
	bad |= ends ^ r->blank;         /* blanks that do not belong there, or are missing */
	bad |= r->control ^ r->newline; /* other bytes below the blank */
	bad |= *codes & separator;      /* a code of no bytes */
	c->line = r->newline >> 63;
	c->word = out1 | out2;
	c->scalar = scalar >> 63;
	c->blank = r->blank >> 63;
	return bad == 0;
}

/* Puts the places of a block into the list, in order. */
AVX2 INLINE void list(struct vcd_scanned *out, size_t at, uint64_t codes, uint64_t times)
{
	for (uint64_t m = codes | times; m != 0; m &= m - 1) {
		uint64_t bit = m & -m;
		bool time = (times & bit) != 0;
		out->found[out->n++] = (struct vcd_found){
			.at = (uint32_t)(at + (size_t)__builtin_ctzll(m) + time), .time = time };
	}
}

AVX2 static void scan_avx2(const struct vcd_scan *s, const unsigned char *p, size_t n,
			   struct vcd_scanned *out)
{
	struct carry c = { .line = 1 };
	struct tables t;
	size_t at = 0;

	make_tables(&t, s);
	while (n - at >= BLOCK + AHEAD && out->n + BLOCK <= VCD_MOST_FOUND) {
		struct rows r = { 0 };
		uint64_t codes, times;
		half_rows(&t, p + at, &r, 0);
		half_rows(&t, p + at + 32, &r, 32);
		if (!check(&r, &c, &codes, &times))
			break;
		out->lines += (uint64_t)__builtin_popcountll(r.newline);
		if (r.newline != 0)
			out->taken = at + BLOCK - (size_t)__builtin_clzll(r.newline);
		list(out, at, codes & r.fits, times);
		at += BLOCK;
	}
}

void vcd_scan(const struct vcd_scan *s, const unsigned char *p, size_t n, struct vcd_scanned *out)
{
	out->n = 0;
	out->taken = 0;
	out->lines = 0;
	if (n >= BLOCK + AHEAD)
		scan_avx2(s, p, n, out);
	/* What belongs to the line that has no end yet is found again by the next scan. */
	while (out->n != 0 && out->found[out->n - 1].at >= out->taken)
		out->n--;
}

#else

void vcd_scan(const struct vcd_scan *s, const unsigned char *p, size_t n, struct vcd_scanned *out)
{
	(void)s, (void)p, (void)n;
	*out = (struct vcd_scanned){ 0 };
}

#endif
