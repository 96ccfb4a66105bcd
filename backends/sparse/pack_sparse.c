/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes the elements of a sparse image: lists of states, predecessors, predicates, label sets and
 * counters, and the registers.
 */
#include "backends/sparse/pack_sparse.h"

#include "backends/image/pack.h"
#include "backends/image/pack_machines.h"
#include "backends/sparse/pack_option.h"
#include "contract/image/image.h"
#include "support/order.h"

static int by_target(const void *x, const void *y)
{
	const struct nfa_link *a = x, *b = y;

	return order_2(a->to, b->to, a->from, b->from);
}

/* Appends a list of the states that make a counter count or, if `reset`, of those that reset it.
 * l[0..n-1] are the links that lead to the counter. */
static void sparse_list(const struct nfa_link *l, size_t n, bool reset, struct buf *b)
{
	uint32_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += reset ? l[i].reset : l[i].count;
	buf_le32(b, count);
	for (size_t i = 0; i < n; i++)
		if (reset ? l[i].reset : l[i].count)
			buf_le32(b, l[i].from);
}

static bool sparse_counters(const struct nfa *a, struct buf *b)
{
	size_t n = 0, first = 0;
	struct nfa_link *l = nfa_links(a, &n);

	if (n > 1)
		qsort(l, n, sizeof *l, by_target);
	for (nfa_state_t s = 0; l != NULL && s < a->states.n; s++) {
		const struct nfa_counter *c;
		size_t of = 0;
		if (a->states.at[s].kind != NFA_COUNTER)
			continue;
		while (first + of < n && l[first + of].to == s)
			of++;
		c = &a->counters.at[a->states.at[s].counter];
		buf_le32(b, s);
		buf_le32(b, c->k);
		buf_le32(b, (uint32_t)c->mode);
		sparse_list(l + first, of, false, b);
		sparse_list(l + first, of, true, b);
		first += of;
	}
	free(l);
	return l != NULL;
}

static void sparse_states(const struct nfa *a, const uint32_t *number, struct buf *b)
{
	for (size_t s = 0; s < a->states.n; s++) {
		const struct nfa_state *q = &a->states.at[s];
		buf_le32(b, q->pred == PRED_NONE ? IMAGE_NO_PRED : number[q->pred]);
		buf_le32(b, (q->start ? STATE_START : 0u) | (q->always ? STATE_ALWAYS : 0u) |
				(q->log ? STATE_LOG : 0u) |
				(q->kind == NFA_COUNTER ? STATE_COUNTER : 0u));
		buf_le32(b, q->labels);
	}
}

static bool sparse_edges(const struct nfa *a, struct buf *b)
{
	struct nfa_adj in;

	if (!nfa_in(a, &in))
		return false;
	for (size_t s = 0; s < a->states.n; s++) {
		buf_le32(b, in.first[s + 1] - in.first[s]);
		for (uint32_t i = in.first[s]; i < in.first[s + 1]; i++)
			buf_le32(b, a->edges.at[in.edge[i]].from);
	}
	nfa_adj_free(&in);
	return true;
}

static void sparse_pred(const struct nfa *a, pred_id_t id, struct buf *b)
{
	const struct pred *p = &a->preds->preds.at[id];
	uint32_t count = 0, nletters = a->preds->alphabet.nletters;

	for (size_t c = bits_next(p->letters, nletters, 0); c < nletters;
	     c = bits_next(p->letters, nletters, c + 1))
		count++;
	buf_le32(b, p->none);
	buf_le32(b, count);
	for (size_t c = bits_next(p->letters, nletters, 0); c < nletters;
	     c = bits_next(p->letters, nletters, c + 1))
		buf_le32(b, (uint32_t)c);
}

static void sparse_labelsets(const struct nfa *a, struct buf *b)
{
	for (size_t i = 0; i < a->labelsets.n; i++) {
		uint32_t n = nfa_nlabels(a, (labelset_t)i);
		buf_le32(b, n);
		for (uint32_t k = 0; k < n; k++)
			buf_le32(b, a->labelsets.at[i].labels[k]);
	}
}

/* The predicates that the image has (pack_number_preds()). */
struct numbers {
	uint32_t *number;
	pred_id_t *order;
	uint32_t n;
};

static bool pack_list(const struct target_job *job, const struct element *el,
		      const struct numbers *preds, struct buf *b)
{
	const struct nfa *a = job->nfa;

	switch (el->id) {
	case EL_states:
		sparse_states(a, preds->number, b);
		pack_machine_states(job, b);
		return true;
	case EL_edges:
		if (!sparse_edges(a, b))
			return false;
		pack_machine_edges(job, b);
		return true;
	case EL_predicates:
		for (uint32_t i = 0; i < preds->n; i++)
			sparse_pred(a, preds->order[i], b);
		return true;
	case EL_counters:
		return sparse_counters(a, b);
	case EL_labelsets:
		sparse_labelsets(a, b);
		pack_machine_labelsets(job, b);
		return true;
	default:
		pack_option(job, el->id, b);
		return true;
	}
}

bool pack_sparse(const struct target_job *job, struct buf *b)
{
	size_t npreds = job->nfa->preds->preds.n + 1;
	struct numbers preds = { .number = malloc(npreds * sizeof *preds.number),
				 .order = malloc(npreds * sizeof *preds.order) };
	bool ok = preds.number != NULL && preds.order != NULL;

	if (ok)
		preds.n = pack_number_preds(job, preds.number, preds.order);
	for (size_t i = 0; i < nelements && ok; i++) {
		const struct element *el = &elements[i];
		size_t head;
		if (element_count(el, &job->made.overlay) == 0)
			continue;
		head = pack_begin(el, b);
		if (el->storage == STORAGE_REGISTER)
			pack_register(job, el, b);
		else
			ok = pack_list(job, el, &preds, b);
		if (el->storage == STORAGE_OPTION && b->n == head + 4 * DEVICE_HEAD)
			b->n = head;
		else
			ok = ok && pack_end(job, head, b);
	}
	free(preds.number);
	free(preds.order);
	return ok;
}
