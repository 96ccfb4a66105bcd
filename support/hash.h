/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * hash.h: hash tables with open addressing and linear probing, at most half full.
 *
 * There are two kinds, and both leave hashes and keys to the caller:
 *
 * - A struct hash_ids finds numbers by keys. The caller has what it numbers in an array of its own,
 *   and the table has the indices. This fits what is interned: each value once, in the order in
 *   which the values came.
 * - hash_probe() and hash_widen() search and enlarge an array of places that the caller has itself.
 *   This fits counts and the like, where the entry stands in the table and nothing refers to it.
 *
 * Searches are inline functions, and the caller's function that compares is inlined into them. So a
 * search costs what a loop written by hand costs. No order of a table may reach an output: the
 * order depends on the hashes.
 */
#ifndef NFACC_SUPPORT_HASH_H
#define NFACC_SUPPORT_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_INLINE static inline __attribute__((always_inline))

/* ---- hashes ---- */

/* Adds a number to a hash. A product's low bits depend on the low bits of its factors alone. So the
 * high half is added to the low one before and after. */
HASH_INLINE uint64_t hash_add(uint64_t h, uint64_t x)
{
	h ^= x;
	h = (h ^ h >> 32) * UINT64_C(0xff51afd7ed558ccd);
	return h ^ h >> 32;
}

/* Adds n words. */
HASH_INLINE uint64_t hash_words(uint64_t h, const uint64_t *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = hash_add(h, at[i]);
	return h;
}

/* Adds n numbers of 32 bits. */
HASH_INLINE uint64_t hash_numbers(uint64_t h, const uint32_t *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = hash_add(h, at[i]);
	return h;
}

/* ---- search ---- */

/* Does a search for the key end at this place? It does where the place is free or has the key. */
typedef bool hash_ends(const void *ctx, size_t place, const void *key);

/* Returns the place of a key with hash h, or the free place where it belongs. There are `size`
 * places, a power of two, of which at least one is free. */
HASH_INLINE size_t hash_probe(size_t size, uint64_t h, hash_ends *ends, const void *ctx,
			      const void *key)
{
	size_t at = (size_t)h & (size - 1);

	while (!ends(ctx, at, key))
		at = (at + 1) & (size - 1);
	return at;
}

/* ---- numbers by keys ---- */

#define HASH_NONE UINT32_MAX /* no number; the numbers in a table are below it */

/* A zeroed one is empty, and has no places yet. */
struct hash_ids {
	uint32_t *at; /* [size]: a number plus 1, or 0 if the place is free */
	size_t size;  /* a power of two, or 0 */
	size_t n;     /* how many places are not free */
};

/* Has number `id` this key? */
typedef bool hash_same(const void *ctx, uint32_t id, const void *key);

/* Returns the hash of the key that number `id` has. */
typedef uint64_t hash_of_id(const void *ctx, uint32_t id);

void hash_free(struct hash_ids *t);

/* Forgets all numbers, and keeps the places. */
void hash_clear(struct hash_ids *t);

/* Doubles the table. False: out of memory, and the table is as it was. */
bool hash_grow(struct hash_ids *t, hash_of_id *of, const void *ctx);

/* Makes room for one more number. False: out of memory, and the table is as it was. Costs no more
 * than a constant for each number, on average. */
HASH_INLINE bool hash_room(struct hash_ids *t, hash_of_id *of, const void *ctx)
{
	return 2 * t->n < t->size || hash_grow(t, of, ctx);
}

/* Returns the place of a key with hash h, or the free place where it belongs. The table must have
 * had room once. */
HASH_INLINE size_t hash_find(const struct hash_ids *t, uint64_t h, hash_same *same,
			     const void *ctx, const void *key)
{
	size_t place = (size_t)h & (t->size - 1);

	while (t->at[place] != 0 && !same(ctx, t->at[place] - 1, key))
		place = (place + 1) & (t->size - 1);
	return place;
}

/* Returns the number at a place, or HASH_NONE if the place is free. */
HASH_INLINE uint32_t hash_id(const struct hash_ids *t, size_t place)
{
	return t->at[place] - 1;
}

/* Puts a number at a free place that hash_find() returned after the last hash_room(). */
HASH_INLINE void hash_put(struct hash_ids *t, size_t place, uint32_t id)
{
	t->at[place] = id + 1;
	t->n++;
}

/* ---- entries in places ---- */

/* Says whether an entry is in use, and writes its hash if it is. A zeroed entry is not in use. */
typedef bool hash_of_entry(const void *entry, uint64_t *h);

/* Doubles an array of `*size` entries of `bytes` bytes each, or makes one of `least` entries if
 * there is none. All entries get the places that they have in the larger table. False: out of
 * memory, and the table is as it was. */
bool hash_widen(void **at, size_t *size, size_t bytes, size_t least, hash_of_entry *of);

/* Frees a place of an array of `size` entries. Each entry after it that a search would no longer
 * find moves to the place that became free (Knuth, The Art of Computer Programming, volume 3,
 * section 6.4, algorithm R). */
HASH_INLINE void hash_take_out(void *at, size_t size, size_t bytes, size_t place, hash_of_entry *of)
{
	unsigned char *entry = at;
	size_t mask = size - 1;
	uint64_t h;

	for (size_t k = (place + 1) & mask; of(entry + k * bytes, &h); k = (k + 1) & mask)
		if (((k - (size_t)h) & mask) >= ((k - place) & mask)) {
			memcpy(entry + place * bytes, entry + k * bytes, bytes);
			place = k;
		}
	memset(entry + place * bytes, 0, bytes);
}

#endif
