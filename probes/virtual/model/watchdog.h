/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * watchdog.h: the Observation Points Watchdog. It knows the lines of which every access is to be
 * seen, and where in memory they are now. It sends nothing: it says which lines the Invalidation
 * Helper must take out of the caches.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_WATCHDOG_H
#define NFACC_PROBES_VIRTUAL_MODEL_WATCHDOG_H

#include "probes/virtual/model/virtual.h"

struct virt_point {
	bool enabled, code;
	bool mapped; /* `pa` holds */
	unsigned level; /* of the translation that said so */
	uint64_t va, pa;
};

struct virt_watchdog {
	struct virt_point point[VIRT_POINTS];
};

/* Sets point i from the value of its register. */
void virt_watchdog_set(struct virt_watchdog *w, unsigned i, uint64_t value);

/* Takes in a translation. Returns a bit for each point whose line has moved, or was not mapped:
 * its line must leave the caches. */
uint32_t virt_watchdog_refill(struct virt_watchdog *w, const struct virt_mapping *m);

/* Forgets where the points are that share their page with an address; virt_watchdog_clear(): where all are. */
void virt_watchdog_drop(struct virt_watchdog *w, uint64_t va);
void virt_watchdog_clear(struct virt_watchdog *w);

/* Returns a bit for each point whose place is known. */
uint32_t virt_watchdog_mapped(const struct virt_watchdog *w);

/* Returns a bit for each point that the snooped line is. */
uint32_t virt_watchdog_hits(const struct virt_watchdog *w, uint64_t pa);

#endif
