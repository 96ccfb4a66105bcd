/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Decodes the automaton of a sparse image from its lists.
 */
#include <stdlib.h>
#include <string.h>

#include "contract/image/decode.h"
#include "support/vec.h"

enum { MOST_STATES = 1 << 26 };

/* Takes a list: first a count, then as many numbers, which must be rising and below `limit`. The
 * result points into the device words. */
static struct image_list take_list(struct cursor *c, uint32_t limit)
{
	struct image_list l = { cursor_take(c), c->at };

	if (l.n > c->n) {
		c->bad = true;
		return (struct image_list){ 0, NULL };
	}
	for (uint32_t i = 0; i < l.n; i++)
		if (l.at[i] >= limit || (i > 0 && l.at[i] <= l.at[i - 1]))
			c->bad = true;
	c->at += l.n;
	c->n -= l.n;
	return l;
}

/* May a predicate name the letter? No message has the idle opcode. */
static bool is_letter(const struct nfart_image *im, uint32_t letter)
{
	return letter >= im->proto->codes.n || bits_get(im->proto->codes.valid, letter);
}

static bool sparse_preds(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_predicates);
	struct nfart_image *im = d->im;
	VEC(struct image_pred) v = { 0 };
	bool ok = true;

	while (ok && c.n != 0 && !c.bad) {
		uint32_t none = cursor_take(&c);
		struct image_pred p = { none == 1, take_list(&c, im->alphabet.nletters) };
		for (uint32_t i = 0; i < p.letters.n && !c.bad; i++)
			c.bad |= !is_letter(im, p.letters.at[i]);
		c.bad |= none > 1;
		ok = vec_push(&v, p);
	}
	im->nfa.npreds = (uint32_t)v.n;
	im->nfa.preds = arena_array(&im->arena, v.n, sizeof *im->nfa.preds);
	ok = ok && im->nfa.preds != NULL;
	if (ok && v.n != 0)
		memcpy(im->nfa.preds, v.at, v.n * sizeof *v.at);
	vec_free(&v);
	return c.bad ? decode_fail(d, "the image's predicates are malformed") : ok;
}

static bool sparse_labelsets(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_labelsets);
	struct nfart_image *im = d->im;
	VEC(struct image_list) v = { 0 };
	bool ok = true;

	while (ok && c.n != 0 && !c.bad)
		ok = vec_push(&v, take_list(&c, im->labels.n));
	if (ok && (v.n == 0 || v.at[0].n != 0))
		c.bad = true;
	im->nfa.nlabelsets = (uint32_t)v.n;
	im->nfa.labelsets = arena_array(&im->arena, v.n, sizeof *im->nfa.labelsets);
	ok = ok && im->nfa.labelsets != NULL;
	if (ok && v.n != 0)
		memcpy(im->nfa.labelsets, v.at, v.n * sizeof *v.at);
	vec_free(&v);
	return c.bad ? decode_fail(d, "the image's label sets are malformed") : ok;
}

static bool sparse_states(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_states);
	struct nfart_image *im = d->im;

	if (c.n % 3 != 0 || c.n / 3 > MOST_STATES)
		return decode_fail(d, "the image's states are malformed");
	im->nfa.nstates = (uint32_t)(c.n / 3);
	im->nfa.states = arena_array(&im->arena, im->nfa.nstates, sizeof *im->nfa.states);
	if (im->nfa.states == NULL)
		return false;
	for (uint32_t s = 0; s < im->nfa.nstates; s++) {
		struct image_state *q = &im->nfa.states[s];
		uint32_t flags;
		q->node = s;
		q->pred = cursor_take(&c);
		flags = cursor_take(&c);
		q->flags = (uint8_t)flags;
		q->labelset = cursor_take(&c);
		if ((q->pred != IMAGE_NO_PRED && q->pred >= im->nfa.npreds) || flags > 15 ||
		    q->labelset >= im->nfa.nlabelsets ||
		    (q->pred == IMAGE_NO_PRED && (flags & STATE_ALWAYS) != 0) ||
		    ((flags & STATE_COUNTER) != 0 &&
		     (q->pred != IMAGE_NO_PRED || (flags & STATE_START) != 0)))
			return decode_fail(d, "the image's states are malformed");
	}
	return true;
}

static bool sparse_edges(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_edges);
	struct nfart_image *im = d->im;
	size_t most = c.n, m = 0;
	uint32_t *from = malloc((most + 1) * sizeof *from), *to = malloc((most + 1) * sizeof *to);
	bool ok = from != NULL && to != NULL;

	for (uint32_t s = 0; ok && s < im->nfa.nstates && !c.bad; s++) {
		struct image_list l = take_list(&c, im->nfa.nstates);
		if (l.n != 0 && im->nfa.states[s].pred == IMAGE_NO_PRED)
			c.bad = true;
		for (uint32_t i = 0; i < l.n && !c.bad; i++) {
			from[m] = l.at[i];
			to[m++] = s;
		}
	}
	if (ok && (c.bad || c.n != 0))
		ok = decode_fail(d, "the image's transitions are malformed");
	ok = ok && decode_successors(im, from, to, m);
	free(from);
	free(to);
	return ok;
}

/* Do all counters in the list have a lower number than `state`? States in the list that are no
 * counters don't matter. */
static bool only_before(const struct nfart_image *im, const struct image_list *l, uint32_t state)
{
	for (uint32_t i = 0; i < l->n; i++)
		if ((im->nfa.states[l->at[i]].flags & STATE_COUNTER) != 0 && l->at[i] >= state)
			return false;
	return true;
}

static bool sparse_counters(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_counters);
	struct nfart_image *im = d->im;
	VEC(struct image_counter) v = { 0 };
	uint32_t states = 0;
	bool ok = true;

	while (ok && c.n != 0 && !c.bad) {
		struct image_counter k = { .state = cursor_take(&c) };
		uint32_t mode;
		k.k = cursor_take(&c);
		mode = cursor_take(&c);
		k.mode = (enum counter_mode)mode;
		k.count = take_list(&c, im->nfa.nstates);
		k.reset = take_list(&c, im->nfa.nstates);
		c.bad |= k.k == 0 || mode > COUNTER_ROLL || k.state >= im->nfa.nstates ||
			 (v.n != 0 && k.state <= v.at[v.n - 1].state);
		if (c.bad)
			break;
		c.bad = (im->nfa.states[k.state].flags & STATE_COUNTER) == 0 ||
			!only_before(im, &k.count, k.state) || !only_before(im, &k.reset, k.state);
		ok = vec_push(&v, k);
	}
	for (uint32_t s = 0; s < im->nfa.nstates; s++)
		states += (im->nfa.states[s].flags & STATE_COUNTER) != 0;
	im->nfa.ncounters = (uint32_t)v.n;
	im->nfa.counters = arena_array(&im->arena, v.n, sizeof *im->nfa.counters);
	ok = ok && im->nfa.counters != NULL;
	if (ok && v.n != 0)
		memcpy(im->nfa.counters, v.at, v.n * sizeof *v.at);
	vec_free(&v);
	return c.bad || (ok && states != im->nfa.ncounters)
		       ? decode_fail(d, "the image's counters are malformed")
		       : ok;
}

bool decode_sparse(struct decode *d)
{
	return sparse_preds(d) && sparse_labelsets(d) && sparse_states(d) && sparse_edges(d) &&
	       sparse_counters(d) && decode_machines(d);
}
