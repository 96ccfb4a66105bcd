/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit.h: does it fit the overlay, and where does each state go? Everything that doesn't fit is
 * reported with its place in the source and with what there is and what is needed.
 */
#ifndef NFACC_COMPILER_FIT_H
#define NFACC_COMPILER_FIT_H

#include "backends/overlay/fit/fit_search.h"
#include "compiler/pipeline.h"

/* What the compiled filters need of an overlay. False: out of memory. */
bool fit_unit_of(const struct pipeline *p, struct fit_unit *u);

/* Sets p->overlay, compares labels, lines, window, decoders and counters with what it provides, and maps the
 * NFA (backends/overlay/map/), with states split where that is what it takes: p->nfa, p->splits. Nothing to
 * do for overlay none. NFART_OK; NFART_NOFIT, NFART_GAVEUP: reported and explained. */
enum nfart_status fit(struct pipeline *p);

#endif
