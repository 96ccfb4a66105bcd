/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Following the entries of a table of few states.
 *
 * Note [few states]
 * Up to 15 states are numbers of four bits. Where each of them leads with a symbol fits a register of 16
 * bytes, and a step is a shuffle of it, which takes a cycle where a load takes five: nothing is guessed
 * and nothing waits. The number that stands for no state, 0, leads to itself. The states of a stretch
 * are written down as bytes, and made entries afterwards, eight at a time.
 */
#include <string.h>

#include "runtime/engine/filter.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline))

/* Makes the shuffles anew, if the table has changed. */
static void prepare(struct filter_few *w, const struct fast *t)
{
	if (w->made == t->made && w->emptied == t->emptied && w->nsymbols == t->nsymbols)
		return;
	memset(w->to, 0, sizeof w->to);
	memset(w->entry, 0, sizeof w->entry);
	for (uint32_t s = 1; s < t->nstates; s++) {
		w->entry[s] = s * t->stride | t->flags[s];
		for (uint32_t k = 0; k < t->nsymbols; k++)
			w->to[k + 1][s] = (uint8_t)((t->next[s * t->stride + k] & FAST_ROW) / t->stride);
	}
	w->made = t->made;
	w->emptied = t->emptied;
	w->nsymbols = t->nsymbols;
}

/* The states behind the batches [i, n), from state s on. */
AVX2 INLINE void shuffle(const struct nfart_filter *f, bool bytes, size_t i, size_t n, uint32_t s, uint8_t *to)
{
	const struct fast *t = f->fast;
	__m128i state = _mm_set1_epi8((char)s);

	for (; i < n; i++) {
		int symbol = bytes ? t->symbol_of[f->at[i]] : t->direct[f->key[i]];
		__m128i lead = _mm_load_si128((const __m128i *)(const void *)f->few.to[symbol + 1]);
		state = _mm_shuffle_epi8(lead, state);
		*to++ = (uint8_t)_mm_extract_epi8(state, 0);
	}
}

/* The entries of n states, a multiple of eight. */
AVX2 static uint32_t make_entries(const struct filter_few *w, const uint8_t *state, size_t n, uint32_t *entry)
{
	__m256i low, high, any = _mm256_setzero_si256();
	uint32_t all[8], flags = 0;

	memcpy(&low, w->entry, sizeof low);
	memcpy(&high, w->entry + 8, sizeof high);
	for (size_t i = 0; i < n; i += 8) {
		__m256i s = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(state + i)));
		__m256i a = _mm256_permutevar8x32_epi32(low, s), b = _mm256_permutevar8x32_epi32(high, s);
		a = _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi32(s, _mm256_set1_epi32(7)));
		_mm256_storeu_si256((__m256i *)(void *)(entry + i), a);
		any = _mm256_or_si256(any, a);
	}
	memcpy(all, &any, sizeof all);
	for (int k = 0; k < 8; k++)
		flags |= all[k] & ~FAST_ROW;
	return flags;
}

AVX2 static size_t follow(struct nfart_filter *f, size_t i, size_t n)
{
	uint8_t state[PART], *none;
	uint32_t from = f->row / f->fast->stride;

	n = i + (n - i) / 8 * 8;
	if (n == i)
		return i;
	if (f->size == 1)
		shuffle(f, true, i, n, from, state);
	else
		shuffle(f, false, i, n, from, state);
	f->any |= make_entries(&f->few, state, n - i, f->entry + i);
	for (size_t k = i; f->size > 1 && k < n; k++) /* no batch: it stays, without flags */
		f->entry[k] &= f->key[k] != 0 ? UINT32_MAX : FAST_ROW;
	none = memchr(state, 0, n - i);
	n = none != NULL ? i + (size_t)(none - state) : n;
	if (n > i)
		f->row = f->entry[n - 1] & FAST_ROW;
	return n;
}

size_t filter_follow_few(struct nfart_filter *f, size_t i, size_t n)
{
	const struct fast *t = f->fast;

	if (t->level == NFART_SIMD_PORTABLE || t->nstates > FEW_STATES || t->nsymbols > FEW_SYMBOLS ||
	    !(f->size == 1 || t->small_keys))
		return i;
	prepare(&f->few, t);
	return follow(f, i, n);
}
#else
size_t filter_follow_few(struct nfart_filter *f, size_t i, size_t n)
{
	(void)f;
	(void)n;
	return i;
}
#endif
