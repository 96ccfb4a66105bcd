/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [layout]
 * A depth-first walk lists the states so that chains stand in order. Filters that begin alike share
 * their first states: a state that no other leads to (a *root*, the first state of `true*`) often
 * begins many chains, alone or with the next few states. Only one of these chains can stand next to
 * it, so the shared states are listed again, as copies, before each of the other chains:
 *
 *   root → a1 → a2        list:  root a1 a2 | root b1 b2 | root c1
 *        → b1 → b2
 *        → c1
 *
 * All copies of a state are active together: each is entered as the state is, from a near place or
 * by exceptions. Where all states fit into a few words only the last generation is copied; else
 * more, since a bit costs less there than an exception. Runs of the list then fill the words. Any
 * transition that is not between near places is an exception, so no layout is wrong.
 *
 * The *level* of a state is how many generations stand before it, 0 for a root. A state is INNER,
 * and never copied, if that is above `deepest`, if it is in a cycle, or if more than BP_NEAR others
 * lead to it.
 */
#include "runtime/engine/fast/bit_parallel_layout.h"

#include <stdlib.h>
#include <string.h>

enum { INNER = 255, FEW_DEEPEST = 1, MANY_DEEPEST = 3, WINDOW = 16 };

struct layout {
	const struct nfart_image *im;
	const uint32_t *pred_first, *pred;
	uint32_t *order;         /* states, each before most of those it leads to */
	uint32_t *stack, *next;
	bool *seen;
	uint8_t *level;
	uint32_t n;              /* states put into order, from its end; later, taken from it */
	uint32_t *list, nlist, most; /* the order with copies; room in it */
	uint32_t *last;          /* 1 + where a state was listed last; 0: not yet */
	uint8_t *used;           /* bits, of each word */
	uint32_t top, words;     /* words begun; allowed */
};

static bool find_preds(const struct nfart_image *im, struct bp_layout *out)
{
	uint32_t n = im->nstates, m = im->succ_first[n];

	out->pred_first = calloc((size_t)n + 2, sizeof *out->pred_first);
	out->pred = calloc((size_t)m + 1, sizeof *out->pred);
	if (out->pred_first == NULL || out->pred == NULL)
		return false;
	for (uint32_t i = 0; i < m; i++)
		out->pred_first[im->succ[i] + 2]++;
	for (uint32_t s = 0; s < n; s++)
		out->pred_first[s + 2] += out->pred_first[s + 1];
	for (uint32_t u = 0; u < n; u++)
		for (uint32_t i = im->succ_first[u]; i < im->succ_first[u + 1]; i++)
			out->pred[out->pred_first[im->succ[i] + 1]++] = u;
	return true;
}

/* Puts into `order`, from its end on, all that s reaches and that is not there yet. A state goes in
 * after all that it leads to, so it stands before them. */
static void visit(struct layout *y, uint32_t s)
{
	const struct nfart_image *im = y->im;
	uint32_t depth = 0;

	y->stack[depth++] = s;
	y->seen[s] = true;
	while (depth != 0) {
		uint32_t u = y->stack[depth - 1];
		uint32_t *i = &y->next[u];
		while (*i < im->succ_first[u + 1] && y->seen[im->succ[*i]])
			++*i;
		if (*i == im->succ_first[u + 1]) {
			y->order[im->nstates - ++y->n] = u;
			depth--;
		} else {
			y->seen[im->succ[*i]] = true;
			y->stack[depth++] = im->succ[*i];
		}
	}
}

/* Is s of this level? Lower levels are known. */
static bool is_of_level(const struct layout *y, uint32_t s, uint8_t level)
{
	uint32_t others = 0;

	for (uint32_t i = y->pred_first[s]; i < y->pred_first[s + 1]; i++) {
		if (y->pred[i] == s)
			continue;
		if (level == 0 || y->level[y->pred[i]] >= level || ++others > BP_NEAR)
			return false;
	}
	return true;
}

/* Roots first, then what only cycles reach. */
static void order_states(struct layout *y, uint8_t deepest)
{
	uint32_t n = y->im->nstates;

	memset(y->level, INNER, n);
	for (uint8_t level = 0; level <= deepest; level++)
		for (uint32_t s = 0; s < n; s++)
			if (y->level[s] == INNER && is_of_level(y, s, level))
				y->level[s] = level;
	for (uint32_t s = 0; s < n; s++)
		y->next[s] = y->im->succ_first[s];
	for (uint32_t s = n; s-- > 0;)
		if (y->level[s] == 0 && !y->seen[s])
			visit(y, s);
	for (uint32_t s = n; s-- > 0;)
		if (!y->seen[s])
			visit(y, s);
}

/* s will be entry k of the list. Does an entry from `from` on lead to s that s should share a word
 * with? */
static bool linked(const struct layout *y, uint32_t s, uint32_t from, uint32_t k)
{
	for (uint32_t i = y->pred_first[s]; i < y->pred_first[s + 1]; i++) {
		uint32_t p = y->pred[i], after = k + 1 - y->last[p];
		if (p != s && y->last[p] > from && after <= 64 &&
		    (after <= BP_NEAR || y->level[p] == INNER))
			return true;
	}
	return false;
}

static void append(struct layout *y, uint32_t s)
{
	if (y->nlist + (y->im->nstates - y->n) >= y->most)
		return;
	y->list[y->nlist++] = s;
	y->last[s] = y->nlist;
}

/* The state of the highest level among the others that lead to s and may be copied, or
 * BP_NO_STATE. */
static uint32_t copyable(const struct layout *y, uint32_t s)
{
	uint32_t best = BP_NO_STATE;

	for (uint32_t i = y->pred_first[s]; i < y->pred_first[s + 1]; i++) {
		uint32_t p = y->pred[i];
		if (p != s && y->level[p] != INNER &&
		    (best == BP_NO_STATE || y->level[p] > y->level[best]))
			best = p;
	}
	return best;
}

/* Appends copies of what leads to u, and then a copy of u. */
static void append_copy(struct layout *y, uint32_t u)
{
	for (uint32_t i = y->pred_first[u]; y->level[u] == 1 && i < y->pred_first[u + 1]; i++)
		if (y->pred[i] != u)
			append(y, y->pred[i]);
	if (y->level[u] > 1)
		append_copy(y, copyable(y, u));
	append(y, u);
}

/* Lists the states in order, with copies before what they lead to while there is room. */
static void list_states(struct layout *y)
{
	for (y->n = 0; y->n < y->im->nstates;) {
		uint32_t s = y->order[y->n], u = BP_NO_STATE;
		if (!linked(y, s, 0, y->nlist))
			u = copyable(y, s);
		if (u != BP_NO_STATE)
			append_copy(y, u);
		y->n++;
		y->list[y->nlist++] = s;
		y->last[s] = y->nlist;
	}
}

/* The next word with room for a run of k states, or y->words: there is none. */
static uint32_t find_word(struct layout *y, uint32_t k)
{
	uint32_t w = y->top > WINDOW ? y->top - WINDOW : 0;

	while (w < y->top && y->used[w] + k > 64)
		w++;
	if (w == y->top && y->top < y->words)
		y->top++;
	return w < y->top ? w : y->words;
}

/* Gives the entries of the list their places. A run that fits a word stands in one, where a word
 * has room for them. */
static void place_states(struct layout *y, uint32_t *state)
{
	memset(y->last, 0, y->im->nstates * sizeof *y->last);
	for (uint32_t i = 0; i < y->nlist;) {
		uint32_t k = 0, w;
		do
			y->last[y->list[i + k]] = i + k + 1;
		while (++k < 64 && i + k < y->nlist && linked(y, y->list[i + k], i, i + k));
		w = find_word(y, k);
		for (uint32_t j = i; j < i + k; j++) {
			uint32_t at = w;
			if (at == y->words)
				for (at = 0; y->used[at] == 64; at++)
					;
			state[64 * (size_t)at + y->used[at]++] = y->list[j];
		}
		i += k;
	}
}

static bool allocate(struct layout *y, size_t n)
{
	y->order = calloc(n + 1, sizeof *y->order);
	y->stack = calloc(n + 1, sizeof *y->stack);
	y->next = calloc(n + 1, sizeof *y->next);
	y->seen = calloc(n + 1, sizeof *y->seen);
	y->level = calloc(n + 1, sizeof *y->level);
	y->last = calloc(n + 1, sizeof *y->last);
	y->list = calloc((size_t)y->most + 1, sizeof *y->list);
	y->used = calloc(y->words, sizeof *y->used);
	return y->order != NULL && y->stack != NULL && y->next != NULL && y->seen != NULL &&
	       y->level != NULL && y->last != NULL && y->list != NULL && y->used != NULL;
}

bool bp_lay_out(const struct nfart_image *im, uint32_t words, struct bp_layout *out)
{
	bool few = im->nstates <= 64 * words, ok;
	struct layout y = { .im = im };

	/* Of two words begun one after the other, at least one is half full: the first run of the
	 * second did not fit into the first. */
	y.most = few ? 64 * words : 2 * im->nstates;
	y.words = few ? words : y.most / 32 + 1;
	memset(out, 0, sizeof *out);
	ok = find_preds(im, out) && allocate(&y, im->nstates);
	y.pred_first = out->pred_first;
	y.pred = out->pred;
	if (ok) {
		order_states(&y, few ? FEW_DEEPEST : MANY_DEEPEST);
		list_states(&y);
		out->state = malloc((size_t)y.words * 64 * sizeof *out->state);
		ok = out->state != NULL;
	}
	if (ok) {
		memset(out->state, 0xff, (size_t)y.words * 64 * sizeof *out->state);
		place_states(&y, out->state);
		out->nwords = few ? words : y.top;
	}
	free(y.order);
	free(y.stack);
	free(y.next);
	free(y.seen);
	free(y.level);
	free(y.last);
	free(y.list);
	free(y.used);
	return ok;
}

void bp_layout_free(struct bp_layout *y)
{
	free(y->state);
	free(y->pred_first);
	free(y->pred);
	memset(y, 0, sizeof *y);
}
