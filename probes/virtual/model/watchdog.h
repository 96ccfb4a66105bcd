/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * watchdog.h: the Observation Points Watchdog. An observation point is a line of which every access
 * must be seen. The watchdog knows these lines and where they are in memory now. It sends no
 * messages. It says which lines the Invalidation Helper must remove from the caches.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_WATCHDOG_H
#define NFACC_PROBES_VIRTUAL_MODEL_WATCHDOG_H

#include "probes/virtual/model/virtual.h"

struct virt_point {
	bool enabled, code;
	bool mapped; /* `pa` is valid */
	unsigned level; /* of the translation that gave `pa` */
	uint64_t va, pa;
};

struct virt_watchdog {
	struct virt_point point[VIRT_POINTS];
};

/* Sets point i from the value of its register. */
void virt_watchdog_set(struct virt_watchdog *w, unsigned i, uint64_t value);

/*
 * Handles a translation. Returns a bit for each point whose line has moved or was not mapped
 * before. Its line must leave the caches.
 */
uint32_t virt_watchdog_refill(struct virt_watchdog *w, const struct virt_mapping *m);

/*
 * Forgets where the points are whose page contains an address. virt_watchdog_clear() forgets all.
 */
void virt_watchdog_drop(struct virt_watchdog *w, uint64_t va);
void virt_watchdog_clear(struct virt_watchdog *w);

/* Returns a bit for each point whose place in memory is known. */
uint32_t virt_watchdog_mapped(const struct virt_watchdog *w);

/* Returns a bit for each point whose line the snoop is for. */
uint32_t virt_watchdog_hits(const struct virt_watchdog *w, uint64_t pa);

#endif
