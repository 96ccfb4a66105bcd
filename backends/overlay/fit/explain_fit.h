/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain_fit.h: says what would have to be different for a filter to fit. It adds notes to the
 * error that says that the filter doesn't fit: the smallest value of each parameter alone, and the
 * cheapest overlay. If sizes are too small, it also names the cheapest shipped overlay that fits,
 * and the sparse target, which has no sizes.
 */
#ifndef NFACC_BACKENDS_EXPLAIN_FIT_H
#define NFACC_BACKENDS_EXPLAIN_FIT_H

#include "backends/overlay/fit/fit_search.h"
#include "backends/target.h"

/* Adds the notes to record `at` of job->diags. `sizes`: labels, lines, window, decoders or counters
 * are too few; `states`: the states have no placement. Its work is bounded by counts of overlays
 * and of search steps. False: out of memory. */
bool explain_fit(struct target_job *job, const struct fit_unit *u, bool sizes, bool states,
		 size_t at);

/* Adds a note to record `at`: the sparse target has no limits on sizes. */
void explain_none(struct target_job *job, size_t at);

#endif
