/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bounds.h: --bound, which proves how many lines a regulator lets through.
 */
#ifndef NFACC_COMPILER_BOUNDS_H
#define NFACC_COMPILER_BOUNDS_H

#include "compiler/options.h"

/* Writes the bounds of the registers that p has made for a trace unit, as text, or with --emit=json
 * as JSON. Returns the exit code of nfacc, after it printed the error if there is one. */
int bounds_write(const struct options *o, const struct pipeline *p);

#endif
