/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit.h: does it fit the overlay, and where does each state go? Everything that doesn't fit is
 * reported with its place in the source and with what there is and what is needed.
 */
#ifndef NFACC_COMPILER_FIT_H
#define NFACC_COMPILER_FIT_H

#include "compiler/pipeline.h"

/* NFART_NOFIT for each counter: no overlay has them. */
enum nfart_status fit_counters(struct pipeline *p);

/* Sets p->overlay; labels, lines, window and decoders against what it provides. */
enum nfart_status fit_overlay(struct pipeline *p);

/* Maps the NFA (compiler/map/) and gives each state its STE: within a clique in the order of the
 * states. Nothing to do for overlay none. NFART_OK, or what map_place() answers, reported. */
enum nfart_status fit_map(struct pipeline *p);

#endif
