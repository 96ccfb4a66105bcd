/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/packing.h"

#include <stdlib.h>
#include <string.h>

#include "support/order.h"
#include "support/vec.h"

enum { NO_BIN = UINT32_MAX, TABLE = 1 << 14, MAX_WORDS = 1 << 24, MAX_CHOICES = 1 << 26,
       CLOCK_STEPS = 64 };

/* One level of the backtracking. Each level has one thing, which is tried in several
 * bins. `by_numbers` is true as long as everything that failed at or below this level
 * failed for lack of room alone. */
struct level {
	uint32_t tried; /* how many of its bins were tried */
	bool by_numbers;
};

struct state {
	const struct packing *in;
	struct arena arena;
	uint32_t *order; /* [nthings]: the thing of each level; the largest thing is first */
	uint32_t *bin;   /* [nthings]: the bin of each thing, or NO_BIN */
	uint64_t *left;  /* [nbins * kinds]: room that is left */
	/* [nthings * (nbins + 1)]: for each level the bins to try, in turn, then NO_BIN */
	uint32_t *bins;
	struct level *level; /* [nthings]: what was tried on each level */
	bool *share;         /* [nthings]: the share about which an owner is asked */
	uint64_t *key;       /* [nbins + 1]: scratch of fill_key() */
	/* keys of fill_key() with which the rest of the things can't be packed */
	VEC(uint64_t) seen;
	size_t *table;     /* [TABLE]: 1 + where a key begins in `seen`, or 0 */
	VEC(bool) refused; /* shares that were refused, each of nthings entries */
};

static bool has_room(const struct state *s, uint32_t thing, uint32_t bin)
{
	const struct packing *in = s->in;

	for (uint32_t i = 0; i < in->kinds; i++)
		if (s->left[(size_t)bin * in->kinds + i] < in->size[(size_t)thing * in->kinds + i])
			return false;
	return true;
}

static void put_thing(struct state *s, uint32_t thing, uint32_t bin)
{
	const struct packing *in = s->in;

	for (uint32_t i = 0; i < in->kinds; i++)
		s->left[(size_t)bin * in->kinds + i] -= in->size[(size_t)thing * in->kinds + i];
	s->bin[thing] = bin;
}

static void take_thing(struct state *s, uint32_t thing)
{
	const struct packing *in = s->in;

	for (uint32_t i = 0; i < in->kinds; i++)
		s->left[(size_t)s->bin[thing] * in->kinds + i] +=
			in->size[(size_t)thing * in->kinds + i];
	s->bin[thing] = NO_BIN;
}

static void fill_share(struct state *s, uint32_t bin)
{
	for (uint32_t i = 0; i < s->in->nthings; i++)
		s->share[i] = s->bin[i] == bin;
}

/* Does the bin hold all things of a share that was refused? Then its owner would refuse it, too. */
static bool is_refused(const struct state *s, uint32_t bin)
{
	uint32_t n = s->in->nthings;

	for (size_t at = 0; at < s->refused.n; at += n) {
		uint32_t i = 0;
		while (i < n && (!s->refused.at[at + i] || s->bin[i] == bin))
			i++;
		if (i == n)
			return true;
	}
	return false;
}

static bool refuse_share(struct state *s)
{
	uint32_t n = s->in->nthings;

	if (!vec_reserve(&s->refused, n))
		return false;
	memcpy(s->refused.at + s->refused.n, s->share, n * sizeof *s->share);
	s->refused.n += n;
	return true;
}

static int by_room(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Fills s->key with what is left to do: the level, and the rooms left in rising order. Returns the
 * place of this key in `table`. */
static size_t fill_key(struct state *s, uint32_t level)
{
	uint32_t n = s->in->nbins;
	uint64_t hash = level;

	s->key[0] = level;
	memcpy(s->key + 1, s->left, n * sizeof *s->key);
	qsort(s->key + 1, n, sizeof *s->key, by_room);
	for (uint32_t i = 1; i <= n; i++)
		hash = (hash ^ hash >> 29 ^ s->key[i]) * 0x9e3779b97f4a7c15u;
	return (size_t)(hash >> 40) % TABLE;
}

/* Is it known that the things from `level` on can't be packed into the rooms left? */
static bool is_hopeless(struct state *s, uint32_t level)
{
	size_t at, bytes = ((size_t)s->in->nbins + 1) * sizeof *s->key;

	if (s->in->kinds > 1)
		return false;
	at = s->table[fill_key(s, level)];
	return at != 0 && memcmp(s->seen.at + at - 1, s->key, bytes) == 0;
}

/* Remembers that the things from `level` on can't be packed into the rooms
 * left. False: out of memory. */
static bool remember_failure(struct state *s, uint32_t level)
{
	size_t words = (size_t)s->in->nbins + 1, at;

	if (s->in->kinds > 1 || s->seen.n + words > MAX_WORDS)
		return true;
	at = fill_key(s, level);
	if (!vec_reserve(&s->seen, words))
		return false;
	memcpy(s->seen.at + s->seen.n, s->key, words * sizeof *s->key);
	s->table[at] = s->seen.n + 1;
	s->seen.n += words;
	return true;
}

/* Begins a level: lists the bins that have room for its thing, those with the
 * least room of kind 0 first. */
static void begin_level(struct state *s, uint32_t level)
{
	const struct packing *in = s->in;
	uint32_t *bins = s->bins + (size_t)level * (in->nbins + 1), n = 0;

	for (uint32_t b = 0; b < in->nbins; b++) {
		uint32_t at = n;

		if (!has_room(s, s->order[level], b))
			continue;
		for (n++; at > 0 && s->left[(size_t)bins[at - 1] * in->kinds] >
					    s->left[(size_t)b * in->kinds]; at--)
			bins[at] = bins[at - 1];
		bins[at] = b;
	}
	bins[n] = NO_BIN;
	s->level[level] = (struct level){.by_numbers = true};
}

/* Are two bins interchangeable at this level? They are if both are empty. They are also if both
 * have the same room left and everything tried at this level has failed for lack of room alone. */
static bool are_alike(const struct state *s, uint32_t level, uint32_t a, uint32_t b)
{
	const struct packing *in = s->in;
	const uint64_t *x = s->left + (size_t)a * in->kinds, *y = s->left + (size_t)b * in->kinds;

	return memcmp(x, y, in->kinds * sizeof *x) == 0 &&
	       (s->level[level].by_numbers || memcmp(x, in->room, in->kinds * sizeof *x) == 0);
}

/* Puts the thing of a level into the next of its bins. Skips bins that are refused, and bins like
 * the one tried before. False: there is no next one. */
static bool advance_thing(struct state *s, uint32_t level)
{
	uint32_t *bins = s->bins + (size_t)level * (s->in->nbins + 1);
	struct level *l = &s->level[level];

	for (; bins[l->tried] != NO_BIN; l->tried++) {
		uint32_t bin = bins[l->tried];

		if (l->tried > 0 && are_alike(s, level, bins[l->tried - 1], bin))
			continue;
		put_thing(s, s->order[level], bin);
		l->tried++;
		if (!is_refused(s, bin))
			return true;
		l->by_numbers = false;
		take_thing(s, s->order[level]);
		l->tried--;
	}
	return false;
}

/* All things are in bins: asks the owner of every bin. NFART_OK: all accept. */
static enum nfart_status ask(struct state *s)
{
	for (uint32_t b = 0; b < s->in->nbins; b++) {
		enum nfart_status status;

		fill_share(s, b);
		status = s->in->place(s->in->context, s->share, b);
		if (status == NFART_NOFIT && !refuse_share(s))
			return NFART_SYSTEM;
		if (status != NFART_OK)
			return status;
	}
	return NFART_OK;
}

static bool is_over(const struct state *s)
{
	struct map_report *report = s->in->p->report;

	if (report->steps >= s->in->p->options->steps)
		report->limit = MAP_LIMIT_STEPS;
	else if (report->steps % CLOCK_STEPS == 0 && problem_time_left(s->in->p) == 0)
		report->limit = MAP_LIMIT_TIME;
	return report->limit != MAP_NO_LIMIT;
}

static enum nfart_status run_packing(struct state *s)
{
	uint32_t level = 0, n = s->in->nthings;
	bool by_numbers;
	enum nfart_status status;

	if (n == 0)
		return NFART_OK;
	begin_level(s, 0);
	for (;;) {
		if (advance_thing(s, level)) {
			s->in->p->report->steps++;
			if (is_over(s))
				return NFART_GAVEUP;
			if (level + 1 < n && !is_hopeless(s, level + 1)) {
				begin_level(s, ++level);
				continue;
			}
			by_numbers = level + 1 < n;
			status = by_numbers ? NFART_NOFIT : ask(s);
			if (status != NFART_NOFIT)
				return status;
		} else {
			by_numbers = s->level[level].by_numbers;
			if (by_numbers && !remember_failure(s, level))
				return NFART_SYSTEM;
			if (level-- == 0)
				return NFART_NOFIT;
		}
		take_thing(s, s->order[level]);
		s->level[level].by_numbers = s->level[level].by_numbers && by_numbers;
	}
}

static bool prepare_packing(struct state *s)
{
	const struct packing *in = s->in;
	size_t n = in->nthings, bins = in->nbins;

	s->order = arena_array(&s->arena, n, sizeof *s->order);
	s->bin = arena_array(&s->arena, n, sizeof *s->bin);
	s->left = arena_array(&s->arena, bins * in->kinds, sizeof *s->left);
	s->bins = arena_array(&s->arena, n * (bins + 1), sizeof *s->bins);
	s->level = arena_array(&s->arena, n, sizeof *s->level);
	s->share = arena_array(&s->arena, n, sizeof *s->share);
	s->key = arena_array(&s->arena, bins + 1, sizeof *s->key);
	s->table = arena_array(&s->arena, TABLE, sizeof *s->table);
	return s->order != NULL && s->bin != NULL && s->left != NULL && s->bins != NULL &&
	       s->level != NULL && s->share != NULL && s->key != NULL && s->table != NULL;
}

struct thing {
	uint64_t size;
	uint32_t id;
};

static int by_size(const void *a, const void *b)
{
	const struct thing *x = a, *y = b;

	return order_2(y->size, x->size, x->id, y->id);
}

static bool fill_packing(struct state *s)
{
	const struct packing *in = s->in;
	struct thing *things = arena_array(&s->arena, in->nthings, sizeof *things);

	if (things == NULL)
		return false;
	for (uint32_t i = 0; i < in->nthings; i++) {
		things[i].id = i;
		for (uint32_t kind = 0; kind < in->kinds; kind++)
			things[i].size += in->size[(size_t)i * in->kinds + kind];
		s->bin[i] = NO_BIN;
	}
	qsort(things, in->nthings, sizeof *things, by_size);
	for (uint32_t i = 0; i < in->nthings; i++)
		s->order[i] = things[i].id;
	for (size_t i = 0; i < (size_t)in->nbins * in->kinds; i++)
		s->left[i] = in->room[i % in->kinds];
	return true;
}

enum nfart_status packing_run(const struct packing *in)
{
	struct state s = {.in = in};
	enum nfart_status status = NFART_SYSTEM;

	if ((uint64_t)in->nthings * in->nbins > MAX_CHOICES) {
		in->p->report->limit = MAP_LIMIT_SIZE;
		return NFART_GAVEUP;
	}
	if (prepare_packing(&s) && fill_packing(&s))
		status = run_packing(&s);
	vec_free(&s.seen);
	vec_free(&s.refused);
	arena_free(&s.arena);
	return status;
}
