/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [layout]
 * A depth-first walk lists the states so that chains stand in order. Filters that begin alike share
 * their first states. So a state that no other leads to (a *root*, such as the first state of
 * `true*`) often begins many chains, alone or with the next few states. Only one of these chains
 * can stand next to it. Therefore copies of the shared states are listed before each of the other
 * chains:
 *
 *   root → a1 → a2        list:  root a1 a2 | root b1 b2 | root c1
 *        → b1 → b2
 *        → c1
 *
 * All copies of a state are active together: each of them is entered from a near place or by
 * exceptions, just as the state is. Runs of the list then fill the words. A transition that is not
 * near is an exception, so every layout is right; some only need more exceptions.
 *
 * The *level* of a state is the length of the longest way to it from a root, 0 for a root. A state
 * is INNER, and never copied, if its level is above `deepest`, if it is in a cycle with other
 * states, if more than BP_NEAR others lead to it, or if an INNER state leads to it. `deepest` is
 * small where all states fit into a few words. It is larger where they do not: there a bit costs
 * less than an exception.
 */
#include "runtime/engine/fast/bit_parallel_layout.h"

#include <stdlib.h>
#include <string.h>

enum { INNER = 255, FEW_DEEPEST = 1, MANY_DEEPEST = 3, WINDOW = 16 };

struct layout {
	const struct nfart_image *im;
	const uint32_t *pred_first, *pred;
	uint32_t *order;         /* all states, most of them before the states they lead to */
	uint32_t *stack, *next;
	bool *seen;
	uint8_t *level;
	/* layout_visit() counts the states that it has put into `order`. list_states() counts the
	 * states that it has copied from there to `list`. */
	uint32_t n;
	struct {
		uint32_t *at,    /* the states of `order`, with copies of states between them */
			 n,      /* how many entries there are */
			 most;   /* how many entries there is room for */
		uint32_t *last;  /* [state]: 1 + the index of its last entry in `at`, or 0 */
	} list;
	struct {
		uint8_t *used;   /* [word]: how many of its bits are used */
		uint32_t top,    /* how many words have bits in use */
			 most;   /* how many words are allowed */
	} words;
};

static bool find_preds(const struct nfart_image *im, struct bp_layout *out)
{
	uint32_t n = im->nfa.nstates, m = im->nfa.succ_first[n];

	out->pred_first = calloc((size_t)n + 2, sizeof *out->pred_first);
	out->pred = calloc((size_t)m + 1, sizeof *out->pred);
	if (out->pred_first == NULL || out->pred == NULL)
		return false;
	for (uint32_t i = 0; i < m; i++)
		out->pred_first[im->nfa.succ[i] + 2]++;
	for (uint32_t s = 0; s < n; s++)
		out->pred_first[s + 2] += out->pred_first[s + 1];
	for (uint32_t u = 0; u < n; u++)
		for (uint32_t i = im->nfa.succ_first[u]; i < im->nfa.succ_first[u + 1]; i++)
			out->pred[out->pred_first[im->nfa.succ[i] + 1]++] = u;
	return true;
}

/* Puts into `order` all states that s reaches and that are not in it yet. `order` is filled from
 * its end. A state goes in after all states that it leads to, so it stands before them. */
static void layout_visit(struct layout *y, uint32_t s)
{
	const struct nfart_image *im = y->im;
	uint32_t depth = 0;

	y->stack[depth++] = s;
	y->seen[s] = true;
	while (depth != 0) {
		uint32_t u = y->stack[depth - 1];
		uint32_t *i = &y->next[u];
		while (*i < im->nfa.succ_first[u + 1] && y->seen[im->nfa.succ[*i]])
			++*i;
		if (*i == im->nfa.succ_first[u + 1]) {
			y->order[im->nfa.nstates - ++y->n] = u;
			depth--;
		} else {
			y->seen[im->nfa.succ[*i]] = true;
			y->stack[depth++] = im->nfa.succ[*i];
		}
	}
}

/* Is s of this level (Note [layout])? The states of lower levels are known. */
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

/* Finds the levels (Note [layout]) and fills `order`: first come the roots and what they reach,
 * then what only cycles reach. */
static void order_states(struct layout *y, uint8_t deepest)
{
	uint32_t n = y->im->nfa.nstates;

	memset(y->level, INNER, n);
	for (uint8_t level = 0; level <= deepest; level++)
		for (uint32_t s = 0; s < n; s++)
			if (y->level[s] == INNER && is_of_level(y, s, level))
				y->level[s] = level;
	for (uint32_t s = 0; s < n; s++)
		y->next[s] = y->im->nfa.succ_first[s];
	for (uint32_t s = n; s-- > 0;)
		if (y->level[s] == 0 && !y->seen[s])
			layout_visit(y, s);
	for (uint32_t s = n; s-- > 0;)
		if (!y->seen[s])
			layout_visit(y, s);
}

/* State s is about to become entry k of the list. Is there an entry from `from` on whose state
 * leads to s, and should s stand in the same word as that entry? */
static bool linked(const struct layout *y, uint32_t s, uint32_t from, uint32_t k)
{
	for (uint32_t i = y->pred_first[s]; i < y->pred_first[s + 1]; i++) {
		uint32_t p = y->pred[i], after = k + 1 - y->list.last[p];
		if (p != s && y->list.last[p] > from && after <= 64 &&
		    (after <= BP_NEAR || y->level[p] == INNER))
			return true;
	}
	return false;
}

static void layout_append(struct layout *y, uint32_t s)
{
	if (y->list.n + (y->im->nfa.nstates - y->n) >= y->list.most)
		return;
	y->list.at[y->list.n++] = s;
	y->list.last[s] = y->list.n;
}

/* Returns the state to copy before s: of the other states that lead to s and may be copied, the one
 * with the highest level. BP_NO_STATE: there is none. */
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

/* Appends copies of the states that lead to u, and then a copy of u, to the list (Note
 * [layout]). */
static void append_copy(struct layout *y, uint32_t u)
{
	for (uint32_t i = y->pred_first[u]; y->level[u] == 1 && i < y->pred_first[u + 1]; i++)
		if (y->pred[i] != u)
			layout_append(y, y->pred[i]);
	if (y->level[u] > 1)
		append_copy(y, copyable(y, u));
	layout_append(y, u);
}

/* Fills the list (Note [layout]): the states in order, each with copies before it where these help
 * and there is room. */
static void list_states(struct layout *y)
{
	for (y->n = 0; y->n < y->im->nfa.nstates;) {
		uint32_t s = y->order[y->n], u = BP_NO_STATE;
		if (!linked(y, s, 0, y->list.n))
			u = copyable(y, s);
		if (u != BP_NO_STATE)
			append_copy(y, u);
		y->n++;
		y->list.at[y->list.n++] = s;
		y->list.last[s] = y->list.n;
	}
}

/* Returns a word that has room for a run of k states: one of the last WINDOW words begun, or else a
 * new one. Returns y->words if no word is left. */
static uint32_t find_word(struct layout *y, uint32_t k)
{
	uint32_t w = y->words.top > WINDOW ? y->words.top - WINDOW : 0;

	while (w < y->words.top && y->words.used[w] + k > 64)
		w++;
	if (w == y->words.top && y->words.top < y->words.most)
		y->words.top++;
	return w < y->words.top ? w : y->words.most;
}

/* Gives the entries of the list their places. A *run* is a part of the list whose entries should
 * share a word (linked()). It stands in one word if some word has room for it; otherwise its
 * entries go wherever there is room. */
static void place_states(struct layout *y, uint32_t *state)
{
	memset(y->list.last, 0, y->im->nfa.nstates * sizeof *y->list.last);
	for (uint32_t i = 0; i < y->list.n;) {
		uint32_t k = 0, w;
		do
			y->list.last[y->list.at[i + k]] = i + k + 1;
		while (++k < 64 && i + k < y->list.n && linked(y, y->list.at[i + k], i, i + k));
		w = find_word(y, k);
		for (uint32_t j = i; j < i + k; j++) {
			uint32_t at = w;
			if (at == y->words.most)
				for (at = 0; y->words.used[at] == 64; at++)
					;
			state[64 * (size_t)at + y->words.used[at]++] = y->list.at[j];
		}
		i += k;
	}
}

static bool layout_allocate(struct layout *y, size_t n)
{
	y->order = calloc(n + 1, sizeof *y->order);
	y->stack = calloc(n + 1, sizeof *y->stack);
	y->next = calloc(n + 1, sizeof *y->next);
	y->seen = calloc(n + 1, sizeof *y->seen);
	y->level = calloc(n + 1, sizeof *y->level);
	y->list.last = calloc(n + 1, sizeof *y->list.last);
	y->list.at = calloc((size_t)y->list.most + 1, sizeof *y->list.at);
	y->words.used = calloc(y->words.most, sizeof *y->words.used);
	return y->order != NULL && y->stack != NULL && y->next != NULL && y->seen != NULL &&
	       y->level != NULL && y->list.last != NULL && y->list.at != NULL &&
	       y->words.used != NULL;
}

bool bp_lay_out(const struct nfart_image *im, uint32_t words, struct bp_layout *out)
{
	bool few = im->nfa.nstates <= 64 * words, ok;
	struct layout y = { .im = im };

	/* A word is begun when a run does not fit into the word before. So of two words begun one
	 * after the other, at least one is half full, and this many words are enough. */
	y.list.most = few ? 64 * words : 2 * im->nfa.nstates;
	y.words.most = few ? words : y.list.most / 32 + 1;
	memset(out, 0, sizeof *out);
	ok = find_preds(im, out) && layout_allocate(&y, im->nfa.nstates);
	y.pred_first = out->pred_first;
	y.pred = out->pred;
	if (ok) {
		order_states(&y, few ? FEW_DEEPEST : MANY_DEEPEST);
		list_states(&y);
		out->state = malloc((size_t)y.words.most * 64 * sizeof *out->state);
		ok = out->state != NULL;
	}
	if (ok) {
		memset(out->state, 0xff, (size_t)y.words.most * 64 * sizeof *out->state);
		place_states(&y, out->state);
		out->nwords = few ? words : y.words.top;
	}
	free(y.order);
	free(y.stack);
	free(y.next);
	free(y.seen);
	free(y.level);
	free(y.list.last);
	free(y.list.at);
	free(y.words.used);
	return ok;
}

void bp_layout_free(struct bp_layout *y)
{
	free(y->state);
	free(y->pred_first);
	free(y->pred);
	memset(y, 0, sizeof *y);
}
