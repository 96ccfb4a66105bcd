/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A conjunction of predicates asks two things of a batch. It must not have a message of a forbidden
 * set: the set of a None that holds, or of an Any that does not. And it must have a message out of
 * each demanded set: the sets of all other predicates. Forbidden letters are removed from the
 * demanded sets. Then a search with backtracking chooses a letter, in a slot that is still free,
 * for each demanded set that no chosen letter hits. There are no empty batches, so one letter must
 * be allowed even if no set is demanded.
 *
 * If there is a time slot, each letter of it is tried in turn. It is chosen first; plain time
 * demands a message besides.
 */
#include "ir/pred_logic.h"

#include <string.h>

struct demand {
	const struct pred_table *t;
	uint64_t *allowed;      /* the letters that are not forbidden, and are no times */
	uint32_t time;          /* the letter chosen in the time slot, or IMAGE_NO_TIME */
	size_t n;
	const uint64_t *want[PRED_LOGIC_MOST]; /* [n]: the demanded sets */
	/* [n]: the letter chosen for each demanded set. NOTHING: none is needed, because one that
	 * was chosen for an earlier set is in this set, too. */
	uint32_t letter[PRED_LOGIC_MOST];
};
enum { NOTHING = UINT32_MAX };

/* Adds a predicate that must hold (`holds`) or must not hold. False: too many sets are demanded. */
static bool demand(struct demand *d, pred_id_t p, bool holds)
{
	const struct pred *x = &d->t->preds.at[p];

	if (x->none == holds) {
		for (size_t i = 0; i < d->t->words; i++)
			d->allowed[i] &= ~x->letters[i];
		return true;
	}
	if (d->n == PRED_LOGIC_MOST)
		return false;
	d->want[d->n++] = x->letters;
	return true;
}

static bool is_hit(const struct demand *d, size_t k)
{
	if (d->time != IMAGE_NO_TIME && bits_get(d->want[k], d->time))
		return true;
	for (size_t i = 0; i < k; i++)
		if (d->letter[i] != NOTHING && bits_get(d->want[k], d->letter[i]))
			return true;
	return false;
}

/* Returns the first allowed letter at or after `from` that is in demanded set k and whose slot is
 * still free, or the number of letters if there is none. */
static uint32_t next_letter(const struct demand *d, size_t k, uint32_t from)
{
	const struct alphabet *a = &d->t->alphabet;
	uint32_t n = a->nletters, c = from;

	while (c < n) {
		uint64_t w = (d->want[k][c / 64] & d->allowed[c / 64]) >> (c % 64);
		bool taken = false;
		uint32_t slot;
		if (w == 0) {
			c = (c / 64 + 1) * 64;
			continue;
		}
		c += (uint32_t)__builtin_ctzll(w);
		if (c >= n)
			return n;
		slot = alphabet_slot(a, c);
		for (size_t i = 0; i < k; i++)
			taken |= d->letter[i] != NOTHING && alphabet_slot(a, d->letter[i]) == slot;
		if (!taken)
			return c;
		c++;
	}
	return n;
}

static enum pred_answer logic_choose(struct demand *d)
{
	uint32_t steps = 0, n = d->t->alphabet.nletters;
	uint32_t from = 0;
	size_t k = 0;

	while (k < d->n) {
		if (++steps > PRED_LOGIC_STEPS)
			return PRED_UNKNOWN;
		d->letter[k] = from == 0 && is_hit(d, k) ? NOTHING : next_letter(d, k, from);
		from = 0;
		if (d->letter[k] != n) {
			k++;
			continue;
		}
		do { /* goes back to the last set for which a letter was chosen */
			if (k-- == 0)
				return PRED_NO;
		} while (d->letter[k] == NOTHING);
		from = d->letter[k] + 1;
	}
	return PRED_YES;
}

/* Is there a batch for each time in turn? times[i] says whether the time is allowed. */
static enum pred_answer choose_with_time(struct demand *d, const bool *times, uint64_t *messages)
{
	uint32_t time = d->t->alphabet.time;
	enum pred_answer best = PRED_NO, answer;
	size_t n = d->n;

	for (uint32_t i = 0; i < IMAGE_TIMES && best != PRED_YES; i++) {
		if (!times[i])
			continue;
		if (i == 0 && n == PRED_LOGIC_MOST)
			return PRED_UNKNOWN;
		d->n = n;
		d->time = time + i;
		if (i == 0)
			d->want[d->n++] = messages;
		answer = logic_choose(d);
		best = answer == PRED_NO ? best : answer;
	}
	return best;
}

enum pred_answer pred_satisfiable(const struct pred_table *t, const pred_id_t *yes, size_t nyes,
				  const pred_id_t *no, size_t nno)
{
	struct demand d = { .t = t, .allowed = t->scratch, .time = IMAGE_NO_TIME };
	bool times[IMAGE_TIMES];

	memcpy(d.allowed, t->visible, t->words * 8);
	for (size_t i = 0; i < nyes; i++)
		if (!demand(&d, yes[i], true))
			return PRED_UNKNOWN;
	for (size_t i = 0; i < nno; i++)
		if (!demand(&d, no[i], false))
			return PRED_UNKNOWN;
	if (t->alphabet.time == IMAGE_NO_TIME)
		return bits_any(d.allowed, t->words) ? logic_choose(&d) : PRED_NO;
	for (uint32_t i = 0; i < IMAGE_TIMES; i++) {
		uint32_t letter = t->alphabet.time + i;
		times[i] = bits_get(d.allowed, letter);
		d.allowed[letter / 64] &= ~((uint64_t)1 << letter % 64);
	}
	return choose_with_time(&d, times, d.allowed);
}

bool pred_covered(const struct pred_table *t, pred_id_t p, const pred_id_t *q, size_t n)
{
	return pred_satisfiable(t, &p, 1, q, n) == PRED_NO;
}

/* Is it proved that c holds exactly where p or q holds? */
static bool logic_says(const struct pred_table *t, pred_id_t c, pred_id_t p, pred_id_t q)
{
	pred_id_t both[2] = { p, q };

	return pred_implies(t, p, c) && pred_implies(t, q, c) && pred_covered(t, c, both, 2);
}

/*
 * The candidates depend on the modes, and each candidate is checked before it is used. Any P or Any
 * Q is Any of the union. None P or None Q fails only where both sets are hit; its candidate is None
 * of their intersection. Any P or None Q fails exactly where Q is hit and P is not. Its candidates
 * are None of Q without P, and Any of all letters outside that set.
 */
bool pred_or(struct pred_table *t, pred_id_t p, pred_id_t q, pred_id_t *or)
{
	struct pred x = t->preds.at[p], y = t->preds.at[q];
	/* pred_satisfiable() uses the first set of the scratch memory. */
	uint64_t *s = t->scratch + t->words, *rest = s + t->words;
	pred_id_t c;

	*or = PRED_NONE;
	if (pred_implies(t, p, q) || pred_implies(t, q, p)) {
		*or = pred_implies(t, p, q) ? q : p;
		return true;
	}
	for (size_t i = 0; i < t->words; i++) {
		const uint64_t any = x.none ? y.letters[i] : x.letters[i];
		const uint64_t none = x.none ? x.letters[i] : y.letters[i];
		s[i] = x.none == y.none ? (x.none ? any & none : x.letters[i] | y.letters[i])
					  : none & ~any;
		rest[i] = t->visible[i] & ~s[i];
	}
	c = pred_intern(t, x.none || y.none, s);
	if (c == PRED_NONE)
		return false;
	if (pred_can_print(t, s) && logic_says(t, c, p, q))
		*or = c;
	else if (x.none != y.none && pred_can_print(t, rest)) {
		c = pred_intern(t, false, rest);
		if (c == PRED_NONE)
			return false;
		if (logic_says(t, c, p, q))
			*or = c;
	}
	return true;
}
