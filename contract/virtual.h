/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * virtual.h: the front end's registers, sizes and records as constants, made from
 * contract/virtual.def, which is their only description.
 */
#ifndef NFACC_CONTRACT_VIRTUAL_H
#define NFACC_CONTRACT_VIRTUAL_H

#include <stdint.h>

/* VIRT_ENTRIES, VIRT_WAYS, … */
enum {
#define VIRT_SIZE(name, value, text) VIRT_##name = value,
#include "contract/virtual.def"
};

/* The counters, in the order of the registers. */
enum virt_counter {
	VIRT_COUNT_READS,     /* read snoops of lines that hold no table */
	VIRT_COUNT_ANNOTATED, /* of these: with a virtual address */
	VIRT_COUNT_PERHAPS,   /* without one, while a translation may have been overlooked */
	VIRT_COUNT_SHARED,    /* of frames that other processes map, too */
	VIRT_COUNT_OBSERVED,  /* annotated, at an observation point */
	VIRT_COUNT_WALKS,     /* reads of table lines */
	VIRT_COUNT_REFILLS,   /* translations put into the reverse TLB */
	VIRT_COUNT_EVICTIONS, /* and driven out of it */
	VIRT_COUNT_CLEANS,    /* requests: lines to clean and invalidate */
	VIRT_COUNT_TLBIS,     /* requests: TLB invalidations */
	VIRT_COUNT_ICACHES,   /* requests: invalidations in instruction caches */
	VIRT_COUNT_SYNCS,     /* requests: DVM Sync alone */
	VIRT_COUNT_HEARD,     /* TLB invalidations of others that concern the process */
	VIRT_COUNT_RESTARTS,  /* set-ups, the first one included */
	VIRT_COUNT_STORMS,    /* times that STORM_SNOOPS snoops saw STORM_EVICTIONS evictions */
	VIRT_COUNT_LOST,      /* records that found the log full */
	VIRT_COUNTERS
};

/* The registers' values. */
struct virt_regs {
#define VIRT_REG(member, name, offset, count, text) uint64_t member[count];
#include "contract/virtual.def"
};

/* VIRT_CTRL_ENABLE_LSB, VIRT_CTRL_ENABLE_WIDTH, …; VIRT_CTRL_AT: the offset of a register */
enum {
#define VIRT_REG(member, name, offset, count, text) VIRT_##name##_AT = offset,
#define VIRT_FIELD(name, field, lsb, width, text) \
	VIRT_##name##_##field##_LSB = lsb, VIRT_##name##_##field##_WIDTH = width,
#define VIRT_RECORD(field, word, lsb, width, text)                                     \
	VIRT_RECORD_##field##_WORD = word, VIRT_RECORD_##field##_LSB = lsb, \
	VIRT_RECORD_##field##_WIDTH = width,
#include "contract/virtual.def"
};

/* VIRT_GET(CTRL, LEVELS, value) reads a field; VIRT_PUT(CTRL, LEVELS, value) places a value, whose
 * bits beyond the field are cut off. The same with RECORD for `name`. */
#define VIRT_MASK(name, field) ((UINT64_C(1) << VIRT_##name##_##field##_WIDTH) - 1)
#define VIRT_GET(name, field, value) \
	((uint64_t)(value) >> VIRT_##name##_##field##_LSB & VIRT_MASK(name, field))
#define VIRT_PUT(name, field, value) \
	(((uint64_t)(value)&VIRT_MASK(name, field)) << VIRT_##name##_##field##_LSB)

#endif
