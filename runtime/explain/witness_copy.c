/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes and frees a witness and its copies of the automaton. A copy is made when its line is first
 * seen.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/witness_chain.h"
#include "runtime/explain/witness_machine.h"

static bool copy_tables(struct witness *w)
{
	const struct nfart_image *im = w->im;

	w->always = arena_array(&w->arena, im->nfa.nstates, sizeof *w->always);
	w->asked.at = arena_array(&w->arena, im->nfa.npreds, sizeof *w->asked.at);
	w->asked.answer = arena_array(&w->arena, im->nfa.npreds, sizeof *w->asked.answer);
	w->current.from = arena_array(&w->arena, im->nfa.nstates, sizeof *w->current.from);
	w->truth = arena_array(&w->arena, bits_words(im->nfa.npreds), sizeof *w->truth);
	w->none = arena_array(&w->arena, bits_words(im->nfa.npreds), sizeof *w->none);
	w->rows = arena_array(&w->arena, im->proto->nslots * bits_words(im->nfa.npreds),
			      sizeof *w->rows);
	w->after = arena_array(&w->arena, bits_words(im->nfa.nstates), sizeof *w->after);
	w->orders = arena_array(&w->arena, orders_words(im), sizeof *w->orders);
	w->goal.far =
		arena_array(&w->arena, (size_t)im->nfa.nstates * w->goal.n, sizeof *w->goal.far);
	w->goal.far_always = arena_array(&w->arena, w->goal.n, sizeof *w->goal.far_always);
	if (w->always == NULL || w->asked.at == NULL || w->asked.answer == NULL ||
	    w->current.from == NULL || w->truth == NULL || w->none == NULL || w->rows == NULL ||
	    w->after == NULL || w->orders == NULL || w->goal.far == NULL ||
	    w->goal.far_always == NULL)
		return false;
	for (uint32_t p = 0; p < im->nfa.npreds; p++)
		if (im->nfa.preds[p].none)
			bits_set(w->none, p);
	for (uint32_t s = 0; s < im->nfa.nstates; s++)
		if ((im->nfa.states[s].flags & STATE_ALWAYS) != 0)
			w->always[w->nalways++] = s;
	return true;
}

struct witness *witness_new(const struct nfart_image *im, const struct nfart_engine_options *o,
			    const uint32_t *goals, uint32_t ngoals, struct nfart_error *e)
{
	struct witness *w;

	if (im->nfa.nstates != 0 && ngoals > WITNESS_MOST_FAR / im->nfa.nstates) {
		nfart_fail(e, NFART_GAVEUP,
			   "%u states times %u labels are too many to explain: above %d",
			   im->nfa.nstates, ngoals, WITNESS_MOST_FAR);
		return NULL;
	}
	w = calloc(1, sizeof *w);
	if (w != NULL) {
		w->im = im;
		w->goal.at = goals;
		w->goal.n = ngoals;
		w->pool.epoch = 1;
		if (!copies_init(&w->map, im, o, e)) {
			free(w);
			return NULL;
		}
	}
	if (w == NULL || !joins_init(&w->joins, im, &w->map) || !copy_tables(w) || !witness_find_far(w)) {
		witness_free(w);
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	return w;
}

void witness_lost_clear(struct witness_lost *l)
{
	chain_free(l->was.step);
	chain_batch_free(l->by);
	l->was.step = NULL;
	l->by = NULL;
	l->far = 0;
	l->over = false;
}

static void copy_free(const struct witness *w, struct witness_copy *c)
{
	if (c == NULL)
		return;
	chain_list_free(&c->active);
	for (uint32_t g = 0; c->lost != NULL && g < w->goal.n; g++)
		witness_lost_clear(&c->lost[g]);
	free(c->lost);
	free(c->counts);
	witness_machines_free(w->im, c->machines);
	free(c->machine_counts);
	free(c);
}

void witness_parts_clear(struct witness *w)
{
	for (size_t i = 0; i < w->parts.n; i++)
		chain_list_free(&w->parts.at[i].before);
	w->parts.n = 0;
}

void witness_free(struct witness *w)
{
	if (w == NULL)
		return;
	witness_parts_clear(w);
	vec_free(&w->parts);
	for (size_t i = 0; i < w->pool.copies.n; i++)
		copy_free(w, w->pool.copies.at[i]);
	vec_free(&w->pool.copies);
	copy_free(w, w->pool.rest);
	vec_free(&w->current.touched);
	chain_batch_free(w->current.batch);
	hash_free(&w->pool.hash);
	joins_free(&w->joins);
	arena_free(&w->arena);
	free(w);
}

/* ---- copies ---- */

static uint64_t hash_line(uint64_t line)
{
	return line * 0x9e3779b97f4a7c15u >> 20;
}

static uint64_t hash_of(const void *witness, uint32_t id)
{
	const struct witness *w = witness;

	return hash_line(w->pool.copies.at[id]->line);
}

static bool copy_same(const void *witness, uint32_t id, const void *line)
{
	const struct witness *w = witness;

	return w->pool.copies.at[id]->line == *(const uint64_t *)line;
}

static struct witness_copy *new_copy(const struct witness *w, uint64_t line)
{
	struct witness_copy *c = calloc(1, sizeof *c);

	if (c == NULL)
		return NULL;
	c->line = line;
	c->lost = calloc((size_t)w->goal.n + 1, sizeof *c->lost);
	c->counts = calloc((size_t)w->im->nfa.ncounters + 1, sizeof *c->counts);
	c->machines = witness_machines_new(w->im);
	c->machine_counts = calloc((size_t)w->im->nfa.ncounts + 1, sizeof *c->machine_counts);
	if (c->lost != NULL && c->counts != NULL && c->machines != NULL &&
	    c->machine_counts != NULL)
		return c;
	copy_free(w, c);
	return NULL;
}

/* Puts a copy into its start states. False: out of memory. */
static bool start_copy(const struct witness *w, struct witness_copy *c)
{
	chain_list_free(&c->active);
	memset(c->counts, 0, w->im->nfa.ncounters * sizeof *c->counts);
	c->epoch = w->pool.epoch;
	c->first = c->batches + 1;
	witness_machines_start(w->im, c);
	for (uint32_t s = 0; s < w->im->nfa.nplain; s++) {
		struct witness_active a = { .state = s };
		if ((w->im->nfa.states[s].flags & STATE_START) != 0 && !vec_push(&c->active, a))
			return false;
	}
	for (uint32_t g = 0; g < w->goal.n; g++) {
		witness_lost_clear(&c->lost[g]);
		c->lost[g].now = witness_far(w, &c->active, g, NULL);
	}
	return true;
}

/* Puts a copy into the state of the rest. False: out of memory. */
static bool start_like_rest(const struct witness *w, struct witness_copy *c)
{
	const struct witness_copy *rest = w->pool.rest;

	chain_list_free(&c->active);
	if (!vec_reserve(&c->active, rest->active.n))
		return false;
	for (size_t i = 0; i < rest->active.n; i++) {
		c->active.at[c->active.n++] = rest->active.at[i];
		chain_share(rest->active.at[i].step);
	}
	memcpy(c->counts, rest->counts, w->im->nfa.ncounters * sizeof *c->counts);
	if (!witness_machines_like(w->im, c, rest))
		return false;
	c->epoch = w->pool.epoch;
	c->batches = rest->batches;
	c->first = rest->first;
	for (uint32_t g = 0; g < w->goal.n; g++) {
		witness_lost_clear(&c->lost[g]);
		c->lost[g] = rest->lost[g];
		chain_share(c->lost[g].was.step);
		if (c->lost[g].by != NULL)
			c->lost[g].by->refs++;
	}
	return true;
}

struct witness_copy *witness_copy_rest(struct witness *w)
{
	if (w->pool.rest == NULL)
		w->pool.rest = new_copy(w, WITNESS_REST);
	if (w->pool.rest == NULL ||
	    (w->pool.rest->epoch != w->pool.epoch && !start_copy(w, w->pool.rest)))
		return NULL;
	return w->pool.rest;
}

struct witness_copy *witness_copy_find(struct witness *w, uint64_t line)
{
	struct witness_copy *c;
	size_t i;

	if (!hash_room(&w->pool.hash, hash_of, w))
		return NULL;
	i = hash_find(&w->pool.hash, hash_line(line), copy_same, w, &line);
	if (hash_id(&w->pool.hash, i) == HASH_NONE) {
		if (w->pool.copies.n >= UINT32_MAX - 1 || (c = new_copy(w, line)) == NULL)
			return NULL;
		if (!vec_push(&w->pool.copies, c)) {
			copy_free(w, c);
			return NULL;
		}
		hash_put(&w->pool.hash, i, (uint32_t)w->pool.copies.n - 1);
	}
	c = w->pool.copies.at[hash_id(&w->pool.hash, i)];
	if (c->epoch == w->pool.epoch)
		return c;
	w->pool.live++;
	if (w->pool.rest != NULL && w->pool.rest->epoch == w->pool.epoch)
		return start_like_rest(w, c) ? c : NULL;
	return start_copy(w, c) ? c : NULL;
}
