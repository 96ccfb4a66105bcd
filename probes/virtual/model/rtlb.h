/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rtlb.h: the reverse TLB. It finds a virtual address by a physical one. Pages are in sets, chosen
 * by the frame's lowest bits; huge pages are few, and each is compared. It sends nothing: an entry
 * that a refill drives out is handed to the caller, who has the cores forget it (active eviction).
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_RTLB_H
#define NFACC_PROBES_VIRTUAL_MODEL_RTLB_H

#include "probes/virtual/model/virtual.h"

struct virt_entry {
	bool used;
	bool alias; /* the process knows the frame by further addresses, too */
	struct virt_mapping m;
};

struct virt_rtlb {
	unsigned entries; /* of pages: a power of two, from VIRT_WAYS to VIRT_ENTRIES */
	struct virt_entry page[VIRT_ENTRIES], block[VIRT_BLOCKS];
	uint8_t next[VIRT_ENTRIES / VIRT_WAYS]; /* the way to be replaced next, for each set */
	uint8_t next_block;
};

void virt_rtlb_init(struct virt_rtlb *t, unsigned entries);

/* Finds the entry of a physical address; NULL: there is none. */
const struct virt_entry *virt_rtlb_find(const struct virt_rtlb *t, uint64_t pa);

/* Puts a translation in. A frame that is there under another address becomes an alias if `aliases`;
 * else the new address replaces the old one. True: *out is the entry that had to go. */
bool virt_rtlb_refill(struct virt_rtlb *t, const struct virt_mapping *m, bool aliases,
		      struct virt_entry *out);

/* Drops what translates the address. Returns whether one of the entries was an alias. */
bool virt_rtlb_drop(struct virt_rtlb *t, uint64_t va);

void virt_rtlb_clear(struct virt_rtlb *t);

#endif
