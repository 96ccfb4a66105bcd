/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/spec.h"

#include <string.h>

void spec_free(struct spec *s)
{
	for (size_t i = 0; i < s->automata.n; i++) {
		vec_free(&s->automata.at[i].states);
		vec_free(&s->automata.at[i].edges);
	}
	vec_free(&s->automata);
	for (size_t i = 0; i < s->machines.n; i++)
		machine_free(&s->machines.at[i]);
	vec_free(&s->machines);
	vec_free(&s->outputs);
	vec_free(&s->nodes);
	vec_free(&s->labels);
	vec_free(&s->filters);
	vec_free(&s->counters);
	vec_free(&s->guards.guarded);
	vec_free(&s->substreams.ranges);
	pred_table_free(&s->preds);
	arena_free(&s->arena);
}

rx_id_t spec_add(struct spec *s, struct rx node, const rx_id_t *sub, uint32_t n)
{
	rx_id_t *copy = NULL;

	if (s->nodes.n >= RX_NONE)
		return RX_NONE;
	if (n != 0) {
		copy = arena_array(&s->arena, n, sizeof *copy);
		if (copy == NULL)
			return RX_NONE;
		memcpy(copy, sub, n * sizeof *copy);
	}
	node.n = n;
	node.sub = copy;
	if (!vec_push(&s->nodes, node))
		return RX_NONE;
	return (rx_id_t)(s->nodes.n - 1);
}

static bool is_nullable(const struct rx *x, const bool *nullable)
{
	switch (x->kind) {
	case RX_EPS:
		return true;
	case RX_CAT:
		for (uint32_t i = 0; i < x->n; i++)
			if (!nullable[x->sub[i]])
				return false;
		return true;
	case RX_ALT:
		for (uint32_t i = 0; i < x->n; i++)
			if (nullable[x->sub[i]])
				return true;
		return false;
	case RX_REP:
		return x->lo == 0 || nullable[x->sub[0]];
	case RX_PRED:
	case RX_COUNTER:
		break;
	}
	return false;
}

const bool *spec_nullable(const struct spec *s, struct arena *a)
{
	bool *nullable = arena_array(a, s->nodes.n, sizeof *nullable);

	for (size_t i = 0; nullable != NULL && i < s->nodes.n; i++)
		nullable[i] = is_nullable(&s->nodes.at[i], nullable);
	return nullable;
}
