/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/words.h"

#include <stdlib.h>
#include <string.h>

#include "support/hash.h"

enum { WORDS = 512, PAGE_SHIFT = 12, LEAST = 64 };

struct words_page {
	uint64_t key; /* 1 + number of the page; 0: the entry is not in use */
	struct word *word;
};

static void renew_word(struct word *w)
{
	for (struct cell *c = &w->first, *next; c != NULL; c = next) {
		next = c->next;
		free(c->loads);
		if (c != &w->first)
			free(c);
	}
	if (w->clock != NULL)
		clock_free(w->clock);
	free(w->clock);
	*w = (struct word){ 0 };
}

static bool page_hash(const void *entry, uint64_t *h)
{
	const struct words_page *p = entry;

	*h = hash_add(0, p->key);
	return p->key != 0;
}

HASH_INLINE bool page_ends(const void *ctx, size_t place, const void *key)
{
	const struct words *x = ctx;

	return x->page[place].key == 0 || x->page[place].key == *(const uint64_t *)key;
}

/* The words of a page. If it was not accessed yet, makes it if `make`, else returns NULL. */
static struct word *find_page(struct words *x, uint64_t number, bool make)
{
	const uint64_t key = number + 1;
	size_t at;

	if (x->last != NULL && x->last_key == key)
		return x->last;
	if (make && 2 * x->npages >= x->pages &&
	    !hash_widen((void **)&x->page, &x->pages, sizeof *x->page, LEAST, page_hash))
		return NULL;
	if (x->pages == 0)
		return NULL;
	at = hash_probe(x->pages, hash_add(0, key), page_ends, x, &key);
	if (x->page[at].key == 0 && !make)
		return NULL;
	if (x->page[at].key == 0) {
		struct word *w = calloc(WORDS, sizeof *w);

		if (w == NULL)
			return NULL;
		x->page[at] = (struct words_page){ key, w };
		x->npages++;
	}
	x->last = x->page[at].word;
	x->last_key = key;
	return x->last;
}

struct word *words_find(struct words *x, uint64_t address, bool make)
{
	struct word *w = find_page(x, address >> PAGE_SHIFT, make);

	return w != NULL ? &w[address >> 3 & (WORDS - 1)] : NULL;
}

/* Renews what a range and a page have in common. */
static void renew_part(struct word *w, uint64_t page, uint64_t from, uint64_t end)
{
	const uint64_t low = page << PAGE_SHIFT, high = (page + 1) << PAGE_SHIFT;

	if (from < low)
		from = low;
	if (end > high)
		end = high;
	for (; from < end; from = (from | 7) + 1)
		renew_word(&w[from >> 3 & (WORDS - 1)]);
}

void words_renew(struct words *x, uint64_t address, uint64_t bytes)
{
	const uint64_t end = bytes < UINT64_MAX - address ? address + bytes : UINT64_MAX;
	const uint64_t first = address >> PAGE_SHIFT, last = (end - 1) >> PAGE_SHIFT;

	if (bytes == 0 || x->pages == 0)
		return;
	if (last - first < x->pages) {
		for (uint64_t i = first; i <= last; i++) {
			struct word *w = find_page(x, i, false);

			if (w != NULL)
				renew_part(w, i, address, end);
		}
		return;
	}
	for (size_t i = 0; i < x->pages; i++)
		if (x->page[i].key != 0)
			renew_part(x->page[i].word, x->page[i].key - 1, address, end);
}

void words_free(struct words *x)
{
	for (size_t i = 0; i < x->pages; i++) {
		for (size_t k = 0; x->page[i].key != 0 && k < WORDS; k++)
			renew_word(&x->page[i].word[k]);
		free(x->page[i].word);
	}
	free(x->page);
	*x = (struct words){ 0 };
}

bool words_cut(struct cell *c, uint8_t mask)
{
	struct cell *rest;

	if (!(c->mask & ~mask))
		return true;
	rest = malloc(sizeof *rest);
	if (rest == NULL)
		return false;
	*rest = *c;
	rest->mask = c->mask & (uint8_t)~mask;
	if (c->loads != NULL) {
		const size_t n = sizeof *c->loads + c->loads->n * sizeof c->loads->at[0];

		rest->loads = malloc(n);
		if (rest->loads != NULL)
			memcpy(rest->loads, c->loads, n);
		else
			rest->load = 0;
	}
	c->mask &= mask;
	c->next = rest;
	return true;
}

struct cell *words_add(struct word *w, uint8_t mask)
{
	struct cell *c = &w->first;

	if (c->mask != 0) {
		c = calloc(1, sizeof *c);
		if (c == NULL)
			return NULL;
		c->next = w->first.next;
		w->first.next = c;
	}
	c->mask = mask;
	return c;
}
