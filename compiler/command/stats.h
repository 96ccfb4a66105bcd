/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * stats.h: prints the statistics of a compilation, for the option --stats.
 */
#ifndef NFACC_COMPILER_STATS_H
#define NFACC_COMPILER_STATS_H

#include <stdio.h>

#include "compiler/pipeline.h"

/* Prints to f: counters, states and transitions before and after every pass, states that were
 * split, the mapping, the proof, and times. */
void stats_print(const struct pipeline *p, FILE *f);

#endif
