/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Turns a leading `true*` into `always`. A state is permanent if it is active before the first
 * batch and, from then on, before every batch. For this it must have the start bit, its predicate
 * must always hold, and a permanent state (it may be the state itself) must enter it. The permanent
 * states are the greatest set with this property. To find it, start with all candidates, and remove
 * those that no candidate enters until nothing changes.
 *
 * A successor of a permanent state is active after every batch that satisfies its predicate. That
 * is what the always bit says, so all transitions into it can go. A permanent state gets the always
 * bit, too, because a permanent state enters it. It loses its start bit, which only served to
 * activate its successors: these now have the always bit themselves.
 */
#include <string.h>

#include "ir/pass/passes.h"

struct work {
	struct nfa *a;
	struct nfa_adj out;
	bool *permanent;
	/* [n]: how many states with permanent[] enter the state, plus one for an always state */
	uint32_t *support;
	nfa_state_t *todo;
};

static void find_permanent(struct work *w)
{
	const struct nfa *a = w->a;
	size_t n = 0;

	for (size_t s = 0; s < a->states.n; s++) {
		const struct nfa_state *q = &a->states.at[s];
		w->permanent[s] =
			q->start && q->pred != PRED_NONE && pred_always(a->preds, q->pred);
		w->support[s] = q->always;
	}
	for (size_t i = 0; i < a->edges.n; i++)
		w->support[a->edges.at[i].to] += w->permanent[a->edges.at[i].from];
	for (nfa_state_t s = 0; s < a->states.n; s++)
		if (w->permanent[s] && w->support[s] == 0)
			w->todo[n++] = s;
	while (n != 0) {
		nfa_state_t s = w->todo[--n];
		w->permanent[s] = false;
		for (uint32_t i = w->out.first[s]; i < w->out.first[s + 1]; i++) {
			nfa_state_t t = a->edges.at[w->out.edge[i]].to;
			if (--w->support[t] == 0 && w->permanent[t])
				w->todo[n++] = t;
		}
	}
}

/* Sets the always bits and drops the transitions that they replace. */
static void always_rewrite(struct work *w)
{
	struct nfa *a = w->a;
	size_t m = 0;

	for (size_t i = 0; i < a->edges.n; i++)
		if (w->permanent[a->edges.at[i].from])
			a->states.at[a->edges.at[i].to].always = true;
	for (size_t i = 0; i < a->edges.n; i++)
		if (!a->states.at[a->edges.at[i].to].always)
			a->edges.at[m++] = a->edges.at[i];
	a->edges.n = m;
	for (size_t s = 0; s < a->states.n; s++)
		if (w->permanent[s])
			a->states.at[s].start = false;
}

enum nfart_status pass_always(struct nfa *a)
{
	struct work w = { .a = a };
	bool ok;

	w.permanent = calloc(a->states.n + 1, sizeof *w.permanent);
	w.support = calloc(a->states.n + 1, sizeof *w.support);
	w.todo = malloc((a->states.n + 1) * sizeof *w.todo);
	ok = w.permanent != NULL && w.support != NULL && w.todo != NULL && nfa_out(a, &w.out);
	if (ok) {
		find_permanent(&w);
		always_rewrite(&w);
	}
	nfa_adj_free(&w.out);
	free(w.permanent);
	free(w.support);
	free(w.todo);
	return ok ? NFART_OK : NFART_SYSTEM;
}
