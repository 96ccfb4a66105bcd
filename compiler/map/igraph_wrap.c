/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/map/igraph_wrap.h"

#include <igraph/igraph.h>
#include <setjmp.h>

struct handlers {
	igraph_error_handler_t *error;
	igraph_warning_handler_t *warning;
	igraph_fatal_handler_t *fatal;
};

/* The one mutable global: igraph's fatal handler must not return and is given no context. Valid
 * while map_igraph_components() runs. */
static _Thread_local jmp_buf *fatal_target;

static void on_fatal(const char *reason, const char *file, int line)
{
	(void)reason, (void)file, (void)line;
	longjmp(*fatal_target, 1);
}

static struct handlers set_handlers(struct handlers h)
{
	return (struct handlers){
		.error = igraph_set_error_handler(h.error),
		.warning = igraph_set_warning_handler(h.warning),
		.fatal = igraph_set_fatal_handler(h.fatal),
	};
}

static enum nfart_status status_of(igraph_error_t e)
{
	if (e == IGRAPH_SUCCESS)
		return NFART_OK;
	return e == IGRAPH_ENOMEM ? NFART_SYSTEM : NFART_INTERNAL;
}

/* Fills `ends` with u, v of every edge and makes the graph. */
static igraph_error_t make_graph(const struct map_graph *g, igraph_t *graph)
{
	igraph_vector_int_t ends;
	igraph_error_t e = igraph_vector_int_init(&ends, (igraph_integer_t)(2 * g->m));

	if (e != IGRAPH_SUCCESS)
		return e;
	for (size_t i = 0; i < g->m; i++) {
		VECTOR(ends)[2 * i] = g->edges[i][0];
		VECTOR(ends)[2 * i + 1] = g->edges[i][1];
	}
	e = igraph_create(graph, &ends, g->n, IGRAPH_UNDIRECTED);
	igraph_vector_int_destroy(&ends);
	return e;
}

static enum nfart_status components(const struct map_graph *g, uint32_t *member, uint32_t *count)
{
	igraph_vector_int_t membership;
	igraph_integer_t n = 0;
	igraph_t graph;
	igraph_error_t e = make_graph(g, &graph);

	if (e != IGRAPH_SUCCESS)
		return status_of(e);
	e = igraph_vector_int_init(&membership, 0);
	if (e == IGRAPH_SUCCESS) {
		e = igraph_connected_components(&graph, &membership, NULL, &n, IGRAPH_WEAK);
		if (e == IGRAPH_SUCCESS)
			for (uint32_t v = 0; v < g->n; v++)
				member[v] = (uint32_t)VECTOR(membership)[v];
		igraph_vector_int_destroy(&membership);
	}
	igraph_destroy(&graph);
	*count = (uint32_t)n;
	return status_of(e);
}

enum nfart_status map_igraph_components(const struct map_graph *g, uint32_t *member,
					uint32_t *count)
{
	const struct handlers quiet = {igraph_error_handler_ignore, igraph_warning_handler_ignore,
				       on_fatal};
	struct handlers before = set_handlers(quiet);
	enum nfart_status status;
	jmp_buf target;

	fatal_target = &target;
	if (setjmp(target) == 0)
		status = components(g, member, count);
	else
		status = NFART_INTERNAL;
	fatal_target = NULL;
	set_handlers(before);
	return status;
}
