/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * cti.h: a model of a core's cross-trigger interface: external outputs of the ETM drive channels,
 * channels drive the interrupt CTIIRQ and, through the gate, the interfaces of other cores.
 *
 * Note [acknowledge]. A channel that becomes active sets a latch, which is the interrupt. A write
 * to CTIINTACK clears the latch. Where the interrupt is a level (Cortex-A53 to A72), a channel that
 * is still active sets the latch again at once. Where it is an edge (A55, A76), the channel must
 * have been inactive in between.
 */
#ifndef NFACC_PROBES_ETM_MODEL_CTI_H
#define NFACC_PROBES_ETM_MODEL_CTI_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/etm/cti.h"

struct cti {
	bool edge;                      /* CTIIRQ is an edge */
	uint32_t control, gate;
	uint32_t inen[CTI_TRIGGERS], outen[CTI_TRIGGERS];
	uint32_t channels;              /* active channels: own ones, and those from outside */
	uint32_t latched;               /* a bit for each trigger output */
};

/* Puts the interface in its state after power-up: disabled, and the gate open for all channels. */
void cti_init(struct cti *c, bool edge);

/* Steps over a cycle in which the ETM's external outputs are `outputs` and the channels from other
 * cores `from`. Returns the channels that go to other cores. */
uint32_t cti_step(struct cti *c, uint32_t outputs, uint32_t from);

/* Is the interrupt line active? */
static inline bool cti_irq(const struct cti *c)
{
	return (c->latched >> CTI_IRQ_OUTPUT & 1) != 0;
}

/* Read and write a register at an offset. What the model lacks reads as 0 and ignores writes. */
uint32_t cti_read(const struct cti *c, uint32_t offset);
void cti_write(struct cti *c, uint32_t offset, uint32_t value);

#endif
