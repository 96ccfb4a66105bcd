/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit.h: does it fit the overlay, and where does each state go? Everything that doesn't fit is
 * reported with its place in the source and with what there is and what is needed.
 */
#ifndef NFACC_BACKENDS_FIT_H
#define NFACC_BACKENDS_FIT_H

#include "backends/target.h"

/* target.h's fit(): compares labels, lines, window, decoders and counters with what the overlay provides. */
enum nfart_status fit_sizes(struct target_job *job);

/* target.h's place(): maps the NFA (backends/overlay/map/), with states split where that is what it
 * takes. */
enum nfart_status fit_states(struct target_job *job);

/* target.h's explain(): which parameters would have to be different (explain_fit.h). */
bool fit_explain(struct target_job *job);

#endif
