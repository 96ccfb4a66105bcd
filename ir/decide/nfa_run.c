/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs an NFA over a stream, state by state. This confirms the witnesses of the decision procedure
 * (decide.h), and shares no code with the rest of it.
 */
#include <string.h>

#include "ir/decide/decide.h"

struct run {
	const struct nfa *a;
	bool *now,            /* [states]: the state is active before the current batch */
		*next;        /* [states]: the state is active after the current batch */
	uint32_t *count;      /* [counters]: the count of each counter */
	nfa_state_t *counter; /* [counters]: the state of each counter; UINT32_MAX: none */
};

/* Adds the states that epsilon transitions reach from states in the set. */
static void close_states(const struct run *r, bool *set)
{
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < r->a->edges.n; i++) {
			const struct nfa_edge *e = &r->a->edges.at[i];
			if (e->pred == PRED_EPS && set[e->from] && !set[e->to])
				set[e->to] = more = true;
		}
	}
}

/* Does some state of the set have the label or port? */
static bool nfa_run_has(const struct run *r, const bool *set, uint32_t label)
{
	for (size_t s = 0; s < r->a->states.n; s++) {
		const struct labelset *l = &r->a->labelsets.at[r->a->states.at[s].labels];
		for (uint32_t i = 0; set[s] && i < l->n; i++)
			if (l->labels[i] == label)
				return true;
	}
	return false;
}

/* Takes counter i through one batch (nfacc-filter(5), Counters). It is called for the counters in
 * the order of their definition. */
static void nfa_run_count(struct run *r, uint32_t i)
{
	const struct nfa_counter *c = &r->a->counters.at[i];
	uint32_t before = r->count[i];
	bool reached, active;

	if (nfa_run_has(r, r->next, nfa_port(r->a, i, true)))
		r->count[i] = 0;
	else if (before < c->k && nfa_run_has(r, r->next, nfa_port(r->a, i, false)))
		r->count[i]++;
	reached = r->count[i] == c->k && before != c->k;
	active = c->mode == COUNTER_LATCH ? r->count[i] == c->k : reached;
	if (c->mode == COUNTER_ROLL && reached)
		r->count[i] = 0;
	if (active && r->counter[i] != UINT32_MAX) {
		r->next[r->counter[i]] = true;
		close_states(r, r->next);
	}
}

static void nfa_run_step(struct run *r, const uint32_t *letters, size_t n)
{
	const struct nfa *a = r->a;
	bool *t = r->now;

	memset(r->next, 0, a->states.n);
	for (size_t i = 0; i < a->edges.n; i++) {
		const struct nfa_edge *e = &a->edges.at[i];
		if (e->pred != PRED_EPS && r->now[e->from] &&
		    pred_holds(a->preds, e->pred, letters, n))
			r->next[e->to] = true;
	}
	for (size_t s = 0; s < a->states.n; s++)
		if (a->states.at[s].always &&
		    pred_holds(a->preds, a->states.at[s].pred, letters, n))
			r->next[s] = true;
	close_states(r, r->next);
	for (uint32_t i = 0; i < a->counters.n; i++)
		nfa_run_count(r, i);
	r->now = r->next;
	r->next = t;
}

bool nfa_run(const struct nfa *a, const struct decide_stream *s, uint64_t *labels, bool *logged)
{
	struct run r = { .a = a };
	size_t n = a->spec->labels.n + 2 * a->counters.n;
	bool ok;

	r.now = calloc(a->states.n + 1, 1);
	r.next = calloc(a->states.n + 1, 1);
	r.count = calloc(a->counters.n + 1, sizeof *r.count);
	ok = nfa_counter_states(a, &r.counter) && r.now != NULL && r.next != NULL &&
	     r.count != NULL;
	memset(labels, 0, bits_words(n) * 8);
	*logged = false;
	for (size_t q = 0; ok && q < a->states.n; q++)
		r.now[q] = a->states.at[q].start;
	if (ok)
		close_states(&r, r.now);
	for (size_t i = 0; ok && i < s->n; i++)
		nfa_run_step(&r, s->letter + s->first[i], s->first[i + 1] - s->first[i]);
	for (size_t q = 0; ok && q < a->states.n; q++) {
		const struct labelset *l = &a->labelsets.at[a->states.at[q].labels];
		for (uint32_t i = 0; r.now[q] && i < l->n; i++)
			bits_set(labels, l->labels[i]);
		*logged = *logged || (r.now[q] && a->states.at[q].log);
	}
	free(r.now);
	free(r.next);
	free(r.count);
	free(r.counter);
	return ok;
}
