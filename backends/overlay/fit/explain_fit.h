/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain_fit.h: says what would have to be different for a filter to fit. It adds notes to the
 * error that reports that the filter doesn't fit. The notes name the smallest sufficient value of
 * each parameter alone, and the cheapest overlay that fits. If sizes are too small, notes also name
 * the cheapest shipped overlay that fits, and the sparse target, which has no sizes.
 */
#ifndef NFACC_BACKENDS_EXPLAIN_FIT_H
#define NFACC_BACKENDS_EXPLAIN_FIT_H

#include "backends/overlay/fit/fit_search.h"
#include "backends/target.h"

/* Adds the notes to record `at` of job->diags. `sizes` says that the overlay has too few labels,
 * lines, decoders or counters or too small a window. `states` says that the states have no
 * placement. The work is bounded by counts of overlays and of search steps. False: out of
 * memory. */
bool explain_fit(struct target_job *job, const struct fit_unit *u, bool sizes, bool states,
		 size_t at);

/* Adds a note to record `at` of job->diags. It recommends the sparse target, which has no limits on
 * sizes. */
void explain_none(struct target_job *job, size_t at);

/* Adds to error `at`, which says that the overlay lacks tests of headers or letters, which shipped
 * overlay fits, if one does. Returns what explain_fit() does. */
bool explain_tests(struct target_job *job, const struct fit_unit *u, size_t at);

#endif
