/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pmu.h: the events of Arm's performance monitors: names and numbers (contract/etm/pmu.def). The
 * trace unit of a core with ETE chooses them by their numbers; an ETMv4 sees them on lines of its
 * own, which the description of the core says (contract/etm/etm_core.h).
 */
#ifndef NFACC_CONTRACT_PMU_H
#define NFACC_CONTRACT_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cores of which it is known what they count. */
enum pmu_core {
	PMU_NONE = 0,
	PMU_A35 = 1,
	PMU_A53 = 1 << 1,
	PMU_A55 = 1 << 2,
	PMU_A57 = 1 << 3,
	PMU_A72 = 1 << 4,
	PMU_A76 = 1 << 5,
	PMU_A78 = 1 << 6,
	PMU_IN_ORDER = PMU_A35 | PMU_A53 | PMU_A55,
	PMU_ALL = (1 << 7) - 1
};

struct pmu_event {
	const char *name;
	uint32_t number;
	unsigned cores; /* enum pmu_core, ORed */
};

extern const struct pmu_event pmu_events[]; /* by number; the last row has no name */

/* Finds an event by its name (n bytes). NULL: there is none. */
const struct pmu_event *pmu_find(const char *name, size_t n);

/* Does core `core` count an event? True for cores of which it is not known. */
bool pmu_counts(const char *core, const struct pmu_event *e);

/* The most names that are listed as near ones. */
enum { PMU_NEAR = 4 };

/* Writes the names of at most PMU_NEAR events that core `core` counts and whose names are nearest
 * to `name` (n bytes), the nearest one first. Returns how many. */
size_t pmu_near(const char *core, const char *name, size_t n, const char *near[PMU_NEAR]);

#endif
