/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/inspect.h"

#include <string.h>

static bool make_spec(const struct nfart_image *im, struct spec *s)
{
	memset(s, 0, sizeof *s);
	s->proto = im->proto;
	s->log = s->log_counted = RX_NONE;
	s->window = im->window;
	s->limit = im->limit;
	s->by_line = im->by_line;
	s->first_line = im->first_line;
	s->nlines = im->nlines;
	for (uint32_t i = 0; i < im->nlabels; i++)
		if (!vec_push(&s->labels, im->labels[i]))
			return false;
	return pred_table_init(&s->preds, im->proto, im->by_line);
}

/* The ids of the image's predicates in the spec's table. */
static bool make_preds(const struct nfart_image *im, struct spec *s, pred_id_t *ids)
{
	uint64_t *ops = malloc((s->preds.words + 1) * 8);
	bool ok = ops != NULL;

	for (uint32_t p = 0; p < im->npreds && ok; p++) {
		memset(ops, 0, s->preds.words * 8);
		for (uint32_t i = 0; i < im->preds[p].codes.n; i++)
			bits_set(ops, im->preds[p].codes.at[i]);
		ids[p] = pred_intern(&s->preds, im->preds[p].none, ops);
		ok = ids[p] != PRED_NONE;
	}
	free(ops);
	return ok;
}

static bool make_states(const struct nfart_image *im, const pred_id_t *ids, struct nfa *a)
{
	for (uint32_t i = 0; i < im->nstates; i++) {
		const struct image_state *q = &im->states[i];
		const struct image_list *l = &im->labelsets[q->labelset];
		struct nfa_state s = {
			.kind = NFA_STE,
			.start = (q->flags & STATE_START) != 0,
			.always = (q->flags & STATE_ALWAYS) != 0,
			.log = (q->flags & STATE_LOG) != 0,
			.labels = nfa_labelset(a, l->at, l->n),
			.pred = q->pred == IMAGE_NO_PRED ? PRED_NONE : ids[q->pred],
			.range = { DIAG_NO_SOURCE, 0, 0 },
		};
		if (s.labels == UINT32_MAX || nfa_add_state(a, s) == UINT32_MAX)
			return false;
	}
	for (uint32_t i = 0; i < im->nstates; i++)
		for (uint32_t k = im->succ_first[i]; k < im->succ_first[i + 1]; k++)
			if (!nfa_add_edge(a, i, im->succ[k], a->states.at[im->succ[k]].pred))
				return false;
	return true;
}

bool inspect_nfa(const struct nfart_image *im, struct spec *s, struct nfa *a)
{
	pred_id_t *ids = malloc((im->npreds + 1) * sizeof *ids);
	bool ok = ids != NULL;

	memset(a, 0, sizeof *a);
	ok = make_spec(im, s) && ok;
	ok = ok && nfa_init(a, s) && make_preds(im, s, ids) && make_states(im, ids, a);
	a->homogeneous = true;
	ok = ok && nfa_sort_edges(a);
	free(ids);
	return ok;
}
