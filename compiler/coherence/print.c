/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/print.h"

#include <inttypes.h>
#include <string.h>

#include "support/bits.h"

/* ---- names ---- */

static void print_state(const struct checker *c, uint32_t belief, struct buf *b)
{
	if (belief == COH_NONE) {
		buf_addf(b, "error");
	} else if (c->only && belief == 0) {
		buf_addf(b, "unknown");
	} else if (c->coh->rules) {
		buf_addf(b, "b%" PRIu32, belief);
	} else {
		buf_addf(b, "s");
		for (uint32_t i = 0; i < c->system->nstates; i++)
			buf_addf(b, "%d", bits_get(belief_states(c->beliefs, belief), i));
	}
}

/* Prints the names of a set of events, separated by `between`. */
static void print_events(const struct checker *c, uint64_t events, const char *between,
			 struct buf *b)
{
	const char *before = "";

	for (uint32_t i = 0; i < c->coh->nevents; i++) {
		if ((events >> i & 1) == 0)
			continue;
		buf_addf(b, "%s%s", before, coh_event_name(c->coh, i));
		before = between;
	}
}

/* Returns the events that lead from one belief to another. */
static uint64_t between(const struct checker *c, uint32_t from, uint32_t to)
{
	uint64_t events = 0;

	for (uint32_t i = 0; i < c->coh->nevents; i++)
		if ((c->beliefs->seen >> i & 1) != 0 && belief_after(c->beliefs, from, i) == to)
			events |= (uint64_t)1 << i;
	return events;
}

/* ---- comments ---- */

/* Does a rule let an event be seen in a belief? The rule that sends a message counts if the tap
 * sees the message later. */
static bool allows(const struct checker *c, uint32_t belief, uint32_t event, uint32_t rule)
{
	const uint64_t *set = belief_states(c->beliefs, belief);
	const struct coh_system *s = c->system;
	const struct coh_rule *r = &c->coh->list.at[rule];

	if (r->event != event || r->kind == COH_STEP)
		return false;
	for (size_t i = bits_next(set, s->nstates, 0); i < s->nstates;
	     i = bits_next(set, s->nstates, i + 1))
		for (uint32_t k = s->first.at[i]; k < s->first.at[i + 1]; k++)
			if (s->edges.at[k].event == event &&
			    (s->edges.at[k].rule == rule ||
			     (s->edges.at[k].rule == COH_NONE && r->kind == COH_SEND)))
				return true;
	return false;
}

/* Prints what may come next: ` // next: R12 (line 20), V21 (lines 31, 32)`. */
static void print_comment(const struct checker *c, uint32_t belief, struct buf *b)
{
	const char *before = " // next:";

	for (uint32_t event = 0; event < c->coh->nevents; event++) {
		uint32_t lines = 0;

		if ((c->beliefs->seen >> event & 1) == 0 ||
		    belief_after(c->beliefs, belief, event) == COH_NONE)
			continue;
		buf_addf(b, "%s %s", before, coh_event_name(c->coh, event));
		before = ",";
		for (uint32_t rule = 0; rule < c->coh->list.n; rule++)
			if (allows(c, belief, event, rule))
				buf_addf(b, "%s%" PRIu32, lines++ == 0 ? " (line " : " ",
					 c->coh->list.at[rule].line);
		if (lines != 0)
			buf_addf(b, ")");
	}
}

/* ---- the form "any" ---- */

static void print_edge(const struct checker *c, uint32_t from, uint32_t to, struct buf *b)
{
	buf_addf(b, "\t");
	print_state(c, from, b);
	buf_addf(b, " -> ");
	print_state(c, to, b);
	buf_addf(b, " : ");
}

static void print_any(const struct checker *c, uint32_t from, struct buf *b)
{
	uint64_t stays = between(c, from, from), leaves = c->beliefs->seen & ~stays;

	print_edge(c, from, from, b);
	buf_addf(b, leaves != 0 ? "None(" : "true");
	print_events(c, leaves, ", ", b);
	buf_addf(b, "%s;\n", leaves != 0 ? ")" : "");
	for (uint32_t i = 0; i <= c->beliefs->n; i++) {
		uint32_t to = i < c->beliefs->n ? i : COH_NONE;
		uint64_t events = to == from ? 0 : between(c, from, to);

		if (events == 0)
			continue;
		print_edge(c, from, to, b);
		buf_addf(b, "Any(");
		print_events(c, events, ", ", b);
		buf_addf(b, ");\n");
	}
}

/* ---- the form "only" ---- */

/* Is belief `to` still right if this event comes again (Note [forms of a checker])? */
static bool is_repeatable(const struct checker *c, uint32_t to, uint32_t event)
{
	uint32_t again = to == COH_NONE ? COH_NONE : belief_after(c->beliefs, to, event);

	return again == COH_NONE || belief_contains(c->beliefs, to, again);
}

/* Returns the events that share the transition from one belief to another. */
static uint64_t shared(const struct checker *c, uint32_t from, uint32_t to)
{
	uint64_t events = between(c, from, to);

	for (uint32_t i = 0; i < c->coh->nevents; i++)
		if ((events >> i & 1) != 0 && !is_repeatable(c, to, i))
			events &= ~((uint64_t)1 << i);
	return events;
}

static void print_only_name(const struct checker *c, uint64_t events, struct buf *b)
{
	buf_addf(b, "%s_", c->name);
	print_events(c, events, "_", b);
}

static void print_only(const struct checker *c, uint32_t from, struct buf *b)
{
	print_edge(c, from, from, b);
	buf_addf(b, from == 0 ? "true" : "None(");
	print_events(c, from == 0 ? 0 : c->beliefs->seen, ", ", b);
	buf_addf(b, "%s;\n", from == 0 ? "" : ")");
	for (uint32_t i = 1; i <= c->beliefs->n; i++) {
		uint32_t to = i < c->beliefs->n ? i : COH_NONE;
		uint64_t events = shared(c, from, to);

		if (events == 0)
			continue;
		print_edge(c, from, to, b);
		print_only_name(c, events, b);
		buf_addf(b, ";\n");
	}
}

/* Prints the definition of the predicate "all messages are of these events". */
static void print_let(const struct checker *c, uint64_t events, struct buf *b)
{
	const struct nfart_proto *p = c->coh->proto;
	uint64_t *others = malloc(bits_words(p->ncodes) * sizeof *others);
	bool first = true;

	if (others == NULL) {
		b->failed = true;
		return;
	}
	memcpy(others, p->valid, bits_words(p->ncodes) * sizeof *others);
	for (uint32_t code = 0; code < p->ncodes; code++)
		for (uint32_t i = 0; i < c->coh->nevents && p->type_of[code] != 0; i++) {
			const struct proto_event *e = &p->events[c->coh->events[i].proto];

			if ((events >> i & 1) == 0 ||
			    p->slots[code >> p->op_bits].group != e->group)
				continue;
			for (uint32_t k = 0; k < e->ntypes; k++)
				if (e->types[k] == p->type_of[code] - 1)
					others[code / 64] &= ~((uint64_t)1 << code % 64);
		}
	buf_addf(b, "let ");
	print_only_name(c, events, b);
	buf_addf(b, " = None(");
	proto_print_codes(p, others, &first, b);
	buf_addf(b, ");\n");
	free(others);
}

/* Prints the predicates of all transitions, each once. */
static void print_lets(const struct checker *c, struct buf *b)
{
	VEC(uint64_t) seen = { 0 };

	for (uint32_t from = 0; from < c->beliefs->n; from++)
		for (uint32_t i = 1; i <= c->beliefs->n; i++) {
			uint64_t events = shared(c, from, i < c->beliefs->n ? i : COH_NONE);
			size_t k = 0;

			while (k < seen.n && seen.at[k] != events)
				k++;
			if (events == 0 || k < seen.n)
				continue;
			print_let(c, events, b);
			if (!vec_push(&seen, events))
				b->failed = true;
		}
	vec_free(&seen);
}

/* ---- the automaton ---- */

void checker_print(const struct checker *c, struct buf *b)
{
	if (c->only)
		print_lets(c, b);
	buf_addf(b, "automaton %s {\n", c->name);
	for (uint32_t i = 0; i < c->beliefs->n; i++) {
		buf_addf(b, "\tstate ");
		print_state(c, i, b);
		buf_addf(b, "%s;", i == 0 ? " start" : "");
		print_comment(c, i, b);
		buf_addf(b, "\n");
	}
	buf_addf(b, "\tstate error accept(%s);\n", c->name);
	for (uint32_t i = 0; i < c->beliefs->n; i++) {
		if (c->only)
			print_only(c, i, b);
		else
			print_any(c, i, b);
	}
	buf_addf(b, "\terror -> error : true;\n}\n");
}
