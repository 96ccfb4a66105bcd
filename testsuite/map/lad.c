/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/map/lad.h"

#include <igraph/igraph.h>

static igraph_error_t lad_make(igraph_t *g, const struct lad_graph *from)
{
	igraph_vector_int_t ends;
	igraph_error_t error = igraph_vector_int_init(&ends, 2 * (igraph_integer_t)from->m);

	if (error != IGRAPH_SUCCESS)
		return error;
	for (size_t i = 0; i < 2 * from->m; i++)
		VECTOR(ends)[i] = from->edges[i / 2][i % 2];
	error = igraph_create(g, &ends, from->n, IGRAPH_UNDIRECTED);
	igraph_vector_int_destroy(&ends);
	return error;
}

int lad_fits(const struct lad_graph *pattern, const struct lad_graph *target)
{
	igraph_bool_t found = false;
	igraph_t p, t;
	int answer = -1;

	if (pattern->n > target->n)
		return 0;
	igraph_set_error_handler(igraph_error_handler_ignore);
	if (lad_make(&p, pattern) != IGRAPH_SUCCESS)
		return -1;
	if (lad_make(&t, target) == IGRAPH_SUCCESS) {
		if (igraph_subisomorphic_lad(&p, &t, NULL, &found, NULL, NULL, false, 0) ==
		    IGRAPH_SUCCESS)
			answer = found;
		igraph_destroy(&t);
	}
	igraph_destroy(&p);
	return answer;
}
