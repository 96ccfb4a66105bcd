/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The automata of nodes: what the states of the system, and its moves, are to one node alone.
 */
#include <inttypes.h>
#include <string.h>

#include "runtime/rules/chart.h"
#include "runtime/rules/rules.h"
#include "support/bits.h"
#include "support/escape.h"

/* An edge of a node's automaton. */
struct node_edge {
	uint32_t from, to, rule;
};

struct node_graph {
	const struct kept *k;
	uint32_t node;            /* KEPT_NONE: tables, which are one automaton */
	VEC(uint32_t) states;     /* a state of the system for each state of the node */
	VEC(struct node_edge) edges;
	struct hash_ids by_values, by_edge;
	bool failed;
};

static bool graph_has(const struct node_graph *g, uint32_t var)
{
	return g->node == KEPT_NONE || g->k->vars.at[var].node == g->node;
}

static uint64_t state_hash(const struct node_graph *g, uint32_t state)
{
	uint64_t h = 0;

	for (uint32_t i = 0; i < g->k->vars.n; i++)
		if (graph_has(g, i))
			h = hash_add(h, kept_values(g->k, state)[i]);
	return h;
}

static uint64_t hash_of_state(const void *graph, uint32_t id)
{
	const struct node_graph *g = graph;

	return state_hash(g, g->states.at[id]);
}

static bool same_state(const void *graph, uint32_t id, const void *key)
{
	const struct node_graph *g = graph;

	for (uint32_t i = 0; i < g->k->vars.n; i++)
		if (graph_has(g, i) && kept_values(g->k, g->states.at[id])[i] !=
					       kept_values(g->k, *(const uint32_t *)key)[i])
			return false;
	return true;
}

/* Returns the number of the node's state in a state of the system. */
static uint32_t graph_state(struct node_graph *g, uint32_t state)
{
	size_t place;

	if (!hash_room(&g->by_values, hash_of_state, g)) {
		g->failed = true;
		return 0;
	}
	place = hash_find(&g->by_values, state_hash(g, state), same_state, g, &state);
	if (hash_id(&g->by_values, place) == HASH_NONE) {
		if (!vec_push(&g->states, state)) {
			g->failed = true;
			return 0;
		}
		hash_put(&g->by_values, place, (uint32_t)g->states.n - 1);
	}
	return hash_id(&g->by_values, place);
}

static uint64_t hash_of_edge(const void *graph, uint32_t id)
{
	const struct node_edge *e = &((const struct node_graph *)graph)->edges.at[id];

	return hash_add(hash_add(hash_add(0, e->from), e->to), e->rule);
}

static bool same_edge(const void *graph, uint32_t id, const void *key)
{
	const struct node_edge *a = &((const struct node_graph *)graph)->edges.at[id], *b = key;

	return a->from == b->from && a->to == b->to && a->rule == b->rule;
}

static void graph_edge(struct node_graph *g, struct node_edge e)
{
	uint64_t h = hash_add(hash_add(hash_add(0, e.from), e.to), e.rule);
	size_t place;

	if (!hash_room(&g->by_edge, hash_of_edge, g)) {
		g->failed = true;
		return;
	}
	place = hash_find(&g->by_edge, h, same_edge, g, &e);
	if (hash_id(&g->by_edge, place) != HASH_NONE)
		return;
	if (vec_push(&g->edges, e))
		hash_put(&g->by_edge, place, (uint32_t)g->edges.n - 1);
	else
		g->failed = true;
}

static void graph_fill(struct node_graph *g)
{
	const struct kept_system *s = &g->k->system;

	for (uint32_t from = 0; from < s->nstates && !g->failed; from++) {
		uint32_t a = graph_state(g, from);

		for (uint32_t i = s->first[from]; i < s->first[from + 1] && !g->failed; i++) {
			const struct kept_move *m = &s->moves[i];

			if (m->rule != KEPT_NONE &&
			    (g->node == KEPT_NONE || g->k->rules.at[m->rule].node == g->node))
				graph_edge(g, (struct node_edge){ a, graph_state(g, m->to),
								  m->rule });
		}
	}
}

static void print_quoted(struct buf *b, const char *s)
{
	escape_quoted(b, s, strlen(s));
}

static void print_state(const struct node_graph *g, uint32_t cluster, uint32_t state, bool filled,
			struct buf *b)
{
	const uint8_t *values = kept_values(g->k, g->states.at[state]);
	const char *before = "";

	buf_addf(b, "\t\ts%" PRIu32 "_%" PRIu32 " [label=\"", cluster, state);
	for (uint32_t i = 0; i < g->k->vars.n; i++)
		if (graph_has(g, i)) {
			buf_addf(b, "%s", before);
			print_quoted(b, g->k->vars.at[i].name);
			buf_addf(b, "=");
			print_quoted(b, g->k->vars.at[i].values[values[i]]);
			before = "\\n";
		}
	buf_addf(b, "\"%s];\n", filled ? ", style=filled, fillcolor=\"#ffd08a\"" : "");
}

static void print_edge(const struct node_graph *g, uint32_t cluster, const struct node_edge *e,
		       struct buf *b)
{
	const struct kept_rule *r = &g->k->rules.at[e->rule];
	const char *sign = r->kind == KEPT_SEND ? "!" : r->kind == KEPT_RECEIVE ? "?" : "";

	buf_addf(b, "\t\ts%" PRIu32 "_%" PRIu32 " -> s%" PRIu32 "_%" PRIu32 " [label=\"%s",
		 cluster, e->from, cluster, e->to, sign);
	if (r->event != KEPT_NONE)
		print_quoted(b, g->k->events.at[r->event].name);
	buf_addf(b, " (%" PRIu32 ")\"];\n", r->line);
}

/* Prints the automaton of a node. The states in the set `filled` of the system are filled. */
static void print_graph(struct node_graph *g, uint32_t cluster, const char *name,
			const uint64_t *filled, struct buf *b)
{
	uint64_t *shown;

	graph_fill(g);
	shown = calloc(bits_words(g->states.n + 1), sizeof *shown);
	if (shown == NULL || g->failed) {
		b->failed = true;
		free(shown);
		return;
	}
	for (size_t i = bits_next(filled, g->k->system.nstates, 0); i < g->k->system.nstates;
	     i = bits_next(filled, g->k->system.nstates, i + 1))
		bits_set(shown, graph_state(g, (uint32_t)i));
	buf_addf(b, "\tsubgraph cluster_%" PRIu32 " {\n\t\tlabel=\"", cluster);
	print_quoted(b, name);
	buf_addf(b, "\";\n");
	for (uint32_t i = 0; i < g->states.n; i++)
		print_state(g, cluster, i, bits_get(shown, i), b);
	for (size_t i = 0; i < g->edges.n; i++)
		print_edge(g, cluster, &g->edges.at[i], b);
	buf_addf(b, "\t}\n");
	free(shown);
}

void chart_nodes(struct follow *f, const struct follow_line *l, struct buf *b)
{
	const struct kept *k = f->kept;
	bool tables = k->rules.n != 0 && k->rules.at[0].kind == KEPT_MESSAGE;
	uint32_t n = tables ? 1 : k->nodes.n;

	if (f->know.full)
		buf_addf(b, "// %s\n", RULES_FORGOT);
	buf_addf(b, "// states that are filled: where a node can have been before the last "
		 "batch\ndigraph \"");
	print_quoted(b, f->checker->label);
	buf_addf(b, "\" {\n\tnode [shape=box, fontname=\"sans-serif\"];\n"
		 "\tedge [fontname=\"sans-serif\", fontsize=10];\n");
	for (uint32_t i = 0; i < n; i++) {
		struct node_graph g = { .k = k, .node = tables ? KEPT_NONE : i };

		print_graph(&g, i, tables ? f->checker->label : k->nodes.at[i],
			    know_states(&f->know, l->before), b);
		vec_free(&g.states);
		vec_free(&g.edges);
		hash_free(&g.by_values);
		hash_free(&g.by_edge);
	}
	buf_addf(b, "}\n");
}
