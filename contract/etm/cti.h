/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * cti.h: the registers of a core's cross-trigger interface, as offsets in bytes, and how its
 * triggers are wired on an Arm core.
 *
 * Sources: Arm's CoreSight documentation of the CTI; Linux,
 * drivers/hwtracing/coresight/coresight-cti.h.
 */
#ifndef NFACC_CONTRACT_CTI_H
#define NFACC_CONTRACT_CTI_H

#include <stddef.h>
#include <stdint.h>

enum cti_offset {
	CTI_CONTROL = 0x000,        /* bit 0: the interface is enabled */
	CTI_INTACK = 0x010,         /* a bit for each trigger output: a 1 clears it */
	CTI_INEN = 0x020,           /* + 4 n: channels that trigger input n drives */
	CTI_OUTEN = 0x0a0,          /* + 4 n: channels that drive trigger output n */
	CTI_TRIGOUTSTATUS = 0x134,  /* a bit for each trigger output: it is active */
	CTI_GATE = 0x140,           /* a bit for each channel: it reaches the other cores */
	CTI_LAR = 0xfb0             /* lock; write only: ETM_UNLOCK opens it, as a trace unit's */
};

enum {
	CTI_CHANNELS = 4,
	CTI_TRIGGERS = 8,
	CTI_ETM_INPUT = 4,  /* trigger inputs 4 to 7 are the ETM's external outputs 0 to 3 */
	CTI_IRQ_OUTPUT = 2  /* trigger output 2 is the interrupt CTIIRQ */
};

/* The registers that say how a cross-trigger interface is connected. */
struct cti_map {
	uint32_t control, gate, in[CTI_TRIGGERS], out[CTI_TRIGGERS];
};

enum { CTI_MAP_REGISTERS = 2 + 2 * CTI_TRIGGERS, CTI_NAME = 16 };

/* Returns the value at register offset `offset` of a map, and writes Arm's name of the register to
 * `name`, which may be NULL. NULL: a map has no register there. */
uint32_t *cti_map_at(struct cti_map *map, uint32_t offset, char name[CTI_NAME]);

#endif
