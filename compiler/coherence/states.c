/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/states.h"

#include <stdlib.h>
#include <string.h>

#include "support/hash.h"

/* What sorting a move among those of its state counts: it takes as long as some steps to a move. */
enum { STEPS_TO_SORT = 4 };

/* A move as a number, by which moves are ordered. */
static uint64_t packed(uint32_t event, uint32_t to)
{
	return (uint64_t)event << 32 | to;
}

struct classing {
	const struct coh_system *s;
	const struct states_options *how;
	uint64_t seen;
	uint64_t work;         /* what how->work counts */
	VEC(uint32_t) entered; /* the states that events lead to, rising; they are the machine's */
	uint32_t *number;      /* [states of the system]: their index in `entered`, or COH_NONE */
	/* Moves of the states in `entered`, sorted, each once: event and state. */
	VEC(uint32_t) first;
	VEC(uint64_t) moves;
	uint32_t *visited, *stack; /* [states of the system] */
	uint32_t *class, *next;    /* [entered]: before and after a round */
	uint32_t nclasses;
	/* The classes of a round: for each the class before, then moves to classes before. */
	VEC(uint64_t) parts;
	VEC(uint32_t) part;        /* by class: where it begins in `parts`; and the end */
	VEC(uint64_t) key;
	struct hash_ids hash;
};

static int compare_moves(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sorts numbers and leaves each once. Returns how many are left. */
static size_t sort_once(uint64_t *at, size_t n)
{
	size_t k = 0;

	if (n == 0)
		return 0;
	qsort(at, n, sizeof *at, compare_moves);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || at[i] != at[i - 1])
			at[k++] = at[i];
	return k;
}

static bool is_seen(const struct classing *x, uint32_t event)
{
	return event != COH_NONE && (x->seen >> event & 1) != 0;
}

/* ---- moves without silent ones ---- */

static bool find_entered(struct classing *x)
{
	const struct coh_system *s = x->s;

	memset(x->number, 0xff, s->nstates * sizeof *x->number);
	for (size_t i = 0; i < s->edges.n; i++)
		if (is_seen(x, s->edges.at[i].event))
			x->number[s->edges.at[i].to] = 0;
	for (uint32_t i = 0; i < s->nstates; i++) {
		if (x->number[i] == COH_NONE)
			continue;
		x->number[i] = (uint32_t)x->entered.n;
		if (!vec_push(&x->entered, i))
			return false;
	}
	return true;
}

/* Adds the moves after any silent ones from entered state i. */
static bool add_moves(struct classing *x, uint32_t i)
{
	const struct coh_system *s = x->s;
	size_t n = 0, from = x->moves.n;

	x->stack[n++] = x->entered.at[i];
	x->visited[x->entered.at[i]] = i;
	while (n > 0) {
		uint32_t state = x->stack[--n];

		x->work += 1 + s->first.at[state + 1] - s->first.at[state];
		for (uint32_t k = s->first.at[state]; k < s->first.at[state + 1]; k++) {
			const struct coh_edge *e = &s->edges.at[k];

			if (is_seen(x, e->event)) {
				if (!vec_push(&x->moves, packed(e->event, x->number[e->to])))
					return false;
			} else if (x->visited[e->to] != i) {
				x->visited[e->to] = i;
				x->stack[n++] = e->to;
			}
		}
	}
	x->moves.n = from + sort_once(x->moves.at + from, x->moves.n - from);
	return true;
}

static enum nfart_status find_weak_moves(struct classing *x)
{
	memset(x->visited, 0xff, x->s->nstates * sizeof *x->visited);
	for (uint32_t i = 0; i < x->entered.n; i++) {
		if (!vec_push(&x->first, (uint32_t)x->moves.n) || !add_moves(x, i))
			return NFART_SYSTEM;
		if (x->moves.n > x->how->most || x->work > x->how->work)
			return NFART_GAVEUP;
	}
	return vec_push(&x->first, (uint32_t)x->moves.n) ? NFART_OK : NFART_SYSTEM;
}

/* ---- classes ---- */

static uint64_t hash_of_class(const void *classing, uint32_t id)
{
	const struct classing *x = classing;
	uint32_t from = x->part.at[id];

	return hash_words(0, x->parts.at + from, x->part.at[id + 1] - from);
}

static bool same_class(const void *classing, uint32_t id, const void *key)
{
	const struct classing *x = classing;
	size_t n = x->part.at[id + 1] - x->part.at[id];

	(void)key;
	return n == x->key.n &&
	       memcmp(x->parts.at + x->part.at[id], x->key.at, n * sizeof *x->key.at) == 0;
}

/* Puts what tells entered state i from others into the key: its class, and its moves to classes. */
static bool make_key(struct classing *x, uint32_t i)
{
	uint32_t n = x->first.at[i + 1] - x->first.at[i];

	x->key.n = 0;
	if (!vec_reserve(&x->key, n + 1))
		return false;
	x->key.at[0] = x->class[i];
	for (uint32_t k = 0; k < n; k++) {
		uint64_t m = x->moves.at[x->first.at[i] + k];

		x->key.at[k + 1] = packed((uint32_t)(m >> 32), x->class[(uint32_t)m]);
	}
	x->key.n = 1 + sort_once(x->key.at + 1, n);
	x->work += STEPS_TO_SORT * ((uint64_t)n + 1);
	return true;
}

static bool number_class(struct classing *x, uint32_t i)
{
	size_t at;

	if (!make_key(x, i) || !hash_room(&x->hash, hash_of_class, x))
		return false;
	at = hash_find(&x->hash, hash_words(0, x->key.at, x->key.n), same_class, x, NULL);
	if (hash_id(&x->hash, at) == HASH_NONE) {
		if (!vec_reserve(&x->parts, x->key.n))
			return false;
		memcpy(x->parts.at + x->parts.n, x->key.at, x->key.n * sizeof *x->key.at);
		x->parts.n += x->key.n;
		if (!vec_push(&x->part, (uint32_t)x->parts.n))
			return false;
		hash_put(&x->hash, at, (uint32_t)x->part.n - 2);
	}
	x->next[i] = hash_id(&x->hash, at);
	return true;
}

/* Splits classes whose states lead to different classes. A round that makes no more of them is the
 * last: then states of a class do the same. Each other round makes one more, so it ends. */
static enum nfart_status find_classes(struct classing *x)
{
	uint32_t before = 0;

	for (x->nclasses = 1; x->nclasses > before;) {
		uint32_t *was = x->class;

		before = x->nclasses;
		hash_clear(&x->hash);
		x->parts.n = x->part.n = 0;
		if (!vec_push(&x->part, 0))
			return NFART_SYSTEM;
		for (uint32_t i = 0; i < x->entered.n; i++) {
			if (!number_class(x, i))
				return NFART_SYSTEM;
			if (x->work > x->how->work)
				return NFART_GAVEUP;
		}
		x->nclasses = (uint32_t)x->part.n - 1;
		x->class = x->next;
		x->next = was;
	}
	return NFART_OK;
}

/* ---- the whole ---- */

static bool push_move(struct coh_states *out, uint64_t m)
{
	return vec_push(&out->moves, ((struct states_move){ (uint32_t)(m >> 32), (uint32_t)m }));
}

/* The last round changed no class but their numbers, which are those in the order of first states,
 * as before. So its keys have the moves. */
static bool write_classes(const struct classing *x, struct coh_states *out)
{
	out->n = x->nclasses;
	for (uint32_t i = 0; i < x->nclasses; i++) {
		if (!vec_push(&out->first, (uint32_t)out->moves.n))
			return false;
		for (uint32_t k = x->part.at[i] + 1; k < x->part.at[i + 1]; k++)
			if (!push_move(out, x->parts.at[k]))
				return false;
	}
	return vec_push(&out->first, (uint32_t)out->moves.n);
}

/* What an event of any state leads to. */
static bool write_begin(struct classing *x, struct coh_states *out)
{
	const struct coh_system *s = x->s;

	x->key.n = 0;
	for (size_t i = 0; i < s->edges.n; i++)
		if (is_seen(x, s->edges.at[i].event) &&
		    !vec_push(&x->key, packed(s->edges.at[i].event,
					      x->class[x->number[s->edges.at[i].to]])))
			return false;
	x->key.n = sort_once(x->key.at, x->key.n);
	for (size_t i = 0; i < x->key.n; i++)
		if (!vec_push(&out->begin, ((struct states_move){ (uint32_t)(x->key.at[i] >> 32),
								  (uint32_t)x->key.at[i] })))
			return false;
	return true;
}

enum nfart_status states_find(const struct coh_system *s, uint64_t seen,
			      const struct states_options *how, struct coh_states *out)
{
	struct classing x = { .s = s, .how = how, .seen = seen };
	enum nfart_status status = NFART_SYSTEM;

	memset(out, 0, sizeof *out);
	x.number = calloc(s->nstates, sizeof *x.number);
	x.visited = calloc(s->nstates, sizeof *x.visited);
	x.stack = calloc(s->nstates, sizeof *x.stack);
	if (x.number != NULL && x.visited != NULL && x.stack != NULL && find_entered(&x)) {
		x.class = calloc(x.entered.n + 1, sizeof *x.class);
		x.next = calloc(x.entered.n + 1, sizeof *x.next);
	}
	if (x.class != NULL && x.next != NULL)
		status = find_weak_moves(&x);
	if (status == NFART_OK)
		status = find_classes(&x);
	if (status == NFART_OK && !(write_classes(&x, out) && write_begin(&x, out)))
		status = NFART_SYSTEM;
	out->too_long = x.work > how->work;
	vec_free(&x.entered);
	vec_free(&x.first);
	vec_free(&x.moves);
	vec_free(&x.parts);
	vec_free(&x.part);
	vec_free(&x.key);
	hash_free(&x.hash);
	free(x.number);
	free(x.visited);
	free(x.stack);
	free(x.class);
	free(x.next);
	return status;
}

void states_free(struct coh_states *x)
{
	vec_free(&x->first);
	vec_free(&x->moves);
	vec_free(&x->begin);
}
