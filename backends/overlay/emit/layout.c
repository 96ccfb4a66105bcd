/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/emit/layout.h"

#include <math.h>

#define PI 3.14159265358979323846
#define NODE 10.0        /* radius of a node */
#define NODE_GAP 12.0    /* between nodes of a clique */
#define BORDER 8.0       /* between nodes and the border of their clique */
#define CLIQUE_GAP 26.0  /* between cliques */
enum { MOST_ON_CIRCLE = 9 }; /* a clique with more nodes has them in rows */

/* Returns the radius of a circle on which n places have this distance from place to place. */
static double radius_for(uint32_t n, double distance)
{
	return n < 2 ? 0 : distance / 2 / sin(PI / n);
}

static uint32_t side_of(uint32_t n)
{
	uint32_t side = 1;

	while (side * side < n)
		side++;
	return side;
}

struct layout layout_of(const struct overlay *o)
{
	struct layout l = { .circles = o->rings, .places = o->length, .node = NODE,
			    .nodes = overlay_nnodes(o) };
	double pitch = 2 * NODE + NODE_GAP;

	if (o->length == 1) {
		l.circles = 1;
		l.places = o->rings;
	}
	if (l.nodes > MOST_ON_CIRCLE) {
		l.width = side_of(l.nodes);
		l.clique = (l.width - 1) * pitch / 2 * sqrt(2) + NODE + BORDER;
	} else {
		l.clique = radius_for(l.nodes, pitch) + NODE + BORDER;
	}
	l.step = 2 * l.clique + CLIQUE_GAP;
	l.inner = radius_for(l.places, l.step);
	l.half = l.inner + (l.circles - 1) * l.step + l.clique + CLIQUE_GAP;
	return l;
}

/* Returns the point at this distance and angle from `from`. Angle 0 is at the top, and a whole turn
 * is 1. */
static struct layout_point around(struct layout_point from, double distance, double turn)
{
	return (struct layout_point){ from.x + distance * sin(2 * PI * turn),
				      from.y - distance * cos(2 * PI * turn) };
}

struct layout_point layout_clique(const struct layout *l, const struct overlay *o, uint32_t clique)
{
	uint32_t circle = o->length == 1 ? 0 : clique / o->length;
	uint32_t place = o->length == 1 ? clique : clique % o->length;

	return around((struct layout_point){ 0, 0 }, l->inner + circle * l->step,
		      (double)place / l->places);
}

struct layout_point layout_node(const struct layout *l, const struct overlay *o, uint32_t node)
{
	uint32_t nste = overlay_nste(o), clique = contract_clique_of(o, node);
	uint32_t i = node < nste ? node % o->clique : o->clique + (node - nste) % o->counters;
	struct layout_point p = layout_clique(l, o, clique);
	double pitch = 2 * NODE + NODE_GAP, middle = (l->width - 1.0) / 2;

	if (l->width == 0)
		return around(p, l->clique - NODE - BORDER, (double)i / l->nodes);
	p.x += (i % l->width - middle) * pitch;
	p.y += (i / l->width - middle) * pitch;
	return p;
}
