/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/graph_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/order.h"

struct edge {
	uint32_t u, v;
	struct diag_range at;
};

struct reader {
	struct diags *d;
	const char *text;
	size_t n, at;
	struct diag_range range; /* place of the word read last */
	uint32_t source;
	enum nfart_status status;
	VEC(struct edge) edges;
};

static bool fail_graph(struct reader *r, enum nfart_status status)
{
	r->status = status;
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Skips blanks, then reads a word. r->range becomes the word's place. Returns its length, 0
 * at the end of the text. */
static size_t next_word(struct reader *r)
{
	size_t begin;

	while (r->at < r->n && is_blank(r->text[r->at]))
		r->at++;
	begin = r->at;
	while (r->at < r->n && !is_blank(r->text[r->at]))
		r->at++;
	r->range = (struct diag_range){ r->source, (uint32_t)begin, (uint32_t)r->at };
	return r->at - begin;
}

/* Reads the next number, which must be from lo to hi, into *out. `what` names it in messages.
 * False: an error was reported. */
static bool read_number(struct reader *r, const char *what, uint64_t lo, uint64_t hi, uint64_t *out)
{
	size_t n = next_word(r);
	const char *s = r->text + r->range.begin;
	uint64_t v = 0;
	size_t i = 0;

	for (; i < n && s[i] >= '0' && s[i] <= '9' && v <= hi; i++)
		v = v * 10 + (uint64_t)(s[i] - '0');
	if (n == 0)
		diag_report(r->d, DIAG_ERROR, "graph", r->range, "expected %s, found the end",
			    what);
	else if (i < n && v <= hi)
		diag_report(r->d, DIAG_ERROR, "graph", r->range, "expected %s, a decimal number",
			    what);
	else if (v < lo || v > hi)
		diag_report(r->d, DIAG_ERROR, "graph", r->range,
			    "%s is to be from %" PRIu64 " to %" PRIu64, what, lo, hi);
	else {
		*out = v;
		return true;
	}
	return fail_graph(r, NFART_INPUT);
}

static bool read_overlay(struct reader *r, struct overlay *o)
{
	const char *wrong;
	uint64_t v;

	overlay_presets(o);
	for (size_t i = 0; i < OVERLAY_NGRAPH; i++) {
		const struct overlay_param *p = overlay_graph_param(i);

		if (!read_number(r, p->text, p->lowest, p->highest, &v))
			return false;
		*overlay_field(o, p) = (uint32_t)v;
	}
	wrong = overlay_check(o);
	if (wrong == NULL)
		return true;
	r->range.begin = 0;
	diag_report(r->d, DIAG_ERROR, "graph", r->range, "%s", wrong);
	return fail_graph(r, NFART_INPUT);
}

static bool read_edge(struct reader *r, uint32_t n)
{
	uint64_t u, v;
	struct edge e;
	uint32_t begin;

	if (!read_number(r, "a state", 0, n - (uint64_t)1, &u))
		return false;
	begin = r->range.begin;
	if (!read_number(r, "a state", 0, n - (uint64_t)1, &v))
		return false;
	e = (struct edge){ (uint32_t)u, (uint32_t)v, { r->source, begin, r->range.end } };
	if (u >= v) {
		diag_report(r->d, DIAG_ERROR, "graph", e.at,
			    "the lower state of an edge comes first, and loops are left out");
		return fail_graph(r, NFART_INPUT);
	}
	return vec_push(&r->edges, e) || fail_graph(r, NFART_SYSTEM);
}

static bool read_graph(struct reader *r, struct map_graph *g)
{
	uint64_t n, m;

	if (!read_number(r, "the number of states", 0, GRAPH_MOST_STATES, &n) ||
	    !read_number(r, "the number of edges", 0, n < 2 ? 0 : n * (n - 1) / 2, &m))
		return false;
	for (uint64_t i = 0; i < m; i++)
		if (!read_edge(r, (uint32_t)n))
			return false;
	if (next_word(r) != 0) {
		diag_report(r->d, DIAG_ERROR, "graph", r->range,
			    "expected the end after %" PRIu64 " edges", m);
		return fail_graph(r, NFART_INPUT);
	}
	g->n = (uint32_t)n;
	g->m = (size_t)m;
	return true;
}

static int by_states(const void *x, const void *y)
{
	const struct edge *a = x, *b = y;

	return order_3(a->u, b->u, a->v, b->v, a->at.begin, b->at.begin);
}

/* Reports the first edge in the text that repeats an earlier one. Sorts the
 * edges. False: there is one. */
static bool check_repeats(struct reader *r)
{
	const struct edge *e = r->edges.at, *worst = NULL;

	if (r->edges.n > 0)
		qsort(r->edges.at, r->edges.n, sizeof *r->edges.at, by_states);
	for (size_t i = 1; i < r->edges.n; i++)
		if (e[i].u == e[i - 1].u && e[i].v == e[i - 1].v &&
		    (worst == NULL || e[i].at.begin < worst->at.begin))
			worst = &e[i];
	if (worst == NULL)
		return true;
	diag_note(r->d, diag_report(r->d, DIAG_ERROR, "graph", worst->at,
				    "this edge is there already"),
		  worst[-1].at, "here");
	return fail_graph(r, NFART_INPUT);
}

static bool fill_edges(struct reader *r, struct map_graph *g)
{
	uint32_t (*edges)[2] = malloc((r->edges.n + 1) * sizeof *edges);

	if (edges == NULL)
		return fail_graph(r, NFART_SYSTEM);
	for (size_t i = 0; i < r->edges.n; i++) {
		edges[i][0] = r->edges.at[i].u;
		edges[i][1] = r->edges.at[i].v;
	}
	g->edges = (const uint32_t (*)[2])edges;
	return true;
}

enum nfart_status graph_file_read(struct graph_file *f, struct diags *d, const char *name,
				  const char *text, size_t n)
{
	struct reader r = { .d = d, .text = text, .n = n, .status = NFART_OK };

	*f = (struct graph_file){ 0 };
	r.source = diag_add_source(d, name, text, n);
	if (r.source == DIAG_NO_SOURCE)
		return NFART_SYSTEM;
	if (read_overlay(&r, &f->overlay) && read_graph(&r, &f->graph) && check_repeats(&r))
		fill_edges(&r, &f->graph);
	vec_free(&r.edges);
	return r.status;
}

void graph_file_free(struct graph_file *f)
{
	free((void *)(uintptr_t)f->graph.edges);
}
