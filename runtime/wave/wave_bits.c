/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Puts digits and packed bits into the two planes of a chosen value.
 */
#include "runtime/wave/wave_priv.h"

enum { VALUE = 1, KNOWN = 2, DIGIT = 4 };

const unsigned char wave_digit[256] = {
	['0'] = DIGIT | KNOWN, ['L'] = DIGIT | KNOWN, ['l'] = DIGIT | KNOWN,
	['1'] = DIGIT | KNOWN | VALUE, ['H'] = DIGIT | KNOWN | VALUE, ['h'] = DIGIT | KNOWN | VALUE,
	['x'] = DIGIT, ['X'] = DIGIT, ['z'] = DIGIT, ['Z'] = DIGIT, ['u'] = DIGIT, ['U'] = DIGIT,
	['w'] = DIGIT, ['W'] = DIGIT, ['-'] = DIGIT, ['?'] = DIGIT,
};

static uint64_t ones(size_t n)
{
	return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

#define EACH UINT64_C(0x0101010101010101)

/* Are these 8 characters all 0 or 1? */
static bool two_states(uint64_t x)
{
	return ((x ^ EACH * '0') & ~EACH) == 0;
}

/* The lowest bits of the 8 bytes, that of the first byte highest. Each factor moves one of them to
 * its place in the top byte. */
static uint64_t gather(uint64_t x)
{
	return (x & EACH) * UINT64_C(0x8040201008040201) >> 56;
}

/* Reads n <= 64 digits to a word of each plane. False: one is no digit. */
static bool word_of(const unsigned char *s, size_t n, uint64_t *value, uint64_t *known)
{
	uint64_t v = 0, k = 0;
	unsigned all = DIGIT;
	size_t i = 0;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	for (; n - i >= 8; i += 8) {
		uint64_t x;
		memcpy(&x, s + i, sizeof x);
		if (!two_states(x))
			break;
		v = v << 8 | gather(x);
		k = k << 8 | 0xff;
	}
#endif
	for (; i < n; i++) {
		unsigned d = wave_digit[s[i]];
		all &= d;
		v = v << 1 | (d & VALUE);
		k = k << 1 | (d >> 1 & 1);
	}
	*value = v;
	*known = k;
	return (all & DIGIT) != 0;
}

bool wave_set_digits(struct wave *w, uint32_t i, const unsigned char *s, size_t n)
{
	const struct wave_bits *b = &w->now.bits[i];
	uint64_t *value = w->now.words + (b->value - w->now.words);
	uint64_t *known = w->now.words + (b->known - w->now.words);
	size_t words = ((size_t)b->width + 63) / 64, at = 0;
	/* Short values are extended: by 0 if the first digit is known, else by unknown bits. */
	uint64_t fill = n != 0 && (wave_digit[s[0]] & KNOWN) != 0 ? UINT64_MAX : 0;

	for (size_t k = n; at < words && k != 0; at++) {
		size_t part = k < 64 ? k : 64;
		k -= part;
		if (!word_of(s + k, part, &value[at], &known[at]))
			return false;
		known[at] |= fill & ~ones(part);
	}
	for (; at < words; at++) {
		value[at] = 0;
		known[at] = fill;
	}
	if (b->width % 64 != 0) {
		value[words - 1] &= ones(b->width % 64);
		known[words - 1] &= ones(b->width % 64);
	}
	wave_mark(w, i);
	return true;
}

void wave_set_packed(struct wave *w, uint32_t i, const unsigned char *p, uint32_t n)
{
	const struct wave_bits *b = &w->now.bits[i];
	uint64_t *value = w->now.words + (b->value - w->now.words);
	uint64_t *known = w->now.words + (b->known - w->now.words);
	size_t words = ((size_t)b->width + 63) / 64, bytes = ((size_t)n + 7) / 8;
	unsigned spare = (unsigned)(bytes * 8 - n); /* bits at the end of the last byte */

	memset(value, 0, words * sizeof *value);
	/* Byte k has the bits from `low` on; the last one has fewer. */
	for (size_t k = 0; k < bytes; k++) {
		size_t top = (size_t)n - 8 * k; /* bits not read before this byte */
		size_t low = top >= 8 ? top - 8 : 0;
		uint64_t x = k + 1 == bytes ? (uint64_t)p[k] >> spare : p[k];
		value[low / 64] |= x << low % 64;
		if (low % 64 > 56 && low / 64 + 1 < words)
			value[low / 64 + 1] |= x >> (64 - low % 64);
	}
	memset(known, 0xff, words * sizeof *known);
	if (b->width % 64 != 0)
		known[words - 1] &= ones(b->width % 64);
	wave_mark(w, i);
}

void wave_lose(struct wave *w)
{
	for (size_t i = 0; i < w->now.nchosen; i++) {
		const struct wave_bits *b = &w->now.bits[i];
		size_t words = ((size_t)b->width + 63) / 64;
		memset(w->now.words + (b->value - w->now.words), 0, words * sizeof *b->value);
		memset(w->now.words + (b->known - w->now.words), 0, words * sizeof *b->known);
	}
	w->now.lost = true;
	w->now.step++;
	w->now.nchanged = 0;
}
