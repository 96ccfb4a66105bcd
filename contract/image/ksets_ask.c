/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/image/ksets_int.h"

#include <stdlib.h>
#include <string.h>

#include "support/bits.h"

static uint32_t meets_from(struct ksets *x, uint32_t set, const uint32_t *values, uint32_t part)
{
	uint32_t n, result;
	size_t base = x->stack.n;

	/* A part without a node is 0. */
	for (; part < x->nodes.at[set].part; part++)
		if (x->c->parts.at[part].var != KEPT_NONE && (values[part] & 1) == 0)
			return KSETS_NONE;
	if (set <= KSETS_ZERO || ksets_stop(x))
		return set;
	if (is_made(x, OP_MEETS, set, x->asked, &result))
		return result;
	n = edges_at(x, set, part);
	for (uint32_t i = 0; i < n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);

		if (x->c->parts.at[part].var == KEPT_NONE || (values[part] >> e.value & 1) != 0)
			ksets_push(x, e.value, meets_from(x, e.to, values, part + 1));
	}
	return remember(x, OP_MEETS, set, x->asked, ksets_node(x, part, base));
}

uint32_t ksets_meets(struct ksets *x, uint32_t set, const uint32_t *values)
{
	x->asked++;
	return meets_from(x, set, values, 0);
}

void ksets_values(struct ksets *x, uint32_t set, uint32_t *values)
{
	/* Edges lead to nodes that were made before. */
	uint64_t *seen = calloc(bits_words((size_t)set + 1), sizeof *seen);
	uint32_t left_out[KEPT_PARTS + 2] = { 0 }, from = 0;

	if (seen == NULL)
		x->failed = true;
	if (seen == NULL || set == KSETS_NONE) {
		free(seen);
		return;
	}
	bits_set(seen, set);
	/* From a part on, edges leave more parts out, or fewer: those are 0. */
	left_out[0]++;
	left_out[x->nodes.at[set].part]--;
	for (uint32_t i = set; i > KSETS_ZERO; i--) {
		const struct kept_node *node = &x->nodes.at[i];

		for (uint32_t k = 0; k < node->n && bits_get(seen, i); k++) {
			struct kept_edge e = x->edges.at[node->first + k];

			if (e.value < KEPT_VALUES)
				values[node->part] |= (uint32_t)1 << e.value;
			bits_set(seen, e.to);
			left_out[node->part + 1]++;
			left_out[x->nodes.at[e.to].part]--;
		}
	}
	for (uint32_t part = 0; part < x->c->parts.n; part++) {
		from += left_out[part];
		values[part] |= from != 0;
	}
	free(seen);
}

void ksets_any(const struct ksets *x, uint32_t set, uint64_t *value)
{
	memset(value, 0, x->c->parts.n * sizeof *value);
	while (set > KSETS_ZERO) {
		struct kept_edge e = x->edges.at[x->nodes.at[set].first];

		value[x->nodes.at[set].part] = e.value;
		set = e.to;
	}
}

double ksets_count(struct ksets *x, uint32_t set)
{
	/* Edges lead to nodes that were made before. */
	double *n = calloc((size_t)set + 2, sizeof *n), result;

	if (n == NULL)
		return 0;
	n[KSETS_ZERO] = 1;
	for (uint32_t i = KSETS_ZERO + 1; i <= set; i++)
		for (uint32_t k = 0; k < x->nodes.at[i].n; k++)
			n[i] += n[x->edges.at[x->nodes.at[i].first + k].to];
	result = n[set];
	free(n);
	return result;
}
