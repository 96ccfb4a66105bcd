/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Warns of transitions of machines that are never taken, because an earlier transition always is.
 */
#include "compiler/warn.h"

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

/* Can transition x be taken wherever y can? Each term of x has to follow from one of y. */
static bool hides(const struct spec *s, const struct machine *m, const struct machine_move *x,
		  const struct machine_move *y)
{
	for (uint32_t i = 0; i < m->states.n; i++)
		if (starts_in(y, i) && !starts_in(x, i))
			return false;
	for (uint32_t i = 0; i < x->cond.nterms; i++) {
		bool found = false;

		for (uint32_t k = 0; k < y->cond.nterms && !found; k++)
			found = term_follows(s, &x->cond.terms[i], &y->cond.terms[k]);
		if (!found)
			return false;
	}
	return true;
}

static void warn_machine(const struct spec *s, const struct machine *m, struct diags *d)
{
	for (size_t i = 1; i < m->moves.n; i++)
		for (size_t k = 0; k < i; k++) {
			size_t at;

			if (!hides(s, m, &m->moves.at[k], &m->moves.at[i]))
				continue;
			at = diag_report(d, DIAG_WARNING, "hidden-transition", m->moves.at[i].range,
					 "this transition is never taken");
			if (at != SIZE_MAX)
				diag_note(d, at, m->moves.at[k].range,
					  "this one before it is taken instead");
			break;
		}
}

void warn_machines(const struct spec *s, struct diags *d)
{
	for (size_t i = 0; i < s->machines.n; i++)
		warn_machine(s, &s->machines.at[i], d);
}
