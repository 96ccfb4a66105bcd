/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Searches for the overlays on which filters fit, the cheapest first (fit_search()).
 *
 * Note [cheapest overlay]. For given lines and slots the cost of an overlay depends only on its
 * number of STEs and on its fan-in, and grows with each of them. The search tries candidates in the
 * order of their cost. So if candidate X is at least as large as candidate Y in STEs and in fan-in,
 * X is tried after Y. It follows that the first candidate that fits is the cheapest. X is skipped
 * if Y fits, because X costs more and has no advantage. Parameters (C, L, R, N) that give the same
 * graph count as one candidate.
 */
#include "backends/overlay/fit/fit_search.h"

#include <string.h>

enum {
	MOST_CANDIDATES = 1 << 20,
	/* If only the cheapest overlay is wanted, at most MOST_SHAPES shapes (C, L, R) are looked
	 * at. Only filters of more than 10,000 states have more shapes. */
	MOST_SHAPES = 1 << 21,
	MISSES = 10,     /* guessing ends when this many guesses in a row do not fit */
	FEW = 4,         /* the first guesses have cliques of 1 to FEW STEs */
	PROBE_SHARE = 20 /* the work on one overlay is at most 1 / PROBE_SHARE of what is left */
};

void fit_options_init(struct fit_options *o)
{
	memset(o, 0, sizeof *o);
	o->range = (struct fit_range){ .clique = OVERLAY_MOST_clique, .length = OVERLAY_MOST_length,
				       .rings = 16, .reach = 8 };
	o->weights = (struct fit_weights){ 1, 1 };
	o->probes = 20000;
	o->work = 200000000;
	map_options_init(&o->map);
	o->map.steps = 20000;
}

struct candidate {
	uint64_t cost;
	uint32_t stes, preds;
	uint32_t c, l, r, n;
};

static int by_cost(const void *x, const void *y)
{
	const struct candidate *p = x, *q = y;
	uint64_t a[] = { p->cost, p->stes, p->preds, p->r, p->n, p->l, p->c };
	uint64_t b[] = { q->cost, q->stes, q->preds, q->r, q->n, q->l, q->c };

	for (size_t i = 0; i < sizeof a / sizeof a[0]; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

struct search {
	const struct fit_unit *u;
	size_t n;
	const struct fit_options *options;
	struct overlay base;
	struct fit_range range;
	uint64_t states;
	uint64_t limit; /* only candidates whose cost is below this limit are tried */
	VEC(struct candidate) candidates;
	uint64_t shapes; /* how many shapes (C, L, R) were looked at so far */
	/* [states of all units, unit after unit]: how many neighbours each state has */
	VEC(uint32_t) degrees;
	/* [fan-in]: lower bound on the STEs that the largest unit needs in an overlay with this
	 * fan-in; 0: not computed yet */
	VEC(uint32_t) needed;
	fit_work_t left;
	struct fit_result *r;
	bool no_memory;
};

/* Returns the overlay of the search with this graph. Where the states of lines may be copies, they are
 * in a memory if that is cheaper. */
static struct overlay overlay_of(const struct search *s, uint32_t c, uint32_t l, uint32_t r,
				 uint32_t n)
{
	struct overlay o = s->base;

	o.clique = c;
	o.length = l;
	o.rings = r;
	o.reach = n;
	if (o.lines > 1 && o.state == OVERLAY_STATE_COPIES) {
		struct overlay m = o;
		m.state = OVERLAY_STATE_MEMORY;
		if (fit_cost(&m, &s->options->weights).cost <
		    fit_cost(&o, &s->options->weights).cost)
			return m;
	}
	return o;
}

/* Does another candidate have the same graph as overlay (c, l, r, n)? If all cliques are adjacent
 * to each other, the graph is that of one larger clique. If rings have length 1 and reach 1, the
 * graph is that of one long ring. */
static bool is_repeat(const struct search *s, uint32_t c, uint32_t l, uint32_t r, uint32_t n)
{
	bool all_rings = 2 * (uint64_t)n + 1 >= r, all_places = l <= 3;
	bool one = (l == 1 || r == 1) && all_places && all_rings && l * r > 1;

	if (one)
		return (uint64_t)c * l * r <= s->range.clique;
	return l == 1 && r > 3 && n == 1 && r <= s->range.length;
}

/* Returns a lower bound on the STEs that the largest unit needs if states are split until each has
 * fewer than `preds` neighbours. */
static uint64_t stes_for(const struct search *s, uint32_t preds)
{
	uint64_t most = 0, need = 0;
	size_t at = 0;

	for (size_t i = 0; i < s->n; i++) {
		need = 0;
		for (size_t k = 0; k < s->u[i].nfa->states.n; k++, at++) {
			uint32_t d = s->degrees.at[at];
			if (s->u[i].nfa->states.at[k].kind == NFA_COUNTER)
				continue;
			need += d == 0       ? 1
				: preds == 1 ? s->range.stes + 1
					     : (d + (uint64_t)preds - 2) / (preds - 1);
		}
		most = need > most ? need : most;
	}
	return most;
}

/* Returns the lower bound of stes_for(), and keeps it, so that it is computed once for each
 * fan-in. */
static uint64_t stes_needed(struct search *s, uint32_t preds)
{
	uint64_t need;

	while (s->needed.n <= preds && vec_push(&s->needed, 0))
		;
	if (s->needed.n > preds && s->needed.at[preds] != 0)
		return s->needed.at[preds];
	need = stes_for(s, preds);
	if (s->needed.n > preds && need <= UINT32_MAX)
		s->needed.at[preds] = (uint32_t)need;
	return need;
}

/* Does the front already have an overlay with at most `stes` STEs and at most `preds` predecessors
 * of an STE? */
static bool is_beaten(const struct search *s, uint32_t stes, uint32_t preds)
{
	for (size_t i = 0; i < s->r->front.n; i++)
		if (overlay_nste(&s->r->front.at[i].o) <= stes &&
		    overlay_npred(&s->r->front.at[i].o) <= preds)
			return true;
	return false;
}

/* Do all units fit overlay o? Counts the try in s->r and subtracts its work from s->left. */
static enum fit_answer probe(struct search *s, const struct overlay *o)
{
	struct map_options map = s->options->map;
	enum fit_answer answer;

	map.progress = NULL; /* one overlay takes too little time to report progress */
	progress_at(s->options->progress, "search for overlays", s->r->probes + 1, "tried");
	answer = fit_share(s->u, s->n, o, &map, &s->left, s->left / PROBE_SHARE);
	s->r->probes++;
	s->r->unknown += answer == FIT_UNKNOWN;
	s->no_memory |= answer == FIT_NO_MEMORY;
	return answer;
}

static bool in_range(const struct search *s, uint64_t c, uint64_t l, uint64_t r, uint64_t n)
{
	const struct fit_range *g = &s->range;

	return c <= g->clique && l <= g->length && r <= g->rings && n <= g->reach &&
	       c * l * r <= g->stes;
}

/* Looks at the overlay (c, l, r) in which all rings are in reach of each other. If it is cheaper
 * than *best and all units fit it, *best becomes this overlay. *misses counts how many of the
 * overlays that were tried in a row did not fit. */
static void improve(struct search *s, uint64_t c, uint64_t l, uint64_t r, struct fit_point *best,
		    int *misses)
{
	struct fit_point p;

	if (!in_range(s, c, l, r, r / 2))
		return;
	p.o = overlay_of(s, (uint32_t)c, (uint32_t)l, (uint32_t)r, (uint32_t)(r / 2));
	p.cost = fit_cost(&p.o, &s->options->weights);
	if (p.cost.cost >= best->cost.cost ||
	    stes_needed(s, overlay_npred(&p.o)) > overlay_nste(&p.o))
		return;
	if (probe(s, &p.o) != FIT_YES) {
		++*misses;
		return;
	}
	*misses = 0;
	*best = p;
}

/* Guesses an overlay, so that the search for the cheapest one has a bound from the start. The first
 * guesses are single rings of small cliques, which suffice for chains. The next guess is a clique
 * as large as the largest filter, which fits everything. Then cliques become smaller and smaller,
 * each with more and with less room to spare, until several guesses in a row don't fit. If no guess
 * fits, best->cost.cost is UINT64_MAX. */
static void guess(struct search *s, struct fit_point *best)
{
	int misses = 0;

	best->cost.cost = UINT64_MAX;
	/* Cliques of 1 to FEW STEs are enough for chains of states. */
	for (uint64_t c = 1; c <= FEW && !s->no_memory; c++)
		improve(s, c, (s->states + c - 1) / c, 1, best, &misses);
	misses = 0;
	for (uint64_t c = s->states; c != 0 && misses < MISSES && !s->no_memory; c -= 1 + c / 5)
		for (uint64_t shape = 0; shape < 6; shape++) {
			uint64_t r = shape < 3 ? 1 : 3,
				 room = s->states + (2 - shape % 3) * (s->states / 6 + 1);
			improve(s, c, (room + c * r - 1) / (c * r), r, best, &misses);
		}
}

static void add_candidate(struct search *s, uint32_t c, uint32_t l, uint32_t r, uint32_t n)
{
	struct overlay o = overlay_of(s, c, l, r, n);
	struct candidate x = { .c = c, .l = l, .r = r, .n = n };

	if (is_repeat(s, c, l, r, n) || overlay_check(&o) != NULL)
		return;
	x.stes = overlay_nste(&o);
	x.preds = overlay_npred(&o);
	x.cost = fit_cost(&o, &s->options->weights).cost;
	if (x.cost >= s->limit || stes_needed(s, x.preds) > x.stes)
		return;
	if (s->candidates.n == MOST_CANDIDATES)
		s->r->complete = false;
	else if (!vec_push(&s->candidates, x))
		s->no_memory = true;
}

static void add_candidates(struct search *s)
{
	const struct fit_range *g = &s->range;
	uint64_t most = s->options->cheapest ? MOST_SHAPES : UINT64_MAX;

	for (uint32_t r = 1; r <= g->rings && r <= g->stes; r++)
		for (uint32_t l = 1; l <= g->length && (uint64_t)l * r <= g->stes; l++) {
			uint64_t c = (s->states + (uint64_t)l * r - 1) / ((uint64_t)l * r);
			for (; in_range(s, c, l, r, 0) && s->shapes < most; c++, s->shapes++)
				for (uint32_t n = 0; n <= g->reach && n <= r / 2; n++)
					add_candidate(s, (uint32_t)c, l, r, n);
		}
	if (s->shapes >= most)
		s->r->complete = false;
	if (s->candidates.n != 0)
		qsort(s->candidates.at, s->candidates.n, sizeof *s->candidates.at, by_cost);
}

/* Tries the candidates in the order of their cost, and adds each one that fits to the front. Skips
 * candidates that can't be better than an overlay in the front (Note [cheapest overlay]). */
static void walk(struct search *s)
{
	for (size_t i = 0; i < s->candidates.n && !s->no_memory; i++) {
		const struct candidate *x = &s->candidates.at[i];
		struct fit_point p = { .o = overlay_of(s, x->c, x->l, x->r, x->n) };
		if (is_beaten(s, x->stes, x->preds))
			continue;
		if (s->r->probes >= s->options->probes || s->left == 0) {
			s->r->complete = false;
			return;
		}
		if (probe(s, &p.o) != FIT_YES)
			continue;
		p.cost = fit_cost(&p.o, &s->options->weights);
		if (!vec_push(&s->r->front, p))
			s->no_memory = true;
		if (s->options->cheapest)
			return;
	}
}

const struct overlay_param *fit_impossible(const struct fit_unit *u, size_t n, uint64_t *need)
{
	struct overlay o;

	memset(&o, 0, sizeof o);
	o.length = o.rings = 1 << 15; /* with so many cliques one counter in each is enough */
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < noverlay_params; k++) {
			*need = fit_need(&u[i], &overlay_params[k], &o);
			if (!overlay_params[k].choice && *need > overlay_params[k].highest)
				return &overlay_params[k];
		}
	return NULL;
}

/* Is p a parameter that s->base keeps, unless the units need more? */
static bool is_raised(const struct overlay_param *p)
{
	switch (p->offset) {
	case offsetof(struct overlay, counters):
	case offsetof(struct overlay, counter_width):
	case offsetof(struct overlay, guards):
	case offsetof(struct overlay, ranges):
	case offsetof(struct overlay, letter_bits):
	case offsetof(struct overlay, payload):
	case offsetof(struct overlay, payload_tests):
	case offsetof(struct overlay, time):
	case offsetof(struct overlay, window_after):
	case offsetof(struct overlay, keys):
	case offsetof(struct overlay, broadcast):
	case offsetof(struct overlay, joins):
	case offsetof(struct overlay, key_ranges):
		return true;
	default:
		return false;
	}
}

/* Sets lines, labels, window and decoders of s->base to what the units need. Raises the parameters
 * for which is_raised() holds if the units need more. Where the units need more than any overlay
 * can have, the value becomes the highest possible one, and nothing will fit. */
static void set_sizes(struct search *s)
{
	struct overlay all = s->base;

	all.length = all.rings = 1 << 15; /* with so many cliques one counter in each is enough */
	for (size_t i = 0; i < noverlay_params; i++) {
		const struct overlay_param *p = &overlay_params[i];
		uint32_t *v = overlay_field(&s->base, p);
		bool keep = is_raised(p);
		uint64_t most = keep ? *v : 0;
		for (size_t k = 0; k < s->n; k++) {
			uint64_t need = fit_need(&s->u[k], p, &all);
			most = need > most ? need : most;
		}
		if (most < p->lowest)
			most = p->lowest;
		if (keep || (s->n != 0 && fit_is_size(p, &s->u[0], &s->base)))
			*v = (uint32_t)(p->choice || most < p->highest ? most : p->highest);
	}
	if (s->base.lines < s->base.banks)
		s->base.banks = 1;
	for (size_t i = 0; i < s->n; i++) {
		if (s->u[i].proto.slots > s->base.slots)
			s->base.slots = s->u[i].proto.slots;
		if (s->u[i].proto.op_bits > s->base.op_bits)
			s->base.op_bits = s->u[i].proto.op_bits;
		if (s->u[i].proto.header_bits > s->base.header_bits)
			s->base.header_bits = s->u[i].proto.header_bits;
	}
	/* Of two protocols the one with the shorter opcodes may need longer letters. */
	if (overlay_ntest(&s->base) == 0 || s->base.letter_bits < s->base.op_bits)
		s->base.letter_bits = 0;
}

static bool prepare(struct search *s)
{
	uint64_t stes;

	set_sizes(s);
	s->states = fit_most_states(s->u, s->n);
	s->range = s->options->range;
	stes = s->range.stes != 0 ? s->range.stes : 4 * s->states + 16;
	s->range.stes = (uint32_t)(stes < OVERLAY_MOST_STES ? stes : OVERLAY_MOST_STES);
	for (size_t i = 0; i < s->n; i++) {
		size_t states = s->u[i].nfa->states.n;
		if (!vec_reserve(&s->degrees, states + 1) ||
		    !nfa_degrees(s->u[i].nfa, s->degrees.at + s->degrees.n))
			return false;
		s->degrees.n += states;
	}
	return true;
}

/* Returns what is wrong with an overlay, whatever its size; NULL: nothing. */
static const char *find_conflict(const struct overlay *base)
{
	struct overlay least = *base;

	least.clique = least.length = least.rings = 1;
	least.reach = 0;
	return overlay_check(&least);
}

enum nfart_status fit_search(const struct fit_unit *u, size_t n, const struct overlay *base,
			     const struct fit_options *o, struct fit_result *r)
{
	struct search s = { .u = u,
			    .n = n,
			    .options = o,
			    .base = *base,
			    .limit = UINT64_MAX,
			    .left = o->work,
			    .r = r };
	struct fit_point best;

	best.cost.cost = UINT64_MAX;
	memset(r, 0, sizeof *r);
	r->complete = true;
	s.base.slots = s.base.op_bits = s.base.header_bits = 0;
	s.no_memory = !prepare(&s);
	if (!s.no_memory)
		r->conflict = find_conflict(&s.base);
	if (!s.no_memory)
		guess(&s, &best);
	if (o->cheapest)
		s.limit = best.cost.cost;
	if (!s.no_memory)
		add_candidates(&s);
	if (!s.no_memory)
		walk(&s);
	if (best.cost.cost != UINT64_MAX && r->front.n == 0 && !vec_push(&r->front, best))
		s.no_memory = true;
	vec_free(&s.candidates);
	vec_free(&s.degrees);
	vec_free(&s.needed);
	return s.no_memory ? NFART_SYSTEM : NFART_OK;
}

void fit_result_free(struct fit_result *r)
{
	vec_free(&r->front);
}
