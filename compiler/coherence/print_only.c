/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Prints the transitions of the form "only" as an automaton (print.h, Note [forms of a checker]).
 */
#include "compiler/coherence/print_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/bits.h"

/* Is belief `to` still right if this event comes again (Note [forms of a checker])? */
static bool is_repeatable(const struct checker *c, uint32_t to, uint32_t event)
{
	uint32_t again = to == COH_NONE ? COH_NONE : belief_after(c->beliefs, to, event);

	return again == COH_NONE || belief_contains(c->beliefs, to, again);
}

/* Returns the events that share the transition from one belief to another. */
static uint64_t shared(const struct checker *c, uint32_t from, uint32_t to)
{
	uint64_t events = checker_between(c, from, to);

	for (uint32_t i = 0; i < c->coh->nevents; i++)
		if ((events >> i & 1) != 0 && !is_repeatable(c, to, i))
			events &= ~((uint64_t)1 << i);
	return events;
}

enum { EVERY_SLOT = UINT32_MAX };

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
	checker_print_events(c, events, "_", &made);
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

void checker_free_lets(struct lets *lets)
{
	for (size_t i = 0; i < lets->list.n; i++)
		free(lets->list.at[i].name);
	vec_free(&lets->list);
}

/* Can a message with this code be of the event? */
static bool is_event(const struct coh *c, uint32_t code, uint32_t event)
{
	const struct coh_span *parts = &c->events[event].parts;

	for (uint32_t i = 0; i < parts->n; i++)
		if (coh_part_has(c, &c->parts.at[parts->first + i], code))
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
			    is_event(c->coh, slot << p->header.op_bits | op, i))
				some |= (uint64_t)1 << i;
	return some;
}

uint32_t checker_slots(const struct coh *c, uint64_t events)
{
	const struct checker all = { .coh = c };
	uint32_t n = 0;

	for (uint32_t slot = 0; slot < c->proto->nslots; slot++)
		n += events_in_slot(&all, events, slot) != 0;
	return n;
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
			    is_event(c->coh, code, i))
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
	checker_print_edge(c, from, to, b);
	buf_addf(b, "%s;\n", name != NULL ? name : "");
	b->failed = b->failed || name == NULL;
}

void checker_print_only(const struct checker *c, uint32_t from, struct lets *lets, struct buf *b)
{
	uint32_t to[COH_EVENTS], n = checker_targets(c, from, to);

	checker_print_edge(c, from, from, b);
	buf_addf(b, checker_is_always_active(c, from) ? "true" : "None(");
	checker_print_events(c, checker_is_always_active(c, from) ? 0 : c->beliefs->seen, ", ", b);
	buf_addf(b, "%s;\n", checker_is_always_active(c, from) ? "" : ")");
	for (uint32_t i = 0; i < n; i++) {
		uint64_t events = shared(c, from, to[i]);
		uint64_t alone = checker_between(c, from, to[i]) & ~events;

		if (to[i] == 0)
			continue;
		print_only_edge(c, from, to[i], events, EVERY_SLOT, lets, b);
		for (uint32_t slot = 0; alone != 0 && slot < c->coh->proto->nslots; slot++)
			print_only_edge(c, from, to[i], events_in_slot(c, alone, slot), slot, lets,
					b);
	}
}
