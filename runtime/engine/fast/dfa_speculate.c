/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Follows entries of the cache that exist: the inner loop of a filter without substreams.
 *
 * Note [several walks at once]
 * A walk knows where its next entry is only when the last one has been loaded. So a single walk
 * waits for memory at every batch. Speculation overlaps these waits: WALKS walks of LENGTH batches
 * each go side by side.
 *
 *   batches   |  walk 0   |  walk 1   |  walk 2   |  walk 3   |
 *   begins in   known row    guess       guess       guess
 *
 * Only the first walk knows the row it begins in. The others guess it: each walks over the WARM
 * batches before its own, from the row in which the first walk begins. Most filters soon forget
 * where they came from, so the guess is usually right. Afterwards the walks are checked in order. A
 * walk that began in the wrong row is repeated until it finds the entry that is there already; from
 * then on the rest is right as well. If more than half of the batches were repeated, the next ALONE
 * attempts are left out.
 *
 * A missing entry is 0, and row 0 has only such entries. So a walk that meets a missing entry stays
 * in row 0 to its end, and what it finds there is worthless. That is why speculation begins only
 * after `enough` batches without a missing entry.
 */
#include "runtime/engine/filter.h"

enum { WALKS = 4, WARM = 16, LENGTH = 256, ALONE = 64 };

/* What a walk reads: bytes, keys below KEY_SMALL, or any keys. */
enum kind { BYTES, SMALL_KEYS, KEYS };

struct path {
	const struct dfa_cache *t;
	const uint32_t *next;
	const unsigned char *at;
	const uint64_t *key;
};

static struct path path(const struct nfart_filter *f, size_t i)
{
	return (struct path){ f->dfa, f->dfa->next,
			      f->in.block.form == BLOCK_BYTES ? f->in.block.at + i : NULL,
			      f->in.block.key + i };
}

#define INLINE static inline __attribute__((always_inline))

/* Returns the entry of a row for batch i (Note [states, rows, entries]). 0: the entry is missing,
 * or the batch's key has no symbol yet. */
INLINE uint32_t speculate_step(const struct path *p, enum kind kind, uint32_t row, size_t i)
{
	int64_t symbol = kind == BYTES	    ? p->t->symbols.of_byte[p->at[i]] :
			 kind == SMALL_KEYS ? p->t->symbols.of_small[p->key[i]] :
					      symbol_find(&p->t->symbols, p->key[i]);

	return p->next[row + symbol];
}

/* Follows the entries of the batches [i, n) from the current row, in a single walk. Returns the
 * first batch without an entry, or n. */
INLINE size_t speculate_walk(struct nfart_filter *f, enum kind kind, size_t i, size_t n)
{
	struct path p = path(f, 0);
	uint32_t row = f->at.row, any = 0;

	for (; i < n; i++) {
		uint32_t entry = speculate_step(&p, kind, row, i);
		if (entry == 0)
			break;
		f->said.entry[i] = entry;
		any |= entry;
		row = entry & DFA_ROW;
	}
	f->at.row = row;
	f->said.any |= any & ~DFA_ROW;
	return i;
}

/* Repeats a walk over the batches [i, n), from the current row, until it finds for a batch the
 * entry that the batch has already. *end becomes this batch, or the first batch whose entry is
 * missing, or n. False: an entry is missing. */
INLINE bool walk_again(struct nfart_filter *f, enum kind kind, size_t i, size_t n, size_t *end)
{
	struct path p = path(f, 0);
	uint32_t entry = 1;

	for (; i < n; i++) {
		entry = speculate_step(&p, kind, f->at.row, i);
		if (entry == f->said.entry[i] || entry == 0)
			break;
		f->said.entry[i] = entry;
		f->said.any |= entry & ~DFA_ROW;
		f->at.row = entry & DFA_ROW;
	}
	*end = i;
	return entry != 0;
}

/* Finds the last batch in [i, n) with an entry, makes the row of this entry the current one, and
 * returns the number of the batch after it. Returns i if there is no entry. */
static size_t end_of(struct nfart_filter *f, size_t i, size_t n)
{
	while (n > i && f->said.entry[n - 1] == 0)
		n--;
	if (n > i)
		f->at.row = f->said.entry[n - 1] & DFA_ROW;
	return n;
}

/* Checks the walks over the batches from i on; walk w began in row begin[w]. Returns the first
 * batch without an entry, or the batch after the last walk. */
INLINE size_t speculate_check(struct nfart_filter *f, enum kind kind, size_t i,
			      const uint32_t begin[WALKS])
{
	size_t again = 0;

	for (int w = 0; w < WALKS; w++, i += LENGTH) {
		size_t at = i;
		if (begin[w] != f->at.row && !walk_again(f, kind, i, i + LENGTH, &at))
			return at;
		again += at - i;
		at = end_of(f, at, i + LENGTH);
		if (at < i + LENGTH)
			return at;
	}
	if (again > WALKS * LENGTH / 2)
		f->speculation.alone = ALONE;
	return i;
}

/* Goes over WALKS * LENGTH batches from i on, by walks side by side (Note [several walks at once]).
 * Returns what speculate_check() does. */
INLINE size_t walk_side_by_side(struct nfart_filter *f, enum kind kind, size_t i)
{
	struct path p = path(f, i);
	uint32_t row[WALKS], begin[WALKS], any = 0, *to = f->said.entry + i;

	for (int w = 0; w < WALKS; w++)
		row[w] = f->at.row;
	for (size_t k = LENGTH - WARM; k < LENGTH; k++)
#pragma GCC unroll 8
		for (int w = 1; w < WALKS; w++)
			row[w] = speculate_step(&p, kind, row[w], k + (size_t)(w - 1) * LENGTH) &
				 DFA_ROW;
	for (int w = 0; w < WALKS; w++)
		begin[w] = row[w];
	for (size_t k = 0; k < LENGTH; k++)
#pragma GCC unroll 8
		for (int w = 0; w < WALKS; w++) {
			size_t at = k + (size_t)w * LENGTH;
			to[at] = speculate_step(&p, kind, row[w], at);
			row[w] = to[at] & DFA_ROW;
		}
	for (size_t k = 0; k < WALKS * LENGTH; k++)
		any |= to[k];
	f->said.any |= any & ~DFA_ROW;
	return speculate_check(f, kind, i, begin);
}

INLINE size_t speculate_follow(struct nfart_filter *f, enum kind kind, size_t i, size_t n)
{
	struct dfa_speculation *s = &f->speculation;
	size_t end;

	if (s->calm >= s->enough && (end = dfa_shuffle(f, i, n)) != i)
		return speculate_walk(f, kind, end, n);
	for (; s->calm >= s->enough && s->alone == 0 && n - i >= WALKS * LENGTH; i = end) {
		end = walk_side_by_side(f, kind, i);
		if (end < i + WALKS * LENGTH)
			return end;
	}
	s->alone -= s->alone != 0;
	return speculate_walk(f, kind, i, n);
}

size_t dfa_speculate(struct nfart_filter *f, size_t i, size_t n)
{
	size_t end = f->in.block.form == BLOCK_BYTES	  ? speculate_follow(f, BYTES, i, n) :
		     f->dfa->keys.small ? speculate_follow(f, SMALL_KEYS, i, n) :
					   speculate_follow(f, KEYS, i, n);

	f->speculation.calm = end < n ? 0 : f->speculation.calm + (end - i);
	return end;
}
