/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/exact.h"

#include "backends/overlay/map/hubs.h"
#include "backends/overlay/map/igraph_wrap.h"

enum { BALL_STEPS = 1 << 22 }; /* the test of balls looks at so many edges: about half a second */

static enum nfart_status refute_fit(const struct map_problem *p, enum map_reason reason,
				    uint32_t state, uint64_t need, uint64_t have)
{
	p->report->reason = reason;
	p->report->state = state;
	p->report->need = need;
	p->report->have = have;
	return NFART_NOFIT;
}

static enum nfart_status test_degree(const struct map_problem *p)
{
	uint64_t need = map_degree(&p->nfa, p->fixed);
	uint64_t have = p->overlay->nneighbours * map_overlay_all_room(p->overlay) - 1;

	return need > have ? refute_fit(p, MAP_DEGREE, p->fixed, need, have) : NFART_OK;
}

/* Returns the smallest radius below `most` at which the ball of a state is too large,
 * or `most`. `queue` has the `reached` states around it, nearest first. *need becomes
 * the size of that ball. */
static uint32_t violated_radius(const struct map_problem *p, const uint32_t *dist,
				const uint32_t *queue, uint32_t reached, uint32_t most,
				uint64_t *need)
{
	for (uint32_t i = 0; i < reached && dist[queue[i]] < most; i++) {
		uint32_t r = dist[queue[i]];
		if (i + 1 < reached && dist[queue[i + 1]] == r)
			continue;
		if (i + (uint64_t)1 > p->ball[r]) {
			*need = i + (uint64_t)1;
			return r;
		}
	}
	return most;
}

/* Tests balls (exact.h). Finds the smallest radius at which some state has a ball that
 * is too large, and reports the first state with such a ball. Ends without a proof
 * after BALL_STEPS edges. */
static enum nfart_status test_balls(struct map_problem *p)
{
	uint32_t n = p->nfa.n, best = MAP_NO_STATE, radius = p->reach + 1;
	uint32_t *dist = arena_array(&p->arena, n, sizeof *dist);
	uint32_t *queue = arena_array(&p->arena, n, sizeof *queue);
	uint64_t steps = 0, need = 0;

	if (dist == NULL || queue == NULL)
		return NFART_SYSTEM;
	for (uint32_t v = 0; v < n; v++)
		dist[v] = MAP_FAR;
	for (uint32_t v = 0; v < n && steps < BALL_STEPS; v++) {
		uint32_t reached = map_bfs(&p->nfa, v, radius - 1, dist, queue);
		uint32_t r = violated_radius(p, dist, queue, reached, radius, &need);

		if (r < radius) {
			radius = r;
			best = v;
		}
		for (uint32_t i = 0; i < reached; i++) {
			steps += 1 + map_degree(&p->nfa, queue[i]);
			dist[queue[i]] = MAP_FAR;
		}
	}
	if (best == MAP_NO_STATE)
		return NFART_OK;
	p->report->radius = radius;
	return refute_fit(p, MAP_BALL, best, need, p->ball[radius]);
}

/* Tests the components of the NFA: each must fit into one connected part of the overlay, and those
 * with more than half of the room in a part need one each. */
static enum nfart_status test_components(struct map_problem *p)
{
	uint32_t *member = arena_array(&p->arena, p->nfa.n, sizeof *member), count, big = 0;
	uint32_t *size = arena_array(&p->arena, p->nfa.n, sizeof *size);
	uint64_t room = p->ball[p->reach];
	uint64_t parts = p->overlay->ncliques * map_overlay_all_room(p->overlay) / room;
	enum nfart_status status;

	if (member == NULL || size == NULL)
		return NFART_SYSTEM;
	status = map_igraph_components(p->graph, member, &count);
	if (status != NFART_OK)
		return status;
	for (uint32_t v = 0; v < p->nfa.n; v++)
		size[member[v]]++;
	for (uint32_t v = 0; v < p->nfa.n; v++)
		if (size[member[v]] > room)
			return refute_fit(p, MAP_COMPONENT, v, size[member[v]], room);
	for (uint32_t c = 0; c < count; c++)
		big += size[c] > room / 2;
	return big > parts ? refute_fit(p, MAP_COMPONENTS, MAP_NO_STATE, big, parts) : NFART_OK;
}

/* Tests for each kind of node whether there are more states than the overlay has room for. */
static enum nfart_status test_states(const struct map_problem *p)
{
	uint64_t need[MAP_MOST_KINDS] = {0};

	for (uint32_t v = 0; v < p->nfa.n; v++)
		need[problem_kind(p, v)]++;
	for (uint32_t kind = 0; kind <= p->overlay->more_kinds; kind++) {
		uint64_t have =
			(uint64_t)p->overlay->ncliques * map_overlay_room(p->overlay, kind);
		if (need[kind] > have)
			return refute_fit(p, MAP_STATES, MAP_NO_STATE, need[kind], have);
	}
	return NFART_OK;
}

enum nfart_status exact_tests(struct map_problem *p)
{
	enum nfart_status status = test_states(p);

	if (status == NFART_OK && p->nfa.n > 0)
		status = test_degree(p);
	if (status == NFART_OK)
		status = test_balls(p);
	if (status == NFART_OK)
		status = test_components(p);
	if (status == NFART_OK)
		status = hubs_test(p);
	return status;
}
