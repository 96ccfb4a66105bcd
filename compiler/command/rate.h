/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rate.h: --rate, which sets the parameters budget and period of a regulator (Note [rates] in
 * backends/etm/etm_rate.h).
 */
#ifndef NFACC_COMPILER_RATE_H
#define NFACC_COMPILER_RATE_H

#include <stdio.h>

#include "compiler/options.h"

/* Adds the parameters to o->params, as -D would, if there is --rate; the description of the core
 * has been read. Returns NFART_OK, or the exit code of nfacc after it printed the error. */
int rate_apply(struct options *o);

/* Prints what --rate has set, in both units, on one line. Nothing without --rate. */
void rate_print(const struct options *o, FILE *f);

#endif
