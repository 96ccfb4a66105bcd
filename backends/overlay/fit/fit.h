/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit.h: decides whether an automaton fits an overlay, and on which node each state is placed. Each
 * error says what is needed and what the overlay has, with the place in the source.
 */
#ifndef NFACC_BACKENDS_FIT_H
#define NFACC_BACKENDS_FIT_H

#include "backends/target.h"

/* Reports an error for each thing that the filters use and overlay o lacks, such as ticks. NULL
 * stands for an overlay that --fit can find, whatever it is. Whether there are enough tests for
 * guards is not checked. `name` is what lacks the thing: "overlay 'small'". If d is NULL, nothing
 * is reported. Returns the index of the last error in the diagnostics; SIZE_MAX: there is none. */
size_t fit_parts(const struct spec *s, struct diags *d, const char *name, const struct overlay *o);

/* The function fit() of struct target (target.h). Reports an error for each size that is too small:
 * labels, lines, window, decoders and counters. */
enum nfart_status fit_sizes(struct target_job *job);

/* The function place() of struct target (target.h). Maps the NFA onto the overlay
 * (backends/overlay/map/). States are split if there is no placement otherwise. */
enum nfart_status fit_states(struct target_job *job);

/* The function explain() of struct target (target.h). Adds notes that say which parameters of the
 * overlay would have to be different (explain_fit.h). */
bool fit_explain(struct target_job *job);

#endif
