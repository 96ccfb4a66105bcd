/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bits.h: bit sets as arrays of 64-bit words, and little-endian integers in byte arrays.
 * The caller owns the words; nothing here allocates.
 */
#ifndef NFACC_SUPPORT_BITS_H
#define NFACC_SUPPORT_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns how many words n bits take. */
static inline size_t bits_words(size_t n)
{
	return (n + 63) / 64;
}

static inline bool bits_get(const uint64_t *w, size_t i)
{
	return w[i / 64] >> (i % 64) & 1;
}

static inline void bits_set(uint64_t *w, size_t i)
{
	w[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline bool bits_any(const uint64_t *w, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (w[i] != 0)
			return true;
	return false;
}

/* Returns the index of the first set bit at or after i among the first n bits of w, or n if there
 * is none. Iterate over the set bits by
 * `for (size_t i = bits_next(w, n, 0); i < n; i = bits_next(w, n, i + 1))`. */
static inline size_t bits_next(const uint64_t *w, size_t n, size_t i)
{
	while (i < n) {
		uint64_t x = w[i / 64] >> (i % 64);
		if (x != 0) {
			i += (size_t)__builtin_ctzll(x);
			return i < n ? i : n;
		}
		i = (i / 64 + 1) * 64;
	}
	return n;
}

static inline uint32_t get_le32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t get_le64(const unsigned char *p)
{
	return get_le32(p) | (uint64_t)get_le32(p + 4) << 32;
}

static inline void put_le32(unsigned char *p, uint32_t x)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(x >> 8 * i);
}

static inline void put_le64(unsigned char *p, uint64_t x)
{
	put_le32(p, (uint32_t)x);
	put_le32(p + 4, (uint32_t)(x >> 32));
}

/* Returns how many bits of x are set. Without options for one processor a compiler makes a function
 * call of its own way to count them; this takes half the time. */
static inline unsigned bits_count(uint64_t x)
{
	x -= x >> 1 & 0x5555555555555555u;
	x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return (unsigned)(x * 0x0101010101010101u >> 56);
}

#endif
