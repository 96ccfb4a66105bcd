/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Applies the rules of reduce.h in rounds. A round adds every transition that one simulation
 * allows; that lets the other simulation relate more states. It then merges and drops by the other
 * simulation, and again by the first. A round is kept if it leaves fewer states, or as many states
 * and fewer transitions. Rounds from either side repeat as long as one of them leaves fewer states.
 * The last round only drops.
 */
#include <string.h>

#include "ir/pass/passes.h"
#include "ir/pass/reduce.h"

struct work {
	struct dense d, best;
	uint64_t *sim;
	uint64_t left;       /* what is left of the budget PASS_WORK */
	/* the budget is used up; a function that fails without setting this lacks memory */
	bool out_of_work;
};

static bool relate(struct work *w, bool future)
{
	enum nfart_status s = future ? simulate_future(&w->d, w->sim, &w->left)
				     : simulate_past(&w->d, w->sim, &w->left);

	w->out_of_work |= s == NFART_GAVEUP;
	return s == NFART_OK;
}

static bool simulate_drop(struct work *w, bool future)
{
	if (!reduce_always(&w->d) || !relate(w, future))
		return false;
	if (future)
		return reduce_merge_future(&w->d, w->sim) && relate(w, true) &&
		       reduce_prune_future(&w->d, w->sim);
	return reduce_merge_past(&w->d, w->sim) && relate(w, false) &&
	       reduce_prune_past(&w->d, w->sim);
}

static bool saturate(struct work *w, bool future)
{
	if (!relate(w, future))
		return false;
	if (!future)
		return reduce_saturate_past(&w->d, w->sim);
	reduce_saturate_future(&w->d, w->sim);
	return true;
}

static bool is_better(const struct dense *x, const struct dense *y)
{
	uint32_t m = dense_states(x), n = dense_states(y);

	return m != n ? m < n : dense_edges(x) < dense_edges(y);
}

/* If w->d is better than w->best, copies it to w->best; else copies w->best back to w->d. *fewer
 * says whether w->d had fewer states than w->best. False: out of memory. */
static bool simulate_settle(struct work *w, bool *fewer)
{
	struct dense copy;
	bool better = is_better(&w->d, &w->best);

	*fewer = dense_states(&w->d) < dense_states(&w->best);
	if (!dense_copy(&copy, better ? &w->d : &w->best)) {
		dense_free(&copy);
		return false;
	}
	dense_free(better ? &w->best : &w->d);
	*(better ? &w->best : &w->d) = copy;
	return true;
}

/* Makes rounds, in turn from the side of the past and of the future, as long as one of them leaves
 * fewer states. */
static bool rounds(struct work *w)
{
	bool fewer[2] = { true, true };

	for (int side = 0; fewer[0] || fewer[1]; side = !side) {
		bool future = side != 0;
		if (!saturate(w, future) || !simulate_drop(w, !future) ||
		    !simulate_drop(w, future) || !simulate_drop(w, !future) ||
		    !simulate_settle(w, &fewer[side]))
			return false;
		if (fewer[side])
			fewer[!side] = true;
	}
	return true;
}

enum nfart_status pass_simulate(struct nfa *a)
{
	struct work w = { .left = PASS_WORK };
	enum nfart_status status = NFART_SYSTEM;
	bool ok, fewer;

	if (a->states.n > PASS_PAIRS_MOST)
		return NFART_OK;
	if (!dense_make(&w.d, a) || !dense_copy(&w.best, &w.d))
		goto out;
	w.sim = malloc((w.d.n * w.d.words + 1) * sizeof *w.sim);
	ok = w.sim != NULL && simulate_drop(&w, false) && simulate_drop(&w, true) &&
	     simulate_settle(&w, &fewer) && rounds(&w) && simulate_drop(&w, true) &&
	     simulate_drop(&w, false) && simulate_settle(&w, &fewer);
	if (!ok && !w.out_of_work)
		goto out;
	status = dense_store(&w.best) ? NFART_OK : NFART_SYSTEM;
out:
	free(w.sim);
	dense_free(&w.d);
	dense_free(&w.best);
	return status;
}
