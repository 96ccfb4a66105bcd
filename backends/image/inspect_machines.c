/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the machines out of a loaded image.
 */
#include "backends/image/inspect_machines.h"

struct reading {
	const struct nfart_image *im;
	const pred_id_t *ids; /* [predicates of the image]: their ids in the spec */
	struct spec *spec;
	bool failed;
};

static struct machine_cond read_cond(struct reading *r, const struct image_cond *t)
{
	struct machine_term *terms = arena_array(&r->spec->arena, t->nterms, sizeof *terms);
	struct machine_cond c = { t->nterms, terms, t->when.n, t->when.at,
				  { DIAG_NO_SOURCE, 0, 0 } };

	r->failed = r->failed || terms == NULL;
	for (uint32_t i = 0; i < t->nterms && !r->failed; i++) {
		bool pred = t->terms[i].kind == IMAGE_TERM_PRED;

		terms[i].kind = pred				       ? MACHINE_PRED
				: t->terms[i].kind == IMAGE_TERM_AT ? MACHINE_AT
								    : MACHINE_NOT_AT;
		terms[i].pred = pred ? r->ids[t->terms[i].what] : PRED_NONE;
		terms[i].counter = pred ? 0 : t->terms[i].what;
	}
	return c;
}

static void read_counter(struct reading *r, struct machine *m,
			 const struct image_machine_counter *t)
{
	struct machine_counter c = { .name = "", .k = t->k, .mode = t->mode };

	for (uint32_t i = 0; i < t->ncount && !r->failed; i++)
		r->failed = !vec_push(&c.count, read_cond(r, &t->count[i]));
	for (uint32_t i = 0; i < t->nreset && !r->failed; i++)
		r->failed = !vec_push(&c.reset, read_cond(r, &t->reset[i]));
	if (!vec_push(&m->counters, c)) {
		vec_free(&c.count);
		vec_free(&c.reset);
		r->failed = true;
	}
}

static void read_state(struct reading *r, struct machine *m, const struct image_machine *t,
		       uint32_t i)
{
	const struct image_state *q = &r->im->nfa.states[t->first_state + i];
	const struct image_list *set = &r->im->nfa.labelsets[q->labelset];
	uint32_t nlabels = r->im->labels.n - r->im->labels.noutputs;
	uint32_t *outputs = arena_array(&r->spec->arena, set->n, sizeof *outputs);
	struct machine_state s = { .name = "", .log = (q->flags & STATE_LOG) != 0,
				   .labels = set->at, .outputs = outputs };

	r->failed = r->failed || outputs == NULL;
	for (uint32_t k = 0; k < set->n && !r->failed; k++)
		if (set->at[k] < nlabels)
			s.nlabels++;
		else
			outputs[s.noutputs++] = set->at[k] - nlabels;
	if ((q->flags & STATE_START) != 0)
		m->start = i;
	r->failed = r->failed || !vec_push(&m->states, s);
}

static void read_machine(struct reading *r, const struct image_machine *t)
{
	struct machine m = { .name = "", .orders = t->orders };

	for (uint32_t i = 0; i < t->nstates && !r->failed; i++)
		read_state(r, &m, t, i);
	for (uint32_t i = 0; i < t->ncounters && !r->failed; i++)
		read_counter(r, &m, &t->counters[i]);
	for (uint32_t i = 0; i < t->nmoves && !r->failed; i++) {
		const struct image_move *x = &t->moves[i];
		struct machine_move move = { .from = x->from, .to = x->to,
					     .cond = read_cond(r, &x->cond) };

		if (x->from == IMAGE_ANY_STATE)
			move.from = MACHINE_ANY;
		r->failed = r->failed || !vec_push(&m.moves, move);
	}
	if (!vec_push(&r->spec->machines, m)) {
		machine_free(&m);
		r->failed = true;
	}
}

bool inspect_machines(const struct nfart_image *im, const pred_id_t *ids, struct spec *s)
{
	struct reading r = { im, ids, s, false };

	for (uint32_t i = 0; i < im->nfa.nmachines && !r.failed; i++)
		read_machine(&r, &im->nfa.machines[i]);
	return !r.failed;
}
