/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Paige and Tarjan's algorithm keeps two partitions, a fine one and a coarse one. The blocks of the
 * fine one are the result in the end. Each set of the coarse one is a union of blocks. The fine
 * partition is stable with respect to each of these sets: either all elements of a block are
 * related to elements of the set, or none of them is. While some coarse set has two blocks or more,
 * the smaller of two, B, becomes a coarse set of its own. Blocks are then split in up to three
 * parts: elements that are related to B only, to both B and the rest of the set, or to the rest
 * only.
 *
 * For each element and coarse set, a record counts the pairs that lead from the element into the
 * set. All these pairs share the record. B is at most half of the set it leaves, so an element is
 * in B at most log n times. This gives the logarithm in the cost.
 */
#include "ir/partition.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

struct block {
	uint32_t begin, end; /* the elements of the block are elems[begin … end) */
	uint32_t marked;     /* how many elements, at the front of the block, will be split off */
	uint32_t set;        /* the coarse set that contains the block */
	uint32_t next;       /* the next block of the same coarse set; NONE: there is none */
};

struct refine {
	uint32_t n; /* how many elements there are */
	uint32_t *elems,   /* [n]: the elements, those of each block next to each other */
		*place,    /* [n]: the index of each element in elems */
		*block_of; /* [n]: the block of each element */
	struct block *blocks;
	uint32_t nblocks;
	struct {
		uint32_t *head, /* [n]: the first block of each coarse set */
			*size;  /* [n]: how many blocks each coarse set has */
		uint32_t n;
		uint32_t *todo, /* stack of the coarse sets with two blocks or more */
			ntodo;  /* how many coarse sets are on this stack */
	} sets;
	struct {
		uint32_t n; /* how many pairs (x, y) there are such that x is related to y */
		/* `pair` has the numbers of all pairs (x, y), grouped by y. The group of y is
		 * pair[first[y] … first[y + 1]). */
		uint32_t *first, *pair;
		uint32_t *from;   /* [n]: the element x of each pair (x, y) */
		uint32_t *record; /* [n]: the record of each pair, an index into records.count */
	} pairs;
	struct {
		uint32_t *count, /* how many pairs share each record */
			*spare,  /* stack of the free records */
			nspare;  /* how many records are free */
		uint32_t *new,   /* [n]: the record of an element's pairs into B; NONE: it has none */
			*old;    /* [n]: the record of an element's pairs into the rest of the set */
	} records;
	uint32_t *touched, /* the elements that are related to an element of B */
		*split;    /* the blocks with marked elements */
	uint32_t *scratch;
};

static uint32_t *refine_array(size_t n)
{
	return malloc((n + 1) * sizeof(uint32_t));
}

static void add_to_set(struct refine *w, uint32_t b, uint32_t set)
{
	w->blocks[b].set = set;
	w->blocks[b].next = w->sets.head[set];
	w->sets.head[set] = b;
	if (++w->sets.size[set] == 2)
		w->sets.todo[w->sets.ntodo++] = set;
}

static void refine_mark(struct refine *w, uint32_t x, uint32_t *nsplit)
{
	struct block *b = &w->blocks[w->block_of[x]];
	uint32_t to = b->begin + b->marked, y = w->elems[to], at = w->place[x];

	if (b->marked++ == 0)
		w->split[(*nsplit)++] = w->block_of[x];
	w->elems[to] = x;
	w->elems[at] = y;
	w->place[x] = to;
	w->place[y] = at;
}

/* Splits the marked elements off each of the blocks split[0 … nsplit). They become a new block in
 * the same coarse set, unless the whole block is marked. */
static void split_marked(struct refine *w, uint32_t nsplit)
{
	for (uint32_t i = 0; i < nsplit; i++) {
		struct block *b = &w->blocks[w->split[i]];
		uint32_t marked = b->marked, made = w->nblocks;
		b->marked = 0;
		if (marked == b->end - b->begin)
			continue;
		w->blocks[made] = (struct block){ .begin = b->begin, .end = b->begin + marked };
		b->begin += marked;
		w->nblocks++;
		for (uint32_t k = w->blocks[made].begin; k < w->blocks[made].end; k++)
			w->block_of[w->elems[k]] = made;
		add_to_set(w, made, b->set);
	}
}

/* Takes one block out of coarse set s, the smaller of its first two. The block becomes a coarse set
 * of its own and is returned. */
static uint32_t take_block(struct refine *w, uint32_t s)
{
	uint32_t a = w->sets.head[s], b = w->blocks[a].next;
	struct block *x = &w->blocks[a], *y = &w->blocks[b];

	if (x->end - x->begin <= y->end - y->begin) {
		w->sets.head[s] = b;
		b = a;
	} else {
		x->next = y->next;
	}
	if (--w->sets.size[s] >= 2)
		w->sets.todo[w->sets.ntodo++] = s;
	w->sets.head[w->sets.n] = NONE;
	w->sets.size[w->sets.n] = 0;
	add_to_set(w, b, w->sets.n++);
	return b;
}

static void refine_step(struct refine *w, uint32_t s)
{
	uint32_t b = take_block(w, s), nx = 0, ntouched = 0, nsplit = 0;

	/* Copies the elements of B first, because splitting moves elements. */
	for (uint32_t k = w->blocks[b].begin; k < w->blocks[b].end; k++)
		w->scratch[nx++] = w->elems[k];
	for (uint32_t k = 0; k < nx; k++)
		for (uint32_t i = w->pairs.first[w->scratch[k]];
		     i < w->pairs.first[w->scratch[k] + 1]; i++) {
			uint32_t pair = w->pairs.pair[i], x = w->pairs.from[pair];
			if (w->records.new[x] == NONE) {
				w->records.new[x] = w->records.spare[--w->records.nspare];
				w->records.count[w->records.new[x]] = 0;
				w->records.old[x] = w->pairs.record[pair];
				w->touched[ntouched++] = x;
			}
			w->records.count[w->pairs.record[pair]]--;
			w->pairs.record[pair] = w->records.new[x];
			w->records.count[w->records.new[x]]++;
		}
	for (uint32_t k = 0; k < ntouched; k++)
		refine_mark(w, w->touched[k], &nsplit);
	split_marked(w, nsplit);
	nsplit = 0;
	for (uint32_t k = 0; k < ntouched; k++) {
		uint32_t x = w->touched[k];
		w->records.new[x] = NONE;
		if (w->records.count[w->records.old[x]] == 0) {
			w->records.spare[w->records.nspare++] = w->records.old[x];
			refine_mark(w, x, &nsplit);
		}
	}
	split_marked(w, nsplit);
}

/* Makes the first blocks: the given classes, split by whether an element is related to anything.
 * So the blocks are stable with respect to the first coarse set, the set of all elements. */
static void refine_start(struct refine *w, const struct relation *r, const uint32_t *cls)
{
	uint32_t n = r->n, *head = w->scratch, *next = w->touched;

	w->sets.head[0] = NONE;
	w->sets.size[0] = 0;
	w->sets.n = 1;
	for (int related = 0; related < 2; related++) {
		for (uint32_t c = 0; c < n; c++)
			head[c] = NONE;
		for (uint32_t x = n; x-- > 0;)
			if ((r->first[x] != r->first[x + 1]) == related) {
				next[x] = head[cls[x]];
				head[cls[x]] = x;
			}
		for (uint32_t c = 0; c < n; c++) {
			uint32_t begin = w->nblocks == 0 ? 0 : w->blocks[w->nblocks - 1].end,
				 end = begin;
			for (uint32_t x = head[c]; x != NONE; x = next[x]) {
				w->elems[end] = x;
				w->place[x] = end++;
				w->block_of[x] = w->nblocks;
			}
			if (end == begin)
				continue;
			w->blocks[w->nblocks] = (struct block){ .begin = begin, .end = end };
			add_to_set(w, w->nblocks++, 0);
		}
	}
	for (uint32_t x = 0; x < n; x++) {
		w->records.new[x] = NONE;
		w->records.count[x] = r->first[x + 1] - r->first[x];
		for (uint32_t i = r->first[x]; i < r->first[x + 1]; i++) {
			w->pairs.record[i] = x;
			w->pairs.from[i] = x;
		}
	}
	for (uint32_t k = n; k < n + w->pairs.n + 1; k++)
		w->records.spare[w->records.nspare++] = k;
}

/* Groups the pairs (x, y) by y: fills in rfirst and rpair. */
static void reverse(struct refine *w, const struct relation *r)
{
	memset(w->pairs.first, 0, (w->n + 1) * sizeof *w->pairs.first);
	for (uint32_t i = 0; i < w->pairs.n; i++)
		w->pairs.first[r->to[i] + 1]++;
	for (uint32_t y = 0; y < w->n; y++)
		w->pairs.first[y + 1] += w->pairs.first[y];
	for (uint32_t i = w->pairs.n; i-- > 0;)
		w->pairs.pair[--w->pairs.first[r->to[i] + 1]] = i;
	/* rfirst[y + 1] now says where the group of y begins: move all entries down by one. */
	memmove(w->pairs.first, w->pairs.first + 1, w->n * sizeof *w->pairs.first);
	w->pairs.first[w->n] = w->pairs.n;
}

static bool refine_allocate(struct refine *w)
{
	size_t n = w->n, m = w->pairs.n;
	uint32_t **plain[] = { &w->elems, &w->place, &w->block_of, &w->sets.head, &w->sets.size,
		&w->records.new, &w->records.old, &w->touched, &w->split, &w->scratch };
	bool ok = true;

	for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
		ok = (*plain[i] = refine_array(n + 1)) != NULL && ok;
	ok = (w->sets.todo = refine_array(2 * n + 2)) != NULL && ok;
	ok = (w->pairs.first = refine_array(n + 2)) != NULL && ok;
	ok = (w->pairs.pair = refine_array(m)) != NULL && ok;
	ok = (w->pairs.from = refine_array(m)) != NULL && ok;
	ok = (w->pairs.record = refine_array(m)) != NULL && ok;
	ok = (w->records.count = refine_array(n + m + 1)) != NULL && ok;
	ok = (w->records.spare = refine_array(n + m + 1)) != NULL && ok;
	ok = (w->blocks = malloc((n + 1) * sizeof *w->blocks)) != NULL && ok;
	return ok;
}

static void refine_release(struct refine *w)
{
	uint32_t *all[] = { w->elems,        w->place,       w->block_of,     w->sets.head,
			    w->sets.size,    w->records.new, w->records.old,  w->touched,
			    w->split,        w->scratch,     w->sets.todo,    w->pairs.first,
			    w->pairs.pair,   w->pairs.from,  w->pairs.record, w->records.count,
			    w->records.spare };

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		free(all[i]);
	free(w->blocks);
}

uint32_t partition_refine(const struct relation *r, uint32_t *cls)
{
	struct refine w = { .n = r->n, .pairs.n = r->first[r->n] };
	uint32_t next = UINT32_MAX;

	if (refine_allocate(&w)) {
		reverse(&w, r);
		refine_start(&w, r, cls);
		while (w.sets.ntodo != 0) {
			uint32_t s = w.sets.todo[--w.sets.ntodo];
			if (w.sets.size[s] >= 2)
				refine_step(&w, s);
		}
		next = 0;
		for (uint32_t b = 0; b < w.nblocks; b++)
			w.scratch[b] = NONE;
		for (uint32_t x = 0; x < w.n; x++) {
			uint32_t b = w.block_of[x];
			if (w.scratch[b] == NONE)
				w.scratch[b] = next++;
			cls[x] = w.scratch[b];
		}
	}
	refine_release(&w);
	return next;
}
