/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Answers two questions about a witness: how far a goal is (witness.h, Note [far]), and which
 * active state accepts.
 */
#include <stdlib.h>

#include "runtime/explain/witness.h"

bool witness_accepts(const struct witness *w, uint32_t goal, uint32_t s)
{
	const struct image_state *q = &w->im->nfa.states[s];
	const struct image_list *set = &w->im->nfa.labelsets[q->labelset];

	if (w->goal.at[goal] == WITNESS_LOG)
		return (q->flags & STATE_LOG) != 0;
	for (uint32_t i = 0; i < set->n; i++)
		if (set->at[i] == w->goal.at[goal])
			return true;
	return false;
}

/* The predecessors of state s are at[first[s]] up to at[first[s + 1] - 1]. */
struct preds {
	uint32_t *first, *at;
};

static bool find_preds(const struct nfart_image *im, struct preds *p)
{
	uint32_t m = im->nfa.nstates != 0 ? im->nfa.succ_first[im->nfa.nstates] : 0;

	p->first = calloc((size_t)im->nfa.nstates + 2, sizeof *p->first);
	p->at = malloc(((size_t)m + 1) * sizeof *p->at);
	if (p->first == NULL || p->at == NULL)
		return false;
	for (uint32_t i = 0; i < m; i++)
		p->first[im->nfa.succ[i] + 2]++;
	for (size_t s = 0; s < im->nfa.nstates; s++)
		p->first[s + 2] += p->first[s + 1];
	for (uint32_t s = 0; s < im->nfa.nstates; s++)
		for (uint32_t i = im->nfa.succ_first[s]; i < im->nfa.succ_first[s + 1]; i++)
			p->at[p->first[im->nfa.succ[i] + 1]++] = s;
	return true;
}

/* Fills the distances of one goal (Note [far]) by a breadth-first search from the states that
 * accept. `queue` has room for all states twice: a state that accepts is in it at the beginning,
 * and again if it leads to a state that accepts. */
static void find_far(struct witness *w, uint32_t goal, const struct preds *p, uint32_t *queue)
{
	const struct nfart_image *im = w->im;
	uint32_t *far = w->goal.far + (size_t)goal * im->nfa.nstates,
		 *least = &w->goal.far_always[goal];
	size_t n = 0, sources;

	*least = WITNESS_NEVER;
	for (uint32_t s = 0; s < im->nfa.nstates; s++) {
		far[s] = WITNESS_NEVER;
		if (witness_accepts(w, goal, s))
			queue[n++] = s;
	}
	sources = n;
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = p->first[queue[i]]; k < p->first[queue[i] + 1]; k++) {
			uint32_t s = p->at[k], d = i < sources ? 1 : far[queue[i]] + 1;
			if (far[s] != WITNESS_NEVER)
				continue;
			far[s] = d;
			queue[n++] = s;
		}
	for (uint32_t i = 0; i < w->nalways; i++) {
		uint32_t s = w->always[i], d = far[s] == WITNESS_NEVER ? WITNESS_NEVER : far[s] + 1;
		if (witness_accepts(w, goal, s))
			d = 1;
		if (d < *least)
			*least = d;
	}
}

bool witness_find_far(struct witness *w)
{
	struct preds p = { NULL, NULL };
	uint32_t *queue = malloc(((size_t)w->im->nfa.nstates * 2 + 1) * sizeof *queue);
	bool ok = queue != NULL && find_preds(w->im, &p);

	for (uint32_t g = 0; g < w->goal.n && ok; g++)
		find_far(w, g, &p, queue);
	free(queue);
	free(p.first);
	free(p.at);
	return ok;
}

const struct witness_active *witness_find(const struct witness *w, const struct witness_list *l,
					  uint32_t goal)
{
	const struct witness_active *best = NULL;

	for (size_t i = 0; i < l->n; i++) {
		const struct witness_step *s = l->at[i].step;
		if (s == NULL || !witness_accepts(w, goal, l->at[i].state))
			continue;
		if (best == NULL || s->begin > best->step->begin ||
		    (s->begin == best->step->begin && s->steps < best->step->steps))
			best = &l->at[i];
	}
	return best;
}

uint32_t witness_far(const struct witness *w, const struct witness_list *l, uint32_t goal,
		     const struct witness_active **at)
{
	const uint32_t *far = w->goal.far + (size_t)goal * w->im->nfa.nstates;
	const struct witness_active *best = NULL;

	for (size_t i = 0; i < l->n; i++) {
		const struct witness_active *a = &l->at[i];
		uint32_t d = far[a->state];
		if (d == WITNESS_NEVER || (best != NULL && d > far[best->state]))
			continue;
		if (best == NULL || d < far[best->state] ||
		    (a->step != NULL && (best->step == NULL || a->step->begin > best->step->begin)))
			best = a;
	}
	if (at != NULL)
		*at = best;
	return best != NULL ? far[best->state] : WITNESS_NEVER;
}
