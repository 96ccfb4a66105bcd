/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/print_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contract/image/kept.h"
#include "support/bits.h"

/* ---- names ---- */

void checker_print_name(const struct nfart_proto *p, const char *name, struct buf *b)
{
	size_t from = b->n;

	buf_addf(b, "%s", name);
	while (!b->failed && coh_is_taken(p, b->at + from, b->n - from))
		buf_addf(b, "_");
}

/* Prints a test of the headers of messages. */
static void print_guard(const struct coh *c, const struct coh_guard *g, struct buf *b)
{
	buf_addf(b, "%s ", g->field == PROTO_ADDR ? "addr" : c->proto->names.fields[g->field].name);
	if (g->mask != UINT64_MAX)
		buf_addf(b, "& 0x%" PRIx64 " ", g->mask);
	if (g->first != g->last)
		buf_addf(b, "in 0x%" PRIx64 "..0x%" PRIx64, g->first, g->last);
	else
		buf_addf(b, "%s 0x%" PRIx64, g->other ? "!=" : "==", g->first);
}

void checker_print_lets(const struct coh *c, uint64_t events, struct buf *b)
{
	for (uint32_t i = 0; i < c->nevents; i++) {
		const struct coh_event *e = &c->events[i];

		if ((events >> i & 1) == 0 || e->let == NULL)
			continue;
		buf_addf(b, "let %s = Any(", e->let);
		for (uint32_t k = 0; k < e->parts.n; k++) {
			const struct coh_messages *p = &c->parts.at[e->parts.first + k];

			buf_addf(b, "%s%s%s", k == 0 ? "" : ", ",
				 c->proto->names.events[p->proto].name,
				 p->guards.n != 0 ? "[" : "");
			for (uint32_t j = 0; j < p->guards.n; j++) {
				buf_addf(b, "%s", j == 0 ? "" : ", ");
				print_guard(c, &c->guards.at[p->guards.first + j], b);
			}
			buf_addf(b, "%s", p->guards.n != 0 ? "]" : "");
		}
		buf_addf(b, ");\n");
	}
}

static void print_state(const struct checker *c, uint32_t belief, struct buf *b)
{
	char name[COH_LEGAL + 2];

	if (belief == COH_NONE) {
		snprintf(name, sizeof name, "error");
	} else if (c->only && belief == 0) {
		snprintf(name, sizeof name, "unknown");
	} else if (c->coh->rules) {
		snprintf(name, sizeof name, "b%" PRIu32, belief);
	} else {
		const uint64_t *set = belief_states(c->beliefs, belief);
		uint32_t n = 0;

		name[n++] = 's';
		for (uint32_t i = 0; i < c->system->nstates; i++)
			name[n++] = bits_get(set, i) ? '1' : '0';
		name[n] = 0;
	}
	checker_print_name(c->coh->proto, name, b);
}

/* Prints the names of a set of events, separated by `between`. */
void checker_print_events(const struct checker *c, uint64_t events, const char *between,
			 struct buf *b)
{
	const char *before = "";

	for (uint32_t i = 0; i < c->coh->nevents; i++) {
		if ((events >> i & 1) == 0)
			continue;
		buf_addf(b, "%s%s", before, c->coh->events[i].let != NULL
						    ? c->coh->events[i].let
						    : coh_event_name(c->coh, i));
		before = between;
	}
}

/* Note [after an error]. A checker that does not begin anew stays in the state `error`. In one that
 * does, `error` has no transition, and the checker goes on in one of two ways.
 *
 * - There is another transition, to the belief after the error. So one belief is active at a time,
 *   which software likes. Optimised, the automaton has several times as many transitions as one
 *   that does not begin anew.
 * - If it is an automaton that has to be small, for an overlay, or of the form "only", belief 0,
 *   which is that of knowing nothing, is always active. So the automaton has all beliefs at
 *   once that it would have if the stream had begun with any earlier message. Before an error
 *   that makes no difference, for the belief of a later beginning contains that of an earlier one.
 *   After it those beliefs go
 *   on that the error is none for. This needs no more transitions than not to begin anew.
 *
 * A machine with `orders` begins anew as the first way says: from belief 0, with the batch that was
 * an error.
 *
 * If the start is known, belief 0 is not that of knowing nothing, and only the first way is
 * left. */

static bool is_anew(const struct checker *c)
{
	return c->beliefs->restart.n != 0;
}

bool checker_is_always_active(const struct checker *c, uint32_t belief)
{
	return belief == 0 && !c->orders && (c->only || (is_anew(c) && c->small && !c->coh->known));
}

uint32_t checker_how(const struct checker *c)
{
	return (is_anew(c) ? KEPT_ANEW : 0) | (checker_is_always_active(c, 0) ? KEPT_ALWAYS : 0) |
	       (c->coh->known ? KEPT_KNOWN : 0) | (c->only ? KEPT_ONLY : 0);
}

/* Returns the belief that a checker has after an event; COH_NONE: only the state `error`. */
static uint32_t print_next(const struct checker *c, uint32_t from, uint32_t event)
{
	uint32_t next = belief_after(c->beliefs, from, event);

	return next == COH_NONE && is_anew(c) && !c->orders && !checker_is_always_active(c, 0)
		       ? c->beliefs->restart.at[event] : next;
}

/* Returns the events that lead from one belief to another, or to COH_NONE. */
uint64_t checker_between(const struct checker *c, uint32_t from, uint32_t to)
{
	uint64_t events = 0;

	for (uint32_t i = 0; i < c->coh->nevents; i++)
		if ((c->beliefs->seen >> i & 1) != 0 && print_next(c, from, i) == to)
			events |= (uint64_t)1 << i;
	return events;
}

/* Stores where the events of a belief lead, each belief once and in order; COH_NONE is the last.
 * Returns how many they are. */
uint32_t checker_targets(const struct checker *c, uint32_t from,
			      uint32_t to[static COH_EVENTS])
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->coh->nevents; i++) {
		uint32_t next = print_next(c, from, i), at = n;

		if ((c->beliefs->seen >> i & 1) == 0)
			continue;
		while (at > 0 && to[at - 1] > next)
			at--;
		if (at > 0 && to[at - 1] == next)
			continue;
		memmove(to + at + 1, to + at, (n++ - at) * sizeof *to);
		to[at] = next;
	}
	return n;
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

void checker_print_edge(const struct checker *c, uint32_t from, uint32_t to, struct buf *b)
{
	buf_addf(b, "\t");
	print_state(c, from, b);
	buf_addf(b, " -> ");
	print_state(c, to, b);
	buf_addf(b, " : ");
}

/* Returns the events that are errors in a belief. */
static uint64_t print_errors(const struct checker *c, uint32_t from)
{
	uint64_t events = 0;

	for (uint32_t i = 0; i < c->coh->nevents; i++)
		if ((c->beliefs->seen >> i & 1) != 0 &&
		    belief_after(c->beliefs, from, i) == COH_NONE)
			events |= (uint64_t)1 << i;
	return events;
}

static void print_any_edge(const struct checker *c, uint32_t from, uint32_t to, uint64_t events,
			   struct buf *b)
{
	if (events == 0)
		return;
	checker_print_edge(c, from, to, b);
	buf_addf(b, "Any(");
	checker_print_events(c, events, ", ", b);
	buf_addf(b, ");\n");
}

static void print_any(const struct checker *c, uint32_t from, struct buf *b)
{
	uint64_t stays = checker_between(c, from, from);
	uint64_t leaves = checker_is_always_active(c, from) ? 0 : c->beliefs->seen & ~stays;
	uint32_t to[COH_EVENTS], n = checker_targets(c, from, to);

	checker_print_edge(c, from, from, b);
	buf_addf(b, leaves != 0 ? "None(" : "true");
	checker_print_events(c, leaves, ", ", b);
	buf_addf(b, "%s;\n", leaves != 0 ? ")" : "");
	for (uint32_t i = 0; i < n && to[i] != COH_NONE; i++)
		if (to[i] != from)
			print_any_edge(c, from, to[i], checker_between(c, from, to[i]), b);
	print_any_edge(c, from, COH_NONE, print_errors(c, from), b);
}

/* ---- the form "only", as a machine ---- */

static void print_orders(const struct checker *c, uint32_t from, struct buf *b)
{
	uint32_t to[COH_EVENTS], n = checker_targets(c, from, to);

	for (uint32_t i = 0; i < n && to[i] != COH_NONE; i++)
		print_any_edge(c, from, to[i], checker_between(c, from, to[i]), b);
	/* The others are errors. A message that no transition names would not be seen. */
	if (from == 0)
		print_any_edge(c, from, COH_NONE, print_errors(c, from), b);
}

/* ---- the whole ---- */

static void print_automaton(const struct checker *c, struct lets *lets, struct buf *b)
{
	if (c->orders)
		buf_addf(b, "machine %s orders %d {\n", c->name, CHECKER_ORDERS);
	else
		buf_addf(b, "automaton %s {\n", c->name);
	for (uint32_t i = 0; i < c->beliefs->n; i++) {
		buf_addf(b, "\tstate ");
		print_state(c, i, b);
		buf_addf(b, "%s;", i == 0 ? " start" : "");
		print_comment(c, i, b);
		buf_addf(b, "\n");
	}
	buf_addf(b, "\tstate ");
	print_state(c, COH_NONE, b);
	buf_addf(b, " accept(%s);\n", c->name);
	for (uint32_t i = 0; i < c->beliefs->n; i++) {
		if (c->orders)
			print_orders(c, i, b);
		else if (c->only)
			checker_print_only(c, i, lets, b);
		else
			print_any(c, i, b);
	}
	if (!is_anew(c)) {
		checker_print_edge(c, COH_NONE, COH_NONE, b);
		buf_addf(b, "true;\n");
	}
	buf_addf(b, "}\n");
}

/* The definitions of predicates stand before the automaton, and are found while it is printed. */
void checker_print(const struct checker *c, struct buf *b)
{
	struct buf automaton = { 0 };
	struct lets lets = { .definitions = b };

	print_automaton(c, &lets, &automaton);
	if (automaton.failed)
		b->failed = true;
	else
		buf_add(b, automaton.at, automaton.n);
	buf_free(&automaton);
	checker_free_lets(&lets);
}
