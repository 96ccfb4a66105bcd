/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Note [lower bound]. Let words ua and wb, of batches, end in a and b. If one state q of a homogeneous
 * automaton is active after ua and leads to label l by v, and is active after wb and leads to label m
 * by x, then its predicate holds on a and on b, and it can be entered after u and after w. So it is
 * active after ua, ub, wa and wb, and after each of these four v gives l and x gives m. Pairs
 * (ua, v to l) of which no two pass this test in all eight cases need a state each: a fooling set, as
 * for other automata (Glaister and Shallit, "A lower bound technique for the size of nondeterministic
 * finite automata", IPL 59, 1996), with more crossings because the predicate is the state's.
 *
 * The state that is active after ua need not exist where the path begins later, at an always state: then
 * a suffix of v, not empty, is accepted whatever was before. Such v are left out. A state without
 * predicate, active before the first batch only, is not counted by this.
 *
 * What the words lead to are states of the minimal DFA, one word for each; v is known by the set of
 * states from which it gives the label. The largest set of pairs is a clique problem: greedy, from
 * many beginnings. So the bound is a bound, but maybe not the best of its kind.
 */
#include "testsuite/bench/minimal.h"

#include <string.h>

#include "ir/pred_logic.h"

enum {
	PREDS = 48,       /* distinct predicates */
	LETTERS = 2048,   /* choices of them that some batch makes */
	SETS = 2048,      /* states of the DFA before it is minimised */
	STATES = 512,     /* states of the minimal DFA, for the bound */
	FEW_LETTERS = 32, /* for the bound: those on which the fewest Any hold */
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
	uint32_t npreds, *of;   /* [states]: number of its predicate */
	uint64_t letter[2][LETTERS];
	uint32_t nletters;
	uint64_t *set;          /* [SETS * words] */
	uint32_t nsets, *next;  /* [SETS * nletters] */
	uint32_t table[SLOTS];  /* hash of the sets */
	uint32_t says[SETS];
	uint64_t *marks;        /* [SETS * label words]: labels of a set; the log mark is the last */
	uint32_t class[SETS], nclasses;
};

/* ---- letters ---- */

static bool find_letters(struct work *w)
{
	uint32_t n = 1;
	int at = 0;

	w->letter[0][0] = 0;
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
			uint64_t c = w->letter[at][k / 2] | (uint64_t)(k & 1) << i;
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
				w->letter[!at][made++] = c;
		}
		n = made;
	}
	w->nletters = n;
	memcpy(w->letter[0], w->letter[at], n * sizeof w->letter[0][0]);
	return true;
}

/* ---- sets of states ---- */

/* Its number; SETS where there are too many. Set 0, before the first batch, is not reached again. */
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

/* What a batch may enter from set i: `enabled`. */
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
		for (uint32_t k = 0; ok && k < w->nletters; k++) {
			memset(t, 0, w->words * sizeof *t);
			for (size_t s = bits_next(enabled, w->a->states.n, 0); s < w->a->states.n;
			     s = bits_next(enabled, w->a->states.n, s + 1))
				if ((w->letter[0][k] >> w->of[s] & 1) != 0)
					bits_set(t, s);
			w->next[i * w->nletters + k] = find_set(w, t);
			ok = w->next[i * w->nletters + k] < SETS;
		}
	}
	free(enabled);
	return ok;
}

/* says[i]: a number for the labels and log mark of set i; those of set 0 don't matter. */
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

/* Moore's algorithm. Set 0 joins a class whose transitions are its own. */
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
			uint32_t q = i % w->nsets, k; /* set 0 last */
			for (k = 1; k < i; k++) {
				bool same = q == 0 || w->class[k] == w->class[q];
				for (uint32_t c = 0; same && c < w->nletters; c++)
					same = w->class[w->next[k * w->nletters + c]] ==
					       w->class[w->next[q * w->nletters + c]];
				if (same)
					break;
			}
			fresh[q] = k < i ? fresh[k] : w->nclasses++;
		}
		memcpy(w->class, fresh, w->nsets * sizeof fresh[0]);
	} while (w->nclasses != before);
}

/* ---- the bound ---- */

struct column {
	uint64_t from[STATES / 64]; /* the classes from which it gives the label */
};

struct pair {
	uint32_t state, letter, column; /* a class, a letter read in it, a column */
};

struct bound {
	uint32_t n, nletters;
	uint32_t letter[FEW_LETTERS];
	uint32_t *next;        /* [classes * nletters] */
	struct column *column;
	uint32_t ncolumns;
	struct pair *pair;
	uint32_t npairs;
	uint64_t *apart;       /* [pairs * words]: which pairs fail the test together */
};

static void find_few_letters(const struct work *w, struct bound *b)
{
	uint64_t any = 0;

	for (uint32_t i = 0; i < w->npreds; i++)
		any |= (uint64_t)!w->a->preds->preds.at[w->pred[i]].none << i;
	for (int hold = 0; hold <= PREDS; hold++)
		for (uint32_t k = 0; k < w->nletters && b->nletters < FEW_LETTERS; k++)
			if (__builtin_popcountll(w->letter[0][k] & any) == hold)
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

/* A large set of pairs that are all apart: from each beginning, the pair that leaves most. */
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
	for (uint32_t i = w->nsets; ok && i-- > 0;) /* set 0 last: it may be a class of its own */
		for (uint32_t k = 0; k < b.nletters; k++)
			b.next[w->class[i] * b.nletters + k] =
				w->class[w->next[i * w->nletters + b.letter[k]]];
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

/* Is the class one that says nothing any more? */
static bool has_dead(const struct work *w)
{
	static const uint64_t none[16];
	size_t words = bits_words(w->a->spec->labels.n + 1);

	for (uint32_t i = 1; i < w->nsets; i++) {
		bool dead = words > 16 ? false
				       : memcmp(&w->marks[i * words], none, words * 8) == 0;
		for (uint32_t k = 0; dead && k < w->nletters; k++)
			dead = w->class[w->next[i * w->nletters + k]] == w->class[i];
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
		w->next = malloc(SETS * (size_t)w->nletters * sizeof *w->next);
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
