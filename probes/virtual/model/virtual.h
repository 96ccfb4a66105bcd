/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * virtual.h: the events that go into the front end and come out of it. Each part of the front end
 * is a step function on such events. It knows no clock cycles. So a Verilog module of the same name
 * can be compared with it, one snoop at a time. Addresses have the widths of
 * probes/virtual/contract/virtual.def.
 *
 *   snoop, line --> Snoop Listener --> annotated snoop --> Logger
 *                     |        ^
 *                     v        | reverse TLB <-- refill -- Translation Stalker
 *   DVM message ------+--> (drop) ------------------------------^
 *   done -------> Invalidation Helper --> requests        Observation Points Watchdog
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_H
#define NFACC_PROBES_VIRTUAL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "probes/virtual/contract/virtual.h"

enum {
	VIRT_LINE_BYTES = 1 << VIRT_LINE_BITS,
	VIRT_LINE_ENTRIES = VIRT_LINE_BYTES / 8, /* page table entries in a line */
	VIRT_TABLE_LINES = 1 << (VIRT_PAGE_BITS - VIRT_LINE_BITS)
};

struct virt_snoop {
	enum virt_snoop_kind kind;
	uint64_t pa;   /* physical address of the line */
	uint64_t time; /* in the unit that the records are to have */
	unsigned word; /* which byte of the line the reader wants first; only messages need it */
};

/* A snoop as it leaves the Snoop Listener. */
struct virt_annotated {
	bool hit;      /* `va` is the virtual address that the process has for the line */
	bool shared;   /* the same, but another process may have read the line: no hit */
	bool observed; /* the line is an observation point */
	uint64_t va;
};

/* A DVM message of the cores. */
struct virt_dvm {
	enum virt_dvm_kind kind;
	uint64_t va;
	uint16_t asid;
};

/* The two channels of the Invalidation Helper. Each has at most one request under way. */
enum virt_channel { VIRT_CHANNEL_CLEAN, VIRT_CHANNEL_DVM };

/*
 * A request to the interconnect. On VIRT_CHANNEL_CLEAN: clean and invalidate the line `pa`, and
 * answer with its content in memory. On VIRT_CHANNEL_DVM: send the message, then a Sync, and answer
 * when the Sync is complete.
 */
struct virt_request {
	enum virt_channel channel;
	uint64_t pa;
	struct virt_dvm message;
};

/* A translation of the process, which the Translation Stalker has read from a table. */
struct virt_mapping {
	uint64_t va, pa;
	uint64_t entry;  /* physical address of its table entry */
	unsigned level;  /* 3: a page of 4 KiB; 2 or 1: a huge page */
	bool shared;     /* according to the operating system, other processes map the frame, too */
};

/* Bits of a page table entry (ARMv8, granule of 4 KiB). */
#define VIRT_PTE_VALID (UINT64_C(1) << VIRT_PTE_VALID_BIT)
#define VIRT_PTE_TABLE (UINT64_C(1) << VIRT_PTE_TABLE_BIT)
#define VIRT_PTE_READ_ONLY (UINT64_C(1) << VIRT_PTE_READ_ONLY_BIT)
#define VIRT_PTE_ACCESSED (UINT64_C(1) << VIRT_PTE_ACCESSED_BIT)
#define VIRT_PTE_SHARED (UINT64_C(1) << VIRT_PTE_SHARED_BIT)
/* The address of the frame or table in an entry: bits PA_BITS - 1 to PAGE_BITS. */
#define VIRT_PTE_ADDRESS \
	((UINT64_C(1) << VIRT_PA_BITS) - (UINT64_C(1) << VIRT_PAGE_BITS))
/* The higher bits of that address, up to bit 47. They must be 0 here. */
#define VIRT_PTE_BEYOND ((UINT64_C(1) << 48) - (UINT64_C(1) << VIRT_PA_BITS))

/* These cut off bits beyond the width of an address. */
static inline uint64_t virt_va(uint64_t va)
{
	return va & ((UINT64_C(1) << VIRT_VA_BITS) - 1);
}

static inline uint64_t virt_pa(uint64_t pa)
{
	return pa & ((UINT64_C(1) << VIRT_PA_BITS) - 1);
}

/* Returns the number of address bits that an entry of this level does not translate. */
static inline unsigned virt_span_bits(unsigned level)
{
	return VIRT_PAGE_BITS + VIRT_INDEX_BITS * (VIRT_LAST_LEVEL - level);
}

static inline uint64_t virt_align(uint64_t address, unsigned bits)
{
	return address >> bits << bits;
}

#endif
