/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * cti.h: a model of a core's cross-trigger interface. External outputs of the ETM drive channels.
 * Channels drive the interrupt CTIIRQ. Through the gate they also drive the interfaces of other
 * cores.
 *
 * Note [acknowledge]. A channel that becomes active sets a latch. The latch is the interrupt. A
 * write to CTIINTACK clears the latch. If the interrupt is a level (Cortex-A53 to A72), a channel
 * that is still active sets the latch again at once. If it is an edge (A55, A76), the latch is set
 * again only after the channel was inactive.
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
	uint32_t channels;              /* active channels, own ones and those from other cores */
	uint32_t latched;               /* a bit for each trigger output */
};

/* Sets the state after power-up: disabled, and the gate is open for all channels. */
void cti_init(struct cti *c, bool edge);

/*
 * Steps over one cycle. `outputs` are the ETM's external outputs, and `from` the channels that come
 * from other cores. Returns the channels that go to other cores.
 */
uint32_t cti_step(struct cti *c, uint32_t outputs, uint32_t from);

/* Whether the interrupt line is active. */
static inline bool cti_irq(const struct cti *c)
{
	return (c->latched >> CTI_IRQ_OUTPUT & 1) != 0;
}

/*
 * Read and write a register by its offset. Registers that the model does not have read as 0 and
 * ignore writes.
 */
uint32_t cti_read(const struct cti *c, uint32_t offset);
void cti_write(struct cti *c, uint32_t offset, uint32_t value);

#endif
