/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/map/draw.h"

#include <assert.h>
#include <stdlib.h>

#include "contract/contract.h"
#include "support/order.h"

/* Returns a random number below n. xorshift64* gives the same numbers on every machine. */
uint32_t draw_below(struct drawn *d, uint32_t n)
{
	d->seed ^= d->seed >> 12;
	d->seed ^= d->seed << 25;
	d->seed ^= d->seed >> 27;
	return (uint32_t)((d->seed * 0x2545f4914f6cdd1du >> 32) % n);
}

void draw_overlay(struct drawn *d, uint32_t c, uint32_t l, uint32_t r, uint32_t n)
{
	struct overlay o = {.clique = c, .length = l, .rings = r, .reach = n};
	uint32_t degree = contract_degree(&o);

	assert((size_t)l * r * degree <= DRAW_TABLE);
	for (uint32_t i = 0; i < l * r; i++)
		contract_neighbours(&o, i, d->table + (size_t)i * degree);
	d->overlay = (struct map_overlay){.clique_size = c, .ncliques = l * r, .length = l,
					  .nneighbours = degree, .neighbours = d->table};
	d->shape[0] = c;
	d->shape[1] = l;
	d->shape[2] = r;
	d->shape[3] = n;
	d->graph = (struct map_graph){.edges = (const uint32_t (*)[2])d->edges};
	d->family = "";
}

void draw_states(struct drawn *d, uint32_t n)
{
	d->graph.n += n;
	assert(d->graph.n <= DRAW_STATES);
}

void draw_edge(struct drawn *d, uint32_t u, uint32_t v)
{
	uint32_t *e = d->edges[d->graph.m];

	assert(d->graph.m < DRAW_EDGES);
	if (u == v)
		return;
	e[0] = u < v ? u : v;
	e[1] = u < v ? v : u;
	d->graph.m++;
}

void draw_hubs(struct drawn *d, uint32_t count, uint32_t leaves)
{
	while (count-- > 0) {
		uint32_t hub = d->graph.n;
		draw_states(d, leaves + 1);
		for (uint32_t i = 1; i <= leaves; i++)
			draw_edge(d, hub, hub + i);
	}
}

static int by_ends(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return order_2(x[0], y[0], x[1], y[1]);
}

void draw_shuffle(struct drawn *d)
{
	static uint32_t name[DRAW_STATES];
	size_t kept = 0;

	for (uint32_t v = 0; v < d->graph.n; v++) {
		uint32_t at = draw_below(d, v + 1);
		name[v] = name[at];
		name[at] = v;
	}
	for (size_t i = 0; i < d->graph.m; i++) {
		uint32_t u = name[d->edges[i][0]], v = name[d->edges[i][1]];
		d->edges[i][0] = u < v ? u : v;
		d->edges[i][1] = u < v ? v : u;
	}
	qsort(d->edges, d->graph.m, sizeof *d->edges, by_ends);
	for (size_t i = 0; i < d->graph.m; i++) {
		if (kept > 0 && by_ends(d->edges[kept - 1], d->edges[i]) == 0)
			continue;
		d->edges[kept][0] = d->edges[i][0];
		d->edges[kept++][1] = d->edges[i][1];
	}
	d->graph.m = kept;
}

void draw_part_of_overlay(struct drawn *d, uint32_t full, uint32_t percent)
{
	uint32_t k = d->overlay.ncliques;

	draw_states(d, full * k);
	for (uint32_t u = 0; u < full * k; u++)
		for (uint32_t v = 0; v < u; v++)
			if (map_overlay_adjacent(&d->overlay, u / full, v / full) &&
			    draw_below(d, 100) >= percent)
				draw_edge(d, u, v);
}

void draw_tree(struct drawn *d, uint32_t n, uint32_t reach)
{
	uint32_t first = d->graph.n;

	draw_states(d, n);
	for (uint32_t i = 1; i < n; i++)
		draw_edge(d, first + i,
			  first + i - 1 - draw_below(d, reach < i ? reach : i));
}

static void draw_trees(struct drawn *d, uint32_t most)
{
	uint32_t total = most - draw_below(d, most < 3 ? most : 3);

	while (d->graph.n < total) {
		uint32_t n = 1 + draw_below(d, 7), left = total - d->graph.n;
		draw_tree(d, n < left ? n : left, 1 + draw_below(d, 4));
	}
}

static void draw_equal(struct drawn *d, uint32_t most)
{
	uint32_t size = 2 + draw_below(d, 5), hub = draw_below(d, 2);

	while (d->graph.n + size <= most) {
		uint32_t first = d->graph.n;
		draw_states(d, size);
		for (uint32_t i = 1; i < size; i++)
			draw_edge(d, first + i, hub ? first : first + i - 1);
		if (!hub && size > 2 && draw_below(d, 8) != 0)
			draw_edge(d, first, first + size - 1);
	}
	draw_states(d, draw_below(d, most - d->graph.n + 1));
}

static void draw_random(struct drawn *d, uint32_t most)
{
	uint32_t n = most - draw_below(d, most / 2 + 1), m = draw_below(d, 2 * n + 1);

	draw_states(d, n);
	for (uint32_t i = 0; i < m; i++)
		draw_edge(d, draw_below(d, n), draw_below(d, n));
}

static void draw_kinds(struct drawn *d)
{
	d->graph.kind = d->kind;
	d->overlay.more_kinds = 1;
	d->more_room[0] = 1 + draw_below(d, 2);
	d->overlay.more_room = d->more_room;
	for (uint32_t v = 0; v < d->graph.n; v++)
		d->kind[v] = draw_below(d, 4) == 0;
}

void draw_any(struct drawn *d)
{
	uint32_t c, l, r, most;

	do {
		c = 1 + draw_below(d, 4);
		l = 1 + draw_below(d, 7);
		r = 1 + draw_below(d, 4);
		most = c * l * r;
	} while (most < 2 || most > DRAW_SMALL);
	draw_overlay(d, c, l, r, draw_below(d, 3));
	switch (draw_below(d, 5)) {
	case 0:
	case 1:
		d->family = "overlay";
		draw_part_of_overlay(d, c - (c > 1 && draw_below(d, 3) == 0),
				     10 + 10 * draw_below(d, 6));
		for (uint32_t i = draw_below(d, 6); i > 0; i--)
			draw_edge(d, draw_below(d, d->graph.n), draw_below(d, d->graph.n));
		break;
	case 2:
		d->family = "trees";
		draw_trees(d, most);
		break;
	case 3:
		d->family = "equal";
		draw_equal(d, most);
		break;
	default:
		d->family = "random";
		draw_random(d, most);
		break;
	}
	if (most < 7 && draw_below(d, 16) == 0)
		draw_states(d, most + 1 - d->graph.n);
	draw_shuffle(d);
	if (draw_below(d, 5) == 0)
		draw_kinds(d);
}
