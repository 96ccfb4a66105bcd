/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/bits.h"

/* ---- names ---- */

void checker_print_name(const struct nfart_proto *p, const char *name, struct buf *b)
{
	size_t from = b->n;

	buf_addf(b, "%s", name);
	while (!b->failed && coh_is_taken(p, b->at + from, b->n - from))
		buf_addf(b, "_");
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
static uint64_t print_between(const struct checker *c, uint32_t from, uint32_t to)
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
	uint64_t stays = print_between(c, from, from), leaves = c->beliefs->seen & ~stays;

	print_edge(c, from, from, b);
	buf_addf(b, leaves != 0 ? "None(" : "true");
	print_events(c, leaves, ", ", b);
	buf_addf(b, "%s;\n", leaves != 0 ? ")" : "");
	for (uint32_t i = 0; i <= c->beliefs->n; i++) {
		uint32_t to = i < c->beliefs->n ? i : COH_NONE;
		uint64_t events = to == from ? 0 : print_between(c, from, to);

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
	uint64_t events = print_between(c, from, to);

	for (uint32_t i = 0; i < c->coh->nevents; i++)
		if ((events >> i & 1) != 0 && !is_repeatable(c, to, i))
			events &= ~((uint64_t)1 << i);
	return events;
}

enum { EVERY_SLOT = UINT32_MAX };

/* A predicate "all messages are of these events", and its name. If it is that of one slot, it means
 * "the batch has one message, in this slot, and of these events". */
struct let {
	uint64_t events;
	uint32_t slot;
	char *name;
};

/* The predicates of a checker, each once. */
struct lets {
	struct buf *definitions; /* borrowed */
	VEC(struct let) list;
};

static const struct let *find_let(const struct lets *lets, uint64_t events, uint32_t slot)
{
	for (size_t i = 0; i < lets->list.n; i++)
		if (lets->list.at[i].events == events && lets->list.at[i].slot == slot)
			return &lets->list.at[i];
	return NULL;
}

static bool names_let(const struct lets *lets, const char *name)
{
	for (size_t i = 0; i < lets->list.n; i++)
		if (strcmp(lets->list.at[i].name, name) == 0)
			return true;
	return false;
}

/* Adds a predicate. Its name is made of those of the events. Other events can make the same name,
 * `a_b` and `c` the same as `a` and `b_c`, and then it gets longer. False: out of memory. */
static bool add_let(const struct checker *c, uint64_t events, uint32_t slot, struct lets *lets)
{
	struct buf made = { 0 }, name = { 0 };

	buf_addf(&made, "%s_", c->name);
	print_events(c, events, "_", &made);
	if (slot != EVERY_SLOT)
		buf_addf(&made, "_alone%" PRIu32, slot);
	do {
		name.n = 0;
		checker_print_name(c->coh->proto, made.failed ? "" : made.at, &name);
		buf_addf(&made, "_");
	} while (!made.failed && !name.failed && names_let(lets, name.at));
	if (made.failed || name.failed ||
	    !vec_push(&lets->list, ((struct let){ events, slot, name.at }))) {
		buf_free(&made);
		buf_free(&name);
		return false;
	}
	buf_free(&made);
	return true;
}

static void free_lets(struct lets *lets)
{
	for (size_t i = 0; i < lets->list.n; i++)
		free(lets->list.at[i].name);
	vec_free(&lets->list);
}

/* Is a code that of a message of the event? */
static bool is_event(const struct nfart_proto *p, uint32_t code, uint32_t event)
{
	const struct proto_event *e = &p->names.events[event];

	if (p->codes.type_of[code] == 0 || p->slots[code >> p->header.op_bits].group != e->group)
		return false;
	for (uint32_t k = 0; k < e->ntypes; k++)
		if (e->types[k] == p->codes.type_of[code] - 1)
			return true;
	return false;
}

/* Returns those of the events that can come in a slot. */
static uint64_t events_in_slot(const struct checker *c, uint64_t events, uint32_t slot)
{
	const struct nfart_proto *p = c->coh->proto;
	uint64_t some = 0;

	for (uint32_t op = 0; op < (uint32_t)1 << p->header.op_bits; op++)
		for (uint32_t i = 0; i < c->coh->nevents; i++)
			if ((events >> i & 1) != 0 &&
			    is_event(p, slot << p->header.op_bits | op, c->coh->events[i].proto))
				some |= (uint64_t)1 << i;
	return some;
}

/* Prints the definition of a predicate. */
static void print_let(const struct checker *c, const struct let *let, struct buf *b)
{
	const struct nfart_proto *p = c->coh->proto;
	uint64_t *others = malloc(bits_words(p->codes.n) * sizeof *others);

	if (others == NULL) {
		b->failed = true;
		return;
	}
	memcpy(others, p->codes.valid, bits_words(p->codes.n) * sizeof *others);
	for (uint32_t code = 0; code < p->codes.n; code++)
		for (uint32_t i = 0; i < c->coh->nevents; i++)
			if ((let->events >> i & 1) != 0 &&
			    (let->slot == EVERY_SLOT || let->slot == code >> p->header.op_bits) &&
			    is_event(p, code, c->coh->events[i].proto))
				others[code / 64] &= ~((uint64_t)1 << code % 64);
	buf_addf(b, "let %s = ", let->name);
	proto_print_pred(p, true, others, b);
	buf_addf(b, ";\n");
	free(others);
}

/* Returns the name of a predicate, which is defined if it was not yet. NULL: out of memory. */
static const char *name_let(const struct checker *c, uint64_t events, uint32_t slot,
			    struct lets *lets)
{
	const struct let *let = find_let(lets, events, slot);

	if (let == NULL && add_let(c, events, slot, lets)) {
		let = &lets->list.at[lets->list.n - 1];
		print_let(c, let, lets->definitions);
	}
	return let != NULL ? let->name : NULL;
}

static void print_only_edge(const struct checker *c, uint32_t from, uint32_t to, uint64_t events,
			    uint32_t slot, struct lets *lets, struct buf *b)
{
	const char *name;

	if (events == 0)
		return;
	name = name_let(c, events, slot, lets);
	print_edge(c, from, to, b);
	buf_addf(b, "%s;\n", name != NULL ? name : "");
	b->failed = b->failed || name == NULL;
}

static void print_only(const struct checker *c, uint32_t from, struct lets *lets, struct buf *b)
{
	print_edge(c, from, from, b);
	buf_addf(b, from == 0 ? "true" : "None(");
	print_events(c, from == 0 ? 0 : c->beliefs->seen, ", ", b);
	buf_addf(b, "%s;\n", from == 0 ? "" : ")");
	for (uint32_t i = 1; i <= c->beliefs->n; i++) {
		uint32_t to = i < c->beliefs->n ? i : COH_NONE;
		uint64_t events = shared(c, from, to), alone = print_between(c, from, to) & ~events;

		print_only_edge(c, from, to, events, EVERY_SLOT, lets, b);
		for (uint32_t slot = 0; alone != 0 && slot < c->coh->proto->nslots; slot++)
			print_only_edge(c, from, to, events_in_slot(c, alone, slot), slot, lets, b);
	}
}

/* ---- the automaton ---- */

static void print_automaton(const struct checker *c, struct lets *lets, struct buf *b)
{
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
		if (c->only)
			print_only(c, i, lets, b);
		else
			print_any(c, i, b);
	}
	print_edge(c, COH_NONE, COH_NONE, b);
	buf_addf(b, "true;\n}\n");
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
	free_lets(&lets);
}
