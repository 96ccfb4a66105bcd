/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * draw.h: random register values of a trace unit, for tests.
 */
#ifndef NFACC_TESTSUITE_DRAW_H
#define NFACC_TESTSUITE_DRAW_H

#include <string.h>

#include "contract/etm/etm.h"

/* Returns a number below `below`. */
static inline uint64_t draw(uint64_t *seed, uint64_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % below;
}

/* Draws a selector. One of `inputs` external inputs, or of all groups if that is 0; counters and
 * states are twice as likely as anything else. */
static inline uint32_t draw_selector(uint64_t *seed, unsigned inputs, unsigned counters)
{
	uint32_t inv = draw(seed, 4) == 0 ? ETM_PUT(TRCRSCTLR, INV, 1) : 0,
		 pair = draw(seed, 4) == 0 ? ETM_PUT(TRCRSCTLR, PAIRINV, 1) : 0, group, select;

	if (draw(seed, 3) != 0) {
		group = ETM_GROUP_CNTSEQ;
		select = draw(seed, 2) ? 1u << draw(seed, counters) : 1u << (4 + draw(seed, 4));
		if (draw(seed, 3) == 0)
			select |= 1u << (4 + draw(seed, 4));
	} else {
		group = inputs != 0 ? ETM_GROUP_EXTIN : (uint32_t)draw(seed, 16);
		select = inputs != 0 ? 1u << draw(seed, inputs) : (uint32_t)draw(seed, 65536);
	}
	return ETM_PUT(TRCRSCTLR, GROUP, group) | ETM_PUT(TRCRSCTLR, SELECT, select) | inv | pair;
}

static inline uint32_t draw_event(uint64_t *seed, unsigned selectors)
{
	uint64_t kind = draw(seed, 8);

	if (kind == 0)
		return (uint32_t)draw(seed, 2); /* never, always */
	if (kind < 4)
		return (uint32_t)(ETM_EVENT_PAIR | draw(seed, selectors / 2));
	return (uint32_t)draw(seed, selectors);
}

/* Draws the registers of a program with 12 selectors. `inputs` as for draw_selector(); reload
 * values are below `most`. */
static inline void draw_regs(struct etm_regs *r, uint64_t *seed, unsigned inputs, unsigned counters,
		      unsigned most)
{
	unsigned selectors = 12;

	memset(r, 0, sizeof *r);
	for (unsigned i = 2; i < selectors; i++)
		r->rsctl[i] = draw_selector(seed, inputs, counters);
	for (unsigned i = 0; i < counters; i++) {
		r->cntrldv[i] = (uint32_t)draw(seed, most);
		r->cntv[i] = draw(seed, 3) == 0 ? (uint32_t)draw(seed, most) : r->cntrldv[i];
		r->cntctl[i] = draw_event(seed, selectors) |
			       (draw(seed, 2) ? draw_event(seed, selectors) << 8 : 0) |
			       ETM_PUT(TRCCNTCTLR, RLDSELF, draw(seed, 3) != 0) |
			       ETM_PUT(TRCCNTCTLR, CNTCHAIN, draw(seed, 4) == 0);
	}
	for (unsigned i = 0; i < 3; i++)
		r->seqev[i] = draw_event(seed, selectors) | draw_event(seed, selectors) << 8;
	if (draw(seed, 2))
		r->seqrstev[0] = draw_event(seed, selectors);
	r->seqst[0] = (uint32_t)draw(seed, 4);
	for (unsigned i = 0; i < 4; i++)
		r->eventctl0[0] |= draw_event(seed, selectors) << (8 * i);
	r->victl[0] = draw_event(seed, selectors);
}

#endif
