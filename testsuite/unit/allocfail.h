/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * allocfail.h: what the parts of allocfail share: a scenario is made to fail at each of its
 * allocations.
 */
#ifndef NFACC_UNIT_ALLOCFAIL_H
#define NFACC_UNIT_ALLOCFAIL_H

#include "contract/crc.h"
#include "include/nfart.h"
#include "testsuite/unit/tap.h"

/* What a scenario came to: a status and a checksum of all it made. */
struct outcome {
	enum nfart_status status;
	uint32_t sum;
};

static inline void outcome_add(struct outcome *o, const void *p, size_t n)
{
	if (n != 0)
		o->sum = crc32c(o->sum, p, n);
}

/* Each allocation of the scenario in turn fails, alone or with all after it: that is one case. */
void inject(struct tap *t, const char *name, struct outcome (*scenario)(const void *what),
	    const void *what);

/* Runs in threads and in shards. */
void inject_jobs(struct tap *t);

#endif
