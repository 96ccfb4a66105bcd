/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * stats.h: what --stats prints of a compilation.
 */
#ifndef NFACC_COMPILER_STATS_H
#define NFACC_COMPILER_STATS_H

#include <stdio.h>

#include "compiler/pipeline.h"

/* Counters, states and transitions before and after every pass, splits, the mapping, the proof, and times. */
void stats_print(const struct pipeline *p, FILE *f);

#endif
