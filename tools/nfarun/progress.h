/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * progress.h: a line on the terminal that shows how far a trace has been read.
 */
#ifndef NFART_NFARUN_PROGRESS_H
#define NFART_NFARUN_PROGRESS_H

#include <time.h>

#include "include/nfart.h"

struct progress {
	struct timespec begin, last;
	bool wanted, shown;
};

/* Begins to measure time. Nothing will be shown if `quiet` is set or standard error is no
 * terminal. */
void progress_begin(struct progress *p, bool quiet);

/* Shows the line, twice a second, after a second has passed. */
void progress_show(struct progress *p, const struct nfart_reader_stats *s);

/* Removes the line, if it was shown. */
void progress_end(struct progress *p);

#endif
