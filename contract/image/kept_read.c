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

static void read_events(struct kept_reader *r, struct kept *k)
{
	k->events.at = read_array(r, KEPT_EVENTS, sizeof *k->events.at, 1, &k->events.n);
	for (uint32_t i = 0; i < k->events.n && !r->bad; i++) {
		struct kept_event *e = &k->events.at[i];

		e->name = read_text(r);
		e->from = read_below(r, k->nodes.n);
		e->to = read_below(r, (uint64_t)1 << k->nodes.n);
		e->codes = read_array(r, r->ncodes, sizeof *e->codes, 1, &e->ncodes);
		for (uint32_t j = 0; j < e->ncodes; j++)
			e->codes[j] = read_below(r, r->ncodes);
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

static void read_system(struct kept_reader *r, struct kept *k)
{
	struct kept_system *s = &k->system;
	uint32_t n = 0;

	s->first = read_array(r, KEPT_MOST_FOLLOWED, sizeof *s->first, 1, &s->nstates);
	if (r->bad || s->nstates == 0) {
		r->bad = true;
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
	k->checkers.at = read_array(r, KEPT_MOST_STATES / k->system.nstates,
				    sizeof *k->checkers.at, 1, &k->checkers.n);
	for (uint32_t i = 0; i < k->checkers.n && !r->bad; i++) {
		struct kept_checker *c = &k->checkers.at[i];

		c->label = read_text(r);
		c->seen = read_wide(r);
		c->how = read_below(r, 2 * KEPT_FOLLOWED);
		if (k->events.n < 64 && c->seen >> k->events.n != 0)
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
		read_events(r, k);
	if (!r->bad)
		read_rules(r, k);
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

bool kept_holds(const struct kept_test *t, const uint8_t *values)
{
	uint8_t x = values[t->var], y;

	if (t->other == KEPT_NONE)
		return (t->values >> x & 1) != 0;
	y = values[t->other];
	switch (t->compare) {
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
