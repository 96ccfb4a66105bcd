/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [lower bound]. How many states with a predicate must a homogeneous automaton have at least?
 * Let ua and wb be words of batches that end in a and b. Let a state q be active after ua and lead
 * to label l by v. Let it also be active after wb and lead to label m by x. Then its predicate
 * holds on a and on b, and it can be entered after u and after w. So it is active after ua, ub, wa
 * and wb, and after each of these four v gives l and x gives m: eight cases. If two pairs (ua, v to
 * l) fail in one of the cases they need two states. A set of pairs of which any two fail is a
 * fooling set: it needs as many states as it has pairs. The method is known for other automata
 * (Glaister and Shallit, "A lower bound technique for the size of nondeterministic finite
 * automata", IPL 59, 1996). There are more cases here because the predicate belongs to the state.
 *
 * Some v are left out. A path may begin after ua, at an always state, and then no state need be
 * active after ua. In that case a suffix of v that is not empty is accepted, whatever came before
 * it. The bound also does not count a state without a predicate, which is active before the first
 * batch only.
 *
 * Of ua only the state of the minimal DFA matters, so there is one word for each state. Of v only
 * the set of states matters from which v gives the label. The largest fooling set is a clique
 * problem, which is solved greedily from many beginnings. So the result is a bound, but maybe not
 * the best one of its kind.
 */
#include "testsuite/bench/minimal.h"

#include <string.h>

#include "ir/pred_logic.h"

enum {
	PREDS = 48,       /* the most distinct predicates */
	/* The most letters. A letter is the set of all predicates that hold on some batch. */
	LETTERS = 2048,
	SETS = 2048,      /* the most states of the DFA before it is minimised */
	STATES = 512,     /* the most states of the minimal DFA for which the bound is computed */
	/* The most letters for the bound. It takes those in which the fewest Any predicates
	 * hold. */
	FEW_LETTERS = 32,
	COLUMNS = 512,
	PAIRS = 4000,
	BEGINNINGS = 400,
	SLOTS = 2 * SETS
};

struct work {
	const struct nfa *a;
	size_t words;
	struct nfa_adj out;
	pred_id_t pred[PREDS];
	uint32_t npreds,
		*of;            /* [state]: the number of the state's predicate in pred[] */
	struct {
		uint64_t at[2][LETTERS];
		uint32_t n;
	} letters;
	uint64_t *set;          /* [SETS * words]: the states of each set, as bits */
	uint32_t nsets,
		*next;          /* [set * letters.n + letter]: the set to which the letter leads */
	uint32_t table[SLOTS];  /* hash table: the numbers of sets; 0: the place is free */
	uint32_t says[SETS];
	/* The labels of each set, as bits, and the log mark as the bit after them. */
	uint64_t *marks;
	uint32_t class[SETS], nclasses;
};

/* ---- letters: what batches can say of the predicates ---- */

static bool find_letters(struct work *w)
{
	uint32_t n = 1;
	int at = 0;

	w->letters.at[0][0] = 0;
	for (size_t s = 0; s < w->a->states.n; s++) {
		uint32_t k = 0;
		if (w->a->states.at[s].pred == PRED_NONE)
			continue;
		while (k < w->npreds && w->pred[k] != w->a->states.at[s].pred)
			k++;
		if (k == PREDS)
			return false;
		w->pred[k] = w->a->states.at[s].pred;
		w->npreds += k == w->npreds;
		w->of[s] = k;
	}
	for (uint32_t i = 0; i < w->npreds; i++, at = !at) {
		uint32_t made = 0;
		for (uint32_t k = 0; k < 2 * n; k++) {
			uint64_t c = w->letters.at[at][k / 2] | (uint64_t)(k & 1) << i;
			pred_id_t yes[PREDS], no[PREDS];
			size_t nyes = 0, nno = 0;
			for (uint32_t j = 0; j <= i; j++)
				if ((c >> j & 1) != 0)
					yes[nyes++] = w->pred[j];
				else
					no[nno++] = w->pred[j];
			enum pred_answer can = pred_satisfiable(w->a->preds, yes, nyes, no, nno);
			if (can == PRED_UNKNOWN || (can == PRED_YES && made == LETTERS))
				return false;
			if (can == PRED_YES)
				w->letters.at[!at][made++] = c;
		}
		n = made;
	}
	w->letters.n = n;
	memcpy(w->letters.at[0], w->letters.at[at], n * sizeof w->letters.at[0][0]);
	return true;
}

/* ---- the DFA, whose states are sets of states ---- */

/* Returns the number of set t, which is added if it is new, or SETS if there are too many sets. Set
 * 0 is the set before the first batch. It is not in the table, so it is not found again. */
static uint32_t find_set(struct work *w, const uint64_t *t)
{
	uint64_t h = 1;
	size_t i;

	for (size_t k = 0; k < w->words; k++)
		h = (h ^ t[k]) * 0xff51afd7ed558ccdu + (h >> 29);
	for (i = (h >> 32) % SLOTS; w->table[i] != 0; i = (i + 1) % SLOTS)
		if (memcmp(&w->set[w->table[i] * w->words], t, w->words * sizeof *t) == 0)
			return w->table[i];
	if (w->nsets == SETS)
		return SETS;
	memcpy(&w->set[w->nsets * w->words], t, w->words * sizeof *t);
	w->table[i] = w->nsets;
	return w->nsets++;
}

/* Stores in `enabled` the states that a batch may enter if the states of set i are active. */
static void find_enabled(const struct work *w, uint32_t i, uint64_t *enabled)
{
	const struct nfa *a = w->a;

	memset(enabled, 0, w->words * sizeof *enabled);
	for (size_t s = 0; s < a->states.n; s++) {
		if (a->states.at[s].always)
			bits_set(enabled, s);
		if (bits_get(&w->set[i * w->words], s))
			for (uint32_t k = w->out.first[s]; k < w->out.first[s + 1]; k++)
				bits_set(enabled, a->edges.at[w->out.edge[k]].to);
	}
}

static bool find_sets(struct work *w)
{
	uint64_t *enabled = malloc(2 * w->words * sizeof *enabled), *t = enabled + w->words;
	bool ok = enabled != NULL;

	for (size_t s = 0; ok && s < w->a->states.n; s++)
		if (w->a->states.at[s].start)
			bits_set(w->set, s);
	w->nsets = 1;
	for (uint32_t i = 0; ok && i < w->nsets; i++) {
		find_enabled(w, i, enabled);
		for (uint32_t k = 0; ok && k < w->letters.n; k++) {
			memset(t, 0, w->words * sizeof *t);
			for (size_t s = bits_next(enabled, w->a->states.n, 0); s < w->a->states.n;
			     s = bits_next(enabled, w->a->states.n, s + 1))
				if ((w->letters.at[0][k] >> w->of[s] & 1) != 0)
					bits_set(t, s);
			w->next[i * w->letters.n + k] = find_set(w, t);
			ok = w->next[i * w->letters.n + k] < SETS;
		}
	}
	free(enabled);
	return ok;
}

/* Stores in says[i] a number that stands for the labels and the log mark of set i. Set 0 needs no
 * number, because nothing is output before the first batch. */
static void find_says(struct work *w)
{
	size_t n = bits_words(w->a->spec->labels.n + 1);

	for (uint32_t i = 1; i < w->nsets; i++) {
		uint64_t *m = &w->marks[i * n];
		uint32_t k = 1;
		for (size_t s = bits_next(&w->set[i * w->words], w->a->states.n, 0);
		     s < w->a->states.n;
		     s = bits_next(&w->set[i * w->words], w->a->states.n, s + 1)) {
			const struct labelset *l =
				&w->a->labelsets.at[w->a->states.at[s].labels];
			for (uint32_t j = 0; j < l->n; j++)
				bits_set(m, l->labels[j]);
			if (w->a->states.at[s].log)
				bits_set(m, w->a->spec->labels.n);
		}
		while (k < i && memcmp(&w->marks[k * n], m, n * sizeof *m) != 0)
			k++;
		w->says[i] = k;
	}
}

/* Minimises the DFA by Moore's algorithm. If there is a class with the same transitions as set 0,
 * set 0 joins it, whatever its labels. */
static void minimise(struct work *w)
{
	uint32_t before;

	for (uint32_t i = 0; i < w->nsets; i++)
		w->class[i] = w->says[i];
	w->nclasses = 0;
	do {
		static uint32_t fresh[SETS];
		before = w->nclasses;
		w->nclasses = 0;
		for (uint32_t i = 1; i <= w->nsets; i++) {
			uint32_t q = i % w->nsets, k; /* set 0 comes last */
			for (k = 1; k < i; k++) {
				bool same = q == 0 || w->class[k] == w->class[q];
				for (uint32_t c = 0; same && c < w->letters.n; c++)
					same = w->class[w->next[k * w->letters.n + c]] ==
					       w->class[w->next[q * w->letters.n + c]];
				if (same)
					break;
			}
			fresh[q] = k < i ? fresh[k] : w->nclasses++;
		}
		memcpy(w->class, fresh, w->nsets * sizeof fresh[0]);
	} while (w->nclasses != before);
}

/* ---- the lower bound ---- */

/* What matters of a word v and a label (Note [lower bound]): the classes from which v gives the
 * label, as bits. A class is a state of the minimal DFA. */
struct column {
	uint64_t from[STATES / 64];
};

/* A pair of the Note: the class `state` after u, the last letter a, and the column of v and l. */
struct pair {
	uint32_t state, letter, column;
};

struct bound {
	uint32_t n, nletters;
	uint32_t letter[FEW_LETTERS];
	uint32_t *next; /* [class * nletters + letter]: the class to which the letter leads */
	struct column *column;
	uint32_t ncolumns;
	struct pair *pair;
	uint32_t npairs;
	/* [pair * words]: the pairs that fail together with this pair, as bits. Two such pairs need
	 * two states. */
	uint64_t *apart;
};

static void find_few_letters(const struct work *w, struct bound *b)
{
	uint64_t any = 0;

	for (uint32_t i = 0; i < w->npreds; i++)
		any |= (uint64_t)!w->a->preds->preds.at[w->pred[i]].none << i;
	for (int hold = 0; hold <= PREDS; hold++)
		for (uint32_t k = 0; k < w->letters.n && b->nletters < FEW_LETTERS; k++)
			if (__builtin_popcountll(w->letters.at[0][k] & any) == hold)
				b->letter[b->nletters++] = k;
}

static bool is_full(const struct bound *b, const struct column *c)
{
	for (uint32_t i = 0; i < b->n; i++)
		if (!bits_get(c->from, i))
			return false;
	return true;
}

static void add_column(struct bound *b, const struct column *c, bool nothing_read)
{
	if (!bits_any(c->from, STATES / 64) || (!nothing_read && is_full(b, c)))
		return;
	for (uint32_t k = 0; k < b->ncolumns; k++)
		if (memcmp(&b->column[k], c, sizeof *c) == 0)
			return;
	if (b->ncolumns < COLUMNS)
		b->column[b->ncolumns++] = *c;
}

static void find_columns(const struct work *w, struct bound *b)
{
	size_t nlabels = w->a->spec->labels.n, words = bits_words(nlabels + 1);

	for (size_t l = 0; l <= nlabels; l++) {
		struct column c = { { 0 } };
		for (uint32_t i = 1; i < w->nsets; i++)
			if (bits_get(&w->marks[i * words], l))
				bits_set(c.from, w->class[i]);
		add_column(b, &c, true);
	}
	for (uint32_t k = 0; k < b->ncolumns; k++)
		for (uint32_t x = 0; x < b->nletters; x++) {
			struct column c = { { 0 } };
			for (uint32_t i = 0; i < b->n; i++)
				if (bits_get(b->column[k].from, b->next[i * b->nletters + x]))
					bits_set(c.from, i);
			add_column(b, &c, false);
		}
}

static bool gives(const struct bound *b, uint32_t state, uint32_t letter, uint32_t column)
{
	return bits_get(b->column[column].from, b->next[state * b->nletters + letter]);
}

static void find_pairs(struct bound *b)
{
	uint64_t all = (uint64_t)b->n * b->nletters * b->ncolumns, kept = 0;
	uint64_t step = 1 + all / (8 * PAIRS);

	for (uint64_t i = 0; i < all && kept < PAIRS; i += step) {
		struct pair p = { (uint32_t)(i / b->ncolumns / b->nletters),
				  (uint32_t)(i / b->ncolumns % b->nletters),
				  (uint32_t)(i % b->ncolumns) };
		if (gives(b, p.state, p.letter, p.column))
			b->pair[kept++] = p;
	}
	b->npairs = (uint32_t)kept;
}

static bool are_apart(const struct bound *b, const struct pair *p, const struct pair *q)
{
	const struct pair *x[2] = { p, q };

	for (int i = 0; i < 8; i++)
		if (!gives(b, x[i & 1]->state, x[i >> 1 & 1]->letter, x[i >> 2]->column))
			return true;
	return false;
}

/* Returns the size of a large set of pairs of which any two fail. The search begins anew with many
 * different pairs. It always adds the pair that leaves most other pairs to choose from. */
static uint32_t find_clique(const struct bound *b)
{
	size_t words = bits_words(b->npairs);
	uint64_t *left = malloc((words + 1) * sizeof *left);
	uint32_t best = 0;

	for (uint32_t k = 0; left != NULL && k < BEGINNINGS && k < b->npairs; k++) {
		uint32_t next = (uint32_t)((uint64_t)k * b->npairs / BEGINNINGS), size = 0;
		if (b->npairs < BEGINNINGS)
			next = k;
		memset(left, 0xff, words * sizeof *left);
		while (next < b->npairs) {
			uint32_t most = 0, at = UINT32_MAX, seen = 0;
			size++;
			for (size_t i = 0; i < words; i++)
				left[i] &= b->apart[next * words + i];
			for (size_t p = bits_next(left, b->npairs, 0); p < b->npairs && seen < 500;
			     p = bits_next(left, b->npairs, p + 1), seen++) {
				uint32_t n = 1;
				for (size_t i = 0; i < words; i++)
					n += (uint32_t)__builtin_popcountll(
						left[i] & b->apart[p * words + i]);
				if (n > most) {
					most = n;
					at = (uint32_t)p;
				}
			}
			next = at;
		}
		best = size > best ? size : best;
	}
	free(left);
	return best;
}

static bool find_bound(const struct work *w, uint32_t *bound)
{
	struct bound b = { .n = w->nclasses };
	size_t words;
	bool ok;

	*bound = 0;
	if (b.n > STATES)
		return true;
	find_few_letters(w, &b);
	b.next = malloc((b.n * b.nletters + 1) * sizeof *b.next);
	b.column = calloc(COLUMNS, sizeof *b.column);
	b.pair = malloc(PAIRS * sizeof *b.pair);
	ok = b.next != NULL && b.column != NULL && b.pair != NULL;
	/* All sets of a class lead to the same classes, so their order does not matter here. */
	for (uint32_t i = w->nsets; ok && i-- > 0;)
		for (uint32_t k = 0; k < b.nletters; k++)
			b.next[w->class[i] * b.nletters + k] =
				w->class[w->next[i * w->letters.n + b.letter[k]]];
	if (ok) {
		find_columns(w, &b);
		find_pairs(&b);
		words = bits_words(b.npairs);
		b.apart = calloc(b.npairs * words + 1, sizeof *b.apart);
		ok = b.apart != NULL;
		for (uint32_t p = 0; ok && p < b.npairs; p++)
			for (uint32_t q = 0; q < b.npairs; q++)
				if (p != q && are_apart(&b, &b.pair[p], &b.pair[q]))
					bits_set(&b.apart[p * words], q);
	}
	if (ok)
		*bound = find_clique(&b);
	free(b.next);
	free(b.column);
	free(b.pair);
	free(b.apart);
	return ok;
}

/* Is there a class after which no label and no log mark can come, whatever batches follow? */
static bool has_dead(const struct work *w)
{
	static const uint64_t none[16];
	size_t words = bits_words(w->a->spec->labels.n + 1);

	for (uint32_t i = 1; i < w->nsets; i++) {
		bool dead = words > 16 ? false
				       : memcmp(&w->marks[i * words], none, words * 8) == 0;
		for (uint32_t k = 0; dead && k < w->letters.n; k++)
			dead = w->class[w->next[i * w->letters.n + k]] == w->class[i];
		if (dead)
			return true;
	}
	return false;
}

bool minimal_find(struct minimal *m, const struct nfa *a)
{
	struct work *w = calloc(1, sizeof *w);
	bool ok = w != NULL && a->counters.n == 0 && nfa_out(a, &w->out);

	if (ok) {
		w->a = a;
		w->words = bits_words(a->states.n);
		w->of = calloc(a->states.n + 1, sizeof *w->of);
		ok = w->of != NULL && find_letters(w);
	}
	if (ok) {
		w->set = calloc(SETS * w->words + 1, sizeof *w->set);
		w->next = malloc(SETS * (size_t)w->letters.n * sizeof *w->next);
		w->marks = calloc(SETS * bits_words(a->spec->labels.n + 1), sizeof *w->marks);
		ok = w->set != NULL && w->next != NULL && w->marks != NULL && find_sets(w);
	}
	if (ok) {
		find_says(w);
		minimise(w);
		m->dfa = w->nclasses - has_dead(w);
		ok = find_bound(w, &m->bound);
	}
	if (w != NULL) {
		nfa_adj_free(&w->out);
		free(w->of);
		free(w->set);
		free(w->next);
		free(w->marks);
	}
	free(w);
	return ok;
}
