/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/image/pack_machines.h"

#include <stdlib.h>

/* ---- predicates ---- */

struct numbering {
	uint32_t *number;
	pred_id_t *order;
	uint32_t n;
};

static void add(struct numbering *x, pred_id_t id)
{
	if (id == PRED_NONE || x->number[id] != UINT32_MAX)
		return;
	x->order[x->n] = id;
	x->number[id] = x->n++;
}

static void add_cond(struct numbering *x, const struct machine_cond *c)
{
	for (uint32_t i = 0; i < c->nterms; i++)
		if (c->terms[i].kind == MACHINE_PRED)
			add(x, c->terms[i].pred);
}

static void add_machine(struct numbering *x, const struct machine *m)
{
	for (size_t i = 0; i < m->counters.n; i++) {
		const struct machine_counter *c = &m->counters.at[i];

		for (size_t k = 0; k < c->count.n; k++)
			add_cond(x, &c->count.at[k]);
		for (size_t k = 0; k < c->reset.n; k++)
			add_cond(x, &c->reset.at[k]);
	}
	for (size_t i = 0; i < m->moves.n; i++)
		add_cond(x, &m->moves.at[i].cond);
}

uint32_t pack_number_preds(const struct target_job *job, uint32_t *number, pred_id_t *order)
{
	struct numbering x = { number, order, 0 };

	for (size_t i = 0; i < job->nfa->preds->preds.n; i++)
		number[i] = UINT32_MAX;
	for (size_t s = 0; s < job->nfa->states.n; s++)
		add(&x, job->nfa->states.at[s].pred);
	for (size_t i = 0; i < job->spec->machines.n; i++)
		add_machine(&x, &job->spec->machines.at[i]);
	return x.n;
}

/* ---- states ---- */

void pack_machine_states(const struct target_job *job, struct buf *b)
{
	uint32_t labelset = (uint32_t)job->nfa->labelsets.n;

	for (size_t i = 0; i < job->spec->machines.n; i++) {
		const struct machine *m = &job->spec->machines.at[i];

		for (uint32_t s = 0; s < m->states.n; s++) {
			buf_le32(b, IMAGE_NO_PRED);
			buf_le32(b, (s == m->start ? STATE_START : 0u) |
					    (m->states.at[s].log ? STATE_LOG : 0u));
			buf_le32(b, labelset++);
		}
	}
}

void pack_machine_labelsets(const struct target_job *job, struct buf *b)
{
	uint32_t nlabels = (uint32_t)job->spec->labels.n;

	for (size_t i = 0; i < job->spec->machines.n; i++) {
		const struct machine *m = &job->spec->machines.at[i];

		for (uint32_t s = 0; s < m->states.n; s++) {
			const struct machine_state *q = &m->states.at[s];

			buf_le32(b, q->nlabels + q->noutputs);
			for (uint32_t k = 0; k < q->nlabels; k++)
				buf_le32(b, q->labels[k]);
			for (uint32_t k = 0; k < q->noutputs; k++)
				buf_le32(b, nlabels + q->outputs[k]);
		}
	}
}

void pack_machine_edges(const struct target_job *job, struct buf *b)
{
	for (size_t i = 0; i < job->spec->machines.n; i++)
		for (size_t s = 0; s < job->spec->machines.at[i].states.n; s++)
			buf_le32(b, 0);
}

/* ---- the section ---- */

static void pack_cond(const struct machine_cond *c, const uint32_t *number, struct buf *b)
{
	static const enum image_term_kind kinds[] = {
		[MACHINE_PRED] = IMAGE_TERM_PRED,
		[MACHINE_AT] = IMAGE_TERM_AT,
		[MACHINE_NOT_AT] = IMAGE_TERM_NOT_AT,
	};

	buf_le32(b, c->nterms);
	for (uint32_t i = 0; i < c->nterms; i++) {
		const struct machine_term *t = &c->terms[i];

		buf_le32(b, (uint32_t)kinds[t->kind]);
		buf_le32(b, t->kind == MACHINE_PRED ? number[t->pred] : t->counter);
	}
	buf_le32(b, c->nwhen);
	for (uint32_t i = 0; i < c->nwhen; i++)
		buf_le32(b, c->when[i]);
}

static void pack_machine(const struct machine *m, const uint32_t *number, struct buf *b)
{
	buf_le32(b, (uint32_t)m->states.n);
	buf_le32(b, (uint32_t)m->counters.n | m->orders << IMAGE_ORDERS_AT);
	buf_le32(b, (uint32_t)m->moves.n);
	for (size_t i = 0; i < m->counters.n; i++) {
		const struct machine_counter *c = &m->counters.at[i];

		buf_le32(b, c->k);
		buf_le32(b, (uint32_t)c->mode);
		buf_le32(b, (uint32_t)c->count.n);
		buf_le32(b, (uint32_t)c->reset.n);
		for (size_t k = 0; k < c->count.n; k++)
			pack_cond(&c->count.at[k], number, b);
		for (size_t k = 0; k < c->reset.n; k++)
			pack_cond(&c->reset.at[k], number, b);
	}
	for (size_t i = 0; i < m->moves.n; i++) {
		const struct machine_move *t = &m->moves.at[i];

		buf_le32(b, t->from == MACHINE_ANY ? (uint32_t)IMAGE_ANY_STATE : t->from);
		buf_le32(b, t->to);
		pack_cond(&t->cond, number, b);
	}
}

void pack_machines(const struct target_job *job, struct buf *b)
{
	size_t n = job->nfa->preds->preds.n + 1;
	uint32_t *number = malloc(n * sizeof *number);
	pred_id_t *order = malloc(n * sizeof *order);

	if (number != NULL && order != NULL) {
		pack_number_preds(job, number, order);
		buf_le32(b, (uint32_t)job->spec->machines.n);
		for (size_t i = 0; i < job->spec->machines.n; i++)
			pack_machine(&job->spec->machines.at[i], number, b);
	} else {
		b->failed = true;
	}
	free(number);
	free(order);
}
