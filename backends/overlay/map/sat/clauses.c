/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * This file is long, because propagation and learning share the invariants of the trail: literals
 * before `head` are counted and their clauses visited, and a clause that implies a literal has it
 * among its first two.
 */
#include "backends/overlay/map/sat/clauses.h"

#include <stdlib.h>
#include <string.h>

#include "backends/overlay/map/sat/activity.h"
#include "support/arena.h"
#include "support/vec.h"

enum {
	UNSET = 2,     /* the value of a literal whose variable has none */
	RUN = 128,     /* conflicts of the shortest run between restarts */
	KEPT = 4000,   /* learnt clauses that are kept before the first reduction */
	MORE = 500,    /* how many more are kept after each reduction */
	GLUE = 2,      /* learnt clauses of so few levels are never dropped */
	HEADER = 2     /* words of a clause before its literals */
};

/* Why a variable has its value: a clause, a cardinality constraint, or a decision. */
enum reason_kind { BY_DECISION, BY_CLAUSE, BY_MOST };
struct reason {
	enum reason_kind kind;
	uint32_t at; /* where the clause begins in `pool`, or the number of the constraint */
};

struct watch {
	uint32_t clause;
	literal_t blocker; /* another literal of the clause: where it holds, so does the clause */
};

/* A cardinality constraint. */
struct most {
	uint32_t begin, n; /* its literals in `members` */
	uint32_t most, holding;
};

struct var {
	struct reason reason;
	uint32_t level, position; /* how many decisions came before; where it is in the trail */
	bool phase, seen;         /* `phase`: was the variable false last? */
};

typedef VEC(struct watch) watches_t;
typedef VEC(uint32_t) counted_t;

/* The literals that hold. */
struct clauses_trail {
	literal_t *literals; /* [nvars]: in the order of time */
	uint32_t n, head;
	VEC(uint32_t) levels; /* where each decision is in the trail */
};

/* What is learnt from conflicts. */
struct clauses_learn {
	VEC(literal_t) clause, why, marked;
	VEC(uint32_t) stamp; /* [levels]: the last clause that was counted on the level */
	uint32_t nstamps;
	uint32_t n, most;
};

struct clauses {
	struct arena arena;
	uint32_t nvars;
	uint8_t *value;     /* [2 * nvars]: 0, 1 or UNSET */
	struct var *vars;   /* [nvars] */
	watches_t *watches; /* [2 * nvars]: clauses that watch the literal */
	counted_t *counted; /* [2 * nvars]: cardinality constraints with the literal */
	VEC(uint32_t) pool; /* clauses: number of literals; levels if learnt, or 0; literals */
	VEC(struct most) mosts;
	VEC(literal_t) members;
	struct clauses_trail trail;
	struct activity activity;
	struct clauses_learn learn;
	uint64_t steps;
	bool no_way;    /* the constraints cannot hold together */
	bool no_memory; /* an allocation failed */
};

/* ---- constraints ---- */

struct clauses *clauses_new(uint32_t nvars)
{
	struct clauses *s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->nvars = nvars;
	s->learn.most = KEPT;
	s->value = arena_array(&s->arena, 2 * (size_t)nvars, sizeof *s->value);
	s->vars = arena_array(&s->arena, nvars, sizeof *s->vars);
	s->watches = arena_array(&s->arena, 2 * (size_t)nvars, sizeof *s->watches);
	s->counted = arena_array(&s->arena, 2 * (size_t)nvars, sizeof *s->counted);
	s->trail.literals = arena_array(&s->arena, nvars, sizeof *s->trail.literals);
	if (s->value == NULL || s->vars == NULL || s->watches == NULL || s->counted == NULL ||
	    s->trail.literals == NULL || !activity_init(&s->activity, nvars, &s->arena)) {
		s->nvars = 0;
		clauses_free(s);
		return NULL;
	}
	memset(s->value, UNSET, 2 * (size_t)nvars);
	for (uint32_t v = 0; v < nvars; v++)
		s->vars[v].phase = true;
	return s;
}

void clauses_free(struct clauses *s)
{
	if (s == NULL)
		return;
	for (size_t l = 0; l < 2 * (size_t)s->nvars; l++) {
		vec_free(&s->watches[l]);
		vec_free(&s->counted[l]);
	}
	vec_free(&s->pool);
	vec_free(&s->mosts);
	vec_free(&s->members);
	vec_free(&s->trail.levels);
	vec_free(&s->learn.clause);
	vec_free(&s->learn.why);
	vec_free(&s->learn.marked);
	vec_free(&s->learn.stamp);
	arena_free(&s->arena);
	free(s);
}

static void uncount(struct clauses *s, literal_t l)
{
	for (size_t i = 0; i < s->counted[l].n; i++)
		s->mosts.at[s->counted[l].at[i]].holding--;
}

static void back_to(struct clauses *s, uint32_t level)
{
	if (s->trail.levels.n <= level)
		return;
	while (s->trail.n > s->trail.levels.at[level]) {
		literal_t l = s->trail.literals[--s->trail.n];

		if (s->trail.n < s->trail.head)
			uncount(s, l);
		s->value[l] = s->value[literal_not(l)] = UNSET;
		activity_add(&s->activity, l / 2);
	}
	s->trail.head = s->trail.head < s->trail.n ? s->trail.head : s->trail.n;
	s->trail.levels.n = level;
}

static void set_literal(struct clauses *s, literal_t l, enum reason_kind kind, uint32_t at)
{
	struct var *v = &s->vars[l / 2];

	s->value[l] = 1;
	s->value[literal_not(l)] = 0;
	v->reason = (struct reason){kind, at};
	v->level = (uint32_t)s->trail.levels.n;
	v->position = s->trail.n;
	v->phase = l & 1;
	s->trail.literals[s->trail.n++] = l;
}

static void watch_clause(struct clauses *s, uint32_t clause)
{
	const literal_t *l = s->pool.at + clause + HEADER;

	if (!vec_push(&s->watches[l[0]], ((struct watch){clause, l[1]})) ||
	    !vec_push(&s->watches[l[1]], ((struct watch){clause, l[0]})))
		s->no_memory = true;
}

/* Appends a clause of two literals or more to the pool. Returns where it begins. */
static uint32_t store_clause(struct clauses *s, const literal_t *literals, uint32_t n,
			     uint32_t nlevels)
{
	uint32_t at = (uint32_t)s->pool.n;

	if (s->pool.n > UINT32_MAX / 2 || !vec_reserve(&s->pool, (size_t)n + HEADER)) {
		s->no_memory = true;
		return 0;
	}
	s->pool.at[s->pool.n++] = n;
	s->pool.at[s->pool.n++] = nlevels;
	memcpy(s->pool.at + s->pool.n, literals, n * sizeof *literals);
	s->pool.n += n;
	watch_clause(s, at);
	return at;
}

void clauses_add(struct clauses *s, const literal_t *literals, uint32_t n)
{
	back_to(s, 0);
	s->learn.clause.n = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (s->value[literals[i]] == 1)
			return;
		if (s->value[literals[i]] == UNSET && !vec_push(&s->learn.clause, literals[i]))
			s->no_memory = true;
	}
	if (s->learn.clause.n == 0)
		s->no_way = true;
	else if (s->learn.clause.n == 1)
		set_literal(s, s->learn.clause.at[0], BY_DECISION, 0);
	else
		store_clause(s, s->learn.clause.at, (uint32_t)s->learn.clause.n, 0);
}

void clauses_add_most(struct clauses *s, const literal_t *literals, uint32_t n, uint32_t most)
{
	struct most m = {(uint32_t)s->members.n, n, most, 0};

	if (n <= most)
		return;
	back_to(s, 0);
	for (uint32_t i = 0; i < n; i++) {
		bool counted = s->value[literals[i]] == 1 &&
			       s->vars[literals[i] / 2].position < s->trail.head;

		m.holding += counted;
		if (!vec_push(&s->members, literals[i]) ||
		    !vec_push(&s->counted[literals[i]], (uint32_t)s->mosts.n))
			s->no_memory = true;
	}
	if (!vec_push(&s->mosts, m))
		s->no_memory = true;
	s->no_way |= m.holding > most;
	for (uint32_t i = 0; i < n && m.holding == most; i++)
		if (s->value[literals[i]] == UNSET)
			set_literal(s, literal_not(literals[i]), BY_DECISION, 0);
}

/* ---- propagation ---- */

static const struct reason no_conflict = {BY_DECISION, 0};

/* Literal l no longer holds: finds another literal to watch for each clause that watches it.
 * Returns a clause that cannot hold, or no_conflict. */
static struct reason visit_watches(struct clauses *s, literal_t l)
{
	watches_t *w = &s->watches[l];
	struct reason conflict = no_conflict;
	size_t kept = 0, i = 0;

	s->steps += w->n;
	while (i < w->n) {
		struct watch now = w->at[i++];
		literal_t *c, other;
		uint32_t n, k;

		if (s->value[now.blocker] == 1) {
			w->at[kept++] = now;
			continue;
		}
		c = s->pool.at + now.clause + HEADER;
		n = s->pool.at[now.clause];
		other = c[0] ^ c[1] ^ l;
		c[0] = other;
		c[1] = l;
		for (k = 2; k < n && s->value[other] != 1 && s->value[c[k]] == 0; k++)
			;
		if (s->value[other] != 1 && k < n) {
			c[1] = c[k];
			c[k] = l;
			s->no_memory |= !vec_push(&s->watches[c[1]],
						  ((struct watch){now.clause, other}));
			continue;
		}
		w->at[kept++] = (struct watch){now.clause, other};
		if (s->value[other] == UNSET) {
			set_literal(s, other, BY_CLAUSE, now.clause);
		} else if (s->value[other] == 0) {
			conflict = (struct reason){BY_CLAUSE, now.clause};
			while (i < w->n)
				w->at[kept++] = w->at[i++];
		}
	}
	w->n = kept;
	return conflict;
}

/* Literal l holds: counts it. All constraints are counted, even after a conflict, so that
 * uncount() can take all back. */
static struct reason count_literal(struct clauses *s, literal_t l)
{
	const counted_t *list = &s->counted[l];
	struct reason conflict = no_conflict;

	s->steps += list->n;
	for (size_t i = 0; i < list->n; i++) {
		struct most *m = &s->mosts.at[list->at[i]];

		m->holding++;
		if (m->holding > m->most)
			conflict = (struct reason){BY_MOST, list->at[i]};
		if (m->holding != m->most || conflict.kind != BY_DECISION)
			continue;
		s->steps += m->n;
		for (uint32_t j = m->begin; j < m->begin + m->n; j++)
			if (s->value[s->members.at[j]] == UNSET)
				set_literal(s, literal_not(s->members.at[j]), BY_MOST, list->at[i]);
	}
	return conflict;
}

static struct reason propagate(struct clauses *s)
{
	struct reason conflict = no_conflict;

	while (s->trail.head < s->trail.n && conflict.kind == BY_DECISION) {
		literal_t l = s->trail.literals[s->trail.head++];

		conflict = count_literal(s, l);
		if (conflict.kind == BY_DECISION)
			conflict = visit_watches(s, literal_not(l));
	}
	return conflict;
}

static void decide_literal(struct clauses *s, literal_t l)
{
	if (!vec_push(&s->trail.levels, s->trail.n))
		s->no_memory = true;
	set_literal(s, l, BY_DECISION, 0);
}

/* ---- learning ---- */

/* Fills s->why with literals that hold and together imply l, or a conflict if l is NO_LITERAL. Of
 * a cardinality constraint they are the first `most` literals that held before l. */
enum { NO_LITERAL = UINT32_MAX };
static void explain_reason(struct clauses *s, struct reason r, literal_t l)
{
	s->learn.why.n = 0;
	if (r.kind == BY_CLAUSE) {
		const literal_t *c = s->pool.at + r.at + HEADER;

		for (uint32_t i = 0; i < c[-HEADER]; i++)
			if (c[i] != l && !vec_push(&s->learn.why, literal_not(c[i])))
				s->no_memory = true;
	} else if (r.kind == BY_MOST) {
		const struct most *m = &s->mosts.at[r.at];
		uint32_t before = l == NO_LITERAL ? s->trail.head : s->vars[l / 2].position;
		uint32_t wanted = l == NO_LITERAL ? m->most + 1 : m->most;

		for (uint32_t j = m->begin; j < m->begin + m->n && s->learn.why.n < wanted; j++) {
			literal_t x = s->members.at[j];

			if (s->value[x] == 1 && s->vars[x / 2].position < before &&
			    !vec_push(&s->learn.why, x))
				s->no_memory = true;
		}
	}
	s->steps += s->learn.why.n;
}

/* Is the literal, which holds, implied by other literals of the learnt clause? */
static bool is_redundant(struct clauses *s, literal_t l)
{
	const struct var *v = &s->vars[l / 2];

	if (v->reason.kind == BY_DECISION)
		return false;
	explain_reason(s, v->reason, l);
	for (size_t i = 0; i < s->learn.why.n; i++) {
		const struct var *u = &s->vars[s->learn.why.at[i] / 2];
		if (!u->seen && u->level > 0)
			return false;
	}
	return true;
}

/* Counts the levels of the learnt clause, and moves the literal of the highest level after the
 * first one to place 1. */
static uint32_t count_levels(struct clauses *s)
{
	uint32_t nlevels = 0;
	literal_t *c = s->learn.clause.at;

	while (s->learn.stamp.n <= s->trail.levels.n)
		if (!vec_push(&s->learn.stamp, 0)) {
			s->no_memory = true;
			return 1;
		}
	s->learn.nstamps++;
	for (size_t i = 0; i < s->learn.clause.n; i++) {
		uint32_t level = s->vars[c[i] / 2].level;

		if (s->learn.stamp.at[level] != s->learn.nstamps)
			nlevels++;
		s->learn.stamp.at[level] = s->learn.nstamps;
		if (i > 1 && level > s->vars[c[1] / 2].level) {
			literal_t swap = c[1];
			c[1] = c[i];
			c[i] = swap;
		}
	}
	return nlevels;
}

/* Drops literals from the learnt clause that the others imply. */
static void shorten(struct clauses *s)
{
	size_t kept = 1;

	s->learn.marked.n = 0;
	for (size_t i = 0; i < s->learn.clause.n; i++)
		s->no_memory |= !vec_push(&s->learn.marked, s->learn.clause.at[i]);
	for (size_t i = 1; i < s->learn.clause.n; i++)
		if (!is_redundant(s, literal_not(s->learn.clause.at[i])))
			s->learn.clause.at[kept++] = s->learn.clause.at[i];
	s->learn.clause.n = kept;
	for (size_t i = 0; i < s->learn.marked.n; i++)
		s->vars[s->learn.marked.at[i] / 2].seen = false;
}

/* Marks the reasons of a conflict or of a literal that lead to it. Those of lower levels join the
 * learnt clause. Returns how many are new and of the current level. */
static uint32_t mark_reasons(struct clauses *s)
{
	uint32_t open = 0;

	for (size_t i = 0; i < s->learn.why.n; i++) {
		struct var *v = &s->vars[s->learn.why.at[i] / 2];

		if (v->seen || v->level == 0)
			continue;
		v->seen = true;
		activity_raise(&s->activity, s->learn.why.at[i] / 2);
		if (v->level == s->trail.levels.n)
			open++;
		else
			s->no_memory |=
				!vec_push(&s->learn.clause, literal_not(s->learn.why.at[i]));
	}
	return open;
}

/* Resolves the conflict to s->learnt: a clause that follows from the constraints, and in which only
 * the first literal is of the current level. Does only a part of it if memory is short. */
static void resolve_conflict(struct clauses *s, struct reason conflict)
{
	uint32_t open = 0, at = s->trail.n;
	literal_t l = NO_LITERAL;

	s->learn.clause.n = 0;
	s->no_memory |= !vec_push(&s->learn.clause, 0);
	do {
		explain_reason(s, conflict, l);
		open += mark_reasons(s);
		if (s->no_memory)
			return;
		while (!s->vars[s->trail.literals[--at] / 2].seen)
			;
		l = s->trail.literals[at];
		conflict = s->vars[l / 2].reason;
		s->vars[l / 2].seen = false;
	} while (--open > 0);
	s->learn.clause.at[0] = literal_not(l);
	s->vars[l / 2].seen = true;
	shorten(s);
	activity_age(&s->activity);
}

/* Learns from a conflict, and goes back to where the learnt clause implies a literal, unless memory
 * is short. False: the constraints cannot hold. */
static bool learn_clause(struct clauses *s, struct reason conflict)
{
	uint32_t nlevels;

	if (s->trail.levels.n == 0) {
		s->no_way = true;
		return false;
	}
	resolve_conflict(s, conflict);
	if (s->no_memory)
		return true;
	nlevels = count_levels(s);
	back_to(s, s->learn.clause.n == 1 ? 0 : s->vars[s->learn.clause.at[1] / 2].level);
	if (s->learn.clause.n == 1) {
		set_literal(s, s->learn.clause.at[0], BY_DECISION, 0);
	} else {
		uint32_t at =
			store_clause(s, s->learn.clause.at, (uint32_t)s->learn.clause.n, nlevels);
		set_literal(s, s->learn.clause.at[0], BY_CLAUSE, at);
		s->learn.n++;
	}
	return true;
}

/* Drops learnt clauses of the most levels until at most half of the limit remain, and clauses that
 * hold. There must be no decisions. */
static void reduce(struct clauses *s)
{
	uint32_t count[256] = {0}, most = 255, kept = 0;
	size_t to = 0, n;

	for (size_t at = 0; at < s->pool.n; at += s->pool.at[at] + HEADER)
		count[s->pool.at[at + 1] < 255 ? s->pool.at[at + 1] : 255]++;
	for (uint32_t i = 1; i < 256; i++) {
		kept += count[i];
		if (kept > s->learn.most / 2 && i > GLUE) {
			most = i - 1;
			break;
		}
	}
	for (size_t l = 0; l < 2 * (size_t)s->nvars; l++)
		s->watches[l].n = 0;
	s->learn.n = 0;
	for (size_t at = 0; at < s->pool.n; at += n) {
		const uint32_t *c = s->pool.at + at;
		bool holds = false;

		n = (size_t)c[0] + HEADER;
		for (size_t i = HEADER; i < n; i++)
			holds |= s->value[c[i]] == 1;
		if (holds || (c[1] > most && c[1] > GLUE))
			continue;
		s->learn.n += c[1] > 0;
		memmove(s->pool.at + to, c, n * sizeof *c);
		watch_clause(s, (uint32_t)to);
		to += n;
	}
	s->pool.n = to;
	s->learn.most += MORE;
}

/* Luby's sequence: 1, 1, 2, 1, 1, 2, 4, … */
static uint64_t luby(uint64_t i)
{
	uint64_t size = 1, power = 0;

	while (size < i + 1) {
		size = 2 * size + 1;
		power++;
	}
	while (size - 1 != i) {
		size = (size - 1) / 2;
		power--;
		i %= size;
	}
	return (uint64_t)1 << power;
}

/* Decides on the most active variable. False: all have values. */
static bool decide_next(struct clauses *s)
{
	while (s->activity.nheap > 0) {
		uint32_t v = activity_pop(&s->activity);

		if (s->value[2 * v] == UNSET) {
			decide_literal(s, 2 * v + s->vars[v].phase);
			return true;
		}
	}
	return false;
}

/* Searches until an answer or the end of a run. NFART_USAGE stands for the latter. */
static enum nfart_status run_clauses(struct clauses *s, literal_t assumption, uint64_t conflicts,
				     uint64_t steps)
{
	while (!s->no_memory) {
		struct reason conflict = propagate(s);

		if (conflict.kind != BY_DECISION) {
			if (!learn_clause(s, conflict))
				return NFART_NOFIT;
			if (conflicts > 0)
				conflicts--;
			continue;
		}
		if (s->steps >= steps)
			return NFART_GAVEUP;
		if (conflicts == 0)
			return NFART_USAGE;
		if (s->trail.levels.n == 0 && s->value[assumption] == 0)
			return NFART_NOFIT;
		if (s->trail.levels.n == 0 && s->value[assumption] == UNSET)
			decide_literal(s, assumption);
		else if (!decide_next(s))
			return NFART_OK;
	}
	return NFART_SYSTEM;
}

enum nfart_status clauses_solve(struct clauses *s, literal_t assumption, uint64_t *steps)
{
	enum nfart_status status = NFART_USAGE;

	back_to(s, 0);
	s->steps = 0;
	for (uint64_t i = 0; status == NFART_USAGE; i++) {
		if (s->no_memory)
			status = NFART_SYSTEM;
		else if (s->no_way)
			status = NFART_NOFIT;
		else
			status = run_clauses(s, assumption, RUN * luby(i), *steps);
		if (status != NFART_OK)
			back_to(s, 0);
		if (status == NFART_USAGE && s->learn.n > s->learn.most)
			reduce(s);
	}
	*steps -= s->steps < *steps ? s->steps : *steps;
	return status;
}

bool clauses_holds(const struct clauses *s, literal_t l)
{
	return s->value[l] == 1;
}
