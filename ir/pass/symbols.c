/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/pass/symbols.h"

#include <string.h>

#include "ir/pred_logic.h"
#include "support/hash.h"

enum { LOG_BIT = 63, SLOTS = 2 * SYMBOLS_PAIRS };

static bool symbols_spend(uint64_t *work, uint64_t n)
{
	*work -= n < *work ? n : *work;
	return *work != 0;
}

uint64_t symbols_enabled(const struct dense *d, uint64_t active, bool begin)
{
	uint64_t e = d->always[0] | (begin ? d->first[0] : 0);

	for (; active != 0; active &= active - 1)
		e |= d->out[__builtin_ctzll(active)];
	return e;
}

uint64_t symbols_says(const struct dense *d, uint64_t active)
{
	uint64_t says = 0;

	for (; active != 0; active &= active - 1) {
		const struct nfa_state *q = &d->q[__builtin_ctzll(active)];
		const struct labelset *l = &d->a->labelsets.at[q->labels];
		says |= (uint64_t)q->log << LOG_BIT;
		for (uint32_t i = 0; i < l->n; i++)
			says |= (uint64_t)1 << l->labels[i];
	}
	return says;
}

/* Fills in on[symbol], the states whose predicate holds on the symbol. */
static void find_on(const uint64_t (*holds)[SYMBOLS_MOST / 64], uint64_t alive, uint32_t n,
		    uint64_t *on)
{
	memset(on, 0, n * sizeof *on);
	for (; alive != 0; alive &= alive - 1) {
		int s = __builtin_ctzll(alive);
		for (size_t k = bits_next(holds[s], n, 0); k < n; k = bits_next(holds[s], n, k + 1))
			on[k] |= (uint64_t)1 << s;
	}
}

/* ---- symbols ---- */

struct distinct {
	pred_id_t pred[SYMBOLS_STATES];
	uint32_t n,                 /* how many distinct predicates there are */
		of[SYMBOLS_STATES]; /* by state: the index of its predicate in `pred` */
};

/* Is there a batch on which, of the first n predicates, exactly those hold whose bits are set in
 * `choice`? */
static enum pred_answer possible(const struct dense *d, const struct distinct *p, uint32_t n,
				 uint64_t choice)
{
	pred_id_t yes[SYMBOLS_STATES], no[SYMBOLS_STATES];
	size_t nyes = 0, nno = 0;

	for (uint32_t i = 0; i < n; i++) {
		if ((choice >> i & 1) != 0)
			yes[nyes++] = p->pred[i];
		else
			no[nno++] = p->pred[i];
	}
	return pred_satisfiable(d->a->preds, yes, nyes, no, nno);
}

/* Finds the symbols. A choice says for each predicate whether it holds. The choices are made
 * predicate by predicate: each choice so far is continued with false and with true, and a choice
 * that no batch satisfies is dropped at once. Then fills in l->holds. */
static enum nfart_status find_symbols(struct symbols *l, const struct dense *d, uint64_t *work)
{
	uint64_t choice[2][SYMBOLS_MOST] = { { 0 } };
	struct distinct p = { .n = 0 };
	uint32_t n = 1;
	int at = 0;

	for (uint64_t s = d->alive[0]; s != 0; s &= s - 1) {
		uint32_t k = 0, q = (uint32_t)__builtin_ctzll(s);
		while (k < p.n && p.pred[k] != d->q[q].pred)
			k++;
		p.pred[k] = d->q[q].pred;
		p.of[q] = k;
		p.n += k == p.n;
	}
	for (uint32_t i = 0; i < p.n; i++, at = !at) {
		uint32_t made = 0;
		for (uint32_t k = 0; k < 2 * n; k++) {
			uint64_t c = choice[at][k / 2] | (uint64_t)(k & 1) << i;
			enum pred_answer can = possible(d, &p, i + 1, c);
			if (can == PRED_UNKNOWN || !symbols_spend(work, 16) ||
			    (can == PRED_YES && made == SYMBOLS_MOST))
				return NFART_GAVEUP;
			if (can == PRED_YES)
				choice[!at][made++] = c;
		}
		n = made;
	}
	l->n = n;
	for (uint64_t s = d->alive[0]; s != 0; s &= s - 1) {
		uint32_t q = (uint32_t)__builtin_ctzll(s);
		for (uint32_t k = 0; k < n; k++)
			if ((choice[at][k] >> p.of[q] & 1) != 0)
				bits_set(l->holds[q], k);
	}
	return NFART_OK;
}

/* ---- sets ---- */

static enum nfart_status find_sets(struct symbols *l, const struct dense *d, uint64_t *work)
{
	uint64_t on[SYMBOLS_MOST];

	find_on((const uint64_t(*)[SYMBOLS_MOST / 64])l->holds, d->alive[0], l->n, on);
	l->set[0] = 0;
	l->nsets = 1;
	for (uint32_t i = 0; i < l->nsets; i++) {
		uint64_t enabled = symbols_enabled(d, l->set[i], i == 0);
		l->says[i] = symbols_says(d, l->set[i]);
		for (uint32_t k = 0; k < l->n; k++) {
			uint64_t t = enabled & on[k];
			/* Set 0 stands for the time before the first batch and is never reached
			 * again. A later set without states is another set. */
			uint32_t j = 1;
			while (j < l->nsets && l->set[j] != t)
				j++;
			if (j == SYMBOLS_SETS || !symbols_spend(work, 1 + j / 16))
				return NFART_GAVEUP;
			if (j == l->nsets)
				l->set[l->nsets++] = t;
			l->next[i * SYMBOLS_MOST + k] = j;
		}
	}
	return NFART_OK;
}

void symbols_free(struct symbols *l)
{
	free(l->holds);
	free(l->set);
	free(l->next);
	memset(l, 0, sizeof *l);
}

enum nfart_status symbols_make(struct symbols *l, const struct dense *d, uint64_t *work)
{
	enum nfart_status status;

	memset(l, 0, sizeof *l);
	if (d->n > SYMBOLS_STATES || d->n == 0 || d->a->counters.n != 0 ||
	    d->a->spec->labels.n >= LOG_BIT)
		return NFART_GAVEUP;
	l->holds = calloc(SYMBOLS_STATES, sizeof *l->holds);
	l->set = malloc((2 * SYMBOLS_SETS + 2 * SYMBOLS_PAIRS) * sizeof *l->set);
	l->next = malloc((SYMBOLS_SETS * SYMBOLS_MOST + SLOTS) * sizeof *l->next);
	if (l->holds == NULL || l->set == NULL || l->next == NULL)
		return NFART_SYSTEM;
	l->says = l->set + SYMBOLS_SETS;
	l->seen = l->says + SYMBOLS_SETS;
	l->table = l->next + SYMBOLS_SETS * SYMBOLS_MOST;
	status = find_symbols(l, d, work);
	return status == NFART_OK ? find_sets(l, d, work) : status;
}

/* ---- comparing ---- */

/* Does a search for a pair end here? */
static bool ends_pair(const void *symbols, size_t place, const void *key)
{
	const struct symbols *l = symbols;
	const uint64_t *pair = key, *p;

	if (l->table[place] == 0)
		return true;
	p = &l->seen[2 * (size_t)(l->table[place] - 1)];
	return p[0] == pair[0] && p[1] == pair[1];
}

/* Adds the pair of a set of the first automaton (its number) and a set of the candidate's states,
 * unless the pair is there already. False: no room. */
static bool add_pair(const struct symbols *l, uint32_t *n, uint32_t set, uint64_t active)
{
	uint64_t h = (active ^ (uint64_t)set << 48) * 0xff51afd7ed558ccdu;
	size_t i = hash_probe(SLOTS, h >> 40, ends_pair, l, (uint64_t[]){ set, active });

	if (l->table[i] != 0)
		return true;
	if (*n == SYMBOLS_PAIRS)
		return false;
	l->seen[2 * (size_t)*n] = set;
	l->seen[2 * (size_t)*n + 1] = active;
	l->table[i] = ++*n;
	return true;
}

bool symbols_same(struct symbols *l, const struct candidate *c, uint64_t *work)
{
	uint64_t on[SYMBOLS_MOST];
	uint32_t n = 0;

	memset(l->table, 0, SLOTS * sizeof *l->table);
	find_on(c->holds, c->d.alive[0], l->n, on);
	if (!add_pair(l, &n, 0, 0))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t set = (uint32_t)l->seen[2 * (size_t)i];
		uint64_t active = l->seen[2 * (size_t)i + 1];
		uint64_t enabled = symbols_enabled(&c->d, active, set == 0);
		if (!symbols_spend(work, l->n + 8))
			return false;
		if (set != 0 && symbols_says(&c->d, active) != l->says[set])
			return false;
		for (uint32_t k = 0; k < l->n; k++)
			if (!add_pair(l, &n, l->next[set * SYMBOLS_MOST + k], enabled & on[k]))
				return false;
	}
	l->npairs = n;
	return true;
}
