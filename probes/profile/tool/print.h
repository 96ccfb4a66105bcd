/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* print.h: what nfaperf prints about a profile. All functions append to b. */
#ifndef NFART_NFAPERF_PRINT_H
#define NFART_NFAPERF_PRINT_H

#include "probes/profile/stacks/profile_view.h"
#include "probes/profile/stacks/rv_chain.h"
#include "support/buf.h"

/* What is counted. */
enum print_unit { PRINT_CYCLES, PRINT_INSTRUCTIONS };

/* Returns what was spent in the node itself. */
uint64_t print_own(const struct call_node *node, enum print_unit unit);

/*
 * Folded stacks: a line for each stack, sorted. It has what was spent in the last function. Blanks
 * and semicolons in names become `_`.
 */
void print_folded(const struct profile_view *v, const struct profile_children *c,
		  enum print_unit unit, struct buf *b);

/* The n functions in which most was spent. */
void print_top(const struct profile_view *v, enum print_unit unit, size_t n, struct buf *b);

/* The inferred mappings. */
void print_maps(const struct rv_profile *p, struct buf *b);

/* How many tokens of programs were matched by chains, for each file. */
void print_chains(const struct rv_chains *c, struct buf *b);

/* How many tokens were read, and how many of them are unknown. */
void print_summary(const struct rv_profile *p, struct buf *b);

#endif
