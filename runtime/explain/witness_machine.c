/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/explain/witness_machine.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/explain/witness_chain.h"
#include "support/bits.h"

static void machine_clear(struct witness_machine *m)
{
	for (uint32_t i = 0; i < WITNESS_MOVES; i++) {
		chain_batch_free(m->moves[i].batch);
		free(m->moves[i].counts);
		m->moves[i] = (struct witness_move){ .batch = NULL };
	}
	m->nmoves = 0;
}

void witness_machines_free(const struct nfart_image *im, struct witness_machine *m)
{
	for (uint32_t i = 0; i < im->nfa.nmachines && m != NULL; i++) {
		machine_clear(&m[i]);
		free(m[i].did);
		free(m[i].counts);
		free(m[i].set);
	}
	free(m);
}

struct witness_machine *witness_machines_new(const struct nfart_image *im)
{
	struct witness_machine *m = calloc((size_t)im->nfa.nmachines + 1, sizeof *m);

	for (uint32_t i = 0; i < im->nfa.nmachines && m != NULL; i++) {
		size_t n = (size_t)im->nfa.machines[i].ncounters + 1;

		m[i].did = calloc(n, sizeof *m[i].did);
		m[i].counts = calloc(n, sizeof *m[i].counts);
		m[i].set = calloc(bits_words(im->nfa.nstates), sizeof *m[i].set);
		if (m[i].did == NULL || m[i].counts == NULL || m[i].set == NULL) {
			witness_machines_free(im, m);
			return NULL;
		}
	}
	return m;
}

void witness_machines_start(const struct nfart_image *im, struct witness_copy *c)
{
	memset(c->machine_counts, 0, im->nfa.ncounts * sizeof *c->machine_counts);
	for (uint32_t i = 0; i < im->nfa.nmachines; i++) {
		const struct image_machine *im_m = &im->nfa.machines[i];
		struct witness_machine *m = &c->machines[i];

		machine_clear(m);
		memset(m->did, 0, im_m->ncounters * sizeof *m->did);
		memset(m->counts, 0, im_m->ncounters * sizeof *m->counts);
		m->state = 0;
		while ((im->nfa.states[im_m->first_state + m->state].flags & STATE_START) == 0)
			m->state++;
		memset(m->set, 0, bits_words(im->nfa.nstates) * sizeof *m->set);
		bits_set(m->set, im_m->first_state + m->state);
		m->was = m->state;
		m->move = MACHINE_NO_MOVE;
		m->held = m->held_until = 0;
	}
}

static const struct image_cond *cond_of(const struct nfart_image *im, uint32_t machine,
					uint32_t move)
{
	return &im->nfa.machines[machine].moves[move].cond;
}

/* Makes the kept transitions of *to those of *from. */
static bool copy_moves(const struct nfart_image *im, uint32_t machine, struct witness_machine *to,
		       const struct witness_machine *from)
{
	for (uint32_t i = 0; i < WITNESS_MOVES; i++) {
		struct witness_move *t = &to->moves[i];
		size_t size;

		*t = from->moves[i];
		if (t->batch != NULL)
			t->batch->refs++;
		if (t->counts == NULL)
			continue;
		size = cond_of(im, machine, t->move)->nterms * sizeof *t->counts;
		t->counts = malloc(size);
		if (t->counts == NULL)
			return false;
		memcpy(t->counts, from->moves[i].counts, size);
	}
	return true;
}

bool witness_machines_like(const struct nfart_image *im, struct witness_copy *c,
			   const struct witness_copy *other)
{
	memcpy(c->machine_counts, other->machine_counts,
	       im->nfa.ncounts * sizeof *c->machine_counts);
	for (uint32_t i = 0; i < im->nfa.nmachines; i++) {
		struct witness_machine *m = &c->machines[i];
		const struct witness_machine *o = &other->machines[i];
		struct witness_machine like = *o;
		uint32_t n = im->nfa.machines[i].ncounters;

		machine_clear(m);
		memcpy(m->did, o->did, n * sizeof *m->did);
		memcpy(m->counts, o->counts, n * sizeof *m->counts);
		like.did = m->did;
		like.counts = m->counts;
		like.set = m->set;
		memcpy(m->set, o->set, bits_words(im->nfa.nstates) * sizeof *m->set);
		memset(like.moves, 0, sizeof like.moves);
		*m = like;
		if (!copy_moves(im, i, m, o))
			return false;
	}
	return true;
}

/* Notes a transition that changed the state. */
static bool note_move(struct witness *w, uint32_t machine, struct witness_machine *m)
{
	const struct image_cond *c = cond_of(w->im, machine, m->move);
	struct witness_move *t = &m->moves[m->nmoves % WITNESS_MOVES];
	bool any = false;

	chain_batch_free(t->batch);
	free(t->counts);
	*t = (struct witness_move){ .from = m->was, .to = m->state, .move = m->move };
	for (uint32_t i = 0; i < c->nterms; i++)
		any |= c->terms[i].kind != IMAGE_TERM_PRED;
	if (any && (t->counts = calloc(c->nterms, sizeof *t->counts)) == NULL)
		return false;
	for (uint32_t i = 0; i < c->nterms; i++)
		if (c->terms[i].kind != IMAGE_TERM_PRED)
			t->counts[i] = m->counts[c->terms[i].what];
	t->batch = witness_share_batch(w);
	m->nmoves++;
	return t->batch != NULL;
}

/* Sets rolling counters that reached their bound in the last batch back to 0. */
static void roll(const struct image_machine *im_m, struct witness_machine *m)
{
	for (uint32_t i = 0; i < im_m->ncounters; i++)
		if (im_m->counters[i].mode == COUNTER_ROLL && m->counts[i].n == im_m->counters[i].k)
			m->counts[i] = (struct witness_count){ .was_reset = false };
}

/* Notes what the current batch did to the counters. */
static void note_counts(struct witness *w, const struct image_machine *im_m,
			struct witness_machine *m)
{
	for (uint32_t i = 0; i < im_m->ncounters; i++) {
		struct witness_count *k = &m->counts[i];

		w->current.counted |= m->did[i].event != MACHINE_KEPT;
		if (m->did[i].event == MACHINE_RESET)
			*k = (struct witness_count){ .was_reset = true,
						     .reset = w->current.at->time };
		else if (m->did[i].event == MACHINE_COUNTED)
			k->times[k->counted++ % WITNESS_TIMES] = w->current.at->time;
		k->n = m->did[i].n;
	}
}

/* Adds n batches after which the machine was still in its state. */
static void machine_hold(struct witness_machine *m, uint64_t n, uint64_t time)
{
	struct witness_move *t = &m->moves[(m->nmoves - 1) % WITNESS_MOVES];

	*(m->nmoves != 0 ? &t->held : &m->held) += n;
	*(m->nmoves != 0 ? &t->held_until : &m->held_until) = time;
}

static bool machine_act(struct witness *w, struct witness_copy *c, uint32_t i)
{
	const struct image_machine *im_m = &w->im->nfa.machines[i];
	struct witness_machine *m = &c->machines[i];
	struct machine_done done = { .counters = m->did };
	bool ok = true;

	roll(im_m, m);
	m->was = m->state;
	m->state = machine_step(im_m, w->truth, im_m->first_state + m->was, c->machine_counts,
				&done) -
		   im_m->first_state;
	m->move = done.move;
	note_counts(w, im_m, m);
	if (m->state != m->was) {
		w->current.counted = true;
		ok = note_move(w, i, m);
	} else {
		machine_hold(m, 1, w->current.at->time);
	}
	return ok;
}

/* Makes what orders_step() wants of the messages that a copy sees. */
static void see_orders(const struct witness *w, const struct witness_seen *seen,
		       struct orders_batch *b)
{
	const struct nfart_image *im = w->im;
	size_t words = bits_words(im->nfa.npreds);

	*b = (struct orders_batch){ .none = w->none };
	for (uint64_t m = seen->slots; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		uint32_t letter = witness_letter(im, seen, s);
		uint64_t *row = w->rows + b->n * words;

		memset(row, 0, words * sizeof *row);
		for (uint32_t p = 0; p < im->nfa.npreds; p++)
			if (witness_names(&im->nfa.preds[p], letter))
				bits_set(row, p);
		b->row[b->n++] = row;
	}
}

static void act_orders(struct witness *w, struct witness_copy *c, uint32_t i,
		       const struct witness_seen *seen)
{
	const struct image_machine *im_m = &w->im->nfa.machines[i];
	size_t words = bits_words(w->im->nfa.nstates);
	struct witness_machine *m = &c->machines[i];
	struct orders_batch b;

	see_orders(w, seen, &b);
	memset(w->after, 0, words * sizeof *w->after);
	orders_step(w->im, im_m, &b, m->set, w->after, w->orders);
	w->current.counted |= memcmp(m->set, w->after, words * sizeof *m->set) != 0;
	memcpy(m->set, w->after, words * sizeof *m->set);
	m->was = m->state;
	m->state = (uint32_t)bits_next(m->set, w->im->nfa.nstates, 0) - im_m->first_state;
	for (uint32_t k = 0; k < im_m->marked.n; k++)
		if (bits_get(m->set, im_m->first_state + im_m->marked.at[k]))
			m->state = im_m->marked.at[k];
}

bool witness_step_machines(struct witness *w, struct witness_copy *c,
			   const struct witness_seen *seen)
{
	bool ok = true;

	if (w->im->nfa.nmachines == 0)
		return true;
	memset(w->truth, 0, bits_words(w->im->nfa.npreds) * sizeof *w->truth);
	for (uint32_t p = 0; p < w->im->nfa.npreds; p++)
		if (witness_pred_holds(w->im, p, seen))
			bits_set(w->truth, p);
	for (uint32_t i = 0; i < w->im->nfa.nmachines && ok; i++)
		if (w->im->nfa.machines[i].orders != 0)
			act_orders(w, c, i, seen);
		else
			ok = machine_act(w, c, i);
	return ok;
}

void witness_skip_machines(const struct nfart_image *im, struct witness_copy *c, uint64_t n,
			   uint64_t time)
{
	for (uint32_t i = 0; i < im->nfa.nmachines; i++)
		machine_hold(&c->machines[i], n, time);
}

bool witness_machine_accepts(const struct witness *w, uint32_t goal, uint32_t i, uint32_t s)
{
	return witness_accepts(w, goal, w->im->nfa.machines[i].first_state + s);
}
