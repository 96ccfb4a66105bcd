/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * feed.h: what a macrocell sees of a batch of a core's protocol (pmu_NAME): lines of the event bus
 * and triggers of the CTI that TRCEXTINSELR chooses, and instructions that the address comparators
 * match.
 */
#ifndef NFACC_PROBES_ETM_MODEL_FEED_H
#define NFACC_PROBES_ETM_MODEL_FEED_H

#include "contract/etm/etm_core.h"
#include "include/nfart.h"
#include "probes/etm/model/macrocell.h"

struct feed {
	const struct nfart_proto *proto;
	struct etm_regs regs;
	uint64_t selected[ETM_EXTIN]; /* the slots that each external input selector sees */
	int fetch;                    /* the slot of instructions; -1: the protocol has none */
};

/* Prepares the feed of a program for batches of `proto`, the protocol of `core`. */
void feed_init(struct feed *f, const struct etm_regs *regs, const struct etm_core *core,
	       const struct nfart_proto *proto);

/* Puts what the macrocell sees of a batch into *in. */
void feed_inputs(const struct feed *f, const struct nfart_batch *b, struct macrocell_inputs *in);

#endif
