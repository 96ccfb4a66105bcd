/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * print.h: what nfaperf prints of a profile. All functions append to b.
 */
#ifndef NFART_NFAPERF_PRINT_H
#define NFART_NFAPERF_PRINT_H

#include "probes/profile/stacks/profile_view.h"
#include "probes/profile/stacks/rv_chain.h"
#include "support/buf.h"

/* What is counted. */
enum print_unit { PRINT_CYCLES, PRINT_INSTRUCTIONS };

/* Folded stacks: a line for each stack, sorted, and what was spent in its last function. */
void print_folded(const struct profile_view *v, const struct profile_children *c,
		  enum print_unit unit, struct buf *b);

/* The n functions in which most was spent. */
void print_top(const struct profile_view *v, enum print_unit unit, size_t n, struct buf *b);

/* The mappings that were inferred. */
void print_maps(const struct rv_profile *p, struct buf *b);

/* How many tokens of programs chains have matched, and of which file. */
void print_chains(const struct rv_chains *c, struct buf *b);

/* What was read, and how much of it is known. */
void print_summary(const struct rv_profile *p, struct buf *b);

#endif
