/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/anneal.h"

enum {
	NOBODY = UINT32_MAX,
	MOST_PAIRS = 1 << 20, /* pairs of cliques */
	STAGES = 2000,        /* in each run; the factor falls from stage to stage */
	MOVES = 1000,         /* in each stage */
	MOST_RISE = 32        /* a move that raises the cost by more is not made */
};

/* Probabilities are parts of 2^32. The factor for one unit of cost is e^-1 at first, and falls to
 * e^-6.7, which is as good as 0. */
static const uint64_t first_factor = 1580030169;
static const uint64_t fall = 4282814731; /* 2^32 * e^(-5.667 / STAGES) */

struct anneal {
	const struct map_task *task;
	uint32_t *place;  /* [n]: the place of each state; place p is in clique p / room */
	uint32_t *holder; /* [K * room]: the state in each place, or NOBODY */
	uint32_t *order;  /* [K * room]: scratch, a random order of places */
	uint32_t *excess; /* [K * K]: cost of an edge between two cliques */
	uint64_t random;
	int64_t cost;
};

/* Returns a random number. xorshift64* gives the same numbers on every machine. */
static uint32_t next_random(struct anneal *a)
{
	a->random ^= a->random >> 12;
	a->random ^= a->random << 25;
	a->random ^= a->random >> 27;
	return (uint32_t)(a->random * 0x2545f4914f6cdd1du >> 32);
}

static uint32_t random_below(struct anneal *a, uint32_t n)
{
	return (uint32_t)((uint64_t)next_random(a) * n >> 32);
}

static uint32_t clique_of(const struct anneal *a, uint32_t v)
{
	return a->place[v] / a->task->room[0];
}

/* The cost of all edges of v if v were in clique c. */
static int64_t cost_in(const struct anneal *a, uint32_t v, uint32_t c)
{
	const struct map_adj *nfa = &a->task->nfa;
	const uint32_t *excess = a->excess + (size_t)c * a->task->cliques.n;
	int64_t sum = 0;

	for (size_t i = nfa->first[v]; i < nfa->first[v + 1]; i++)
		sum += excess[clique_of(a, nfa->to[i])];
	return sum;
}

static bool measure_excess(struct anneal *a, struct arena *arena)
{
	uint32_t k = a->task->cliques.n, *queue = arena_array(arena, k, sizeof *queue);

	if (queue == NULL)
		return false;
	for (size_t i = 0; i < (size_t)k * k; i++)
		a->excess[i] = MAP_FAR;
	for (uint32_t c = 0; c < k; c++)
		map_bfs(&a->task->cliques, c, MAP_FAR, a->excess + (size_t)c * k, queue);
	for (size_t i = 0; i < (size_t)k * k; i++)
		a->excess[i] -= a->excess[i] > 0;
	return true;
}

/* Gives every state a random place. */
static void scatter(struct anneal *a)
{
	uint32_t places = a->task->cliques.n * a->task->room[0];
	int64_t twice = 0;

	for (uint32_t i = 0; i < places; i++) {
		uint32_t j = random_below(a, i + 1);
		a->order[i] = a->order[j];
		a->order[j] = i;
	}
	for (uint32_t i = 0; i < places; i++)
		a->holder[a->order[i]] = i < a->task->nfa.n ? i : NOBODY;
	for (uint32_t v = 0; v < a->task->nfa.n; v++)
		a->place[v] = a->order[v];
	for (uint32_t v = 0; v < a->task->nfa.n; v++)
		twice += cost_in(a, v, clique_of(a, v));
	a->cost = twice / 2;
}

/* Exchanges what is in two places. */
static void exchange_places(struct anneal *a, uint32_t p, uint32_t q)
{
	uint32_t u = a->holder[p], v = a->holder[q];

	a->holder[p] = v;
	a->holder[q] = u;
	if (u != NOBODY)
		a->place[u] = q;
	if (v != NOBODY)
		a->place[v] = p;
}

/* Draws a move and makes it, if it does not raise the cost by much. */
static void move_state(struct anneal *a, const uint64_t *chance)
{
	const struct map_adj *nfa = &a->task->nfa, *cliques = &a->task->cliques;
	uint32_t v = random_below(a, nfa->n);
	uint32_t u = nfa->to[nfa->first[v] + random_below(a, map_degree(nfa, v))];
	uint32_t near = clique_of(a, u), room = a->task->room[0];
	uint32_t way = random_below(a, map_degree(cliques, near));
	uint32_t to = cliques->to[cliques->first[near] + way];
	uint32_t from = clique_of(a, v), p = a->place[v], q = to * room + random_below(a, room);
	uint32_t other = a->holder[q];
	int64_t rise;

	if (to == from)
		return;
	rise = -cost_in(a, v, from) - (other != NOBODY ? cost_in(a, other, to) : 0);
	exchange_places(a, p, q);
	rise += cost_in(a, v, to) + (other != NOBODY ? cost_in(a, other, from) : 0);
	if (rise <= 0 || (rise < MOST_RISE && next_random(a) < chance[rise]))
		a->cost += rise;
	else
		exchange_places(a, p, q);
}

/* Makes one run. Is its result a mapping? */
static bool run_anneal(struct anneal *a)
{
	uint64_t chance[MOST_RISE], factor = first_factor;

	scatter(a);
	for (int stage = 0; stage < STAGES; stage++) {
		chance[0] = (uint64_t)1 << 32;
		for (int i = 1; i < MOST_RISE; i++)
			chance[i] = chance[i - 1] * factor >> 32;
		for (int i = 0; i < MOVES; i++) {
			if (a->cost == 0)
				return true;
			move_state(a, chance);
		}
		factor = factor * fall >> 32;
	}
	return a->cost == 0;
}

static bool prepare_anneal(struct anneal *a, struct arena *arena)
{
	size_t k = a->task->cliques.n, places = k * a->task->room[0];

	a->place = arena_array(arena, a->task->nfa.n, sizeof *a->place);
	a->holder = arena_array(arena, places, sizeof *a->holder);
	a->order = arena_array(arena, places, sizeof *a->order);
	a->excess = arena_array(arena, k * k, sizeof *a->excess);
	return a->place != NULL && a->holder != NULL && a->order != NULL && a->excess != NULL &&
	       measure_excess(a, arena);
}

enum nfart_status anneal_run(const struct map_task *task, uint64_t seed, uint32_t runs,
			     uint32_t *clique)
{
	struct anneal a = {.task = task, .random = seed * 0x9e3779b97f4a7c15u | 1};
	uint64_t k = task->cliques.n, places = k * task->room[0];
	enum nfart_status status = NFART_GAVEUP;
	struct arena arena = {0};

	if (task->kinds > 1 || k * k > MOST_PAIRS || places > MOST_PAIRS || task->nfa.n > places)
		return NFART_GAVEUP;
	if (!prepare_anneal(&a, &arena))
		status = NFART_SYSTEM;
	for (uint32_t i = 0; i < runs && status == NFART_GAVEUP; i++) {
		if (problem_time_left(task->p) == 0) {
			task->p->report->limit = MAP_LIMIT_TIME;
			break;
		}
		if (run_anneal(&a))
			status = NFART_OK;
	}
	for (uint32_t v = 0; v < task->nfa.n && status == NFART_OK; v++)
		clique[v] = clique_of(&a, v);
	arena_free(&arena);
	return status;
}
