/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds, proves and uses the messages that a run must have (must.h).
 */
#include "runtime/engine/fast/must.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/engine/filter.h"
#include "support/bits.h"
#include "support/zeroes.h"

enum {
	MUST_KEPT = 4,         /* it pays if less than one of so many visits is kept */
	MUST_PAUSE = 1 << 16,  /* how many visits the first pause takes; the next one is longer */
	MUST_FRESH = 1024      /* so many new marks, and more of many lines, are looked at again */
};
#define MUST_MOST_PAUSE ((uint64_t)1 << 32)

/* ---- the image ---- */

static const struct image_pred *pred_of(const struct must *m, size_t s)
{
	const struct image_nfa *a = &m->en->im->nfa;

	return a->states[s].pred != IMAGE_NO_PRED ? &a->preds[a->states[s].pred] : NULL;
}

/* Makes `to` the set of states that may become active after the states `from`. */
static void must_enter(const struct must *m, const uint64_t *from, uint64_t *to)
{
	const struct image_nfa *a = &m->en->im->nfa;

	memset(to, 0, m->en->words * 8);
	for (uint32_t i = 0; i < m->en->table.nalways; i++)
		bits_set(to, m->en->table.always[i]);
	for (size_t s = bits_next(from, a->nstates, 0); s < a->nstates;
	     s = bits_next(from, a->nstates, s + 1))
		for (uint32_t i = a->succ_first[s]; i < a->succ_first[s + 1]; i++)
			bits_set(to, a->succ[i]);
	for (size_t s = bits_next(to, a->nstates, 0); s < a->nstates;
	     s = bits_next(to, a->nstates, s + 1))
		if (pred_of(m, s) == NULL)
			to[s / 64] &= ~((uint64_t)1 << s % 64);
}

/* Fills in the tables. */
static void must_build(struct must *m)
{
	size_t n = m->en->im->nfa.nstates;
	struct must_tables *t = &m->table;

	must_enter(m, m->en->table.start, t->enter);
	for (size_t s = bits_next(t->enter, n, 0); s < n; s = bits_next(t->enter, n, s + 1)) {
		const struct image_pred *p = pred_of(m, s);
		if (p->none)
			bits_set(t->rest, s);
		for (uint32_t i = 0; i < p->letters.n; i++) {
			uint64_t key = m->keys->of_letter[p->letters.at[i]];
			if (t->classes != NULL)
				bits_set(t->classes, key >> KEY_FIRST_SET);
		}
		if (t->classes == NULL)
			t->bits |= (uint64_t)1 << m->keys->bit_of[m->en->im->nfa.states[s].pred];
	}
}

bool must_check(const struct must *m)
{
	const struct image_nfa *a = &m->en->im->nfa;
	const struct must_tables *t = &m->table;
	uint64_t *next = calloc(m->en->words + 1, sizeof *next);
	bool ok = next != NULL;

	if (ok) {
		must_enter(m, m->en->table.start, next);
		ok = memcmp(next, t->enter, m->en->words * 8) == 0;
		must_enter(m, t->rest, next);
		ok = ok && memcmp(next, t->enter, m->en->words * 8) == 0;
	}
	for (size_t s = 0; s < a->nstates && ok; s++) {
		bool rest = bits_get(t->rest, s), output = bits_get(m->en->table.output, s);
		const struct image_pred *p = pred_of(m, s);
		if (!bits_get(t->enter, s)) {
			ok = !rest;
			continue;
		}
		ok = rest == p->none && !(rest && output);
		for (uint32_t i = 0; i < p->letters.n && ok; i++)
			ok = must_is_loud(m, m->keys->of_letter[p->letters.at[i]]);
	}
	free(next);
	return ok;
}

static bool must_fits(const struct nfart_engine *en)
{
	const struct nfart_image *im = en->im;

	return im->nfa.ncounters == 0 && im->nfa.nmachines == 0 &&
	       im->alphabet.time == IMAGE_NO_TIME && !im->stream.follow;
}

struct must *must_new(const struct nfart_engine *en, const struct key_table *keys, bool *ok)
{
	struct must *m;

	*ok = true;
	/* Without lines, classes would have to be looked up, which is as slow as to follow them. */
	if (!must_fits(en) || (keys->single && !en->map.any))
		return NULL;
	m = calloc(1, sizeof *m);
	*ok = m != NULL;
	if (m == NULL)
		return NULL;
	m->en = en;
	m->keys = keys;
	m->table.enter = calloc(en->words + 1, sizeof *m->table.enter);
	m->table.rest = calloc(en->words + 1, sizeof *m->table.rest);
	if (keys->single)
		m->table.classes =
			calloc(bits_words((size_t)keys->nclasses + 1), sizeof *m->table.classes);
	m->away = zeroes_new(bits_words(en->map.n + 1), sizeof *m->away);
	*ok = m->table.enter != NULL && m->table.rest != NULL && m->away != NULL &&
	      (!keys->single || m->table.classes != NULL);
	if (*ok) {
		must_build(m);
		if (must_check(m))
			return m;
	}
	must_free(m);
	return NULL;
}

void must_free(struct must *m)
{
	if (m == NULL)
		return;
	free(m->table.enter);
	free(m->table.rest);
	free(m->table.classes);
	free(m->away);
	vec_free(&m->left.visits);
	free(m);
}

/* ---- batches ---- */

size_t must_skip(const struct nfart_filter *f, size_t from, size_t n)
{
	enum { AT_ONCE = 64 };
	const struct must *m = f->must;
	const uint64_t *key = f->in.block.key;
	size_t i = from;

	if (m == NULL || f->at.stepping ||
	    memcmp(dfa_set(f->dfa, f->at.row), m->table.rest, m->en->words * 8) != 0)
		return from;
	for (; n - i >= AT_ONCE; i += AT_ONCE) {
		uint64_t any = 0;
		for (size_t k = 0; k < AT_ONCE; k++)
			any |= key[i + k];
		if ((any & (m->table.bits | KEY_GUARDED)) != 0)
			break;
	}
	return i;
}

/* ---- visits ---- */

/* Makes `away` the set of lines that are not at rest now. */
static void find_away(struct nfart_filter *f)
{
	struct must *m = f->must;
	uint32_t rest = dfa_row(f->dfa, m->table.rest);

	memset(m->away, 0, bits_words(m->en->map.n + 1) * sizeof *m->away);
	m->marked = m->fresh = 0;
	for (size_t i = 0; i < f->at.touched.n; i++) {
		uint32_t line = f->at.touched.at[i], row = f->at.line_row[line];
		if (row != 0 && row != rest) {
			bits_set(m->away, line);
			m->marked++;
		}
	}
	m->on = true;
}

bool must_is_quiet(const struct nfart_filter *f, size_t n)
{
	const struct must *m = f->must;
	bool loud = false;

	if (m == NULL || !m->on || m->marked != 0 || f->at.stepping)
		return false;
	for (size_t i = 0; i < n; i++) {
		uint64_t key = f->in.block.key[i];
		loud |= (key & KEY_HAS_LINE) != 0 &&
			((key & KEY_GUARDED) != 0 || must_is_loud(m, key));
	}
	return !loud;
}

/* Begins a pause. */
static void must_pause(struct must *m)
{
	if (m->pause == 0 || m->seen > 4 * m->pause)
		m->pause = MUST_PAUSE;
	else if (m->pause < MUST_MOST_PAUSE)
		m->pause *= 2;
	m->wait = m->pause;
	m->seen = 0;
	m->on = false;
}

bool must_drop(struct nfart_filter *f, const struct line_visit **v, size_t *n)
{
	struct must *m = f->must;
	struct line_visit *left;
	size_t k = 0;

	if (m == NULL || f->at.stepping || *n == 0)
		return true;
	if (m->wait != 0) {
		m->wait -= m->wait < *n ? m->wait : *n;
		return true;
	}
	if (!m->on || m->fresh > MUST_FRESH + f->at.touched.n / 4)
		find_away(f);
	m->left.visits.n = 0;
	if (!vec_reserve(&m->left.visits, *n))
		return false;
	left = m->left.visits.at;
	for (size_t i = 0; i < *n; i++) {
		struct line_visit x = (*v)[i];
		uint64_t line = visit_line(&x);
		bool loud = must_is_loud(m, x.key), away = bits_get(m->away, line);
		left[k] = x;
		k += loud | away;
		if (loud && !away) {
			bits_set(m->away, line);
			m->marked++;
			m->fresh++;
		}
	}
	m->seen += *n;
	if (k > *n / MUST_KEPT)
		must_pause(m);
	*v = left;
	*n = k;
	return true;
}
