/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The channels by which the cross-trigger interfaces of several cores are connected (--cores), as
 * registers. External output n of each core is on channel n, whose gate is open, so that it reaches
 * the interrupt of all cores. Nothing else is on these channels, and no other gate is open.
 */
#include "backends/etm/etm.h"

bool etm_uses_output(const struct etm_program *p, uint32_t output)
{
	return (p->regs.eventctl0[0] >> output * ETM_TRCEVENTCTL0R_EVENT0_WIDTH &
		ETM_MASK(TRCEVENTCTL0R, EVENT0)) != 0;
}

void etm_channels(const struct etm_program *p, struct cti_map *map)
{
	*map = (struct cti_map){ .control = 1 };
	for (uint32_t i = 0; i < ETM_OUTPUTS; i++)
		if (etm_uses_output(p, i)) {
			map->in[CTI_ETM_INPUT + i] = 1u << i;
			map->out[CTI_IRQ_OUTPUT] |= 1u << i;
			map->gate |= 1u << i;
		}
}

void etm_visit_channels(const struct etm_program *p, etm_channel_fn *visit, void *ctx)
{
	const struct {
		uint32_t offset, n;
	} order[] = { { CTI_GATE, 1 }, { CTI_INEN, CTI_TRIGGERS }, { CTI_OUTEN, CTI_TRIGGERS },
		      { CTI_CONTROL, 1 } };
	struct cti_map map;

	etm_channels(p, &map);
	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (uint32_t i = 0; i < order[k].n; i++) {
			uint32_t offset = order[k].offset + 4 * i;
			char name[CTI_NAME];
			uint32_t value = *cti_map_at(&map, offset, name);

			visit(ctx, name, offset, value);
		}
}

struct etm_program etm_program_of(const struct target_job *job, uint32_t core)
{
	const struct etm_map_options *o = etm_options(job);
	struct etm_program own = *(const struct etm_program *)job->made.own;

	own.regs.traceid[0] += core;
	if (o->counts != NULL)
		etm_counts_put(&o->counts[core], &own.regs);
	return own;
}
