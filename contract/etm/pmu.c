/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/etm/pmu.h"

#include <string.h>

#include "support/diag.h"

const struct pmu_event pmu_events[] = {
#define PMU_EVENT(number, name, cores) { #name, number, cores },
#include "contract/etm/pmu.def"
	{ NULL, 0, PMU_NONE }
};

const struct pmu_event *pmu_find(const char *name, size_t n)
{
	for (const struct pmu_event *e = pmu_events; e->name != NULL; e++)
		if (strlen(e->name) == n && memcmp(e->name, name, n) == 0)
			return e;
	return NULL;
}

bool pmu_counts(const char *core, const struct pmu_event *e)
{
	static const char *const cores[] = { "a35", "a53", "a55", "a57", "a72", "a76", "a78" };

	for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
		if (strcmp(core, cores[i]) == 0)
			return (e->cores >> i & 1) != 0;
	return true;
}

/* ---- near names ---- */

struct candidates {
	const char *core;
	const struct pmu_event *next;
	const char *const *but; /* [n]: names that were found before */
	size_t n;
};

static const char *next_candidate(void *ctx)
{
	struct candidates *c = ctx;

	for (; c->next->name != NULL; c->next++) {
		bool found = !pmu_counts(c->core, c->next);

		for (size_t i = 0; i < c->n; i++)
			found = found || c->but[i] == c->next->name;
		if (!found)
			return c->next++->name;
	}
	return NULL;
}

size_t pmu_near(const char *core, const char *name, size_t n, const char *near[PMU_NEAR])
{
	size_t found = 0;

	while (found < PMU_NEAR) {
		struct candidates c = { core, pmu_events, near, found };

		near[found] = diag_nearest(name, n, next_candidate, &c);
		if (near[found] == NULL)
			break;
		found++;
	}
	return found;
}
