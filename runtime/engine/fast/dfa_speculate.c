/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Following the entries of the table, the inner loop of a filter without substreams.
 *
 * Note [several walks at once]
 * Where to look for the next entry is known once the last one has come: a single walk waits for a
 * load, batch by batch. So a stretch is walked in WALKS segments side by side. Where the walk of a
 * later segment begins is a guess: what WARM batches before it lead to from where the first begins,
 * since most filters forget soon. Afterwards the segments are looked at in order. One that was begun in the
 * wrong row is walked again, until the entry found is the one that is there: then the rest is right as
 * well. Where more than half was walked again, ALONE stretches are walked in one place.
 *
 * A missing entry is 0, and row 0 holds nothing but those: a walk that met one stays in row 0 to its
 * end. While entries are missing often, walking on behind them is in vain: so it is done where the last
 * FILTER_CALM batches had all theirs.
 */
#include "runtime/engine/filter.h"

enum { WALKS = 4, WARM = 16, SEGMENT = 256, ALONE = 64 };

/* What a walk reads: bytes; small keys; any keys. */
enum kind { BYTES, SMALL_KEYS, KEYS };

struct path {
	const struct fast *t;
	const uint32_t *next;
	const unsigned char *at;
	const uint64_t *key;
};

static struct path path(const struct nfart_filter *f, size_t i)
{
	return (struct path){ f->fast, f->fast->next, f->size == 1 ? f->at + i : NULL, f->key + i };
}

#define INLINE static inline __attribute__((always_inline))

/* The entry of batch i; 0: it is missing, as it is for FAST_NO_SYMBOL. */
INLINE uint32_t step(const struct path *p, enum kind kind, uint32_t row, size_t i)
{
	int64_t symbol = kind == BYTES	    ? p->t->symbol_of[p->at[i]] :
			 kind == SMALL_KEYS ? p->t->direct[p->key[i]] :
					      fast_find(p->t, p->key[i]);

	return p->next[row + symbol];
}

/* Walks [i, n) from f->row, in one place. The first batch that lacks its entry, or n. */
INLINE size_t walk(struct nfart_filter *f, enum kind kind, size_t i, size_t n)
{
	struct path p = path(f, 0);
	uint32_t row = f->row, any = 0;

	for (; i < n; i++) {
		uint32_t entry = step(&p, kind, row, i);
		if (entry == 0)
			break;
		f->entry[i] = entry;
		any |= entry;
		row = entry & FAST_ROW;
	}
	f->row = row;
	f->any |= any & ~FAST_ROW;
	return i;
}

/* Walks [i, n) again from f->row, up to where it was walked already. False: at *end an entry is
 * missing. */
INLINE bool walk_again(struct nfart_filter *f, enum kind kind, size_t i, size_t n, size_t *end)
{
	struct path p = path(f, 0);
	uint32_t entry = 1;

	for (; i < n; i++) {
		entry = step(&p, kind, f->row, i);
		if (entry == f->entry[i] || entry == 0)
			break;
		f->entry[i] = entry;
		f->any |= entry & ~FAST_ROW;
		f->row = entry & FAST_ROW;
	}
	*end = i;
	return entry != 0;
}

/* Behind the last entry of [i, n) that is there, whose row f->row becomes. */
static size_t end_of(struct nfart_filter *f, size_t i, size_t n)
{
	while (n > i && f->entry[n - 1] == 0)
		n--;
	if (n > i)
		f->row = f->entry[n - 1] & FAST_ROW;
	return n;
}

/* The segments from i on, begun in these rows, one by one. The first batch that lacks its entry, or
 * the end. */
INLINE size_t check(struct nfart_filter *f, enum kind kind, size_t i, const uint32_t begin[WALKS])
{
	size_t again = 0;

	for (int w = 0; w < WALKS; w++, i += SEGMENT) {
		size_t at = i;
		if (begin[w] != f->row && !walk_again(f, kind, i, i + SEGMENT, &at))
			return at;
		again += at - i;
		at = end_of(f, at, i + SEGMENT);
		if (at < i + SEGMENT)
			return at;
	}
	if (again > WALKS * SEGMENT / 2)
		f->alone = ALONE;
	return i;
}

/* WALKS segments from i on, likewise. */
INLINE size_t walk_side_by_side(struct nfart_filter *f, enum kind kind, size_t i)
{
	struct path p = path(f, i);
	uint32_t row[WALKS], begin[WALKS], any = 0, *to = f->entry + i;

	for (int w = 0; w < WALKS; w++)
		row[w] = f->row;
	for (size_t k = SEGMENT - WARM; k < SEGMENT; k++)
#pragma GCC unroll 8
		for (int w = 1; w < WALKS; w++)
			row[w] = step(&p, kind, row[w], k + (size_t)(w - 1) * SEGMENT) & FAST_ROW;
	for (int w = 0; w < WALKS; w++)
		begin[w] = row[w];
	for (size_t k = 0; k < SEGMENT; k++)
#pragma GCC unroll 8
		for (int w = 0; w < WALKS; w++) {
			size_t at = k + (size_t)w * SEGMENT;
			to[at] = step(&p, kind, row[w], at);
			row[w] = to[at] & FAST_ROW;
		}
	for (size_t k = 0; k < WALKS * SEGMENT; k++)
		any |= to[k];
	f->any |= any & ~FAST_ROW;
	return check(f, kind, i, begin);
}

INLINE size_t follow(struct nfart_filter *f, enum kind kind, size_t i, size_t n)
{
	size_t end;

	if (f->calm >= f->enough && (end = filter_follow_few(f, i, n)) != i)
		return walk(f, kind, end, n);
	for (; f->calm >= f->enough && f->alone == 0 && n - i >= WALKS * SEGMENT; i = end) {
		end = walk_side_by_side(f, kind, i);
		if (end < i + WALKS * SEGMENT)
			return end;
	}
	f->alone -= f->alone != 0;
	return walk(f, kind, i, n);
}

size_t filter_follow(struct nfart_filter *f, size_t i, size_t n)
{
	size_t end = f->size == 1	  ? follow(f, BYTES, i, n) :
		     f->fast->small_keys ? follow(f, SMALL_KEYS, i, n) :
					   follow(f, KEYS, i, n);

	f->calm = end < n ? 0 : f->calm + (end - i);
	return end;
}
