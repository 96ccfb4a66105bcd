/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rtlb.h: the reverse TLB. It finds the virtual address for a physical address. Pages are in sets.
 * The lowest bits of the frame number choose the set. There are few huge pages, and each of them is
 * compared. The reverse TLB sends no messages. When a refill replaces an entry, the caller gets the
 * old entry and must make the cores forget it (active eviction).
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_RTLB_H
#define NFACC_PROBES_VIRTUAL_MODEL_RTLB_H

#include "probes/virtual/model/virtual.h"

struct virt_entry {
	bool used;
	bool alias; /* the process has other addresses for the frame, too */
	struct virt_mapping m;
};

struct virt_rtlb {
	unsigned entries; /* number of pages: a power of two, from VIRT_WAYS to VIRT_ENTRIES */
	struct virt_entry page[VIRT_ENTRIES], block[VIRT_BLOCKS];
	uint8_t next[VIRT_ENTRIES / VIRT_WAYS]; /* for each set, the way to replace next */
	uint8_t next_block;
};

void virt_rtlb_init(struct virt_rtlb *t, unsigned entries);

/* Finds the entry for a physical address. Returns NULL if there is none. */
const struct virt_entry *virt_rtlb_find(const struct virt_rtlb *t, uint64_t pa);

/*
 * Stores a translation. The frame may already have an entry with another address. With `aliases`
 * the entry then becomes an alias; otherwise the new address replaces the old one. Returns true if
 * an entry had to be removed for it; *out is that entry.
 */
bool virt_rtlb_refill(struct virt_rtlb *t, const struct virt_mapping *m, bool aliases,
		      struct virt_entry *out);

/* Removes the entries that translate an address. Returns whether one of them was an alias. */
bool virt_rtlb_drop(struct virt_rtlb *t, uint64_t va);

void virt_rtlb_clear(struct virt_rtlb *t);

#endif
