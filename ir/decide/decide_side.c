/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes the two sides over common literals (decide_int.h, Note [literals]), and the classes of
 * letters that atoms tell apart.
 */
#include "ir/decide/decide_int.h"

enum { MOST_SIG_WORDS = 1 << 25 };

struct make {
	struct decider *d;
	uint64_t *set;   /* scratch space for a set of letters */
	struct hash_ids hash; /* finds atoms */
};

static uint64_t hash_of(const void *decider, uint32_t id)
{
	const struct decider *d = decider;

	return hash_words(d->letters.words, d->letters.atoms.at[id], d->letters.words);
}

static bool side_same(const void *decider, uint32_t id, const void *key)
{
	const struct decider *d = decider;

	return memcmp(d->letters.atoms.at[id], key, d->letters.words * 8) == 0;
}

/* Finds the literal of a predicate, and makes an atom for its set of letters if needed. A set with
 * no visible letter, or with all of them, needs no atom: the literal is then LIT_TRUE or LIT_NEVER.
 * False: out of memory. */
static bool literal(struct make *m, const struct pred *p, lit_t *out)
{
	struct decider *d = m->d;
	bool none = true, all = true;
	uint64_t *copy;
	size_t at;

	for (size_t i = 0; i < d->letters.words; i++) {
		m->set[i] = p->letters[i] & d->letters.visible[i];
		none = none && m->set[i] == 0;
		all = all && m->set[i] == d->letters.visible[i];
	}
	if (none || all) {
		*out = none == p->none ? LIT_TRUE : LIT_NEVER;
		return true;
	}
	if (!hash_room(&m->hash, hash_of, d))
		return false;
	at = hash_find(&m->hash, hash_words(d->letters.words, m->set, d->letters.words), side_same,
		       d, m->set);
	if (hash_id(&m->hash, at) == HASH_NONE) {
		copy = arena_array(&d->arena, d->letters.words, 8);
		if (copy == NULL || !vec_push(&d->letters.atoms, copy))
			return false;
		memcpy(copy, m->set, d->letters.words * 8);
		hash_put(&m->hash, at, (uint32_t)d->letters.atoms.n - 1);
	}
	*out = 2 * hash_id(&m->hash, at) + p->none;
	return true;
}

/* Returns the literals of all predicates that transitions or always states have, by the ids of the
 * predicates. The array is to be freed. NULL: out of memory. */
static lit_t *literals(struct make *m, const struct nfa *a)
{
	lit_t *lits = malloc((a->preds->preds.n + 1) * sizeof *lits);
	bool ok = lits != NULL;

	for (size_t i = 0; ok && i < a->preds->preds.n; i++)
		lits[i] = LIT_EPS; /* LIT_EPS: not yet known */
	for (size_t i = 0; ok && i < a->edges.n; i++) {
		pred_id_t p = a->edges.at[i].pred;
		if (p != PRED_EPS && lits[p] == LIT_EPS)
			ok = literal(m, &a->preds->preds.at[p], &lits[p]);
	}
	for (size_t i = 0; ok && i < a->states.n; i++) {
		pred_id_t p = a->states.at[i].pred;
		if (a->states.at[i].always && lits[p] == LIT_EPS)
			ok = literal(m, &a->preds->preds.at[p], &lits[p]);
	}
	if (ok)
		return lits;
	free(lits);
	return NULL;
}

/* Adds one transition to the lists of the side. It is called twice for each transition. The first
 * time (`fill` is false) it only counts the entries of each list. */
static void side_put(struct side *s, bool fill, uint32_t from, uint32_t to, lit_t lit)
{
	if (lit == LIT_NEVER)
		return;
	if (!fill) {
		s->first[from + 2]++;
		s->in_first[to + 2]++;
		return;
	}
	s->out[s->first[from + 1]++] = (struct side_edge){ to, lit };
	s->in[s->in_first[to + 1]++] = from;
}

static void put_all(struct side *s, bool fill, const lit_t *lits)
{
	const struct nfa *a = s->a;
	uint32_t top = s->n - 1;

	for (size_t i = 0; i < a->edges.n; i++) {
		const struct nfa_edge *e = &a->edges.at[i];
		side_put(s, fill, e->from, e->to, e->pred == PRED_EPS ? LIT_EPS : lits[e->pred]);
	}
	for (uint32_t q = 0; q < a->states.n; q++)
		if (a->states.at[q].always)
			side_put(s, fill, top, q, lits[a->states.at[q].pred]);
	for (uint32_t c = 0; c < a->counters.n; c++)
		if (s->counter[c] != UINT32_MAX)
			side_put(s, fill, top, s->counter[c], side_bit(s, c));
	side_put(s, fill, top, top, LIT_TRUE);
}

static bool side_connect(struct side *s, const lit_t *lits)
{
	s->first = calloc((size_t)s->n + 2, sizeof *s->first);
	s->in_first = calloc((size_t)s->n + 2, sizeof *s->in_first);
	if (s->first == NULL || s->in_first == NULL)
		return false;
	put_all(s, false, lits);
	for (uint32_t q = 0; q < s->n; q++) {
		s->first[q + 2] += s->first[q + 1];
		s->in_first[q + 2] += s->in_first[q + 1];
	}
	s->out = malloc(((size_t)s->first[s->n + 1] + 1) * sizeof *s->out);
	s->in = malloc(((size_t)s->in_first[s->n + 1] + 1) * sizeof *s->in);
	if (s->out == NULL || s->in == NULL)
		return false;
	put_all(s, true, lits);
	return true;
}

/* Marks the states that transitions reach from start states and the permanent state. False: out of
 * memory. */
static bool side_reach(struct side *s)
{
	uint32_t *todo = malloc(((size_t)s->n + 1) * sizeof *todo), n = 0;

	s->reached = calloc((size_t)s->n + 1, 1);
	if (todo == NULL || s->reached == NULL) {
		free(todo);
		return false;
	}
	for (uint32_t q = 0; q < s->n; q++)
		if (q == s->n - 1 || s->a->states.at[q].start) {
			s->reached[q] = true;
			todo[n++] = q;
		}
	while (n != 0) {
		uint32_t q = todo[--n];
		for (uint32_t i = s->first[q]; i < s->first[q + 1]; i++) {
			uint32_t to = s->out[i].to;
			if (!s->reached[to]) {
				s->reached[to] = true;
				todo[n++] = to;
			}
		}
	}
	free(todo);
	return true;
}

/* Lists for each label and port the states that have it. Also allocates useful[] and number[],
 * which mark nothing yet. False: out of memory. */
static bool index_labels(struct side *s)
{
	const struct nfa *a = s->a;
	size_t n = a->spec->labels.n + 2 * a->counters.n, m = 0;

	for (size_t q = 0; q < a->states.n; q++)
		m += a->labelsets.at[a->states.at[q].labels].n;
	s->label_first = calloc(n + 2, sizeof *s->label_first);
	s->label_state = malloc((m + 1) * sizeof *s->label_state);
	s->useful = calloc((size_t)s->n + 1, 1);
	s->number = malloc(((size_t)s->n + 1) * sizeof *s->number);
	if (s->label_first == NULL || s->label_state == NULL || s->useful == NULL ||
	    s->number == NULL)
		return false;
	memset(s->number, 0xff, ((size_t)s->n + 1) * sizeof *s->number);
	for (size_t q = 0; q < a->states.n; q++) {
		const struct labelset *l = &a->labelsets.at[a->states.at[q].labels];
		for (uint32_t i = 0; i < l->n; i++)
			s->label_first[l->labels[i] + 2]++;
	}
	for (size_t i = 0; i < n; i++)
		s->label_first[i + 2] += s->label_first[i + 1];
	for (nfa_state_t q = 0; q < a->states.n; q++) {
		const struct labelset *l = &a->labelsets.at[a->states.at[q].labels];
		for (uint32_t i = 0; i < l->n; i++)
			s->label_state[s->label_first[l->labels[i] + 1]++] = q;
	}
	return true;
}

/* Gives each counter a bit. Each counter of the left side gets a new one. A counter of the right
 * side gets the bit of its partner on the left side. If it has no partner, or an earlier counter of
 * the right side has the partner's bit already, it gets a new one. */
static bool number_bits(struct decider *d, const uint32_t *counter)
{
	size_t nl = d->side[0].a->counters.n, nr = d->side[1].a->counters.n;
	bool *taken = calloc(nl + 1, 1);
	bool ok = taken != NULL;

	for (int k = 0; k < 2; k++) {
		d->side[k].bit = malloc(((k == 0 ? nl : nr) + 1) * sizeof *d->side[k].bit);
		ok = ok && d->side[k].bit != NULL;
	}
	for (uint32_t i = 0; ok && i < nl; i++)
		d->side[0].bit[i] = d->letters.natoms + d->letters.nbits++;
	for (uint32_t i = 0; ok && i < nr; i++) {
		uint32_t c = counter == NULL ? i : counter[i];
		bool paired = c < nl && !taken[c];
		if (paired)
			taken[c] = true;
		d->side[1].bit[i] =
			paired ? d->side[0].bit[c] : d->letters.natoms + d->letters.nbits++;
	}
	free(taken);
	return ok;
}

/* Groups the letters of each slot into classes: letters that belong to the same atoms. False: out
 * of memory. */
static bool classify(struct decider *d, const struct alphabet *a)
{
	size_t w = d->letters.atom_words, n = a->nletters;
	uint64_t *sig = calloc(n * w + 1, 8), *kept;
	bool ok = sig != NULL;

	for (uint32_t i = 0; ok && i < d->letters.natoms; i++)
		for (size_t c = bits_next(d->letters.atoms.at[i], n, 0); c < n;
		     c = bits_next(d->letters.atoms.at[i], n, c + 1))
			bits_set(sig + c * w, i);
	for (uint32_t slot = 0; slot < d->letters.nslots; slot++) {
		uint32_t begin = (uint32_t)d->letters.classes.n, c = UINT32_MAX, i;
		while (ok && (c = alphabet_next(a, slot, c)) != UINT32_MAX) {
			if (!bits_get(d->letters.visible, c))
				continue;
			for (i = begin; i < d->letters.classes.n; i++) {
				const uint64_t *known = sig + d->letters.classes.at[i].letter * w;
				if (memcmp(known, sig + c * w, w * 8) == 0)
					break;
			}
			if (i == d->letters.classes.n)
				ok = vec_push(&d->letters.classes,
					      ((struct letter_class){ slot, c }));
		}
	}
	kept = ok ? arena_array(&d->arena, d->letters.classes.n * w, 8) : NULL;
	for (size_t i = 0; kept != NULL && i < d->letters.classes.n; i++)
		memcpy(kept + i * w, sig + d->letters.classes.at[i].letter * w, w * 8);
	d->letters.sigs = kept;
	free(sig);
	return kept != NULL;
}

bool side_init(struct decider *d, const struct nfa *a, const struct nfa *b, const uint32_t *counter)
{
	const struct alphabet *alphabet = &a->preds->alphabet;
	struct make m = { .d = d };
	lit_t *lits[2] = { NULL, NULL };
	bool ok;

	d->side[0].a = a;
	d->side[1].a = b;
	d->letters.visible = a->preds->visible;
	d->letters.words = a->preds->words;
	d->letters.nslots = alphabet_nslots(alphabet);
	d->letters.time_slot = alphabet->time != IMAGE_NO_TIME ? d->letters.nslots - 1 : UINT32_MAX;
	m.set = malloc((d->letters.words + 1) * 8);
	ok = m.set != NULL && (lits[0] = literals(&m, a)) != NULL &&
	     (lits[1] = literals(&m, b)) != NULL;
	d->letters.natoms = (uint32_t)d->letters.atoms.n;
	d->letters.atom_words = bits_words(d->letters.natoms);
	ok = ok && number_bits(d, counter);
	d->letters.lit_words = bits_words(2 * ((size_t)d->letters.natoms + d->letters.nbits));
	for (int k = 0; ok && k < 2; k++) {
		d->side[k].n = (uint32_t)d->side[k].a->states.n + 1;
		ok = nfa_counter_states(d->side[k].a, &d->side[k].counter) &&
		     side_connect(&d->side[k], lits[k]) && side_reach(&d->side[k]) &&
		     index_labels(&d->side[k]);
	}
	d->effort.huge = d->letters.atom_words * alphabet->nletters > MOST_SIG_WORDS;
	ok = ok && (d->effort.huge || classify(d, alphabet));
	free(m.set);
	hash_free(&m.hash);
	free(lits[0]);
	free(lits[1]);
	return ok;
}

void side_free(struct side *s)
{
	free(s->first);
	free(s->out);
	free(s->in_first);
	free(s->in);
	free(s->reached);
	free(s->label_first);
	free(s->label_state);
	free(s->useful);
	free(s->number);
	free(s->counter);
	free(s->bit);
}
