/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * feed.h: what a macrocell sees of a batch. The batch is of the core's protocol (pmu_NAME). The
 * macrocell sees the lines of the event bus and the triggers of the CTI that TRCEXTINSELR chooses,
 * and the instructions that match address comparators.
 */
#ifndef NFACC_PROBES_ETM_MODEL_FEED_H
#define NFACC_PROBES_ETM_MODEL_FEED_H

#include "contract/etm/etm_core.h"
#include "include/nfart.h"
#include "probes/etm/model/macrocell.h"

struct feed {
	const struct nfart_proto *proto;
	struct etm_regs regs;
	uint64_t selected[ETM_EXTIN]; /* for each external input selector, the slots that it sees */
	int fetch;                    /* the slot of instructions; -1: the protocol has none */
};

/* Prepares the feed of a program. `proto` is the protocol of `core`. */
void feed_init(struct feed *f, const struct etm_regs *regs, const struct etm_core *core,
	       const struct nfart_proto *proto);

/* Sets *in to what the macrocell sees of a batch. */
void feed_inputs(const struct feed *f, const struct nfart_batch *b, struct macrocell_inputs *in);

#endif
