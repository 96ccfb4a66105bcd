/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/model/gang.h"

void gang_connect(struct gang *g, unsigned core, const struct cti_map *map)
{
	struct cti *c = &g->core[core].cti;
	struct cti_map copy = *map;

	cti_init(c, c->edge);
	for (uint32_t offset = 0; offset <= CTI_GATE; offset += 4) {
		const uint32_t *value = cti_map_at(&copy, offset, NULL);

		if (value != NULL)
			cti_write(c, offset, *value);
	}
}

unsigned gang_over(const struct gang *g)
{
	unsigned over = 0;

	for (unsigned i = 0; i < g->n; i++)
		over += regulated_is_over(&g->core[i]);
	return over;
}

void gang_step(struct gang *g)
{
	unsigned over = gang_over(g);
	uint32_t to[GANG_MOST];

	for (unsigned i = 0; i < g->n; i++)
		to[i] = g->core[i].to;
	for (unsigned i = 0; i < g->n; i++) {
		struct regulated *x = &g->core[i];

		x->from = 0;
		for (unsigned j = 0; j < g->n; j++)
			x->from |= j != i ? to[j] : 0;
		x->others = over > (unsigned)regulated_is_over(x);
		regulated_step(x);
	}
}
