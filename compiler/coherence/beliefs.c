/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/beliefs.h"

#include <stdlib.h>
#include <string.h>

#include "support/bits.h"
#include "support/hash.h"

/* What an edge counts: it is looked up, and words of a set follow each other. */
enum { WORK_OF_EDGE = 8 };

struct finder {
	const struct coh_system *s;
	struct beliefs *b;
	uint64_t *after;      /* [nevents + 1][words]: the states after each event */
	uint32_t *stack;      /* [nstates] */
	struct hash_ids hash; /* finds beliefs */
	const struct beliefs_options *how;
	uint32_t filled;      /* how many rows of `next` are filled */
	uint64_t work;        /* what how->work counts */
};

static bool is_seen(const struct beliefs *b, uint32_t event)
{
	return event != COH_NONE && (b->seen >> event & 1) != 0;
}

/* Adds to a set all states that silent moves lead to. */
static void close(struct finder *f, uint64_t *set)
{
	const struct coh_system *s = f->s;
	size_t n = 0;

	for (size_t i = bits_next(set, s->nstates, 0); i < s->nstates;
	     i = bits_next(set, s->nstates, i + 1))
		f->stack[n++] = (uint32_t)i;
	while (n > 0) {
		uint32_t from = f->stack[--n];

		f->work += WORK_OF_EDGE * (uint64_t)(s->first.at[from + 1] - s->first.at[from]);
		for (uint32_t k = s->first.at[from]; k < s->first.at[from + 1]; k++) {
			const struct coh_edge *e = &s->edges.at[k];

			if (is_seen(f->b, e->event) || bits_get(set, e->to))
				continue;
			bits_set(set, e->to);
			f->stack[n++] = e->to;
		}
	}
}

static uint64_t hash_of(const void *beliefs, uint32_t id)
{
	const struct beliefs *b = beliefs;

	return hash_words(0, belief_states(b, id), b->words);
}

static bool beliefs_same(const void *beliefs, uint32_t id, const void *key)
{
	const struct beliefs *b = beliefs;
	const uint64_t *set = belief_states(b, id);

	return memcmp(set, key, b->words * sizeof *set) == 0;
}

/* Finds the number of a belief, which is new if it was not found before. */
static enum nfart_status beliefs_number(struct finder *f, const uint64_t *set, uint32_t *out)
{
	struct beliefs *b = f->b;
	size_t at;

	if (!hash_room(&f->hash, hash_of, b))
		return NFART_SYSTEM;
	at = hash_find(&f->hash, hash_words(0, set, b->words), beliefs_same, b, set);
	if (hash_id(&f->hash, at) == HASH_NONE) {
		if (b->n == f->how->most || f->work > f->how->work ||
		    (b->n + 1) * b->words > COH_MOST_WORDS)
			return NFART_GAVEUP;
		if (!vec_reserve(&b->sets, b->words))
			return NFART_SYSTEM;
		memcpy(b->sets.at + b->sets.n, set, b->words * sizeof *set);
		b->sets.n += b->words;
		hash_put(&f->hash, at, b->n++);
	}
	*out = hash_id(&f->hash, at);
	return NFART_OK;
}

/* Fills the row of a belief: what is known after each event. */
static enum nfart_status beliefs_expand(struct finder *f, uint32_t belief)
{
	const struct coh_system *s = f->s;
	struct beliefs *b = f->b;
	const uint64_t *set = belief_states(b, belief);
	enum nfart_status status = NFART_OK;

	f->work += (uint64_t)b->nevents * b->words;
	memset(f->after, 0, b->nevents * b->words * sizeof *f->after);
	for (size_t i = bits_next(set, s->nstates, 0); i < s->nstates;
	     i = bits_next(set, s->nstates, i + 1))
		for (uint32_t k = s->first.at[i]; k < s->first.at[i + 1]; k++)
			if (is_seen(b, s->edges.at[k].event))
				bits_set(f->after + s->edges.at[k].event * b->words,
					 s->edges.at[k].to);
	for (uint32_t event = 0; event < b->nevents && status == NFART_OK; event++) {
		uint64_t *after = f->after + event * b->words;
		uint32_t next = COH_NONE;

		close(f, after);
		if (bits_any(after, b->words))
			status = beliefs_number(f, after, &next);
		if (status == NFART_OK && !vec_push(&b->next, next))
			status = NFART_SYSTEM;
	}
	return status;
}

/* Numbers the belief that holds the first n states and those that silent moves lead to. */
static enum nfart_status beliefs_begin(struct finder *f, uint32_t n, uint32_t *belief)
{
	memset(f->after, 0, f->b->words * sizeof *f->after);
	for (uint32_t i = 0; i < n; i++)
		bits_set(f->after, i);
	close(f, f->after);
	return beliefs_number(f, f->after, belief);
}

/* Expands all beliefs whose rows are not filled. */
static enum nfart_status beliefs_fill(struct finder *f)
{
	enum nfart_status status = NFART_OK;

	for (; f->filled < f->b->n && status == NFART_OK; f->filled++)
		status = beliefs_expand(f, f->filled);
	return status;
}

/* Fills in where a checker begins anew. */
static enum nfart_status beliefs_find_restarts(struct finder *f)
{
	uint32_t all;
	enum nfart_status status = beliefs_begin(f, f->s->nstates, &all);

	if (status == NFART_OK)
		status = beliefs_fill(f);
	for (uint32_t i = 0; i < f->b->nevents && status == NFART_OK; i++) {
		uint32_t after = belief_after(f->b, all, i);

		if (!vec_push(&f->b->restart, after != COH_NONE ? after : all))
			status = NFART_SYSTEM;
	}
	return status;
}

enum nfart_status beliefs_find(const struct coh_system *s, uint32_t nevents, uint64_t seen,
			       bool known, const struct beliefs_options *how,
			       struct beliefs *b)
{
	struct finder f = { .s = s, .b = b, .how = how };
	enum nfart_status status = NFART_SYSTEM;
	uint32_t first;

	memset(b, 0, sizeof *b);
	b->nevents = nevents;
	b->words = bits_words(s->nstates);
	b->seen = seen;
	f.after = calloc((nevents + 1) * b->words, sizeof *f.after);
	f.stack = calloc(s->nstates + 1, sizeof *f.stack);
	if (f.after != NULL && f.stack != NULL)
		status = beliefs_begin(&f, known ? 1 : s->nstates, &first);
	if (status == NFART_OK)
		status = beliefs_fill(&f);
	if (status == NFART_OK && how->anew)
		status = beliefs_find_restarts(&f);
	free(f.after);
	free(f.stack);
	hash_free(&f.hash);
	return status;
}

void beliefs_free(struct beliefs *b)
{
	vec_free(&b->sets);
	vec_free(&b->next);
	vec_free(&b->restart);
}

bool belief_contains(const struct beliefs *b, uint32_t x, uint32_t y)
{
	const uint64_t *large = belief_states(b, x), *small = belief_states(b, y);

	for (size_t i = 0; i < b->words; i++)
		if ((small[i] & ~large[i]) != 0)
			return false;
	return true;
}
