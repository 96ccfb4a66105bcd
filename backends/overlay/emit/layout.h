/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * layout.h: where the nodes of an overlay are in a drawing (T figure 16). Rings are circles around
 * one centre, ring 0 inside. The cliques of a ring are on its circle, clockwise from the top, so
 * that cliques with the same number are on one ray. If a ring has one clique only, the rings take
 * the places of cliques on one circle. All numbers are in units of the drawing.
 */
#ifndef NFACC_BACKENDS_LAYOUT_H
#define NFACC_BACKENDS_LAYOUT_H

#include "contract/contract.h"

struct layout_point {
	double x, y;
};

struct layout {
	uint32_t circles, places; /* how many circles there are, and cliques on each */
	uint32_t nodes;           /* nodes of a clique */
	uint32_t width;           /* nodes side by side in a clique; 0: they are on a circle */
	double node;              /* radius of a node */
	double clique;            /* radius of a clique */
	double inner, step;       /* radius of the first circle; how much larger the next one is */
	double half;              /* half of the drawing's width and height */
};

/* Computes the layout of an overlay that is not none. */
struct layout layout_of(const struct overlay *o);

/* layout_clique() returns the centre of a clique and layout_node() that of a node, by the numbers
 * that the contract gives them (contract.h, Note [numbers of nodes]). The centre of the drawing is
 * (0, 0), and y grows downwards. */
struct layout_point layout_clique(const struct layout *l, const struct overlay *o, uint32_t clique);
struct layout_point layout_node(const struct layout *l, const struct overlay *o, uint32_t node);

#endif
