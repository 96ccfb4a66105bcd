/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bound_graph.h: the configurations of a regulator that can be reached, as a graph, and heaviest
 * paths in it. A configuration is a control, a count, and how many more lines may come while the
 * output is on. An edge is a cycle.
 *
 * There are few configurations: while the output is on, each line both raises the count and uses up
 * one of the lines that may come. So their number grows with the sum of budget and overrun, not
 * with their product, as long as nothing resets the counter while the output is on.
 */
#ifndef NFACC_BACKENDS_ETM_BOUND_GRAPH_H
#define NFACC_BACKENDS_ETM_BOUND_GRAPH_H

#include "backends/etm/bound/bound_form.h"
#include "include/nfart_status.h"
#include "support/hash.h"
#include "support/vec.h"

enum {
	BOUND_NODES = 4000000,     /* the most nodes that are looked at */
	BOUND_WORK = 2000000000,   /* the most edges that are looked at, again and again */
	BOUND_NOWHERE = UINT32_MAX
};

struct bound_node {
	uint32_t count, left;
	uint8_t control;
	uint8_t via;   /* the edge by which the node was reached first, */
	uint32_t from; /* and its source; BOUND_NOWHERE for the start, which is node 0 */
};

struct bound_graph {
	const struct bound_form *form; /* borrowed */
	uint32_t overrun;
	uint32_t nedges;               /* edges of a node: 2 * ninputs */
	VEC(struct bound_node) nodes;
	/* [nodes.n * nedges]: where edge e leads: e is an index of inputs, plus ninputs if the
	 * cycle has a tick. BOUND_NOWHERE: no such cycle can come: it has a line too many, or a
	 * tick although a tick is pending. */
	VEC(uint32_t) to;
	struct hash_ids hash; /* finds `nodes` */
};

/* Finds the configurations. NFART_GAVEUP: there are more than BOUND_NODES. Free *g with
 * bound_graph_free() in any case. */
enum nfart_status bound_graph_make(struct bound_graph *g, const struct bound_form *f,
				   uint32_t overrun);
void bound_graph_free(struct bound_graph *g);

/* How many lines does edge e of a node add to the bound: 0 or 1. */
static inline unsigned bound_edge_lines(const struct bound_graph *g, uint32_t node, uint32_t e)
{
	return g->form->line[e % g->form->ninputs] &&
	       bound_judges(g->form, g->nodes.at[node].control);
}

static inline bool bound_edge_ticks(const struct bound_graph *g, uint32_t e)
{
	return e >= g->form->ninputs;
}

/* A path: the edges of a run of cycles. */
struct bound_path {
	VEC(uint8_t) edges;
};

/* The most lines in a window. */
struct bound_most {
	/* false: between two ticks there may be any number of lines */
	bool finite;
	/* In the long run, at most rate_lines lines come in rate_ticks periods. If this is at most
	 * k lines a period, it is given as k and 1. */
	uint64_t rate_lines, rate_ticks;
	uint64_t window; /* the most lines in one period */
	/* In n periods, at most (n * rate_lines + over) / rate_ticks lines come; and for some n, so
	 * many do. */
	int64_t over;
	/* From the start to the window of one period, and the window; from the start to a window
	 * that attains `over`, and the window. */
	struct bound_path to_window, in_window, to_over, in_over;
	/* A rate above k, or no finite bound: a path from the start, and a cycle behind it. */
	struct bound_path to_cycle, in_cycle;
};

/* Finds the most lines. NFART_SYSTEM: out of memory. NFART_GAVEUP: above BOUND_WORK. Free *m with
 * bound_most_free() in any case. */
enum nfart_status bound_most(struct bound_most *m, const struct bound_graph *g);
void bound_most_free(struct bound_most *m);

#endif
