/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/igraph_wrap.h"

#include <igraph/igraph.h>
#include <setjmp.h>

struct handlers {
	igraph_error_handler_t *error;
	igraph_warning_handler_t *warning;
	igraph_fatal_handler_t *fatal;
};

/* Where on_fatal() jumps. It must be a global, because igraph's fatal handler must not return and
 * gets no context. It is valid while guarded() runs. */
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

/* Makes igraph's form of g; `ends` has the two ends of every edge, one edge after the other. */
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

/* Makes igraph's form of a part of g: of the n nodes in `list`, which are numbered by `number`.
 * Loops are left out. The list must have all neighbours of its nodes. */
static igraph_error_t make_part(const struct map_adj *g, const uint32_t *list, uint32_t n,
				const uint32_t *number, igraph_t *graph)
{
	igraph_vector_int_t ends;
	igraph_error_t e = igraph_vector_int_init(&ends, 0);

	if (e != IGRAPH_SUCCESS)
		return e;
	for (uint32_t i = 0; i < n; i++) {
		for (size_t j = g->first[list[i]]; j < g->first[list[i] + 1]; j++) {
			if (g->to[j] <= list[i])
				continue;
			e = igraph_vector_int_push_back(&ends, number[list[i]]);
			if (e == IGRAPH_SUCCESS)
				e = igraph_vector_int_push_back(&ends, number[g->to[j]]);
			if (e != IGRAPH_SUCCESS)
				goto out;
		}
	}
	e = igraph_create(graph, &ends, n, IGRAPH_UNDIRECTED);
out:
	igraph_vector_int_destroy(&ends);
	return e;
}

struct components {
	const struct map_graph *g;
	uint32_t *member, *count;
};

static enum nfart_status components(void *context)
{
	struct components *call = context;
	const struct map_graph *g = call->g;
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
				call->member[v] = (uint32_t)VECTOR(membership)[v];
		igraph_vector_int_destroy(&membership);
	}
	igraph_destroy(&graph);
	*call->count = (uint32_t)n;
	return status_of(e);
}

struct automorphisms {
	const struct map_adj *g;
	const uint32_t *list; /* [n]: list[i] is i, since all nodes are wanted */
	uint32_t fixed;
	struct arena *arena;
	uint32_t **generators, *count;
};

static enum nfart_status copy_generators(const igraph_vector_int_list_t *from,
					 struct automorphisms *call)
{
	size_t n = call->g->n, count = (size_t)igraph_vector_int_list_size(from);
	uint32_t *to = arena_array(call->arena, count * n, sizeof *to);

	if (to == NULL)
		return NFART_SYSTEM;
	for (size_t i = 0; i < count; i++) {
		const igraph_vector_int_t *g =
			igraph_vector_int_list_get_ptr(from, (igraph_integer_t)i);
		for (size_t c = 0; c < n; c++)
			to[i * n + c] = (uint32_t)VECTOR(*g)[c];
	}
	*call->generators = to;
	*call->count = (uint32_t)count;
	return NFART_OK;
}

static enum nfart_status automorphisms(void *context)
{
	struct automorphisms *call = context;
	enum nfart_status status = NFART_INTERNAL;
	igraph_vector_int_list_t generators;
	igraph_vector_int_t colors;
	igraph_t graph;
	igraph_error_t e = make_part(call->g, call->list, call->g->n, call->list, &graph);

	if (e != IGRAPH_SUCCESS)
		return status_of(e);
	e = igraph_vector_int_init(&colors, call->g->n);
	if (e == IGRAPH_SUCCESS) {
		VECTOR(colors)[call->fixed] = 1;
		e = igraph_vector_int_list_init(&generators, 0);
		if (e == IGRAPH_SUCCESS) {
			e = igraph_automorphism_group(&graph, &colors, &generators,
						      IGRAPH_BLISS_FL, NULL);
			if (e == IGRAPH_SUCCESS)
				status = copy_generators(&generators, call);
			igraph_vector_int_list_destroy(&generators);
		}
		igraph_vector_int_destroy(&colors);
	}
	igraph_destroy(&graph);
	return e == IGRAPH_SUCCESS ? status : status_of(e);
}

struct isomorphic {
	const struct map_adj *g;
	const uint32_t *a, *b, *number, *color;
	uint32_t n, *image;
	bool *equal;
};

static igraph_error_t compare_graphs(const struct isomorphic *call, const igraph_t *a,
				     const igraph_t *b)
{
	igraph_vector_int_t color_a, color_b, image;
	igraph_bool_t equal = false;
	igraph_error_t e = igraph_vector_int_init(&color_a, call->n);

	if (e != IGRAPH_SUCCESS)
		return e;
	e = igraph_vector_int_init(&color_b, call->n);
	if (e != IGRAPH_SUCCESS)
		goto out_a;
	e = igraph_vector_int_init(&image, 0);
	if (e != IGRAPH_SUCCESS)
		goto out_b;
	for (uint32_t i = 0; i < call->n; i++) {
		VECTOR(color_a)[i] = call->color[call->a[i]];
		VECTOR(color_b)[i] = call->color[call->b[i]];
	}
	e = igraph_isomorphic_bliss(a, b, &color_a, &color_b, &equal, &image, NULL,
				    IGRAPH_BLISS_FL, NULL, NULL);
	if (e == IGRAPH_SUCCESS && equal)
		for (uint32_t i = 0; i < call->n; i++)
			call->image[i] = (uint32_t)VECTOR(image)[i];
	*call->equal = equal;
	igraph_vector_int_destroy(&image);
out_b:
	igraph_vector_int_destroy(&color_b);
out_a:
	igraph_vector_int_destroy(&color_a);
	return e;
}

static enum nfart_status isomorphic(void *context)
{
	struct isomorphic *call = context;
	igraph_t a, b;
	igraph_error_t e = make_part(call->g, call->a, call->n, call->number, &a);

	if (e != IGRAPH_SUCCESS)
		return status_of(e);
	e = make_part(call->g, call->b, call->n, call->number, &b);
	if (e == IGRAPH_SUCCESS) {
		e = compare_graphs(call, &a, &b);
		igraph_destroy(&b);
	}
	igraph_destroy(&a);
	return status_of(e);
}

/* Returns call(context). Meanwhile igraph's handlers are replaced, so that igraph
 * neither prints nor aborts. */
static enum nfart_status guarded(enum nfart_status (*call)(void *context), void *context)
{
	const struct handlers quiet = {igraph_error_handler_ignore, igraph_warning_handler_ignore,
				       on_fatal};
	struct handlers before = set_handlers(quiet);
	enum nfart_status status;
	jmp_buf target;

	fatal_target = &target;
	if (setjmp(target) == 0)
		status = call(context);
	else
		status = NFART_INTERNAL;
	fatal_target = NULL;
	set_handlers(before);
	return status;
}

enum nfart_status map_igraph_components(const struct map_graph *g, uint32_t *member,
					uint32_t *count)
{
	return guarded(components, &(struct components){g, member, count});
}

enum nfart_status map_igraph_automorphisms(const struct map_adj *g, uint32_t fixed,
					   struct arena *arena, uint32_t **generators,
					   uint32_t *count)
{
	uint32_t *list = arena_array(arena, g->n, sizeof *list);
	struct automorphisms call = {g, list, fixed, arena, generators, count};

	if (list == NULL)
		return NFART_SYSTEM;
	for (uint32_t i = 0; i < g->n; i++)
		list[i] = i;
	return guarded(automorphisms, &call);
}

enum nfart_status map_igraph_isomorphic(const struct map_adj *g, const uint32_t *a,
					const uint32_t *b, uint32_t n, const uint32_t *number,
					const uint32_t *color, uint32_t *image, bool *equal)
{
	struct isomorphic call = {g, a, b, number, color, n, image, equal};

	return guarded(isomorphic, &call);
}
