/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfagen/traffic/gen_rules.h"

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

struct gen_rules *gen_rules_new(const struct nfart_image *im, const struct gen_rules_options *o,
				struct nfart_error *e)
{
	struct gen_rules *g = calloc(1, sizeof *g);
	size_t parts;

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
	if (!check_lines(g, e))
		goto fail;
	parts = g->kept->composed.parts.n;
	g->numbers = calloc((size_t)o->lines * parts + 1, sizeof *g->numbers);
	g->now = calloc(parts + 1, sizeof *g->now);
	g->chosen = calloc(parts + 1, sizeof *g->chosen);
	if (g->numbers != NULL && g->now != NULL && g->chosen != NULL)
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

/* Sets the bits of a header that a test is of, so that it holds, but for those of the line. */
static uint64_t rules_pass(struct gen_rules *g, const struct kept_guard *t, uint64_t line_bits,
			   uint64_t header)
{
	uint64_t all = UINT64_MAX >> (64 - t->bits), mask = t->mask & all;
	uint64_t value = t->first, own = all << t->lsb & ~line_bits;

	if (t->other)
		value ^= mask & -mask;
	else if (t->last > t->first && t->last - t->first < UINT32_MAX)
		value += gen_random_below(&g->random, (uint32_t)(t->last - t->first + 1));
	own &= mask << t->lsb;
	return (header & ~own) | (value << t->lsb & own);
}

/* Makes a header of messages of a line. False: they are not for this line. */
static bool rules_header(struct gen_rules *g, const struct kept_messages *m, uint32_t line,
			 uint64_t *header)
{
	uint64_t line_bits = 0;

	*header = proto_opcode_bits(g->proto, m->code);
	if (bits_get(g->proto->codes.has_addr, m->code)) {
		*header |= (g->first + line) << g->proto->header.addr_lsb;
		line_bits = proto_addr_mask(g->proto);
	}
	for (uint32_t i = 0; i < m->n; i++)
		*header = rules_pass(g, &g->kept->guards.at[m->first + i], line_bits, *header);
	return kept_passes(g->kept, m, *header);
}

/* Makes a batch of any of an event's messages. False: none of them is for this line. */
static bool rules_batch(struct gen_rules *g, uint32_t line, uint32_t event, struct nfart_batch *b)
{
	const struct kept_event *v = &g->kept->events.at[event];
	uint64_t header, chosen = 0;
	uint32_t n = 0, slot = 0;

	for (uint32_t i = 0; i < v->messages.n; i++) {
		const struct kept_messages *m = &v->messages.at[i];

		if (!rules_header(g, m, line, &header) || gen_random_below(&g->random, ++n) != 0)
			continue;
		chosen = header;
		slot = m->code >> g->proto->header.op_bits;
	}
	*b = (struct nfart_batch){ .time = g->time };
	b->mask = (uint64_t)1 << slot;
	b->header[slot] = chosen;
	g->messages += n != 0;
	return n != 0;
}

/* Makes a fault of a line's event. Returns the event that is sent; KEPT_NONE: none is. */
static uint32_t rules_break(struct gen_rules *g, struct gen_fault *f, uint32_t line, uint32_t event)
{
	uint32_t others = g->kept->events.n - 1;

	f->taken = f->shown = true;
	f->time = g->time;
	f->address = (g->first + line) << g->proto->header.line_shift;
	if (f->kind == GEN_DROPPED)
		return KEPT_NONE;
	if (f->kind == GEN_DOUBLED) {
		g->again = (struct line){ line, event };
		g->doubled = true;
		return event;
	}
	return others == 0 ? event
			   : (event + 1 + gen_random_below(&g->random, others)) % (others + 1);
}

bool gen_rules_next(struct gen_rules *g, struct nfart_batch *b)
{
	while (g->nlines != 0) {
		uint32_t i = gen_random_below(&g->random, g->nlines), event, line;
		struct gen_fault *f = rules_due(g);

		g->time += 1 + gen_random_below(&g->random, MOST_GAP);
		if (g->doubled) {
			g->doubled = false;
			if (rules_batch(g, g->again.index, g->again.state, b))
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
		if (rules_batch(g, line, event, b))
			return true;
	}
	return false;
}
