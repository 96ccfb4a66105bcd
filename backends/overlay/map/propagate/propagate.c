/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/propagate/propagate.h"

#include <string.h>

#include "backends/overlay/map/propagate/all_different.h"
#include "backends/overlay/map/propagate/symmetry.h"

enum {
	NOWHERE = UINT32_MAX,
	/* states or cliques, whichever are more, times cliques; larger problems
	 * are left to other methods */
	MAX_PAIRS = 1 << 26,
	/* states times ends of edges up to which tightness() is used: it takes a
	 * tenth of a second or so */
	MAX_TIGHT = 1 << 21,
	/* the fullness of a radius with one state for each clique, in tightness() */
	FULL = 1 << 10,
	CLOCK_STEPS = 64, /* the clock is read once in CLOCK_STEPS steps */
	/* failures that the first run may have; each later run may have half as many again */
	RESTART_FAILURES = 100,
	FIXED_CLIQUE = 0
};

struct decision {
	uint32_t state, clique;
	struct domain_mark before;
};

/* What is known of the states. */
struct search_states {
	uint32_t *clique; /* [n]: the clique of each state that is placed */
	uint32_t *last;   /* [n]: the clique where a decision placed the state last, or NOWHERE */
	uint32_t *need;   /* [n]: neighbours that are not placed */
	/* [n]: 1 + how often it turned out that there was no clique for the state */
	uint64_t *weight;
	uint32_t *order;         /* [n]: all states, those near the fixed state first */
	uint32_t *dist;          /* [n]: distance from the fixed state, or MAP_FAR */
	uint32_t fixed, highest; /* the fixed state; the highest degree of a state */
	/* how many states are placed, which are the first ones in d.units */
	uint32_t nplaced;
};

/* What is known of the K cliques. */
struct search_cliques {
	uint32_t *used; /* [kinds * K]: how many states of each kind are in each clique */
	uint64_t *free; /* [K]: room that is left in N[c], for all kinds together */
	/* [kinds * words]: cliques that have become full and may still be in domains */
	uint64_t *full;
	uint64_t *touched; /* [words]: cliques whose `free` fell since close_tight() last looked */
	uint32_t *far;     /* [K]: distance of each clique from the fixed clique */
	uint32_t farthest; /* the largest distance in `far` */
};

struct search {
	const struct map_task *task;
	struct map_report *report;
	struct domains d;
	struct matching room;
	struct filter filter;
	struct symmetry symmetry;
	struct search_states states;
	struct search_cliques cliques;
	struct decision *stack; /* [n]: the decisions */
	uint32_t depth;         /* how many decisions there are */
	struct {
		uint64_t failures; /* failures of the current run */
		uint64_t n;        /* runs so far, with the current one */
		uint64_t patience; /* failures that the current run may have */
	} run;
};

/* Is v down to one clique? */
static bool is_somewhere(const struct search *s, uint32_t v)
{
	return s->d.size[v] == 1;
}

/* Places v in the one clique that is left in its domain, and notes what this changes: used, need,
 * free, full, touched. False: the clique has no room for v. */
static bool enter_clique(struct search *s, uint32_t v)
{
	const struct map_adj *nfa = &s->task->nfa, *cliques = &s->task->cliques;
	uint32_t c = domain_first(&s->d, v), kind = s->task->kind[v];
	uint32_t *used = s->cliques.used + (size_t)kind * cliques->n + c;

	s->states.clique[v] = c;
	++*used;
	for (size_t i = nfa->first[v]; i < nfa->first[v + 1]; i++)
		s->states.need[nfa->to[i]]--;
	for (size_t i = cliques->first[c]; i < cliques->first[c + 1]; i++) {
		s->cliques.free[cliques->to[i]]--;
		bits_set(s->cliques.touched, cliques->to[i]);
	}
	if (*used == s->task->room[kind])
		bits_set(s->cliques.full + kind * s->d.words, c);
	s->d.emptied = v;
	return *used <= s->task->room[kind];
}

/* Takes cliques that have become full from the domains of states that are not placed. False: a
 * domain is empty, or memory is short. */
static bool close_full(struct search *s)
{
	size_t words = s->d.words;

	for (uint32_t v = 0; v < s->task->nfa.n; v++)
		if (!is_somewhere(s, v) &&
		    !domain_subtract(&s->d, v, s->cliques.full + s->task->kind[v] * words))
			return false;
	memset(s->cliques.full, 0, words * s->task->kinds * sizeof *s->cliques.full);
	return true;
}

/* Removes a clique from a state's domain if the cliques around it have less room than the state and
 * its unplaced neighbours need. False: a domain is empty, or memory is short. */
static bool close_tight(struct search *s)
{
	uint32_t k = s->task->cliques.n;

	for (size_t c = bits_next(s->cliques.touched, k, 0); c < k;
	     c = bits_next(s->cliques.touched, k, c + 1)) {
		for (uint32_t v = 0; s->cliques.free[c] <= s->states.highest && v < s->task->nfa.n;
		     v++)
			if (s->states.need[v] >= s->cliques.free[c] && !is_somewhere(s, v) &&
			    !domain_remove(&s->d, v, (uint32_t)c))
				return false;
	}
	memset(s->cliques.touched, 0, s->d.words * sizeof *s->cliques.touched);
	return true;
}

/* Propagates, and places states whose domain is a single clique, until nothing changes. If `fine`
 * is false, only clears what is left to do. False: a contradiction, or out of memory. */
static bool settle_domains(struct search *s, bool fine)
{
	fine = domain_propagate(&s->d, fine);
	while (fine && s->states.nplaced < s->d.nunits) {
		while (fine && s->states.nplaced < s->d.nunits)
			fine = enter_clique(s, s->d.units[s->states.nplaced++]);
		fine = domain_propagate(&s->d, fine && close_full(s));
		if (fine && s->states.nplaced == s->d.nunits)
			fine = domain_propagate(&s->d, close_tight(s));
	}
	if (!fine) {
		memset(s->cliques.full, 0, s->d.words * s->task->kinds * sizeof *s->cliques.full);
		memset(s->cliques.touched, 0, s->d.words * sizeof *s->cliques.touched);
	}
	return fine;
}

/* Takes v out of its clique: the inverse of enter_clique(). */
static void leave_clique(struct search *s, uint32_t v)
{
	const struct map_adj *nfa = &s->task->nfa, *cliques = &s->task->cliques;
	uint32_t c = s->states.clique[v];

	s->cliques.used[(size_t)s->task->kind[v] * cliques->n + c]--;
	for (size_t i = nfa->first[v]; i < nfa->first[v + 1]; i++)
		s->states.need[nfa->to[i]]++;
	for (size_t i = cliques->first[c]; i < cliques->first[c + 1]; i++)
		s->cliques.free[cliques->to[i]]++;
}

/* Is a mapping still possible? Until nothing changes, it propagates, checks that there is
 * room for all states at once, and removes cliques from domains that leave no such room.
 * `fine` is false if an earlier step failed already. False: there is no mapping under the
 * decisions, or memory is short. */
static bool is_possible(struct search *s, bool fine)
{
	uint32_t blamed;

	do {
		fine = settle_domains(s, fine);
		blamed = fine ? matching_repair(&s->room) : s->d.emptied;
		fine = fine && blamed == MATCHING_NONE && filter_domains(&s->filter);
	} while (fine && s->d.queue.n > 0);
	if (fine)
		return true;
	settle_domains(s, false);
	if (blamed != MATCHING_NONE)
		s->states.weight[blamed]++;
	s->run.failures++;
	s->report->failures++;
	return false;
}

/* Decides that v is in c, a clique of its domain. False: that is not
 * possible, or memory is short. */
static bool place_state(struct search *s, uint32_t v, uint32_t c)
{
	s->stack[s->depth] = (struct decision){v, c, domain_mark(&s->d)};
	symmetry_decide(&s->symmetry, v, c, s->depth);
	s->depth++;
	s->states.last[v] = c;
	s->report->steps++;
	return is_possible(s, domain_keep(&s->d, v, c));
}

/* Takes back the last decision with everything that followed from it. Returns the decision. */
static struct decision take_back(struct search *s)
{
	struct decision decision = s->stack[--s->depth];

	while (s->states.nplaced > decision.before.units)
		leave_clique(s, s->d.units[--s->states.nplaced]);
	domain_undo(&s->d, decision.before);
	symmetry_take_back(&s->symmetry, decision.state, s->depth);
	return decision;
}

/* Removes c from the domain of v, if c is in it. False: the domain is empty, or memory is short. */
static bool refute_placement(void *context, uint32_t v, uint32_t c)
{
	struct search *s = context;

	return !bits_get(domain_of(&s->d, v), c) || domain_remove(&s->d, v, c);
}

/* Takes back decisions until one has an alternative. What was refuted, with its
 * images under symmetries, is removed from domains. False: no decision has an
 * alternative, or memory is short. */
static bool backtrack(struct search *s)
{
	while (s->depth > 0 && !s->d.no_memory) {
		struct decision last = take_back(s);
		if (is_possible(s, symmetry_images(&s->symmetry, last.state, last.clique,
						   refute_placement, s)))
			return true;
	}
	return false;
}

/* Must the search still decide where v goes? Not if v or all its neighbours are placed. */
static bool is_open(const struct search *s, uint32_t v)
{
	return s->states.need[v] > 0 && !is_somewhere(s, v);
}

/* Returns the open state (is_open()) that is farthest from the fixed one, provided that some clique
 * is as far from the fixed clique. NOWHERE: there is none. */
static uint32_t choose_far(const struct search *s)
{
	for (uint32_t i = s->task->nfa.n; i-- > 0;) {
		uint32_t v = s->states.order[i];
		if (s->states.dist[v] != MAP_FAR && is_open(s, v))
			return s->states.dist[v] <= s->cliques.farthest ? v : NOWHERE;
	}
	return NOWHERE;
}

/* Should v be placed before u? The smaller the domain and the larger the weight and the number of
 * unplaced neighbours, the earlier. */
static bool is_harder(const struct search *s, uint32_t v, uint32_t u)
{
	return s->d.size[v] * s->states.weight[u] * s->states.need[u] <
	       s->d.size[u] * s->states.weight[v] * s->states.need[v];
}

/* Returns the open state to place next. The first decision of every second run takes a far one, all
 * other decisions take the hardest one. NOWHERE: no state is open. */
static uint32_t choose_state(const struct search *s)
{
	uint32_t best = s->depth == 0 && s->run.n % 2 == 1 ? choose_far(s) : NOWHERE;

	if (best != NOWHERE)
		return best;
	for (uint32_t i = 0; i < s->task->nfa.n; i++) {
		uint32_t v = s->states.order[i];
		if (is_open(s, v) && (best == NOWHERE || is_harder(s, v, best)))
			best = v;
	}
	return best;
}

/* Is c a better place than `best` for a state of this kind? In every second run it is if there is
 * less room around it. In the other runs it is if it is farther away (first decision) or has fewer
 * states of the kind (later decisions). */
static bool is_better(const struct search *s, uint32_t kind, uint32_t c, uint32_t best)
{
	const uint32_t *used = s->cliques.used + (size_t)kind * s->task->cliques.n;

	if (s->run.n % 2 == 0)
		return s->cliques.free[c] < s->cliques.free[best];
	return s->depth == 0 ? s->cliques.far[c] > s->cliques.far[best] : used[c] < used[best];
}

/* Returns the clique to try for v: where v was last, if v's domain allows
 * that, or else the best one. */
static uint32_t choose_clique(const struct search *s, uint32_t v)
{
	const uint64_t *dom = domain_of(&s->d, v);
	uint32_t best = NOWHERE, k = s->d.ncliques;

	if (s->states.last[v] != NOWHERE && bits_get(dom, s->states.last[v]))
		return s->states.last[v];
	for (size_t c = bits_next(dom, k, 0); c < k; c = bits_next(dom, k, c + 1))
		if (best == NOWHERE || is_better(s, s->task->kind[v], (uint32_t)c, best))
			best = (uint32_t)c;
	return best;
}

/* Begins the next run: takes all decisions back, but keeps weights, places and what was
 * proved without decisions. */
static void restart_search(struct search *s)
{
	while (s->depth > 0)
		take_back(s);
	s->run.failures = 0;
	s->run.patience += s->run.patience / 2;
	s->run.n++;
}

static bool is_over(struct search *s)
{
	const struct map_problem *p = s->task->p;

	if (s->report->steps >= s->task->steps)
		s->report->limit = MAP_LIMIT_STEPS;
	else if (p->options->failures != 0 && s->report->failures >= p->options->failures)
		s->report->limit = MAP_LIMIT_FAILURES;
	else if (s->report->steps % CLOCK_STEPS == 0 && problem_time_left(p) == 0)
		s->report->limit = MAP_LIMIT_TIME;
	return s->report->limit != MAP_NO_LIMIT;
}

static enum nfart_status run_search(struct search *s)
{
	uint32_t v;

	if (!is_possible(s, domain_keep(&s->d, s->states.fixed, FIXED_CLIQUE)))
		return s->d.no_memory ? NFART_SYSTEM : NFART_NOFIT;
	while ((v = choose_state(s)) != NOWHERE) {
		if (is_over(s))
			return NFART_GAVEUP;
		if (!place_state(s, v, choose_clique(s, v)) && !backtrack(s))
			return s->d.no_memory ? NFART_SYSTEM : NFART_NOFIT;
		if (s->run.failures > s->run.patience)
			restart_search(s);
	}
	for (v = 0; v < s->task->nfa.n; v++)
		s->states.clique[v] = s->room.clique[v];
	return NFART_OK;
}

/* Fills s->far with the distances of all cliques from `clique`, and within [K]: how
 * many cliques are within each distance. Returns the smallest distance within which
 * there is half of the cliques. */
static uint32_t fill_far(struct search *s, uint32_t clique, uint32_t *within)
{
	uint32_t k = s->task->cliques.n, radius = 0;

	for (uint32_t c = 0; c < k; c++)
		s->cliques.far[c] = MAP_FAR;
	map_bfs(&s->task->cliques, clique, MAP_FAR, s->cliques.far, s->room.queue);
	for (uint32_t i = 0; i < k; i++) {
		s->cliques.farthest = s->cliques.far[s->room.queue[i]];
		within[s->cliques.farthest] = i + 1;
		if (i < k / 2)
			radius = s->cliques.farthest;
	}
	return radius;
}

/* Returns how full the surroundings of v are: states for each clique within a radius, summed over
 * all radii up to `radius`. */
static uint64_t tightness(struct search *s, uint32_t v, const uint32_t *within, uint32_t radius)
{
	uint32_t reached = map_bfs(&s->task->nfa, v, radius, s->states.dist, s->states.order);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < reached; i++) {
		uint32_t r = s->states.dist[s->states.order[i]];

		if (i + 1 == reached || s->states.dist[s->states.order[i + 1]] > r)
			sum += ((uint64_t)i + 1) * FULL / within[r];
	}
	for (uint32_t i = 0; i < reached; i++)
		s->states.dist[s->states.order[i]] = MAP_FAR;
	return sum;
}

/* Returns the state that has the least freedom: the one with the fullest surroundings or, in large
 * graphs, one of highest degree. */
static uint32_t find_tightest(struct search *s, const uint32_t *within, uint32_t radius)
{
	const struct map_adj *nfa = &s->task->nfa;
	bool is_large = nfa->n * (uint64_t)nfa->first[nfa->n] > MAX_TIGHT;
	uint64_t most = 0;
	uint32_t best = 0;

	for (uint32_t v = 0; v < nfa->n; v++) {
		uint64_t t = is_large ? s->states.need[v] : tightness(s, v, within, radius);
		if (t > most) {
			most = t;
			best = v;
		}
	}
	return best;
}

/* Chooses the fixed state. Fills s->order with the states by their distance from it, then those
 * that are not connected with it. */
static void fill_order(struct search *s, const uint32_t *within, uint32_t radius)
{
	uint32_t n = s->task->nfa.n, reached;

	for (uint32_t v = 0; v < n; v++)
		s->states.dist[v] = MAP_FAR;
	s->states.fixed = find_tightest(s, within, radius);
	reached = map_bfs(&s->task->nfa, s->states.fixed, MAP_FAR, s->states.dist, s->states.order);
	for (uint32_t v = 0; v < n; v++)
		if (s->states.dist[v] == MAP_FAR)
			s->states.order[reached++] = v;
}

static void fill_search(struct search *s)
{
	const struct map_adj *nfa = &s->task->nfa, *cliques = &s->task->cliques;
	uint64_t room = 0;

	for (uint32_t kind = 0; kind < s->task->kinds; kind++)
		room += s->task->room[kind];
	for (uint32_t c = 0; c < cliques->n; c++)
		s->cliques.free[c] = room * map_degree(cliques, c);
	for (uint32_t v = 0; v < nfa->n; v++) {
		s->states.last[v] = NOWHERE;
		s->states.weight[v] = 1;
		s->states.need[v] = map_degree(nfa, v);
		if (s->states.need[v] > s->states.highest)
			s->states.highest = s->states.need[v];
	}
}

static bool prepare_search(struct search *s, struct arena *a)
{
	uint32_t n = s->task->nfa.n, k = s->task->cliques.n;

	s->states.last = arena_array(a, n, sizeof *s->states.last);
	s->cliques.used = arena_array(a, (size_t)k * s->task->kinds, sizeof *s->cliques.used);
	s->cliques.free = arena_array(a, k, sizeof *s->cliques.free);
	s->cliques.full = arena_array(a, bits_words(k) * s->task->kinds, sizeof *s->cliques.full);
	s->cliques.touched = arena_array(a, bits_words(k), sizeof *s->cliques.touched);
	s->cliques.far = arena_array(a, k, sizeof *s->cliques.far);
	s->states.need = arena_array(a, n, sizeof *s->states.need);
	s->states.weight = arena_array(a, n, sizeof *s->states.weight);
	s->states.order = arena_array(a, n, sizeof *s->states.order);
	s->states.dist = arena_array(a, n, sizeof *s->states.dist);
	s->stack = arena_array(a, n, sizeof *s->stack);
	return s->states.last != NULL && s->cliques.used != NULL && s->cliques.free != NULL &&
	       s->cliques.full != NULL && s->cliques.touched != NULL && s->cliques.far != NULL &&
	       s->states.need != NULL && s->states.weight != NULL && s->states.order != NULL &&
	       s->states.dist != NULL && s->stack != NULL && domain_init(&s->d, s->task, a) &&
	       matching_init(&s->room, &s->d, a) && filter_init(&s->filter, &s->room, a);
}

enum nfart_status propagate_run(const struct map_task *task, uint32_t *clique)
{
	uint64_t states = task->nfa.n, cliques = task->cliques.n;
	struct search s = {
		.task = task, .report = task->p->report, .states.clique = clique, .run.n = 1,
		.run.patience = RESTART_FAILURES};
	enum nfart_status status = NFART_SYSTEM;
	struct arena arena = {0};
	uint32_t *within;

	if ((states > cliques ? states : cliques) * cliques > MAX_PAIRS) {
		task->p->report->limit = MAP_LIMIT_SIZE;
		return NFART_GAVEUP;
	}
	within = arena_array(&arena, task->cliques.n, sizeof *within);
	if (within != NULL && prepare_search(&s, &arena)) {
		fill_search(&s);
		fill_order(&s, within, fill_far(&s, FIXED_CLIQUE, within));
		status = symmetry_init(&s.symmetry, task, s.states.fixed, FIXED_CLIQUE, &arena);
		if (status == NFART_OK)
			status = run_search(&s);
	}
	domain_free(&s.d);
	arena_free(&arena);
	return status;
}
