/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * lad.h: igraph's LAD as a second opinion for the mapper's tests. Only lad.c includes igraph here.
 */
#ifndef NFACC_TESTSUITE_MAP_LAD_H
#define NFACC_TESTSUITE_MAP_LAD_H

#include <stddef.h>
#include <stdint.h>

/* A graph of n vertices and m edges. */
struct lad_graph {
	uint32_t n;
	size_t m;
	const uint32_t (*edges)[2];
};

/* Is `pattern` a subgraph of `target`? Returns 1 or 0, or -1 if LAD could not decide. */
int lad_fits(const struct lad_graph *pattern, const struct lad_graph *target);

#endif
