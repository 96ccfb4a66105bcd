/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * progress.h: a line on the terminal that shows how many accesses were seen, and how many per
 * second.
 */
#ifndef NFACC_NFAMEM_PROGRESS_H
#define NFACC_NFAMEM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	double begin_seconds, last_seconds;
	uint64_t accesses; /* number of accesses at the time `last_seconds` */
	bool wanted, shown;
};

/*
 * Begins to measure time. The line is shown only if `wanted` is set and standard error is a
 * terminal.
 */
void progress_begin(struct progress *p, bool wanted);

/*
 * Shows the line at most twice a second, and only after the first second. The cursor stays at the
 * start of the line, so that output of the program overwrites it. Cost: reads the clock.
 */
void progress_show(struct progress *p, uint64_t accesses);

/* Removes the line if it is shown. Call it before anything else is printed. */
void progress_end(struct progress *p);

#endif
