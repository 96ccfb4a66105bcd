/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * allocfail.h: what the files of the test allocfail share. The test runs a scenario again and
 * again, and makes another one of its allocations fail each time.
 */
#ifndef NFACC_UNIT_ALLOCFAIL_H
#define NFACC_UNIT_ALLOCFAIL_H

#include "contract/crc.h"
#include "include/nfart.h"
#include "testsuite/unit/tap.h"

/* The result of a scenario: a status, and a checksum of all that the scenario made. */
struct outcome {
	enum nfart_status status;
	uint32_t sum;
};

static inline void outcome_add(struct outcome *o, const void *p, size_t n)
{
	if (n != 0)
		o->sum = crc32c(o->sum, p, n);
}

/* Runs the scenario twice for each of its allocations, or for those of this run if there are many.
 * In the first run only this allocation fails.
 * In the second run all later allocations fail, too. The status must be NFART_SYSTEM, or status and
 * checksum must be the same as without a failure. Prints one case of TAP. `what` is passed to the
 * scenario. */
void inject(struct tap *t, const char *name, struct outcome (*scenario)(const void *what),
	    const void *what);

/* The scenarios in which jobs run in threads and in shards. */
void inject_jobs(struct tap *t);

/* The scenarios in which traces are written and read. */
void inject_traces(struct tap *t);

/* The scenarios in which waveforms are read. */
void inject_waves(struct tap *t);

/* The scenarios in which graphs are mapped and overlays searched. */
void inject_mapping(struct tap *t);

#endif
