/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/code_index.h"

#include <stdlib.h>

enum { LEAST_BITS = 8, MOST_BITS = 24 };

/*
 * Goes through all instructions of all modules. If `put` is false, counts the places of each bucket
 * b in first[b + 1]. Otherwise writes each place to index first[b], and adds 1 to first[b].
 */
static void walk_code(struct code_index *x, const struct rv_code *c, bool put)
{
	for (uint32_t m = 0; m < c->modules.n; m++) {
		const struct rv_module *module = &c->modules.at[m];

		for (uint32_t i = 0; i < module->span / 2; i++) {
			uint32_t b;

			if (module->code[i] == 0)
				continue;
			b = code_index_bucket(x, 2 * (uint64_t)i, (uint32_t)module->code[i]);
			if (put)
				x->places[x->first[b]++] = (struct code_place){ m, i };
			else
				x->first[b + 1]++;
		}
	}
}

bool code_index_make(struct code_index *x, const struct rv_code *c)
{
	uint64_t n = 0;
	size_t buckets;

	for (size_t m = 0; m < c->modules.n; m++)
		n += c->modules.at[m].span / 2;
	for (x->bits = LEAST_BITS; x->bits < MOST_BITS && n >> x->bits != 0;)
		x->bits++;
	buckets = (size_t)1 << x->bits;
	x->first = calloc(buckets + 2, sizeof *x->first);
	if (x->first == NULL)
		return false;
	walk_code(x, c, false);
	for (size_t b = 0; b < buckets; b++)
		x->first[b + 1] += x->first[b];
	x->places = malloc(((size_t)x->first[buckets] + 1) * sizeof *x->places);
	if (x->places == NULL)
		return false;
	walk_code(x, c, true);
	/* first[b] now has the value for bucket b + 1. Move all values up by one. */
	for (size_t b = buckets; b > 0; b--)
		x->first[b] = x->first[b - 1];
	x->first[0] = 0;
	return true;
}

void code_index_free(struct code_index *x)
{
	free(x->first);
	free(x->places);
	*x = (struct code_index){ 0 };
}
