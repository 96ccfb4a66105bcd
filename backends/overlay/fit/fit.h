/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit.h: does an automaton fit an overlay, and where does each state go? Each thing that doesn't
 * fit is reported with its place in the source, with what is needed, and with what there is.
 */
#ifndef NFACC_BACKENDS_FIT_H
#define NFACC_BACKENDS_FIT_H

#include "backends/target.h"

/* fit() of target.h: compares labels, lines, window, decoders and counters
 * with what the overlay has. */
enum nfart_status fit_sizes(struct target_job *job);

/* place() of target.h: maps the NFA onto the overlay (backends/overlay/map/). States are split if
 * that is necessary for a placement. */
enum nfart_status fit_states(struct target_job *job);

/* explain() of target.h: adds notes that say which parameters would have to be
 * different (explain_fit.h). */
bool fit_explain(struct target_job *job);

#endif
