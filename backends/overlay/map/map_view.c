/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/map_view.h"

#include <stdlib.h>

bool map_view(const struct overlay *o, struct map_overlay *v, uint32_t **neighbours)
{
	uint32_t degree = contract_degree(o), n = overlay_ncliques(o);

	*neighbours = malloc(((size_t)n * degree + 1) * sizeof **neighbours);
	if (*neighbours == NULL)
		return false;
	for (uint32_t c = 0; c < n; c++)
		contract_neighbours(o, c, *neighbours + (size_t)c * degree);
	*v = (struct map_overlay){ .clique_size = o->clique, .ncliques = n,
				   .length = o->length, .nneighbours = degree,
				   .neighbours = *neighbours };
	return true;
}
