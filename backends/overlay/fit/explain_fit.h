/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * explain_fit.h: what would have to be different for a filter to fit, as notes to the error that
 * says it doesn't: the smallest value of each parameter alone, the cheapest overlay, and where sizes are
 * too small the cheapest one that is shipped, and the sparse target.
 */
#ifndef NFACC_BACKENDS_EXPLAIN_FIT_H
#define NFACC_BACKENDS_EXPLAIN_FIT_H

#include "backends/overlay/fit/fit_search.h"
#include "backends/target.h"

/* Adds the notes to record `at`. `sizes`: labels, lines, window or decoders are too few; `states`:
 * the states have no placement. Bounded by counts of overlays tried and of search steps. False: out of
 * memory. */
bool explain_fit(struct target_job *job, const struct fit_unit *u, bool sizes, bool states, size_t at);

/* Adds to record `at` that the sparse target has no limits on sizes. */
void explain_none(struct target_job *job, size_t at);

#endif
