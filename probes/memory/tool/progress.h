/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * progress.h: a line on the terminal that shows how many accesses were seen, and how fast they
 * come.
 */
#ifndef NFACC_NFAMEM_PROGRESS_H
#define NFACC_NFAMEM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
	struct timespec begin, last;
	uint64_t accesses; /* at `last` */
	bool wanted, shown;
};

/* Begins to measure time. Nothing will be shown unless `wanted` is set and standard error is a
 * terminal. */
void progress_begin(struct progress *p, bool wanted);

/* Shows the line, twice a second, after a second has passed. The cursor stays at its begin, so what
 * the program writes to the same terminal begins there, too. Cost: a look at the clock. */
void progress_show(struct progress *p, uint64_t accesses);

/* Removes the line, if it was shown. Call this before anything else is printed. */
void progress_end(struct progress *p);

#endif
