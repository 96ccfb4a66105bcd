/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Follows entries of a cache that has few states.
 *
 * Note [few states]
 * The numbers of up to 15 states have four bits. A vector of 16 bytes then says, for one symbol,
 * where each state goes. A step is a shuffle of that vector's bytes by the current state:
 *
 *   state       0  1  2  3 …
 *   symbol a    0  2  1  3 …     in state 1, a leads to state 2
 *
 * A shuffle takes one cycle where a load takes five, so a single walk is fast enough and needs no
 * guesses (dfa_speculate.c). State 0 stands for no state: missing entries lead there, and it leads
 * to itself. The state after each batch is written down as a byte. Afterwards these bytes are
 * turned into entries, eight at a time.
 */
#include <string.h>

#include "runtime/engine/filter.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline))

/* Makes the vectors anew if the cache has changed since they were made. */
static void shuffle_prepare(struct dfa_shuffles *w, const struct dfa_cache *t)
{
	if (w->made == t->made && w->emptied == t->emptied && w->nsymbols == t->symbols.n)
		return;
	memset(w->to, 0, sizeof w->to);
	memset(w->entry, 0, sizeof w->entry);
	for (uint32_t s = 1; s < t->states.n; s++) {
		w->entry[s] = s * t->stride | t->states.flags[s];
		for (uint32_t k = 0; k < t->symbols.n; k++)
			w->to[k + 1][s] =
				(uint8_t)((t->next[s * t->stride + k] & DFA_ROW) / t->stride);
	}
	w->made = t->made;
	w->emptied = t->emptied;
	w->nsymbols = t->symbols.n;
}

/* Writes to `to` the state after each of the batches [i, n), beginning in state s. */
AVX2 INLINE void shuffle(const struct nfart_filter *f, bool bytes, size_t i, size_t n, uint32_t s,
			 uint8_t *to)
{
	const struct dfa_shuffles *w = &f->speculation.shuffles;
	const struct dfa_cache *t = f->dfa;
	__m128i state = _mm_set1_epi8((char)s);

	for (; i < n; i++) {
		int symbol = bytes ? t->symbols.of_byte[f->in.block.at[i]] :
				     t->symbols.of_small[f->in.block.key[i]];
		__m128i lead = _mm_load_si128((const __m128i *)(const void *)w->to[symbol + 1]);
		state = _mm_shuffle_epi8(lead, state);
		*to++ = (uint8_t)_mm_extract_epi8(state, 0);
	}
}

/* Turns n states into the entries that lead to them; n is a multiple of eight. Returns the OR of
 * the entries' flags. */
AVX2 static uint32_t make_entries(const struct dfa_shuffles *w, const uint8_t *state, size_t n,
				  uint32_t *entry)
{
	__m256i low, high, any = _mm256_setzero_si256();
	uint32_t all[8], flags = 0;

	memcpy(&low, w->entry, sizeof low);
	memcpy(&high, w->entry + 8, sizeof high);
	for (size_t i = 0; i < n; i += 8) {
		__m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)(state + i));
		__m256i s = _mm256_cvtepu8_epi32(bytes);
		__m256i a = _mm256_permutevar8x32_epi32(low, s);
		__m256i b = _mm256_permutevar8x32_epi32(high, s);
		a = _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi32(s, _mm256_set1_epi32(7)));
		_mm256_storeu_si256((__m256i *)(void *)(entry + i), a);
		any = _mm256_or_si256(any, a);
	}
	memcpy(all, &any, sizeof all);
	for (int k = 0; k < 8; k++)
		flags |= all[k] & ~DFA_ROW;
	return flags;
}

/* Takes the flags from the entries of items with key 0, which are no batches; n is a multiple of
 * eight. */
AVX2 static void clear_flags(const uint64_t *key, size_t n, uint32_t *entry)
{
	__m256i flags = _mm256_set1_epi32((int)~DFA_ROW), none = _mm256_setzero_si256();

	for (size_t i = 0; i < n; i += 8) {
		__m256i *to = (__m256i *)(void *)(entry + i);
		__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(key + i));
		__m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(key + i + 4));
		a = _mm256_cmpeq_epi64(a, none);
		b = _mm256_cmpeq_epi64(b, none);
		/* Two keys of a, two of b, two of a, two of b: the lower half of each. */
		a = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a),
							  _mm256_castsi256_ps(b), 0x88));
		a = _mm256_and_si256(_mm256_permute4x64_epi64(a, 0xd8), flags);
		_mm256_storeu_si256(to, _mm256_andnot_si256(a, _mm256_loadu_si256(to)));
	}
}

AVX2 static size_t shuffle_follow(struct nfart_filter *f, size_t i, size_t n)
{
	uint8_t state[FILTER_BLOCK], *none;
	uint32_t from = f->at.row / f->dfa->stride;

	n = i + (n - i) / 8 * 8;
	if (n == i)
		return i;
	if (f->in.block.form == BLOCK_BYTES)
		shuffle(f, true, i, n, from, state);
	else
		shuffle(f, false, i, n, from, state);
	f->said.any |= make_entries(&f->speculation.shuffles, state, n - i, f->said.entry + i);
	if (f->in.block.form == BLOCK_ROWS || f->in.block.form == BLOCK_KEYS)
		clear_flags(f->in.block.key + i, n - i, f->said.entry + i);
	none = memchr(state, 0, n - i);
	n = none != NULL ? i + (size_t)(none - state) : n;
	if (n > i)
		f->at.row = f->said.entry[n - 1] & DFA_ROW;
	return n;
}

size_t dfa_shuffle(struct nfart_filter *f, size_t i, size_t n)
{
	const struct dfa_cache *t = f->dfa;

	if (t->keys.level == NFART_SIMD_PORTABLE || t->states.n > SHUFFLE_STATES ||
	    t->symbols.n > SHUFFLE_SYMBOLS ||
	    !(f->in.block.form == BLOCK_BYTES || t->keys.small))
		return i;
	shuffle_prepare(&f->speculation.shuffles, t);
	return shuffle_follow(f, i, n);
}
#else
size_t dfa_shuffle(struct nfart_filter *f, size_t i, size_t n)
{
	(void)f;
	(void)n;
	return i;
}
#endif
