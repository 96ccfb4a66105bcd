/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the rules that an image keeps. The section is hostile: a number of things is believed only
 * if at least so many bytes follow, and every index is checked where it is read.
 */
#include <string.h>

#include "contract/image/kept.h"
#include "support/vec.h"

struct kept_reader {
	const unsigned char *at, *end;
	uint32_t ncodes;
	struct arena *arena;
	bool bad, no_memory;
};

static uint64_t read_wide(struct kept_reader *r)
{
	uint64_t x = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (r->at == r->end)
			break;
		x |= (uint64_t)(*r->at & 0x7f) << shift;
		if ((*r->at++ & 0x80) == 0)
			return x;
	}
	r->bad = true;
	return 0;
}

/* Reads a number below `limit`. */
static uint32_t read_below(struct kept_reader *r, uint64_t limit)
{
	uint64_t x = read_wide(r);

	if (x < limit)
		return (uint32_t)x;
	r->bad = true;
	return 0;
}

/* Reads an index below `limit`, or KEPT_NONE. */
static uint32_t read_index(struct kept_reader *r, uint32_t limit)
{
	return read_below(r, (uint64_t)limit + 1) - 1;
}

/* Reads a text, which a terminal can be shown. */
static const char *read_text(struct kept_reader *r)
{
	const unsigned char *s = r->at;
	const unsigned char *end = r->bad ? NULL : memchr(s, 0, (size_t)(r->end - s));

	if (end == NULL || !buf_is_name((const char *)s, (size_t)(end - s))) {
		r->bad = true;
		return "";
	}
	r->at = end + 1;
	return (const char *)s;
}

/* Reads how many elements follow, at most `most`, and makes room for them, and for `more`. */
static void *read_array(struct kept_reader *r, uint32_t most, size_t size, uint32_t more,
			uint32_t *n)
{
	void *p;

	*n = read_below(r, (uint64_t)most + 1);
	if (*n > (size_t)(r->end - r->at))
		r->bad = true;
	if (r->bad) {
		*n = 0;
		return NULL;
	}
	p = arena_array(r->arena, (size_t)*n + more, size);
	if (p == NULL) {
		*n = 0;
		r->bad = r->no_memory = true;
	}
	return p;
}

static void read_vars(struct kept_reader *r, struct kept *k)
{
	k->vars.at = read_array(r, 64, sizeof *k->vars.at, 1, &k->vars.n);
	for (uint32_t i = 0; i < k->vars.n && !r->bad; i++) {
		struct kept_var *v = &k->vars.at[i];

		v->name = read_text(r);
		v->node = read_below(r, k->nodes.n);
		v->values = read_array(r, KEPT_VALUES, sizeof *v->values, 1, &v->nvalues);
		for (uint32_t j = 0; j < v->nvalues; j++)
			v->values[j] = read_text(r);
	}
}

static void read_guards(struct kept_reader *r, struct kept *k)
{
	k->guards.at = read_array(r, KEPT_GUARDS, sizeof *k->guards.at, 1, &k->guards.n);
	for (uint32_t i = 0; i < k->guards.n && !r->bad; i++) {
		struct kept_guard *g = &k->guards.at[i];

		g->lsb = read_below(r, 64);
		g->bits = 1 + read_below(r, 64);
		g->mask = read_wide(r);
		g->first = read_wide(r);
		g->last = read_wide(r);
		g->other = read_below(r, 2) != 0;
		if (g->lsb + g->bits > 64)
			r->bad = true;
	}
}

static void read_events(struct kept_reader *r, struct kept *k)
{
	uint32_t guards = 0;

	k->events.at = read_array(r, KEPT_EVENTS, sizeof *k->events.at, 1, &k->events.n);
	for (uint32_t i = 0; i < k->events.n && !r->bad; i++) {
		struct kept_event *e = &k->events.at[i];

		e->name = read_text(r);
		e->from = read_below(r, k->nodes.n);
		e->to = read_below(r, (uint64_t)1 << k->nodes.n);
		e->messages.at = read_array(r, KEPT_MESSAGES, sizeof *e->messages.at, 1,
					    &e->messages.n);
		for (uint32_t j = 0; j < e->messages.n; j++) {
			struct kept_messages *m = &e->messages.at[j];

			m->code = read_below(r, r->ncodes);
			m->first = read_below(r, (uint64_t)k->guards.n + 1);
			m->n = read_below(r, (uint64_t)k->guards.n - m->first + 1);
			r->bad = r->bad || m->first != guards;
			guards += m->n;
		}
	}
}

static void read_rules(struct kept_reader *r, struct kept *k)
{
	k->tests.at = read_array(r, UINT32_MAX - 1, sizeof *k->tests.at, 1, &k->tests.n);
	for (uint32_t i = 0; i < k->tests.n && !r->bad; i++) {
		struct kept_test *t = &k->tests.at[i];

		t->var = read_below(r, k->vars.n);
		t->values = read_below(r, (uint64_t)UINT32_MAX + 1);
		t->other = read_index(r, k->vars.n);
		t->compare = (enum kept_compare)read_below(r, KEPT_MOST + 1);
	}
	k->rules.at = read_array(r, UINT32_MAX - 1, sizeof *k->rules.at, 1, &k->rules.n);
	for (uint32_t i = 0; i < k->rules.n && !r->bad; i++) {
		struct kept_rule *x = &k->rules.at[i];

		x->kind = (enum kept_kind)read_below(r, KEPT_MESSAGE + 1);
		x->node = read_below(r, k->nodes.n);
		x->event = read_index(r, k->events.n);
		x->line = read_below(r, UINT32_MAX);
		x->first = read_below(r, (uint64_t)k->tests.n + 1);
		x->n = read_below(r, (uint64_t)k->tests.n - x->first + 1);
		x->text = read_text(r);
		if ((x->kind == KEPT_STEP) != (x->event == KEPT_NONE))
			r->bad = true;
	}
}

static void read_homes(struct kept_reader *r, struct kept *k)
{
	k->homes.at = read_array(r, KEPT_EVENTS, sizeof *k->homes.at, 1, &k->homes.n);
	for (uint32_t i = 0; i < k->homes.n && !r->bad; i++) {
		k->homes.at[i].event = read_below(r, k->events.n);
		k->homes.at[i].line = read_below(r, UINT32_MAX);
		k->homes.at[i].text = read_text(r);
	}
}

static void read_values(struct kept_reader *r, struct kept *k)
{
	size_t n = (size_t)k->system.nstates * k->vars.n;

	if (n > (size_t)(r->end - r->at)) {
		r->bad = true;
		return;
	}
	k->system.values = arena_alloc(r->arena, n + 1);
	if (k->system.values == NULL) {
		r->bad = r->no_memory = true;
		return;
	}
	memcpy(k->system.values, r->at, n);
	r->at += n;
	for (size_t i = 0; i < n; i++)
		if (k->system.values[i] >= k->vars.at[i % k->vars.n].nvalues)
			r->bad = true;
}

/* Returns how many values a part has; 0: more than KEPT_MOST_NUMBER. */
static uint64_t numbers_of(const struct kept_part *p)
{
	uint64_t numbers = 1;

	for (uint32_t n = 0; n < p->most; n++) {
		if (p->base != 0 && numbers > KEPT_MOST_NUMBER / p->base)
			return 0;
		numbers *= p->base;
	}
	return numbers;
}

static void read_parts(struct kept_reader *r, struct kept *k)
{
	struct kept_composed *c = &k->composed;
	uint64_t vars = 0;

	c->parts.at = read_array(r, KEPT_PARTS, sizeof *c->parts.at, 1, &c->parts.n);
	for (uint32_t i = 0; i < c->parts.n && !r->bad; i++) {
		struct kept_part *p = &c->parts.at[i];

		p->var = read_index(r, k->vars.n);
		p->base = p->var != KEPT_NONE ? k->vars.at[p->var].nvalues
					      : read_below(r, KEPT_VALUES + KEPT_EVENTS);
		p->most = p->var != KEPT_NONE ? 1 : read_below(r, 64);
		if (p->most < 1 || numbers_of(p) == 0 ||
		    (p->var != KEPT_NONE && (vars >> p->var & 1) != 0))
			r->bad = true;
		vars |= p->var != KEPT_NONE ? (uint64_t)1 << p->var : 0;
	}
	if (c->parts.n == 0 || (uint32_t)__builtin_popcountll(vars) != k->vars.n)
		r->bad = true;
}

static void read_step(struct kept_reader *r, const struct kept_composed *c, struct kept_step *s)
{
	const struct kept_part *p;

	s->part = read_below(r, c->parts.n);
	s->op = (enum kept_op)read_below(r, KEPT_SUBTRACT + 1);
	if (r->bad)
		return;
	p = &c->parts.at[s->part];
	s->a = read_below(r, s->op == KEPT_TEST ? (uint64_t)UINT32_MAX + 1
			  : s->op == KEPT_PUT || s->op == KEPT_TAKE ? p->base - 1 : p->base);
	s->set = s->op == KEPT_TEST ? read_index(r, p->base) : KEPT_NONE;
	if ((s->op == KEPT_TEST) != (p->var != KEPT_NONE) ||
	    ((s->op == KEPT_ADD || s->op == KEPT_SUBTRACT) && p->most != 1))
		r->bad = true;
}

/* Reads the set of all states that can be reached. */
static void read_all(struct kept_reader *r, struct kept_composed *c)
{
	uint32_t n = 0;

	c->nodes.at = read_array(r, KEPT_MOST_NODES, sizeof *c->nodes.at, 1, &c->nodes.n);
	if (!r->bad)
		c->edges.at = read_array(r, KEPT_MOST_NODES, sizeof *c->edges.at, 1, &c->edges.n);
	for (uint32_t i = 0; i < c->nodes.n && !r->bad; i++) {
		struct kept_node *node = &c->nodes.at[i];

		node->part = read_below(r, c->parts.n);
		node->first = n;
		node->n = read_below(r, (uint64_t)c->edges.n - n + 1);
		r->bad = r->bad || node->n == 0;
		for (; n < node->first + node->n && !r->bad; n++) {
			struct kept_edge *e = &c->edges.at[n];

			e->value = read_wide(r);
			e->to = read_below(r, (uint64_t)i + KEPT_ZERO + 1);
			if (e->value >= numbers_of(&c->parts.at[node->part]) || e->to < KEPT_ZERO ||
			    (n > node->first && e->value <= c->edges.at[n - 1].value) ||
			    (e->to > KEPT_ZERO &&
			     c->nodes.at[e->to - KEPT_ZERO - 1].part <= node->part))
				r->bad = true;
		}
	}
	if (n != c->edges.n)
		r->bad = true;
}

static void read_composed(struct kept_reader *r, struct kept *k)
{
	struct kept_composed *c = &k->composed;
	uint32_t n = 0;

	for (uint32_t i = 0; i < k->rules.n; i++)
		if (k->rules.at[i].n > KEPT_TESTS)
			r->bad = true;
	if (!r->bad)
		read_parts(r, k);
	if (!r->bad)
		c->steps.at = read_array(r, KEPT_MOST_STEPS, sizeof *c->steps.at, 1, &c->steps.n);
	if (!r->bad)
		c->moves.at = read_array(r, KEPT_MOST_STEPS, sizeof *c->moves.at, 1, &c->moves.n);
	for (uint32_t i = 0; i < c->moves.n && !r->bad; i++) {
		struct kept_moves *m = &c->moves.at[i];

		m->event = read_index(r, k->events.n);
		m->rule = read_index(r, k->rules.n);
		m->first = n;
		m->n = read_below(r, (uint64_t)c->steps.n - n + 1);
		for (; n < m->first + m->n && !r->bad; n++) {
			read_step(r, c, &c->steps.at[n]);
			if (n > m->first && c->steps.at[n].part <= c->steps.at[n - 1].part)
				r->bad = true;
		}
	}
	if (n != c->steps.n)
		r->bad = true;
	if (!r->bad)
		read_all(r, c);
}

static void read_system(struct kept_reader *r, struct kept *k)
{
	struct kept_system *s = &k->system;
	uint32_t n = 0;

	s->first = read_array(r, KEPT_MOST_FOLLOWED, sizeof *s->first, 1, &s->nstates);
	if (r->bad)
		return;
	if (s->nstates == 0) {
		read_composed(r, k);
		return;
	}
	read_values(r, k);
	if (!r->bad)
		s->moves = read_array(r, KEPT_MOST_FOLLOWED, sizeof *s->moves, 1, &s->nmoves);
	for (uint32_t i = 0; i < s->nstates && !r->bad; i++) {
		uint32_t leave = read_below(r, (uint64_t)s->nmoves - n + 1);

		s->first[i] = n;
		for (uint32_t end = n + leave; n < end && !r->bad; n++) {
			s->moves[n].to = read_below(r, s->nstates);
			s->moves[n].event = read_index(r, k->events.n);
			s->moves[n].rule = read_index(r, k->rules.n);
		}
	}
	s->first[s->nstates] = n;
	if (n != s->nmoves)
		r->bad = true;
}

static void read_checkers(struct kept_reader *r, struct kept *k)
{
	uint32_t states = k->system.nstates != 0 ? k->system.nstates : KEPT_COMPOSED_STATES;

	k->checkers.at = read_array(r, KEPT_MOST_STATES / states, sizeof *k->checkers.at, 1,
				    &k->checkers.n);
	for (uint32_t i = 0; i < k->checkers.n && !r->bad; i++) {
		struct kept_checker *c = &k->checkers.at[i];

		c->label = read_text(r);
		c->seen = read_wide(r);
		c->how = read_below(r, 2 * KEPT_FOLLOWED);
		if ((k->events.n < 64 && c->seen >> k->events.n != 0) ||
		    (k->system.nstates == 0 && (c->how & KEPT_FOLLOWED) == 0))
			r->bad = true;
	}
}

static void read_one(struct kept_reader *r, struct kept *k)
{
	memset(k, 0, sizeof *k);
	k->file = read_text(r);
	k->nodes.at = read_array(r, KEPT_NODES, sizeof *k->nodes.at, 1, &k->nodes.n);
	for (uint32_t i = 0; i < k->nodes.n; i++)
		k->nodes.at[i] = read_text(r);
	k->tap = read_index(r, k->nodes.n);
	if (!r->bad)
		read_vars(r, k);
	if (!r->bad)
		read_guards(r, k);
	if (!r->bad)
		read_events(r, k);
	if (!r->bad)
		read_rules(r, k);
	if (!r->bad)
		read_homes(r, k);
	if (!r->bad)
		read_system(r, k);
	if (!r->bad)
		read_checkers(r, k);
}

enum nfart_status kept_read(const unsigned char *at, size_t n, uint32_t ncodes,
			    struct arena *arena, struct kept **out, uint32_t *count)
{
	struct kept_reader r = { at, at + n, ncodes, arena, false, false };
	VEC(struct kept) list = { 0 };
	struct kept one;

	while (r.at != r.end && !r.bad) {
		read_one(&r, &one);
		if (!r.bad && !vec_push(&list, one))
			r.bad = r.no_memory = true;
	}
	*count = (uint32_t)list.n;
	*out = r.bad ? NULL : arena_array(arena, list.n + 1, sizeof one);
	if (*out != NULL && list.n != 0)
		memcpy(*out, list.at, list.n * sizeof one);
	else if (!r.bad && *out == NULL)
		r.no_memory = true;
	vec_free(&list);
	return r.no_memory ? NFART_SYSTEM : r.bad ? NFART_INPUT : NFART_OK;
}

bool kept_passes(const struct kept *k, const struct kept_messages *m, uint64_t header)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const struct kept_guard *g = &k->guards.at[m->first + i];
		uint64_t value = header >> g->lsb & UINT64_MAX >> (64 - g->bits) & g->mask;

		if ((value >= g->first && value <= g->last) == g->other)
			return false;
	}
	return true;
}

bool kept_compares(enum kept_compare compare, uint32_t x, uint32_t y)
{
	switch (compare) {
	case KEPT_EQUAL:
		return x == y;
	case KEPT_UNEQUAL:
		return x != y;
	case KEPT_LESS:
		return x < y;
	case KEPT_LEAST:
		return x >= y;
	case KEPT_MORE:
		return x > y;
	case KEPT_MOST:
		return x <= y;
	}
	return false;
}

bool kept_holds(const struct kept_test *t, const uint8_t *values)
{
	if (t->other == KEPT_NONE)
		return (t->values >> values[t->var] & 1) != 0;
	return kept_compares(t->compare, values[t->var], values[t->other]);
}
