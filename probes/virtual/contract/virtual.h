/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * virtual.h: the front end's registers, sizes, records and kinds as constants, made from
 * probes/virtual/contract/virtual.def, which is their only description.
 */
#ifndef NFACC_CONTRACT_VIRTUAL_H
#define NFACC_CONTRACT_VIRTUAL_H

#ifdef __KERNEL__
#include <linux/types.h>
#define UINT64_C(value) value##ULL
#define UINT32_C(value) value##U
#else
#include <stdint.h>
#endif

/* VIRT_ENTRIES, VIRT_WAYS, … */
enum {
#define VIRT_SIZE(name, value, text) VIRT_##name = value,
#include "probes/virtual/contract/virtual.def"
};

enum virt_counter {
#define VIRT_COUNTER(name, text) VIRT_COUNT_##name,
#include "probes/virtual/contract/virtual.def"
	VIRT_COUNTERS
};

/* What the interconnect asks the port about a line. */
enum virt_snoop_kind {
#define VIRT_SNOOP(name, text) VIRT_##name,
#include "probes/virtual/contract/virtual.def"
	VIRT_SNOOP_KINDS
};

enum virt_dvm_kind {
#define VIRT_DVM(name, text) VIRT_##name,
#include "probes/virtual/contract/virtual.def"
	VIRT_DVM_KINDS
};

/* VIRT_PTE_VALID_BIT, … */
enum {
#define VIRT_PTE_BIT(name, bit, text) VIRT_PTE_##name##_BIT = bit,
#include "probes/virtual/contract/virtual.def"
};

/* The registers' values. */
struct virt_regs {
#define VIRT_REG(member, name, offset, count, text) uint64_t member[count];
#include "probes/virtual/contract/virtual.def"
};

/* VIRT_CTRL_ENABLE_LSB, VIRT_CTRL_ENABLE_WIDTH, …; VIRT_CTRL_AT: the offset of a register */
enum {
#define VIRT_REG(member, name, offset, count, text) VIRT_##name##_AT = offset,
#define VIRT_MSG_REG(name, offset, text) VIRT_##name##_AT = offset,
#define VIRT_FIELD(name, field, lsb, width, text) \
	VIRT_##name##_##field##_LSB = lsb, VIRT_##name##_##field##_WIDTH = width,
#define VIRT_RECORD(field, word, lsb, width, text)                                     \
	VIRT_RECORD_##field##_WORD = word, VIRT_RECORD_##field##_LSB = lsb, \
	VIRT_RECORD_##field##_WIDTH = width,
#define VIRT_HEADER(field, lsb, width, text) \
	VIRT_HEADER_##field##_LSB = lsb, VIRT_HEADER_##field##_WIDTH = width,
#include "probes/virtual/contract/virtual.def"
};

/* VIRT_GET(CTRL, LEVELS, value) reads a field; VIRT_PUT(CTRL, LEVELS, value) places a value, whose
 * bits beyond the field are cut off. The same with RECORD or HEADER for `name`. */
#define VIRT_MASK(name, field) ((UINT64_C(1) << VIRT_##name##_##field##_WIDTH) - 1)
#define VIRT_GET(name, field, value) \
	((uint64_t)(value) >> VIRT_##name##_##field##_LSB & VIRT_MASK(name, field))
#define VIRT_PUT(name, field, value) \
	(((uint64_t)(value)&VIRT_MASK(name, field)) << VIRT_##name##_##field##_LSB)

/* VIRT_KEEP(END, ADDRESS, value) cuts off what is outside of the field. */
#define VIRT_KEEP(name, field, value) VIRT_PUT(name, field, VIRT_GET(name, field, value))

#endif
