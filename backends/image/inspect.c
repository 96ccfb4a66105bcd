/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/image/inspect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backends/image/inspect_machines.h"
#include "ir/image_letters.h"

static bool make_spec(const struct nfart_image *im, const struct pred_table *like, struct spec *s)
{
	struct alphabet a;

	memset(s, 0, sizeof *s);
	s->proto = im->proto;
	s->log.rx = s->log.counted = RX_NONE;
	s->window.before = im->window.before;
	s->window.after = im->window.after;
	s->stream.tick = im->stream.tick;
	s->stream.end = im->stream.end;
	s->stream.limit = im->stream.limit;
	s->stream.reset_on_loss = im->stream.reset_on_loss;
	s->substreams.by_line = im->substreams.by_line;
	s->substreams.nlines = im->substreams.nlines;
	s->substreams.field = im->substreams.by_field ? im->substreams.field : NULL;
	for (uint32_t i = 0; i < im->substreams.nranges; i++)
		if (!vec_push(&s->substreams.ranges, im->substreams.ranges[i]))
			return false;
	for (uint32_t i = 0; i < im->labels.n - im->labels.noutputs; i++)
		if (!vec_push(&s->labels, im->labels.names[i]))
			return false;
	for (uint32_t i = im->labels.n - im->labels.noutputs; i < im->labels.n; i++)
		if (!vec_push(&s->outputs, im->labels.names[i] + 1))
			return false;
	if (like != NULL)
		return pred_table_init_like(&s->preds, like);
	return alphabet_of_image(&a, im, &s->arena) == NFART_OK &&
	       pred_table_init(
		       &s->preds, &a,
		       (struct pred_view){ im->substreams.by_line, NULL, im->substreams.key });
}

/* Interns the image's predicates in the spec's table. Predicate p of the image gets the id ids[p].
 * False: out of memory. */
static bool make_preds(const struct nfart_image *im, struct spec *s, pred_id_t *ids)
{
	uint64_t *ops = malloc((s->preds.words + 1) * 8);
	struct image_map map = { NULL, NULL };
	bool ok = image_map_init(&map, im, &s->preds.alphabet) && ops != NULL;

	for (uint32_t p = 0; p < im->nfa.npreds && ok; p++) {
		memset(ops, 0, s->preds.words * 8);
		image_map_pred(&map, &im->nfa.preds[p], ops);
		ids[p] = pred_intern(&s->preds, im->nfa.preds[p].none, ops);
		ok = ids[p] != PRED_NONE;
	}
	image_map_free(&map);
	free(ops);
	return ok;
}

static bool make_states(const struct nfart_image *im, const pred_id_t *ids, struct nfa *a)
{
	uint32_t counter = 0;

	for (uint32_t i = 0; i < im->nfa.nplain; i++) {
		const struct image_state *q = &im->nfa.states[i];
		const struct image_list *l = &im->nfa.labelsets[q->labelset];
		struct nfa_state s = {
			.kind = (q->flags & STATE_COUNTER) != 0 ? NFA_COUNTER : NFA_STE,
			.start = (q->flags & STATE_START) != 0,
			.always = (q->flags & STATE_ALWAYS) != 0,
			.log = (q->flags & STATE_LOG) != 0,
			.labels = nfa_labelset(a, l->at, l->n),
			.pred = q->pred == IMAGE_NO_PRED ? PRED_NONE : ids[q->pred],
			.range = { DIAG_NO_SOURCE, 0, 0 },
			.counter = counter,
		};
		counter += s.kind == NFA_COUNTER;
		if (s.labels == UINT32_MAX || nfa_add_state(a, s) == UINT32_MAX)
			return false;
	}
	for (uint32_t i = 0; i < im->nfa.nplain; i++)
		for (uint32_t k = im->nfa.succ_first[i]; k < im->nfa.succ_first[i + 1]; k++)
			if (!nfa_add_edge(a, i, im->nfa.succ[k],
					  a->states.at[im->nfa.succ[k]].pred))
				return false;
	return true;
}

static bool add_ports(const struct image_list *l, uint32_t port, struct nfa *a)
{
	for (uint32_t i = 0; i < l->n; i++) {
		struct nfa_state *q = &a->states.at[l->at[i]];
		labelset_t one = nfa_labelset(a, &port, 1),
			   both = one == UINT32_MAX ? one : nfa_labelset_union(a, q->labels, one);
		if (both == UINT32_MAX)
			return false;
		q->labels = both;
	}
	return true;
}

/* Adds the counters of the image to the spec and to the NFA. An image has no names for counters, so
 * the name of each counter is its number. False: out of memory. */
static bool make_counters(const struct nfart_image *im, struct spec *s, struct nfa *a)
{
	for (uint32_t i = 0; i < im->nfa.ncounters; i++) {
		const struct image_counter *c = &im->nfa.counters[i];
		char name[16];
		struct nfa_counter n = { NULL, c->k, c->mode, { DIAG_NO_SOURCE, 0, 0 } };
		snprintf(name, sizeof name, "%" PRIu32, i);
		n.name = arena_strndup(&s->arena, name, strlen(name));
		if (n.name == NULL || !vec_push(&a->counters, n) ||
		    !add_ports(&c->count, nfa_port(a, i, false), a) ||
		    !add_ports(&c->reset, nfa_port(a, i, true), a))
			return false;
	}
	return true;
}

bool inspect_nfa(const struct nfart_image *im, const struct pred_table *like, struct spec *s,
		 struct nfa *a)
{
	pred_id_t *ids = malloc((im->nfa.npreds + 1) * sizeof *ids);
	bool ok = ids != NULL;

	memset(a, 0, sizeof *a);
	ok = make_spec(im, like, s) && ok;
	ok = ok && nfa_init(a, s) && make_preds(im, s, ids) && make_states(im, ids, a) &&
	     make_counters(im, s, a) && inspect_machines(im, ids, s);
	a->homogeneous = true;
	ok = ok && nfa_sort_edges(a);
	free(ids);
	return ok;
}
