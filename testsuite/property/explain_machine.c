/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/property/explain_machine.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/explain/witness_machine.h"

static bool machine_names(const struct image_pred *p, uint32_t letter)
{
	for (uint32_t i = 0; i < p->letters.n; i++)
		if (p->letters.at[i] == letter)
			return true;
	return false;
}

bool batch_satisfies(const struct nfart_image *im, uint32_t pred, const struct seen *s)
{
	const struct image_pred *p = &im->nfa.preds[pred];
	bool found = im->alphabet.time != IMAGE_NO_TIME &&
		     machine_names(p, im->alphabet.time + s->b->when);

	for (uint64_t m = s->slots; m != 0; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		uint64_t header = s->b->header[slot];
		uint32_t code = proto_code(im->proto, slot, header);
		found |= machine_names(p, image_letter(im, code, header));
	}
	return found != p->none;
}

/* The run of a machine. */
struct run {
	const struct nfart_image *im;
	const struct image_machine *m;
	uint32_t state, was, move;
	bool *at;                    /* [counters]: what `@` of each is in the current batch */
	struct witness_count *k;     /* [counters]: what the witness must have */
	uint64_t nmoves, held;       /* transitions, and batches since the last one */
	uint64_t entered;            /* the time of the last transition */
};

static bool machine_holds(const struct run *r, const struct image_cond *c, const struct seen *s)
{
	bool in = c->when.n == 0;

	for (uint32_t i = 0; i < c->when.n; i++)
		in |= c->when.at[i] == r->was;
	for (uint32_t i = 0; i < c->nterms; i++) {
		const struct image_term *t = &c->terms[i];
		in &= t->kind == IMAGE_TERM_PRED ? batch_satisfies(r->im, t->what, s)
						 : r->at[t->what] == (t->kind == IMAGE_TERM_AT);
	}
	return in;
}

static bool any(const struct run *r, const struct image_cond *c, uint32_t n, const struct seen *s)
{
	for (uint32_t i = 0; i < n; i++)
		if (machine_holds(r, &c[i], s))
			return true;
	return false;
}

static void machine_count(struct run *r, uint32_t i, const struct seen *s)
{
	const struct image_machine_counter *c = &r->m->counters[i];
	struct witness_count *k = &r->k[i];
	bool reached = false;

	if (c->mode == COUNTER_ROLL && k->n == c->k)
		memset(k, 0, sizeof *k);
	if (any(r, c->reset, c->nreset, s)) {
		memset(k, 0, sizeof *k);
		k->was_reset = true;
		k->reset = s->b->time;
	} else if (any(r, c->count, c->ncount, s) && k->n < c->k) {
		k->times[k->counted++ % WITNESS_TIMES] = s->b->time;
		reached = ++k->n == c->k;
	}
	r->at[i] = c->mode == COUNTER_LATCH ? k->n == c->k : reached;
}

static void machine_batch(struct run *r, const struct seen *s)
{
	r->was = r->state;
	r->move = MACHINE_NO_MOVE;
	for (uint32_t i = 0; i < r->m->ncounters; i++)
		machine_count(r, i, s);
	for (uint32_t i = 0; i < r->m->nmoves && r->move == MACHINE_NO_MOVE; i++)
		if ((r->m->moves[i].from == IMAGE_ANY_STATE || r->m->moves[i].from == r->was) &&
		    machine_holds(r, &r->m->moves[i].cond, s))
			r->move = i;
	if (r->move != MACHINE_NO_MOVE)
		r->state = r->m->moves[r->move].to;
	r->held++;
	if (r->state == r->was)
		return;
	r->nmoves++;
	r->held = 0;
	r->entered = s->b->time;
}

static bool same_count(const struct witness_count *x, const struct witness_count *y)
{
	return x->n == y->n && x->counted == y->counted && x->was_reset == y->was_reset &&
	       x->reset == y->reset && memcmp(x->times, y->times, sizeof x->times) == 0;
}

/* Compares the transition that the last batch was, or before it the last transition. */
static const char *last_differs(const struct run *r, const struct witness_machine *w,
				const struct seen *s)
{
	const struct witness_move *t = &w->moves[(r->nmoves - 1) % WITNESS_MOVES];

	if (r->nmoves == 0)
		return w->held != r->held ? "held in another way" : NULL;
	if (t->batch->time != r->entered || t->held != r->held || t->to != r->state ||
	    (r->held != 0 && t->held_until != s->b->time))
		return "another transition";
	if (r->held != 0)
		return NULL;
	if (t->from != r->was || t->move != r->move)
		return "another transition in this batch";
	for (uint32_t i = 0; i < r->m->moves[r->move].cond.nterms; i++) {
		const struct image_term *term = &r->m->moves[r->move].cond.terms[i];
		if (term->kind != IMAGE_TERM_PRED &&
		    !same_count(&t->counts[i], &r->k[term->what]))
			return "another count in a transition";
	}
	return NULL;
}

static const char *machine_differs(const struct run *r, const struct witness_machine *w,
				   const struct seen *s)
{
	if (w->state != r->state || w->was != r->was || w->move != r->move)
		return "another state or transition";
	if (w->nmoves != r->nmoves)
		return "transitions miscounted";
	for (uint32_t i = 0; i < r->m->ncounters; i++) {
		if (!same_count(&w->counts[i], &r->k[i]))
			return "another count";
		if (w->did[i].at != r->at[i])
			return "another @";
	}
	return last_differs(r, w, s);
}

const char *machines_differ(const struct nfart_image *im, const struct witness_copy *c,
			    const struct seen *seen, size_t n, uint64_t *moves)
{
	const char *wrong = NULL;

	for (uint32_t i = 0; i < im->nfa.nmachines && wrong == NULL; i++) {
		const struct image_machine *m = &im->nfa.machines[i];
		struct run r = { .im = im, .m = m, .move = MACHINE_NO_MOVE };

		r.at = calloc((size_t)m->ncounters + 1, sizeof *r.at);
		r.k = calloc((size_t)m->ncounters + 1, sizeof *r.k);
		while ((im->nfa.states[m->first_state + r.state].flags & STATE_START) == 0)
			r.state++;
		for (size_t k = 0; k < n; k++)
			machine_batch(&r, &seen[k]);
		wrong = machine_differs(&r, &c->machines[i], &seen[n - 1]);
		*moves += r.nmoves != 0 && r.held == 0;
		free(r.at);
		free(r.k);
	}
	return wrong;
}
