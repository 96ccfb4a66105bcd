/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tells the messages of events apart by homes.
 *
 * Note [homes]. A message for a home that has not its line is of no event that rules name, but of
 * one of its own, which no rule sends. So each part p of an event becomes several, for a home with
 * messages S and lines L: p without S; p and S and L; and what is left, p and S without L, is of
 * the home's event. Each is a list of tests. A list without another one is several lists: that
 * without the first test of it; that with the first one, but without the second one; and so on.
 */
#include <string.h>

#include "grammar/coherence/coh_int.h"

/* A part while it is told apart. Its tests are `n` of tests[]. */
enum { HOME_TESTS = 16 };

struct piece {
	struct coh_messages of;
	uint64_t homes[COH_PARTS / 64]; /* bit set: for which it is, on lines that they have */
	uint32_t n;
	struct coh_guard tests[HOME_TESTS];
};

/* A message for a home that has not its line. */
struct stray {
	uint32_t home, node;
	struct piece piece;
};

struct homes {
	struct coh_reader *r;
	VEC(struct piece) pieces, next;
	VEC(struct stray) strays;
	uint64_t used[COH_PARTS / 64]; /* bit set: homes that have pieces of some event */
	struct diag_range at; /* the home by which parts are told apart */
};

/* How a test goes with one that holds, of the same field under the same mask. */
enum meets { MEETS, MEETS_NEVER, MEETS_ALWAYS };

static enum meets meets(const struct coh_guard *known, const struct coh_guard *g)
{
	if (known->other && g->other)
		return known->first == g->first ? MEETS_ALWAYS : MEETS;
	if (known->other)
		return g->first == g->last && g->first == known->first ? MEETS_NEVER : MEETS;
	if (g->other && known->first == known->last && known->first == g->first)
		return MEETS_NEVER;
	if (g->other)
		return g->first < known->first || g->first > known->last ? MEETS_ALWAYS : MEETS;
	if (known->last < g->first || known->first > g->last)
		return MEETS_NEVER;
	return known->first >= g->first && known->last <= g->last ? MEETS_ALWAYS : MEETS;
}

/* Makes *g test the bits that the field has in messages of a piece, and that addresses of lines
 * have. Tells whether any or all of these messages pass it. */
static enum meets homes_fit(const struct coh *c, const struct piece *x, struct coh_guard *g)
{
	uint64_t highest = coh_highest(c, &x->of, g->field), bits = highest;

	if (g->field == PROTO_ADDR)
		bits &= UINT64_MAX << c->proto->header.line_shift;
	if (g->first != g->last) {
		g->last = g->last < highest ? g->last : highest;
		if (g->first > (g->last & bits))
			return MEETS_NEVER;
		return g->first == 0 && g->last >= bits ? MEETS_ALWAYS : MEETS;
	}
	bits &= g->mask;
	if ((g->first & ~bits) != 0)
		return g->other ? MEETS_ALWAYS : MEETS_NEVER;
	if (bits == 0)
		return g->other ? MEETS_NEVER : MEETS_ALWAYS;
	if (g->mask != UINT64_MAX)
		g->mask &= highest;
	return MEETS;
}

/* Adds a test to a piece. False: no message passes it, or there was an error. */
static bool piece_add(struct homes *h, struct piece *x, const struct coh_guard *test)
{
	struct coh_guard fitting = *test;
	const struct coh_guard *g = &fitting;
	enum meets fit = homes_fit(h->r->coh, x, &fitting);

	if (fit != MEETS)
		return fit == MEETS_ALWAYS;
	for (uint32_t i = 0; i < x->n; i++) {
		enum meets how = MEETS;

		if (x->tests[i].field == g->field && x->tests[i].mask == g->mask)
			how = meets(&x->tests[i], g);
		if (how != MEETS)
			return how == MEETS_ALWAYS;
		if (x->tests[i].field == g->field && x->tests[i].mask == g->mask &&
		    meets(g, &x->tests[i]) == MEETS_ALWAYS) {
			x->tests[i] = *g;
			return true;
		}
	}
	if (x->n == HOME_TESTS)
		desc_error(&h->r->c, x->of.range, "with those of homes, these messages have more "
			   "than %d tests", HOME_TESTS);
	else
		x->tests[x->n++] = *g;
	return !h->r->c.failed;
}

/* The same for all tests of a span. */
static bool piece_add_all(struct homes *h, struct piece *x, struct coh_span tests)
{
	for (uint32_t i = 0; i < tests.n; i++)
		if (!piece_add(h, x, &h->r->coh->guards.at[tests.first + i]))
			return false;
	return true;
}

/* A piece is not divided into fewer, and in the end each is a part, so their limit is asked before
 * there are more. */
static void homes_push(struct homes *h, const struct piece *x)
{
	if (coh_has_room(h->r, h->next.n + h->strays.n, h->at) && !vec_push(&h->next, *x))
		h->r->memory = h->r->c.failed = true;
}

static void homes_push_stray(struct homes *h, const struct stray *x)
{
	if (coh_has_room(h->r, h->next.n + h->strays.n, h->at) && !vec_push(&h->strays, *x))
		h->r->memory = h->r->c.failed = true;
}

/* Adds a piece to those that are left, or as a stray of a home, if it passes a test. */
static void homes_add(struct homes *h, struct piece x, const struct coh_guard *g,
		      const struct stray *stray)
{
	struct stray s;

	if (!piece_add(h, &x, g))
		return;
	if (stray == NULL) {
		homes_push(h, &x);
		return;
	}
	s = (struct stray){ stray->home, stray->node, x };
	homes_push_stray(h, &s);
}

/* Adds what is in a piece but does not pass all tests. */
static void homes_without(struct homes *h, struct piece x, struct coh_span tests,
			  const struct stray *stray)
{
	for (uint32_t i = 0; i < tests.n && !h->r->c.failed; i++) {
		struct coh_guard g = h->r->coh->guards.at[tests.first + i], not = g;

		if (g.first == g.last) {
			not.other = !g.other;
			homes_add(h, x, &not, stray);
		} else {
			uint64_t highest = coh_highest(h->r->coh, &x.of, g.field);

			not.first = 0;
			not.last = g.first - 1;
			if (g.first != 0)
				homes_add(h, x, &not, stray);
			not.first = g.last + 1;
			not.last = highest;
			if (g.last < highest)
				homes_add(h, x, &not, stray);
		}
		if (!piece_add(h, &x, &g))
			return;
	}
}

/* Do the messages of a piece have the fields of these tests: all of them, or none? */
static bool homes_concern(struct homes *h, const struct piece *x, struct coh_span tests)
{
	const struct coh *c = h->r->coh;
	bool has = false, lacks = false;

	for (uint32_t code = 0; code < c->proto->codes.n; code++) {
		bool all = true;

		if (!coh_part_has(c, &x->of, code))
			continue;
		for (uint32_t i = 0; i < tests.n; i++)
			all = all && coh_field_place(c->proto, c->guards.at[tests.first + i].field,
						     code).bits != 0;
		has = has || all;
		lacks = lacks || !all;
	}
	if (has && lacks)
		desc_error(&h->r->c, x->of.range, "some of these messages have the fields by which "
			   "a home is told, and others have not: they need events of their own");
	return has && !h->r->c.failed;
}

/* Tells the pieces apart by one part of a home. */
static void homes_split(struct homes *h, uint32_t home, const struct coh_messages *part,
			uint32_t node)
{
	const struct coh *c = h->r->coh;
	struct stray stray = { .home = home, .node = node };

	h->next.n = 0;
	for (size_t i = 0; i < h->pieces.n && !h->r->c.failed; i++) {
		struct piece x = h->pieces.at[i];

		if ((part->proto != COH_NONE && part->proto != x.of.proto) ||
		    !homes_concern(h, &x, part->guards) ||
		    !homes_concern(h, &x, c->homes.at[home].guards)) {
			homes_push(h, &x);
			continue;
		}
		homes_without(h, x, part->guards, NULL);
		if (!piece_add_all(h, &x, part->guards))
			continue;
		homes_without(h, x, c->homes.at[home].guards, &stray);
		if (!piece_add_all(h, &x, c->homes.at[home].guards))
			continue;
		bits_set(x.homes, home);
		homes_push(h, &x);
	}
	h->pieces.n = 0;
	for (size_t i = 0; i < h->next.n && !h->r->c.failed; i++)
		if (!vec_push(&h->pieces, h->next.at[i]))
			h->r->memory = h->r->c.failed = true;
}

/* Adds a piece to the parts of the description. */
static void homes_keep(struct homes *h, const struct piece *x)
{
	struct coh *c = h->r->coh;
	struct coh_messages part = x->of;

	part.guards = (struct coh_span){ (uint32_t)c->guards.n, x->n };
	for (uint32_t i = 0; i < x->n && !h->r->c.failed; i++)
		if (!vec_push(&c->guards, x->tests[i]))
			h->r->memory = h->r->c.failed = true;
	if (coh_has_room(h->r, c->parts.n, h->at) && !vec_push(&c->parts, part))
		h->r->memory = h->r->c.failed = true;
}

/* Tells the messages of an event apart. */
static void homes_event(struct homes *h, uint32_t event)
{
	struct coh *c = h->r->coh;
	struct coh_event *e = &c->events[event];
	size_t strays = h->strays.n;

	h->pieces.n = 0;
	for (uint32_t i = 0; i < e->parts.n && !h->r->c.failed; i++) {
		struct piece x = { .of = c->parts.at[e->parts.first + i] };

		if (piece_add_all(h, &x, x.of.guards) && !vec_push(&h->pieces, x))
			h->r->memory = h->r->c.failed = true;
	}
	for (uint32_t i = 0; i < c->homes.n && !h->r->c.failed; i++)
		for (uint32_t k = 0; k < c->homes.at[i].parts.n && !h->r->c.failed; k++) {
			struct coh_messages part = c->parts.at[c->homes.at[i].parts.first + k];

			h->at = c->homes.at[i].range;
			homes_split(h, i, &part, e->node);
		}
	for (size_t i = 0; i < h->pieces.n; i++)
		for (int k = 0; k < COH_PARTS / 64; k++)
			h->used[k] |= h->pieces.at[i].homes[k];
	if (h->strays.n == strays || h->r->c.failed)
		return;
	e->parts = (struct coh_span){ (uint32_t)c->parts.n, (uint32_t)h->pieces.n };
	for (size_t i = 0; i < h->pieces.n && !h->r->c.failed; i++)
		homes_keep(h, &h->pieces.at[i]);
	if (e->parts.n == 0)
		desc_error(&h->r->c, e->range, "no home has lines for '%s'", e->name);
}

/* Adds the event of the messages that a node sends to a home that has not their line. */
static void homes_add_event(struct homes *h, uint32_t home, uint32_t node)
{
	struct coh *c = h->r->coh;
	struct coh_event e = { .name = c->homes.at[home].name, .home = home, .node = node,
			       .number = COH_NONE, .class = COH_NONE,
			       .range = c->homes.at[home].range };

	h->at = e.range;
	e.parts.first = (uint32_t)c->parts.n;
	for (size_t i = 0; i < h->strays.n && !h->r->c.failed; i++)
		if (h->strays.at[i].home == home && h->strays.at[i].node == node)
			homes_keep(h, &h->strays.at[i].piece);
	e.parts.n = (uint32_t)c->parts.n - e.parts.first;
	if (e.parts.n == 0)
		return;
	if (c->nevents == COH_EVENTS)
		desc_error(&h->r->c, e.range, "there are at most %d events, with one for each "
			   "home and node that sends to it", COH_EVENTS);
	else
		c->events[c->nevents++] = e;
}

/* Checks that a home has lines, that there are messages for it on these, and that there are some on
 * others. */
static void homes_check(struct homes *h, uint32_t home, bool forbids)
{
	const struct coh_home *x = &h->r->coh->homes.at[home];
	struct piece lines = { .of = { .proto = COH_NONE } };

	if (!piece_add_all(h, &lines, x->guards))
		desc_error(&h->r->c, x->range, "this home has no line: no address passes its tests");
	else if (!forbids)
		desc_error(&h->r->c, x->range, "this home forbids nothing: no message of an event "
			   "is for it on a line that it has not");
	else if (!bits_get(h->used, home))
		desc_error(&h->r->c, x->range, "every message for this home is an error, also on a "
			   "line that it has: another home has these messages, too, or the events "
			   "are of other lines");
}

void tell_homes(struct coh_reader *r)
{
	struct homes h = { .r = r };
	uint32_t nevents = r->coh->nevents;

	for (uint32_t i = 0; i < nevents && r->coh->homes.n != 0 && !r->c.failed; i++)
		homes_event(&h, i);
	for (uint32_t i = 0; i < r->coh->homes.n && !r->c.failed; i++) {
		uint32_t before = r->coh->nevents;

		for (uint32_t node = 0; node < r->coh->net.nnodes && !r->c.failed; node++)
			homes_add_event(&h, i, node);
		homes_check(&h, i, r->coh->nevents != before);
	}
	vec_free(&h.pieces);
	vec_free(&h.next);
	vec_free(&h.strays);
}
