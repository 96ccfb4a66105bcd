/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * lad.h: igraph's LAD as a witness for the mapper. The only part of this test that sees igraph.
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

/* Is `pattern` a subgraph of `target`? 1 or 0; -1: it could not be decided. */
int lad_fits(const struct lad_graph *pattern, const struct lad_graph *target);

#endif
