/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gang.h: several regulated cores whose cross-trigger interfaces are connected by a matrix. A
 * channel that one core drives reaches all others a cycle later, where gates are open. The handler
 * of a core waits until no core of the gang is over its budget.
 */
#ifndef NFACC_PROBES_ETM_MODEL_GANG_H
#define NFACC_PROBES_ETM_MODEL_GANG_H

#include "probes/etm/model/regulated.h"

enum { GANG_MOST = 8 };

struct gang {
	unsigned n;
	struct regulated core[GANG_MOST];
};

/* Connects the interface of a core as the registers of a map say. */
void gang_connect(struct gang *g, unsigned core, const struct cti_map *map);

/* Steps all cores over one cycle. */
void gang_step(struct gang *g);

/* How many of the cores are over their budgets. */
unsigned gang_over(const struct gang *g);

#endif
