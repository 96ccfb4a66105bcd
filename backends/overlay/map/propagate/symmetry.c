/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/propagate/symmetry.h"

#include <string.h>

#include "backends/overlay/map/igraph_wrap.h"
#include "backends/overlay/map/propagate/equal.h"

enum { MAX_AUTOS = 64, NEVER = UINT32_MAX };

/* Is this automorphism in the list already? */
static bool is_known(const struct symmetry *s, const uint32_t *image)
{
	for (uint32_t i = 0; i < s->nautos; i++)
		if (memcmp(s->autos + (size_t)i * s->ncliques, image,
			   s->ncliques * sizeof *image) == 0)
			return true;
	return false;
}

/* Fills s->autos with compositions of the generators: with all of them, or with
 * MAX_AUTOS if there are more. */
static void close_group(struct symmetry *s, const uint32_t *generators, uint32_t ngenerators)
{
	uint32_t k = s->ncliques;

	for (uint32_t c = 0; c < k; c++)
		s->autos[c] = c;
	s->nautos = 1;
	for (uint32_t i = 0; i < s->nautos; i++) {
		for (uint32_t j = 0; j < ngenerators && s->nautos < MAX_AUTOS; j++) {
			uint32_t *image = s->autos + (size_t)s->nautos * k;
			for (uint32_t c = 0; c < k; c++)
				image[c] = generators[(size_t)j * k + s->autos[(size_t)i * k + c]];
			s->nautos += !is_known(s, image);
		}
	}
}

static enum nfart_status init_autos(struct symmetry *s, const struct map_task *task,
				    uint32_t clique, struct arena *arena)
{
	uint32_t *generators, n;
	enum nfart_status status;

	s->ncliques = task->cliques.n;
	s->autos = arena_array(arena, (size_t)(MAX_AUTOS + 1) * s->ncliques, sizeof *s->autos);
	s->moved_at = arena_array(arena, MAX_AUTOS, sizeof *s->moved_at);
	if (s->autos == NULL || s->moved_at == NULL)
		return NFART_SYSTEM;
	for (uint32_t i = 0; i < MAX_AUTOS; i++)
		s->moved_at[i] = NEVER;
	status = map_igraph_automorphisms(&task->cliques, clique, arena, &generators, &n);
	if (status == NFART_OK)
		close_group(s, generators, n);
	return status;
}

enum nfart_status symmetry_init(struct symmetry *s, const struct map_task *task, uint32_t state,
				uint32_t clique, struct arena *arena)
{
	uint32_t n = task->nfa.n;
	enum nfart_status status;

	s->next_twin = arena_array(arena, n, sizeof *s->next_twin);
	s->component = arena_array(arena, n, sizeof *s->component);
	s->role = arena_array(arena, n, sizeof *s->role);
	s->member = arena_array(arena, n, sizeof *s->member);
	s->begin = arena_array(arena, (size_t)n + 1, sizeof *s->begin);
	s->next_equal = arena_array(arena, n, sizeof *s->next_equal);
	s->touched = arena_array(arena, n, sizeof *s->touched);
	s->decided = arena_array(arena, n, sizeof *s->decided);
	if (s->next_twin == NULL || s->component == NULL || s->role == NULL || s->member == NULL ||
	    s->begin == NULL || s->next_equal == NULL || s->touched == NULL || s->decided == NULL)
		return NFART_SYSTEM;
	status = init_autos(s, task, clique, arena);
	if (status == NFART_OK)
		status = equal_twins(task, s->next_twin);
	if (status == NFART_OK)
		status = equal_components(task, s, arena);
	s->decided[state] = true;
	s->touched[s->component[state]]++;
	return status;
}

void symmetry_decide(struct symmetry *s, uint32_t v, uint32_t c, uint32_t depth)
{
	s->decided[v] = true;
	s->touched[s->component[v]]++;
	for (uint32_t i = 0; i < s->nautos; i++)
		if (s->moved_at[i] == NEVER && s->autos[(size_t)i * s->ncliques + c] != c)
			s->moved_at[i] = depth;
}

void symmetry_take_back(struct symmetry *s, uint32_t v, uint32_t depth)
{
	s->decided[v] = false;
	s->touched[s->component[v]]--;
	for (uint32_t i = 0; i < s->nautos; i++)
		if (s->moved_at[i] == depth)
			s->moved_at[i] = NEVER;
}

static bool images_of_clique(const struct symmetry *s, uint32_t v, uint32_t c,
			     bool (*visit)(void *context, uint32_t v, uint32_t c), void *context)
{
	for (uint32_t i = 0; i < s->nautos; i++)
		if (s->moved_at[i] == NEVER &&
		    !visit(context, v, s->autos[(size_t)i * s->ncliques + c]))
			return false;
	return true;
}

static bool images_in_component(const struct symmetry *s, uint32_t v, uint32_t c,
				bool (*visit)(void *context, uint32_t v, uint32_t c), void *context)
{
	uint32_t u = v;

	do {
		if (!s->decided[u] && !images_of_clique(s, u, c, visit, context))
			return false;
		u = s->next_twin[u];
	} while (u != v);
	return true;
}

bool symmetry_images(const struct symmetry *s, uint32_t v, uint32_t c,
		     bool (*visit)(void *context, uint32_t v, uint32_t c), void *context)
{
	uint32_t own = s->component[v], k = own;

	do {
		uint32_t u = s->member[s->begin[k] + s->role[v]];
		bool free = k == own || (s->touched[k] == 0 && s->touched[own] == 0);

		if (free && !images_in_component(s, u, c, visit, context))
			return false;
		k = s->next_equal[k];
	} while (k != own);
	return true;
}
