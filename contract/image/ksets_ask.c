/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/image/ksets_int.h"

#include <stdlib.h>
#include <string.h>

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

static void values_from(struct ksets *x, uint32_t set, uint32_t part, uint32_t *values)
{
	uint32_t seen;

	for (; part < x->nodes.at[set].part; part++)
		values[part] |= 1;
	if (set <= KSETS_ZERO || is_made(x, OP_VALUES, set, x->asked, &seen))
		return;
	for (uint32_t i = 0; i < x->nodes.at[set].n; i++) {
		struct kept_edge e = edge_at(x, set, part, i);

		if (e.value < KEPT_VALUES)
			values[part] |= (uint32_t)1 << e.value;
		values_from(x, e.to, part + 1, values);
	}
	remember(x, OP_VALUES, set, x->asked, 0);
}

void ksets_values(struct ksets *x, uint32_t set, uint32_t *values)
{
	x->asked++;
	if (set != KSETS_NONE)
		values_from(x, set, 0, values);
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
