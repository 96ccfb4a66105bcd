/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Following the entries of the table, the inner loop of a filter without substreams.
 *
 * Note [several walks at once]
 * Where to look for the next entry is known once the last one has come: a single walk waits for a
 * load, batch by batch. So bytes are walked in WALKS segments side by side. Where the walk of a later
 * segment begins is a guess: what WARM bytes before it lead to from where the first begins, since
 * most filters forget soon. Afterwards the segments are looked at in order. One that was begun in the
 * wrong row is walked again, until the entry found is the one that is there: then the rest is right as
 * well. Where more than half was walked again, ALONE stretches are walked in one place.
 *
 * A missing entry is 0, and row 0 holds nothing but those: a walk that met one stays in row 0 to its
 * end. While entries are missing often, walking on behind them is in vain: so it is done where the last
 * FILTER_CALM batches had all theirs.
 *
 * Other batches cost so much before they are keys that waiting for the load does not show.
 */
#include "runtime/filter.h"

enum { WALKS = 4, WARM = 16, SEGMENT = 256, ALONE = 64 };

/* What a walk over bytes reads. */
struct path {
	const uint32_t *next;
	const uint16_t *symbol_of;
	const unsigned char *at;
};

static inline uint32_t step(const struct path *p, uint32_t row, size_t i)
{
	/* The sum of table and symbol does not wait for the row. */
	return (p->next + p->symbol_of[p->at[i]])[row];
}

/* Walks [i, n) from f->row, in one place. The first batch that lacks its entry, or n. */
static size_t walk(struct nfart_filter *f, size_t i, size_t n)
{
	struct path p = { f->fast->next, f->fast->symbol_of, f->at };
	uint32_t row = f->row, any = 0;

	for (; i < n; i++) {
		uint32_t entry = step(&p, row, i);
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
static bool walk_again(struct nfart_filter *f, size_t i, size_t n, size_t *end)
{
	struct path p = { f->fast->next, f->fast->symbol_of, f->at };
	uint32_t entry = 1;

	for (; i < n; i++) {
		entry = step(&p, f->row, i);
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
static size_t check(struct nfart_filter *f, size_t i, const uint32_t begin[WALKS])
{
	size_t again = 0;

	for (int w = 0; w < WALKS; w++, i += SEGMENT) {
		size_t at = i;
		if (begin[w] != f->row && !walk_again(f, i, i + SEGMENT, &at))
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
static size_t walk_side_by_side(struct nfart_filter *f, size_t i)
{
	struct path p = { f->fast->next, f->fast->symbol_of, f->at + i };
	uint32_t row[WALKS], begin[WALKS], any = 0, *to = f->entry + i;

	for (int w = 0; w < WALKS; w++)
		row[w] = f->row;
	for (size_t k = SEGMENT - WARM; k < SEGMENT; k++)
#pragma GCC unroll 8
		for (int w = 1; w < WALKS; w++)
			row[w] = step(&p, row[w], k + (size_t)(w - 1) * SEGMENT) & FAST_ROW;
	for (int w = 0; w < WALKS; w++)
		begin[w] = row[w];
	for (size_t k = 0; k < SEGMENT; k++)
#pragma GCC unroll 8
		for (int w = 0; w < WALKS; w++) {
			size_t at = k + (size_t)w * SEGMENT;
			to[at] = step(&p, row[w], at);
			row[w] = to[at] & FAST_ROW;
		}
	for (size_t k = 0; k < WALKS * SEGMENT; k++)
		any |= to[k];
	f->any |= any & ~FAST_ROW;
	return check(f, i, begin);
}

static size_t follow_bytes(struct nfart_filter *f, size_t i, size_t n)
{
	size_t end;

	for (; f->calm >= f->enough && f->alone == 0 && n - i >= WALKS * SEGMENT; i = end) {
		end = walk_side_by_side(f, i);
		if (end < i + WALKS * SEGMENT)
			return end;
	}
	f->alone -= f->alone != 0;
	return walk(f, i, n);
}

static size_t follow_keys(struct nfart_filter *f, size_t i, size_t n)
{
	const struct fast *t = f->fast;
	uint32_t row = f->row, any = 0;

	for (; i < n; i++) {
		int64_t symbol = fast_find(t, f->key[i]);
		uint32_t entry;
		if (symbol == FAST_NO_SYMBOL)
			break;
		entry = t->next[row + symbol];
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

size_t filter_follow(struct nfart_filter *f, size_t i, size_t n)
{
	size_t end = f->size == 1 ? follow_bytes(f, i, n) : follow_keys(f, i, n);

	f->calm = end < n ? 0 : f->calm + (end - i);
	return end;
}
