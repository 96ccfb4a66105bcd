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
 * a table says to which groups of codes a byte fits. Only the places where a code begins are looked
 * at. Bytes are ASCII: AVX-512 VBMI looks them up in 128 entries, and AVX2 looks up their halves in
 * two tables of 16. AVX2 looks at the low half of the third byte only. What is found is perhaps a
 * code, and the reader looks it up.
 */
#include "runtime/wave/vcd.h"

#include "include/nfart.h"
#include "support/processor.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { GROUPS = 8, BLOCK = 64, AHEAD = 2 /* bytes read behind a block */ };

static void fits(struct vcd_scan *s, size_t at, unsigned char c, unsigned char group)
{
	s->fits[at][c] |= group;
	s->low[at][c & 15] |= group;
	s->high[at][c >> 4] |= group;
}

bool vcd_scan_add(struct vcd_scan *s, size_t group, const unsigned char *code, size_t n)
{
	unsigned char bit = (unsigned char)(1u << group % GROUPS);

	for (size_t at = 0; at < VCD_CODE_BYTES; at++) {
		if (at > n) {
			for (unsigned c = 0; c < VCD_ASCII; c++)
				fits(s, at, (unsigned char)c, bit);
			continue;
		}
		if (at < n && code[at] >= VCD_ASCII)
			return false;
		fits(s, at, at < n ? code[at] : '\n', bit);
	}
	return true;
}

enum vcd_scan_way vcd_scan_best(void)
{
#if defined(__x86_64__)
	enum nfart_simd best = nfart_simd_best();

	if (best == NFART_SIMD_AVX512 && processor_has_vbmi())
		return VCD_SCAN_VBMI;
	if (best != NFART_SIMD_PORTABLE)
		return VCD_SCAN_AVX2;
#endif
	return VCD_SCAN_NOT;
}

#if defined(__x86_64__)

/* How a line may begin, and what is no ordinary text: classes of bytes, as bits. AVX2 looks up the
 * halves of a byte, and the byte has what both halves have; so each class has as many bits as that
 * takes. VECTOR: b r s. TIME: #. MINUS, DIGIT: - 0 1 and the letters of states. CONTROL: below the
 * blank, except for a newline. */
enum {
	TIME_MINUS = 1, DIGIT_NUMBER = 2, DIGIT_HL = 4, DIGIT_UWXZ = 8, CONTROL_LOW = 16,
	CONTROL_HIGH = 32, VECTOR_RS = 64, VECTOR_B = 128,
	CONTROL = CONTROL_LOW | CONTROL_HIGH, VECTOR = VECTOR_RS | VECTOR_B
};

static const unsigned char class_low[16] = {
	[0] = CONTROL | DIGIT_NUMBER, [1] = CONTROL | DIGIT_NUMBER,
	[2] = CONTROL | VECTOR_B | VECTOR_RS, [3] = CONTROL | VECTOR_RS | TIME_MINUS, [4] = CONTROL,
	[5] = CONTROL | DIGIT_UWXZ, [6] = CONTROL, [7] = CONTROL | DIGIT_UWXZ,
	[8] = CONTROL | DIGIT_HL | DIGIT_UWXZ, [9] = CONTROL, [10] = CONTROL_HIGH | DIGIT_UWXZ,
	[11] = CONTROL, [12] = CONTROL | DIGIT_HL, [13] = CONTROL | TIME_MINUS, [14] = CONTROL,
	[15] = CONTROL,
};
static const unsigned char class_high[16] = {
	[0] = CONTROL_LOW, [1] = CONTROL_HIGH, [2] = TIME_MINUS, [3] = DIGIT_NUMBER,
	[4] = VECTOR_B | DIGIT_HL, [5] = VECTOR_RS | DIGIT_UWXZ, [6] = VECTOR_B | DIGIT_HL,
	[7] = VECTOR_RS | DIGIT_UWXZ,
};

/* A block as rows of bits. */
struct rows {
	uint64_t newline, blank, time, vector;
	uint64_t other;   /* bytes of no class */
	uint64_t no_code; /* bytes that begin no code that is looked for */
	bool control;     /* a byte is CONTROL */
};

#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define VBMI __attribute__((                                                                       \
	target("avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))
#define INLINE static inline __attribute__((always_inline))

/* What a block leaves to the next one. */
struct carry {
	uint64_t line;      /* 1: its last byte is a newline */
	uint64_t code;      /* 1: the next byte is a code's first */
	unsigned char word; /* 1: it ends within the first word of a vector */
};

/* Checks the form of the lines of a block. Returns false if one is no ordinary line. *codes has the
 * places where codes begin, and numbers of time stamps; *times those of time stamps. */
AVX2 INLINE bool check(const struct rows *r, struct carry *c, uint64_t *codes, uint64_t *times)
{
	uint64_t separator = r->newline | r->blank, text = ~separator;
	uint64_t begin = r->newline << 1 | c->line;
	uint64_t vector = begin & r->vector, before, ends, bad;
	unsigned long long sum;

	c->word = _addcarry_u64(c->word, text, vector, &sum);
	ends = sum & separator;
	*times = begin & r->time;
	bad = begin & r->other & ~r->newline; /* another first byte */
	/* A digit or a blank is before a code, and # before a number. */
	before = (begin & ~r->other & ~vector) | r->blank;
	*codes = before << 1 | c->code;
	bad |= ends ^ r->blank;    /* blanks that do not belong there, or are missing */
	bad |= *codes & separator; /* a code of no bytes */
	c->line = r->newline >> 63;
	c->code = before >> 63;
	return bad == 0 && !r->control;
}

struct tables_avx2 {
	__m256i class_low, class_high, low[VCD_CODE_BYTES], high[VCD_CODE_BYTES - 1];
};

struct tables_vbmi {
	__m512i class[2], fits[VCD_CODE_BYTES][2];
};

union tables {
	struct tables_avx2 avx2;
	struct tables_vbmi vbmi;
};

/* Makes the rows of the block at p. */
typedef void make_rows(const union tables *t, const unsigned char *p, struct rows *r);

/* vcd_scan(), by one of the ways to make rows. out->taken becomes the bytes of the blocks, of which
 * the last line may have no end. */
AVX2 INLINE void scan_by(make_rows *make, const union tables *t, const unsigned char *p, size_t n,
			 struct vcd_scanned *out)
{
	const unsigned char *at = p, *end = p + n - BLOCK - AHEAD;
	struct carry c = { .line = 1 };
	uint64_t lines = 0;

	while (at <= end && out->n < VCD_MOST_FOUND) {
		struct rows r;
		uint64_t codes, times;
		make(t, at, &r);
		if (!check(&r, &c, &codes, &times))
			break;
		lines += (uint64_t)__builtin_popcountll(r.newline);
		codes = (codes & ~r.no_code) | times;
		if (codes != 0)
			out->found[out->n++] = (struct vcd_found){ codes, (size_t)(at - p) };
		at += BLOCK;
	}
	out->taken = (size_t)(at - p);
	out->lines = lines;
}

/* ---- AVX2 ---- */

AVX2 INLINE __m256i twice(const unsigned char *p)
{
	return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
}

AVX2 INLINE __m256i load_avx2(const unsigned char *p)
{
	return _mm256_loadu_si256((const __m256i *)p);
}

/* The bits of two tables that fit to the halves of each byte; 0 for bytes that are no ASCII. */
AVX2 INLINE __m256i both(__m256i low, __m256i high, __m256i x, __m256i half)
{
	return _mm256_and_si256(_mm256_shuffle_epi8(low, x), _mm256_shuffle_epi8(high, half));
}

AVX2 INLINE __m256i high_half(__m256i x)
{
	return _mm256_and_si256(_mm256_srli_epi16(x, 4), _mm256_set1_epi8(15));
}

AVX2 INLINE uint64_t row(__m256i x)
{
	return (uint32_t)_mm256_movemask_epi8(x);
}

AVX2 INLINE uint64_t equal(__m256i x, char c)
{
	return row(_mm256_cmpeq_epi8(x, _mm256_set1_epi8(c)));
}

/* Makes half of the rows. Returns the classes. */
AVX2 INLINE __m256i half_rows(const struct tables_avx2 *t, const unsigned char *p, struct rows *r)
{
	__m256i x = load_avx2(p), x1 = load_avx2(p + 1), x2 = load_avx2(p + 2);
	__m256i half = high_half(x);
	__m256i class = both(t->class_low, t->class_high, x, half);
	__m256i found = _mm256_and_si256(both(t->low[0], t->high[0], x, half),
					 both(t->low[1], t->high[1], x1, high_half(x1)));

	/* Behind a code of one byte any byte may come, also one that is no ASCII. */
	x2 = _mm256_and_si256(x2, _mm256_set1_epi8(15));
	found = _mm256_and_si256(found, _mm256_shuffle_epi8(t->low[2], x2));
	r->newline = equal(x, '\n');
	r->blank = equal(x, ' ');
	r->time = equal(x, '#');
	r->vector = row(_mm256_adds_epu8(class, class)); /* its highest two bits */
	r->other = equal(class, 0);
	r->no_code = equal(found, 0);
	return class;
}

AVX2 INLINE void rows_avx2(const union tables *t, const unsigned char *p, struct rows *r)
{
	struct rows high;
	__m256i class = half_rows(&t->avx2, p, r);

	class = _mm256_or_si256(class, half_rows(&t->avx2, p + 32, &high));
	r->newline |= high.newline << 32;
	r->blank |= high.blank << 32;
	r->time |= high.time << 32;
	r->vector |= high.vector << 32;
	r->other |= high.other << 32;
	r->no_code |= high.no_code << 32;
	r->control = !_mm256_testz_si256(class, _mm256_set1_epi8(CONTROL));
}

AVX2 static void scan_avx2(const struct vcd_scan *s, const unsigned char *p, size_t n,
			   struct vcd_scanned *out)
{
	union tables t;

	t.avx2.class_low = twice(class_low);
	t.avx2.class_high = twice(class_high);
	for (size_t i = 0; i < VCD_CODE_BYTES; i++)
		t.avx2.low[i] = twice(s->low[i]);
	for (size_t i = 0; i + 1 < VCD_CODE_BYTES; i++)
		t.avx2.high[i] = twice(s->high[i]);
	scan_by(rows_avx2, &t, p, n, out);
}

/* ---- AVX-512 VBMI ---- */

VBMI INLINE __m512i load_vbmi(const unsigned char *p)
{
	return _mm512_loadu_si512(p);
}

/* Looks up each byte, without its highest bit. */
VBMI INLINE __m512i look_up(const __m512i table[2], __m512i x)
{
	return _mm512_permutex2var_epi8(table[0], x, table[1]);
}

/* Moves a mask to a general register. Else compilers calculate with masks, which is slower. */
VBMI INLINE uint64_t moved(__mmask64 mask)
{
	uint64_t row = mask;

	__asm__("" : "+r"(row));
	return row;
}

VBMI INLINE void rows_vbmi(const union tables *t, const unsigned char *p, struct rows *r)
{
	const struct tables_vbmi *v = &t->vbmi;
	__m512i x = load_vbmi(p);
	__m512i class = look_up(v->class, x);
	__m512i found = _mm512_and_si512(look_up(v->fits[0], x),
					 look_up(v->fits[1], load_vbmi(p + 1)));
	__mmask64 ascii = ~_mm512_movepi8_mask(x);

	r->newline = moved(_mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('\n')));
	r->blank = moved(_mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8(' ')));
	r->time = moved(_mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('#')));
	r->vector = moved(_mm512_test_epi8_mask(class, _mm512_set1_epi8((char)VECTOR)));
	r->other = ~moved(_mm512_mask_test_epi8_mask(ascii, class, class));
	r->no_code = ~moved(_mm512_test_epi8_mask(found, look_up(v->fits[2], load_vbmi(p + 2))));
	r->control = _mm512_mask_test_epi8_mask(ascii, class,
						_mm512_set1_epi8(CONTROL)) != 0;
}

VBMI static void scan_vbmi(const struct vcd_scan *s, const unsigned char *p, size_t n,
			   struct vcd_scanned *out)
{
	unsigned char class[VCD_ASCII];
	union tables t;

	for (size_t c = 0; c < VCD_ASCII; c++)
		class[c] = class_low[c & 15] & class_high[c >> 4];
	for (size_t k = 0; k < 2; k++) {
		t.vbmi.class[k] = load_vbmi(class + 64 * k);
		for (size_t i = 0; i < VCD_CODE_BYTES; i++)
			t.vbmi.fits[i][k] = load_vbmi(s->fits[i] + 64 * k);
	}
	scan_by(rows_vbmi, &t, p, n, out);
}

/* How many of n bytes, a multiple of BLOCK, are whole lines. */
static size_t whole_lines(const unsigned char *p, size_t n)
{
	while (n != 0 && memchr(p + n - BLOCK, '\n', BLOCK) == NULL)
		n -= BLOCK;
	while (n != 0 && p[n - 1] != '\n')
		n--;
	return n;
}

void vcd_scan(const struct vcd_scan *s, const unsigned char *p, size_t n, struct vcd_scanned *out)
{
	out->n = out->taken = 0;
	out->lines = 0;
	if (n < BLOCK + AHEAD)
		return;
	if (s->way == VCD_SCAN_VBMI)
		scan_vbmi(s, p, n, out);
	else
		scan_avx2(s, p, n, out);
	out->taken = whole_lines(p, out->taken);
}

#else

void vcd_scan(const struct vcd_scan *s, const unsigned char *p, size_t n, struct vcd_scanned *out)
{
	(void)s, (void)p, (void)n;
	*out = (struct vcd_scanned){ 0 };
}

#endif
