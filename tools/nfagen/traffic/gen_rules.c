/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfagen/traffic/gen_rules.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contract/image/image.h"
#include "contract/image/ksets.h"
#include "contract/proto/proto.h"
#include "runtime/rules/rules.h"
#include "tools/nfagen/traffic/gen_random.h"

/* The most moves in a row that the tap does not see. A run that makes more has met a cycle of them
 * that nothing leaves. */
enum { MOST_UNSEEN = 1 << 16, MOST_GAP = 16 };

struct gen_rules {
	struct gen_rules_options o;
	const struct nfart_proto *proto;
	struct rules rules;
	const struct kept *kept;
	struct gen_random random;
	uint64_t first;          /* index of the first line */
	uint32_t nlines;         /* how many lines still move */
	struct line {
		uint32_t index, state;
	} *lines;                /* [nlines] */
	/* Of a composed system (kept.h): the parts' numbers by index of line, and room for more. */
	uint64_t *numbers, *now, *chosen;
	uint32_t *order;         /* room for the numbers of an event's messages */
	uint64_t time, messages;
	struct line again;       /* the message that is doubled; its `state` is the event */
	bool doubled;
};

/* Checks that the addresses of the protocol have room for the lines. */
static bool check_lines(struct gen_rules *g, struct nfart_error *e)
{
	const struct proto_header *h = &g->proto->header;
	uint64_t last;

	g->first = g->o.base >> h->line_shift;
	last = g->first + g->o.lines - 1;
	if (h->addr_bits != 0 && (h->addr_bits >= 64 || last >> h->addr_bits == 0))
		return true;
	if (h->addr_bits == 0 && g->o.lines == 1)
		return true;
	nfart_fail(e, NFART_USAGE, "addresses of protocol %s have no room for %" PRIu32
		   " lines from 0x%" PRIx64 " on: give --lines and --base", g->proto->name,
		   g->o.lines, g->o.base);
	return false;
}

/* Makes a header of messages of a line, like random bits where tests leave a choice. False: none is
 * for this line. */
static bool rules_header(const struct gen_rules *g, const struct kept_messages *m, uint32_t line,
			 uint64_t random, uint64_t *header)
{
	uint64_t fixed = proto_opcode_mask(g->proto);

	*header = proto_opcode_bits(g->proto, m->code);
	if (bits_get(g->proto->codes.has_addr, m->code)) {
		*header |= (g->first + line) << g->proto->header.addr_lsb;
		fixed |= proto_addr_mask(g->proto);
	}
	return kept_header(g->kept, m, fixed, random, header);
}

/* Has an event a message for a line? */
static bool rules_has(const struct gen_rules *g, uint32_t line, uint32_t event)
{
	const struct kept_event *v = &g->kept->events.at[event];
	uint64_t header;

	for (uint32_t i = 0; i < v->messages.n; i++)
		if (rules_header(g, &v->messages.at[i], line, 0, &header))
			return true;
	return false;
}

/* Does it depend on the line whether a message of an event passes its tests? */
static bool rules_test_lines(const struct gen_rules *g, uint32_t event)
{
	const struct kept_event *v = &g->kept->events.at[event];

	for (uint32_t i = 0; i < v->messages.n; i++)
		for (uint32_t j = 0; j < v->messages.at[i].n; j++) {
			const struct kept_guard *t =
				&g->kept->guards.at[v->messages.at[i].first + j];

			if ((t->mask << t->lsb & proto_addr_mask(g->proto)) != 0)
				return true;
		}
	return false;
}

/* Checks that events which moves show have a message for each line. */
static bool check_events(const struct gen_rules *g, struct nfart_error *e)
{
	const struct kept *k = g->kept;
	bool moves[KEPT_EVENTS] = { false };

	for (uint32_t i = 0; i < k->system.nmoves; i++)
		if (k->system.moves[i].event != KEPT_NONE)
			moves[k->system.moves[i].event] = true;
	for (uint32_t i = 0; i < k->composed.moves.n; i++)
		if (k->composed.moves.at[i].event != KEPT_NONE)
			moves[k->composed.moves.at[i].event] = true;
	for (uint32_t i = 0; i < k->events.n; i++) {
		uint32_t lines = rules_test_lines(g, i) ? g->o.lines : 1;

		for (uint32_t line = 0; line < lines && moves[i]; line++) {
			if (rules_has(g, line, i))
				continue;
			nfart_fail(e, NFART_USAGE, "%s: no message for line 0x%" PRIx64 " was "
				   "found that passes the tests of event %s; --lines and --base "
				   "choose the lines", k->file,
				   (g->first + line) << g->proto->header.line_shift,
				   k->events.at[i].name);
			return false;
		}
	}
	return true;
}

struct gen_rules *gen_rules_new(const struct nfart_image *im, const struct gen_rules_options *o,
				struct nfart_error *e)
{
	struct gen_rules *g = calloc(1, sizeof *g);
	size_t parts, messages = 0;

	if (g == NULL || (g->lines = calloc(o->lines, sizeof *g->lines)) == NULL) {
		free(g);
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	g->o = *o;
	g->proto = nfart_image_proto(im);
	g->random.state = o->seed;
	g->nlines = o->lines;
	for (uint32_t i = 0; i < o->lines; i++)
		g->lines[i].index = i;
	if (rules_init(&g->rules, im, false, e) != NFART_OK)
		goto fail;
	if (g->rules.nkept == 0) {
		nfart_fail(e, NFART_USAGE, "the image keeps no rules of coherence to follow "
			   "(nfacc-coherence(5) says when it does)");
		goto fail;
	}
	g->kept = &g->rules.kept[0];
	if (!check_lines(g, e) || !check_events(g, e))
		goto fail;
	for (uint32_t i = 0; i < g->kept->events.n; i++)
		if (g->kept->events.at[i].messages.n > messages)
			messages = g->kept->events.at[i].messages.n;
	parts = g->kept->composed.parts.n;
	g->numbers = calloc((size_t)o->lines * parts + 1, sizeof *g->numbers);
	g->now = calloc(parts + 1, sizeof *g->now);
	g->chosen = calloc(parts + 1, sizeof *g->chosen);
	g->order = calloc(messages + 1, sizeof *g->order);
	if (g->numbers != NULL && g->now != NULL && g->chosen != NULL && g->order != NULL)
		return g;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
fail:
	gen_rules_free(g);
	return NULL;
}

void gen_rules_free(struct gen_rules *g)
{
	if (g == NULL)
		return;
	rules_free(&g->rules);
	free(g->lines);
	free(g->numbers);
	free(g->now);
	free(g->chosen);
	free(g->order);
	free(g);
}

/* Makes one move of a line of a composed system, any of those that its state allows. Sets *event to
 * what the tap sees. False: there is none. */
static bool rules_move_composed(struct gen_rules *g, const struct line *l, uint32_t *event)
{
	const struct kept_composed *c = &g->kept->composed;
	uint64_t *state = g->numbers + (size_t)l->index * c->parts.n;
	size_t bytes = c->parts.n * sizeof *state;
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->moves.n; i++) {
		const struct kept_moves *m = &c->moves.at[i];
		bool can = true;

		memcpy(g->now, state, bytes);
		for (uint32_t k = m->first; k < m->first + m->n && can; k++)
			can = ksets_step(c, &c->steps.at[k], &g->now[c->steps.at[k].part]);
		/* A step that changes nothing is no move. */
		if (!can || (m->event == KEPT_NONE && memcmp(g->now, state, bytes) == 0) ||
		    gen_random_below(&g->random, ++n) != 0)
			continue;
		memcpy(g->chosen, g->now, bytes);
		*event = m->event;
	}
	if (n != 0)
		memcpy(state, g->chosen, bytes);
	return n != 0;
}

/* Moves a line until the tap sees an event, and returns it. KEPT_NONE: that does not come. */
static uint32_t rules_move(struct gen_rules *g, struct line *l)
{
	const struct kept_system *s = &g->kept->system;

	for (uint32_t unseen = 0; unseen < MOST_UNSEEN; unseen++) {
		const struct kept_move *m;
		uint32_t n, event = KEPT_NONE;

		if (s->nstates == 0) {
			if (!rules_move_composed(g, l, &event))
				break;
			if (event != KEPT_NONE)
				return event;
			continue;
		}
		n = s->first[l->state + 1] - s->first[l->state];
		if (n == 0)
			break;
		m = &s->moves[s->first[l->state] + gen_random_below(&g->random, n)];
		l->state = m->to;
		if (m->event != KEPT_NONE)
			return m->event;
	}
	return KEPT_NONE;
}

/* Returns a fault that is due. NULL: none is. */
static struct gen_fault *rules_due(const struct gen_rules *g)
{
	for (uint32_t i = 0; i < g->o.nfaults; i++)
		if (!g->o.faults[i].taken && g->o.faults[i].at <= g->messages)
			return &g->o.faults[i];
	return NULL;
}

/* Makes a batch of any of an event's messages that are for the line: rules_has() says that there
 * are some. */
static void rules_batch(struct gen_rules *g, uint32_t line, uint32_t event, struct nfart_batch *b)
{
	const struct kept_event *v = &g->kept->events.at[event];
	const struct kept_messages *m = NULL;
	uint64_t header = 0;
	bool found = false;
	uint32_t slot;

	for (uint32_t i = 0; i < v->messages.n; i++)
		g->order[i] = i;
	for (uint32_t n = v->messages.n; n != 0 && !found; n--) {
		uint32_t chosen = gen_random_below(&g->random, n), i = g->order[chosen];

		g->order[chosen] = g->order[n - 1];
		m = &v->messages.at[i];
		/* As rules_has() does it, if the search from random bits takes too long. */
		found = (m->n != 0 && rules_header(g, m, line, gen_random(&g->random), &header)) ||
			rules_header(g, m, line, 0, &header);
	}
	assert(found);
	slot = m->code >> g->proto->header.op_bits;
	*b = (struct nfart_batch){ .time = g->time };
	b->mask = (uint64_t)1 << slot;
	b->header[slot] = header;
	g->messages++;
}

/* Returns any other event that has a message for a line; the event itself if there is none. */
static uint32_t rules_other(struct gen_rules *g, uint32_t line, uint32_t event)
{
	uint32_t n = g->kept->events.n;
	uint32_t from = event + 1 + gen_random_below(&g->random, n - 1);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t other = (from + i) % n;

		if (other != event && rules_has(g, line, other))
			return other;
	}
	return event;
}

/* Makes a fault of a line's event, unless it finds none to replace it. Returns the event that is
 * sent; KEPT_NONE: none is. */
static uint32_t rules_break(struct gen_rules *g, struct gen_fault *f, uint32_t line, uint32_t event)
{
	uint32_t sent = event;

	if (f->kind == GEN_REPLACED && (sent = rules_other(g, line, event)) == event)
		return event;
	f->taken = f->shown = true;
	f->time = g->time;
	f->address = (g->first + line) << g->proto->header.line_shift;
	if (f->kind == GEN_DROPPED)
		return KEPT_NONE;
	if (f->kind == GEN_DOUBLED) {
		g->again = (struct line){ line, event };
		g->doubled = true;
	}
	return sent;
}

bool gen_rules_next(struct gen_rules *g, struct nfart_batch *b)
{
	while (g->nlines != 0) {
		uint32_t i = gen_random_below(&g->random, g->nlines), event, line;
		struct gen_fault *f = rules_due(g);

		g->time += 1 + gen_random_below(&g->random, MOST_GAP);
		if (g->doubled) {
			g->doubled = false;
			rules_batch(g, g->again.index, g->again.state, b);
			return true;
		}
		event = rules_move(g, &g->lines[i]);
		line = g->lines[i].index;
		if (event == KEPT_NONE)
			g->lines[i] = g->lines[--g->nlines];
		else if (f != NULL)
			event = rules_break(g, f, line, event);
		if (event == KEPT_NONE)
			continue;
		rules_batch(g, line, event, b);
		return true;
	}
	return false;
}
