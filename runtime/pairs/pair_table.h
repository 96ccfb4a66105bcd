/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pair_table.h: the open requests of one rule that is not in order (contract/proto/proto.h, Note
 * [pairs]).
 *
 * A place of the table takes 16 bytes: the key and the time. That is all that joining needs, so
 * four places share a cache line. What else is known of a request stands in an array of its own, at
 * the same index: its *detail*; or a *tag* where that is enough, a number of the caller's. Callers
 * that ask for neither have no such array.
 *
 * Note [times of places] A place holds its time plus 1, and 0 if it is free. The latest time there
 * is would become 0. It is held as the time before it, and the detail says so. No answer can come
 * after it.
 */
#ifndef NFART_PAIRS_PAIR_TABLE_H
#define NFART_PAIRS_PAIR_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pair_place {
	uint64_t key;
	uint64_t since; /* Note [times of places] */
};

struct pair_detail {
	uint64_t header;
	uint32_t mark;
	uint8_t slot;
	bool latest; /* Note [times of places] */
};

/* A hash table with open addressing and linear probing, at most half full. */
struct pair_table {
	struct pair_place *at;      /* [places] */
	struct pair_detail *detail; /* [places]; NULL: no details are kept */
	uint32_t *tag;              /* [places]; NULL: no tags are kept */
	size_t places;              /* a power of two */
	unsigned shift;             /* 64 less the binary logarithm of `places` */
	size_t n, most;             /* how many places are taken, and may be before it grows */
};

enum pair_table_kind { PAIR_TABLE_PLAIN, PAIR_TABLE_DETAILS, PAIR_TABLE_TAGS };

/* Makes an empty table. False: out of memory. pair_table_free() is called in either case. */
bool pair_table_init(struct pair_table *t, enum pair_table_kind kind);
void pair_table_free(struct pair_table *t);

/* Doubles the table. False: out of memory, and the table is as it was. */
bool pair_table_grow(struct pair_table *t);

/* Frees place i, as pair_table_take() does, where the place after it is taken: places behind it
 * that a search would no longer find move. */
void pair_table_close(struct pair_table *t, size_t i);

/* Returns the place where the search for a key begins. */
static inline size_t pair_table_first(const struct pair_table *t, uint64_t key)
{
	return (size_t)(key * 0x9e3779b97f4a7c15u >> t->shift);
}

/* Is neither number 0? Compilers make no branch of this for each number, which nobody could
 * predict. */
static inline bool pair_table_neither(uint64_t a, uint64_t b)
{
	return ((a | -a) & (b | -b)) >> 63 != 0;
}

/* Returns the place of a key, or the free place where it belongs. */
static inline size_t pair_table_find(const struct pair_table *t, uint64_t key)
{
	size_t i = pair_table_first(t, key);

	while (pair_table_neither(t->at[i].since, t->at[i].key ^ key))
		i = (i + 1) & (t->places - 1);
	return i;
}

/* A table of so many places is in the cache as it is. */
enum { PAIR_TABLE_NEAR = 1 << 10 };

/* Fetches the place of a key into the cache, and what stands beside it. */
static inline void pair_table_fetch(const struct pair_table *t, uint64_t key)
{
	size_t i;

	if (t->places <= PAIR_TABLE_NEAR)
		return;
	i = pair_table_first(t, key);
	__builtin_prefetch(&t->at[i], 1);
	if (t->detail != NULL)
		__builtin_prefetch(&t->detail[i], 1);
	if (t->tag != NULL)
		__builtin_prefetch(&t->tag[i], 1);
}

/* Returns the time as a place holds it, and as it was. */
static inline uint64_t pair_table_since(uint64_t time)
{
	return time + (time != UINT64_MAX);
}

static inline uint64_t pair_table_time(const struct pair_table *t, size_t i)
{
	return t->at[i].since - 1 + (t->detail != NULL && t->detail[i].latest);
}

#endif
