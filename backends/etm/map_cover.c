/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds the fewest selectors that compute all functions of a trace unit, by trying everything
 * (map_int.h, Note [fewest]).
 */
#include <string.h>

#include "backends/etm/map_int.h"
#include "backends/etm/map_needs.h"

enum { MOST_RESETS = 4096 };

/* A selector, or a pair, and what it covers. */
struct candidate {
	uint16_t f, g; /* g == f: a single selector */
	bool inv;
	uint8_t cost;
	uint32_t covers;
};

struct cover {
	struct map *m;
	struct map_needs needs;
	/* The functions that are not constant. Masks below have a bit for each of them. */
	uint32_t nvars;
	uint32_t field[MAP_COVER];
	struct {
		uint32_t *one;     /* [functions]: what a selector computes */
		uint32_t *onsub, *offsub; /* what else a pair with it may compute: its rows have
					   * all of `on`, or of `off` for an inverted pair */
	} can;
	/* [1 << MAP_COVER], by what is covered: a candidate of cost 1, or at most 2, covers all */
	bool *known[2];
	VEC(struct candidate) candidates;
	uint16_t *best;             /* [1 << MAP_COVER]: least cost to cover a set */
	uint32_t *by;               /* which candidate came last */
	bool *keep;                 /* [UINT16_MAX + 1]: is a candidate kept? */
	uint64_t *rows;             /* room for a set of rows */
	bool failed, gave_up;
	uint64_t tried;
};

static bool subset(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if ((a[i] & ~b[i]) != 0)
			return false;
	return true;
}

static bool disjoint(const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if ((a[i] & b[i] & c[i]) != 0)
			return false;
	return true;
}

/* Finds out which functions are constant, and lists the others in c->field. Stores the constants
 * in *choice, and which functions nothing computes because they must hold and must not in one row.
 * False: there are too many others. */
static bool list_vars(struct cover *c, struct map_choice *choice)
{
	size_t words = c->m->table.words;

	c->nvars = 0;
	choice->impossible = 0;
	for (uint32_t i = 0; i < NFIELDS; i++) {
		bool on = bits_any(c->needs.on[i], words), off = bits_any(c->needs.off[i], words);
		choice->event[i] = (struct map_event){ .kind = on ? MAP_TRUE : MAP_FALSE };
		if (!on || !off)
			continue;
		if (!disjoint(c->needs.on[i], c->needs.off[i], c->needs.off[i], words))
			choice->impossible |= 1u << i;
		if (c->nvars == MAP_COVER)
			return false;
		c->field[c->nvars++] = i;
	}
	return true;
}

/* What of the functions in `mask`, which may depend on f and g, does f AND g compute (inverted: the
 * contrary)? */
static uint32_t computes(const struct cover *c, const struct map_function *f,
			 const struct map_function *g, uint32_t mask, bool inv)
{
	uint32_t covers = 0;

	for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
		uint32_t v = (uint32_t)__builtin_ctz(rest), field = c->field[v];
		const uint64_t *zero = inv ? c->needs.on[field] : c->needs.off[field];
		if (disjoint(f->rows, g->rows, zero, c->m->table.words))
			covers |= 1u << v;
	}
	return covers;
}

/* Adds a candidate, unless one that costs no more covers as much. */
static void add_candidate(struct cover *c, struct candidate x)
{
	if (x.covers == 0 || c->known[x.cost - 1][x.covers])
		return;
	if (!vec_push(&c->candidates, x))
		c->failed = true;
	for (uint32_t s = x.covers; s != 0; s = (s - 1) & x.covers)
		for (uint32_t i = x.cost - 1u; i < 2; i++)
			c->known[i][s] = true;
}

static void list_singles(struct cover *c)
{
	for (uint32_t i = 0; i < c->m->nfunctions; i++) {
		const struct map_function *f = &c->m->function[i];
		c->can.onsub[i] = c->can.offsub[i] = 0;
		for (uint32_t v = 0; v < c->nvars; v++) {
			uint32_t field = c->field[v];
			if ((f->allowed >> field & 1) == 0)
				continue;
			if (subset(c->needs.on[field], f->rows, c->m->table.words))
				c->can.onsub[i] |= 1u << v;
			if (subset(c->needs.off[field], f->rows, c->m->table.words))
				c->can.offsub[i] |= 1u << v;
		}
		c->can.one[i] = computes(c, f, f, c->can.onsub[i], false);
		c->can.onsub[i] &= ~c->can.one[i];
		c->can.offsub[i] &= ~c->can.one[i];
		add_candidate(
			c, (struct candidate){ (uint16_t)i, (uint16_t)i, false, 1, c->can.one[i] });
	}
}

/* Adds the pair of functions i and k, which can cover the functions in `mask` besides what its
 * selectors do, unless another candidate is known that covers all of that. */
static void add_pair(struct cover *c, uint32_t i, uint32_t k, uint32_t mask, bool inv)
{
	uint32_t one = c->can.one[i] | c->can.one[k], covers;

	if (mask == 0 || c->known[1][mask | one])
		return;
	covers = computes(c, &c->m->function[i], &c->m->function[k], mask, inv);
	if (covers != 0)
		add_candidate(c, (struct candidate){ (uint16_t)i, (uint16_t)k, inv, 2,
						     covers | one });
}

static void list_pairs(struct cover *c)
{
	uint32_t n = c->m->nfunctions;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++) {
			uint32_t and = c->can.onsub[i] & c->can.onsub[k];
			uint32_t nand = c->can.offsub[i] & c->can.offsub[k];
			if ((and | nand) == 0)
				continue;
			add_pair(c, i, k, and, false);
			add_pair(c, i, k, nand, true);
		}
	c->tried += (uint64_t)n * (n - 1);
}

/* Drops candidates for which another one covers as much and costs no more. */
static void drop_dominated(struct cover *c)
{
	const struct candidate *x = c->candidates.at;
	size_t n = 0;

	for (size_t i = 0; i < c->candidates.n; i++) {
		bool dominated = false;
		for (size_t k = 0; k < c->candidates.n && !dominated; k++)
			dominated = k != i && (x[i].covers & ~x[k].covers) == 0 &&
				    (x[k].cost < x[i].cost ||
				     (x[k].cost == x[i].cost &&
				      (x[k].covers != x[i].covers || k < i)));
		c->keep[i] = !dominated;
	}
	for (size_t i = 0; i < c->candidates.n; i++)
		if (c->keep[i])
			c->candidates.at[n++] = c->candidates.at[i];
	c->candidates.n = n;
}

/* Finds the cheapest cover. Returns its cost, or UINT32_MAX if there is none or none cheaper than
 * `below`. Each function is covered in rising order, so each set of candidates is met once. */
static uint32_t cheapest(struct cover *c, uint32_t below)
{
	uint32_t all = (1u << c->nvars) - 1;

	memset(c->best, 0xff, (all + 1u) * sizeof *c->best);
	c->best[0] = 0;
	for (uint32_t s = 0; s < all; s++) {
		uint32_t bit = ~s & (s + 1);
		if (c->best[s] == UINT16_MAX || c->best[s] + 1u >= below)
			continue;
		for (size_t i = 0; i < c->candidates.n; i++) {
			const struct candidate *x = &c->candidates.at[i];
			uint32_t t = s | x->covers;
			if ((x->covers & bit) == 0 || c->best[s] + x->cost >= c->best[t])
				continue;
			c->best[t] = (uint16_t)(c->best[s] + x->cost);
			c->by[t] = s << 16 | (uint32_t)i;
		}
	}
	return c->best[all] == UINT16_MAX || c->best[all] >= below ? UINT32_MAX : c->best[all];
}

/* Writes the cover that cheapest() found to *choice. */
static void take(struct cover *c, struct map_choice *choice)
{
	uint32_t s = (1u << c->nvars) - 1;

	while (s != 0) {
		uint32_t before = c->by[s] >> 16;
		const struct candidate *x = &c->candidates.at[c->by[s] & 0xffff];
		for (uint32_t v = 0; v < c->nvars; v++) {
			struct map_event *e = &choice->event[c->field[v]];
			if ((x->covers >> v & 1) == 0)
				continue;
			*e = (struct map_event){ .kind = MAP_ONE, .f = x->f };
			if ((c->can.one[x->f] >> v & 1) == 0 && (c->can.one[x->g] >> v & 1) != 0)
				e->f = x->g;
			else if ((c->can.one[x->f] >> v & 1) == 0)
				*e = (struct map_event){ MAP_PAIR, x->f, x->g, x->inv };
		}
		s = before;
	}
}

/* What no selector and no pair computes. */
static uint32_t impossible(const struct cover *c)
{
	uint32_t covered = 0, fields = 0;

	for (size_t i = 0; i < c->candidates.n; i++)
		covered |= c->candidates.at[i].covers;
	for (uint32_t v = 0; v < c->nvars; v++)
		fields |= (covered >> v & 1) == 0 ? 1u << c->field[v] : 0;
	return fields;
}

/* Solves what c->needs asks for. *choice becomes the realisation if one costs less than `below`;
 * then the cost is returned, else UINT32_MAX. */
static uint32_t solve(struct cover *c, uint32_t below, struct map_choice *choice)
{
	uint32_t cost;

	if (!list_vars(c, choice)) {
		c->gave_up = true;
		return UINT32_MAX;
	}
	choice->cost = UINT32_MAX;
	if (choice->impossible != 0)
		return UINT32_MAX;
	c->candidates.n = 0;
	for (int i = 0; i < 2; i++)
		memset(c->known[i], false, sizeof *c->known[i] << c->nvars);
	list_singles(c);
	list_pairs(c);
	if (c->candidates.n > UINT16_MAX)
		c->gave_up = true;
	if (c->failed || c->gave_up)
		return UINT32_MAX;
	choice->impossible = impossible(c);
	drop_dominated(c);
	cost = cheapest(c, below);
	if (cost != UINT32_MAX)
		take(c, choice);
	choice->cost = cost;
	return cost;
}

/* ---- resets ---- */

/* Where a reset event can help: rows that lead to state 0. Those that begin there need no step
 * forward that does not hold. */
static void reset_rows(const struct map *m, const uint8_t *q, uint64_t *helps, uint64_t *harms)
{
	memset(helps, 0, m->table.words * 8);
	memset(harms, 0, m->table.words * 8);
	for (uint32_t r = 0; r < m->table.n; r++)
		bits_set(q[m->table.row[r].next] != 0 ? harms : helps, r);
}

struct resets {
	VEC(uint64_t *) sets;
	uint64_t *helps, *harms;
};

/* Adds the rows in which the event f AND g (inverted: the contrary) helps, if it does no harm. */
static void add_reset(struct cover *c, struct resets *x, const struct map_function *f,
		      const struct map_function *g, bool inv)
{
	size_t words = c->m->table.words;
	uint64_t *set;

	for (size_t i = 0; i < words; i++) {
		uint64_t v = f->rows[i] & g->rows[i];
		c->rows[i] = inv ? ~v : v;
		if ((c->rows[i] & x->harms[i]) != 0)
			return;
		c->rows[i] &= x->helps[i];
	}
	if (!bits_any(c->rows, words))
		return;
	for (size_t i = 0; i < x->sets.n; i++)
		if (memcmp(x->sets.at[i], c->rows, words * 8) == 0)
			return;
	set = arena_array(&c->m->arena, words, 8);
	c->gave_up = c->gave_up || x->sets.n == MOST_RESETS;
	if (set == NULL || !vec_push(&x->sets, set)) {
		c->failed = true;
		return;
	}
	memcpy(set, c->rows, words * 8);
}

static void list_resets(struct cover *c, struct resets *x)
{
	const struct map_function *f = c->m->function;
	uint32_t n = c->m->nfunctions;

	for (uint32_t i = 0; i < n && !c->gave_up; i++)
		for (uint32_t k = i; k < n && !c->gave_up; k++) {
			add_reset(c, x, &f[i], &f[k], false);
			add_reset(c, x, &f[i], &f[k], true);
		}
}

/* Replaces *best by what `trial` found, if that is cheaper. */
static void better(struct map_choice *best, const struct map_choice *trial, const uint8_t *q,
		   uint32_t chain)
{
	if (trial->cost >= best->cost) {
		if (best->cost == UINT32_MAX && best->impossible == 0) {
			best->impossible = trial->impossible;
			memcpy(best->q, q, sizeof best->q);
		}
		return;
	}
	*best = *trial;
	memcpy(best->q, q, sizeof best->q);
	best->chain = chain;
}

/* Finds the fewest selectors for one assignment of states. What it takes if resets cost nothing is
 * a lower bound, which skips most assignments. */
static void try_resets(struct cover *c, const uint8_t *q, uint32_t chain, struct map_choice *best)
{
	struct map_choice trial = { .cost = UINT32_MAX };
	struct resets x = { .helps = NULL };

	map_needs_make(&c->needs, c->m, q, chain, NULL, true);
	if (solve(c, best->cost, &trial) == UINT32_MAX && best->cost != UINT32_MAX)
		return;
	map_needs_make(&c->needs, c->m, q, chain, NULL, false);
	solve(c, best->cost, &trial);
	better(best, &trial, q, chain);
	x.helps = arena_array(&c->m->arena, c->m->table.words, 8);
	x.harms = arena_array(&c->m->arena, c->m->table.words, 8);
	if (x.helps == NULL || x.harms == NULL) {
		c->failed = true;
		return;
	}
	reset_rows(c->m, q, x.helps, x.harms);
	list_resets(c, &x);
	for (size_t i = 0; i < x.sets.n && !c->failed && !c->gave_up; i++) {
		map_needs_make(&c->needs, c->m, q, chain, x.sets.at[i], false);
		solve(c, best->cost, &trial);
		better(best, &trial, q, chain);
	}
	vec_free(&x.sets);
}

/* ---- assignments ---- */

/* Advances q to the next assignment, in the order of numbers with q[0] as the first digit. */
static bool next_assignment(const struct map *m, uint8_t *q)
{
	for (size_t i = m->machine->states.n; i-- > 0; q[i] = 0)
		if (m->table.reached[i] && ++q[i] < m->core->has.states)
			return true;
	return false;
}

/* Are states that share a state of the sequencer told apart by levels? */
static bool is_assignment(const struct map *m, const uint8_t *q)
{
	for (size_t i = 0; i < m->machine->states.n; i++)
		for (size_t k = 0; k < i; k++)
			if (m->table.reached[i] && m->table.reached[k] && q[i] == q[k] &&
			    m->table.level[i] == m->table.level[k])
				return false;
	return true;
}

/* Tries one assignment, with and without counters chained. */
static void try_assignment(struct cover *c, const uint8_t *q, struct map_choice *best)
{
	c->m->report->search.assignments++;
	if (!map_functions(c->m, q)) {
		c->gave_up = true;
		return;
	}
	c->m->report->search.functions = c->m->nfunctions;
	for (uint32_t chain = 0; chain < 1u << c->m->counters.n && !c->failed && !c->gave_up;
	     chain++) {
		/* Only odd counters can be chained, to the one below. */
		if ((chain & 0x5) != 0)
			continue;
		try_resets(c, q, chain, best);
	}
}

static bool init(struct cover *c, struct map *m)
{
	c->m = m;
	m->function = arena_array(&m->arena, MAP_FUNCTIONS, sizeof *m->function);
	c->can.one = arena_array(&m->arena, MAP_FUNCTIONS, 4);
	c->can.onsub = arena_array(&m->arena, MAP_FUNCTIONS, 4);
	c->can.offsub = arena_array(&m->arena, MAP_FUNCTIONS, 4);
	c->known[0] = arena_array(&m->arena, 1u << MAP_COVER, sizeof *c->known[0]);
	c->known[1] = arena_array(&m->arena, 1u << MAP_COVER, sizeof *c->known[1]);
	c->best = arena_array(&m->arena, 1u << MAP_COVER, sizeof *c->best);
	c->by = arena_array(&m->arena, 1u << MAP_COVER, 4);
	c->keep = arena_array(&m->arena, UINT16_MAX + 1, sizeof *c->keep);
	c->rows = arena_array(&m->arena, m->table.words, 8);
	return m->function != NULL && c->can.one != NULL && c->can.onsub != NULL &&
	       c->can.offsub != NULL && c->known[0] != NULL && c->known[1] != NULL &&
	       c->best != NULL && c->by != NULL && c->keep != NULL && c->rows != NULL &&
	       map_needs_init(&c->needs, m);
}

enum nfart_status map_cover(struct map *m, uint32_t below, struct map_choice *best)
{
	struct cover *c = arena_alloc(&m->arena, sizeof *c);
	uint8_t q[ETM_MAP_STATES] = { 0 };
	bool is, more = true;

	*best = (struct map_choice){ .cost = below };
	if (c == NULL)
		return NFART_SYSTEM;
	memset(c, 0, sizeof *c);
	m->report->search.assignments = 0;
	is = init(c, m);
	for (; is && more && !c->failed && !c->gave_up; more = next_assignment(m, q))
		if (is_assignment(m, q))
			try_assignment(c, q, best);
	if (is && best->cost < below && !map_functions(m, best->q))
		is = false;
	m->report->search.pairs = c->tried > UINT32_MAX ? UINT32_MAX : (uint32_t)c->tried;
	vec_free(&c->candidates);
	return !is || c->failed ? NFART_SYSTEM : c->gave_up ? NFART_GAVEUP : NFART_OK;
}
