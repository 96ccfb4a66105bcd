/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Warns of transitions of machines that are never taken, because an earlier transition always is. A
 * machine with `orders` takes them all.
 */
#include "compiler/warn.h"

#include <stdlib.h>

/* Does term x hold wherever term y holds? */
static bool term_follows(const struct spec *s, const struct machine_term *x,
			 const struct machine_term *y)
{
	if (x->kind != y->kind)
		return x->kind == MACHINE_PRED && pred_always(&s->preds, x->pred);
	return x->kind == MACHINE_PRED ? pred_implies(&s->preds, y->pred, x->pred)
				       : x->counter == y->counter;
}

/* Does `when` name the state, or no state at all? */
static bool allows(const struct machine_cond *c, uint32_t state)
{
	for (uint32_t i = 0; i < c->nwhen; i++)
		if (c->when[i] == state)
			return true;
	return c->nwhen == 0;
}

static bool starts_in(const struct machine_move *t, uint32_t state)
{
	return (t->from == MACHINE_ANY || t->from == state) && allows(&t->cond, state);
}

static bool starts_anywhere(const struct machine_move *t)
{
	return t->from == MACHINE_ANY && t->cond.nwhen == 0;
}

/* Returns the first state in which a transition starts, or the number of states. */
static uint32_t first_start(const struct machine *m, const struct machine_move *t)
{
	uint32_t s = t->from != MACHINE_ANY ? t->from : t->cond.nwhen != 0 ? t->cond.when[0] : 0;

	return starts_in(t, s) ? s : (uint32_t)m->states.n;
}

/* Does transition x start in all states in which y does, the first of which is `first`? */
static bool starts_too(const struct machine *m, const struct machine_move *x,
		       const struct machine_move *y, uint32_t first)
{
	uint32_t end = y->from != MACHINE_ANY ? first + 1 : (uint32_t)m->states.n;

	for (uint32_t i = first; i < end && !starts_anywhere(x); i++)
		if (starts_in(y, i) && !starts_in(x, i))
			return false;
	return true;
}

/* Does a term of y's condition follow for each of x's? */
static bool cond_follows(const struct spec *s, const struct machine_cond *x,
			 const struct machine_cond *y)
{
	for (uint32_t i = 0; i < x->nterms; i++) {
		bool found = false;

		for (uint32_t k = 0; k < y->nterms && !found; k++)
			found = term_follows(s, &x->terms[i], &y->terms[k]);
		if (!found)
			return false;
	}
	return true;
}

/* A list of transitions, in the order of the text. */
struct moves {
	VEC(uint32_t) list;
};

/* The transitions before the current one. */
struct before {
	struct moves *in;      /* [states]: those that start in this state, but not in every one */
	struct moves anywhere; /* those that start in every state */
};

/* Returns the first transition before number i that hides it, or i. */
static uint32_t find_hiding(const struct spec *s, const struct machine *m, const struct before *b,
			    uint32_t i)
{
	const struct machine_move *y = &m->moves.at[i];
	uint32_t first = first_start(m, y), own = 0, any = 0;

	/* One that starts nowhere is hidden by any. */
	for (uint32_t k = 0; first == m->states.n && k < i; k++)
		if (cond_follows(s, &m->moves.at[k].cond, &y->cond))
			return k;
	while (first < m->states.n &&
	       (own < b->in[first].list.n || any < b->anywhere.list.n)) {
		bool is_own = own < b->in[first].list.n &&
			      (any == b->anywhere.list.n ||
			       b->in[first].list.at[own] < b->anywhere.list.at[any]);
		uint32_t k = is_own ? b->in[first].list.at[own++] : b->anywhere.list.at[any++];

		if (starts_too(m, &m->moves.at[k], y, first) &&
		    cond_follows(s, &m->moves.at[k].cond, &y->cond))
			return k;
	}
	return i;
}

/* Adds transition i to those before the next one. False: out of memory. */
static bool add_before(const struct machine *m, struct before *b, uint32_t i)
{
	const struct machine_move *t = &m->moves.at[i];
	bool ok = true;

	if (starts_anywhere(t))
		return vec_push(&b->anywhere.list, i);
	if (t->from != MACHINE_ANY)
		return !starts_in(t, t->from) || vec_push(&b->in[t->from].list, i);
	for (uint32_t k = 0; k < t->cond.nwhen && ok; k++)
		ok = vec_push(&b->in[t->cond.when[k]].list, i);
	return ok;
}

static bool warn_machine(const struct spec *s, const struct machine *m, struct diags *d)
{
	struct before b = { .in = calloc(m->states.n + 1, sizeof *b.in) };
	bool ok = b.in != NULL;

	for (uint32_t i = 0; i < m->moves.n && ok; i++) {
		uint32_t k = find_hiding(s, m, &b, i);
		size_t at;

		ok = add_before(m, &b, i);
		if (k == i)
			continue;
		at = diag_report(d, DIAG_WARNING, "hidden-transition", m->moves.at[i].range,
				 "this transition is never taken");
		if (at != SIZE_MAX)
			diag_note(d, at, m->moves.at[k].range,
				  "this one before it is taken instead");
	}
	for (size_t i = 0; i < m->states.n && b.in != NULL; i++)
		vec_free(&b.in[i].list);
	vec_free(&b.anywhere.list);
	free(b.in);
	return ok;
}

bool warn_machines(const struct spec *s, struct diags *d)
{
	bool ok = true;

	for (size_t i = 0; i < s->machines.n && ok; i++)
		if (s->machines.at[i].orders == 0)
			ok = warn_machine(s, &s->machines.at[i], d);
	return ok;
}
