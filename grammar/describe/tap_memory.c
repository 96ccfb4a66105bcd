/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads registers and queues of taps (contract/proto/tap.h, Note [what taps remember]).
 */
#include <string.h>

#include "grammar/describe/tap_build.h"

/* ---- where they stand ---- */

/* Reads `NAME[BITS]`, or a name alone, and declares it. */
static uint32_t made_signal(struct build *b, enum tap_maker maker, bool sized)
{
	struct diag_range at = b->c.range;
	struct tap_signal s = { .maker = maker, .name = tap_signal_name(b), .bits = 1 };
	uint32_t signal = (uint32_t)b->unit->signals.n;

	if (sized && desc_accept(&b->c, "[")) {
		s.bits = (uint32_t)desc_number(&b->c, "the bits of a value", 1, TAP_MOST_KEPT);
		desc_expect(&b->c, "]");
	}
	tap_declare(b, at, s);
	return signal;
}

/* Puts off what is left of a statement, from `token` on. */
static void put_off(struct build *b, struct build_memory *m, const char *token, bool braces)
{
	if (!b->c.failed && !desc_is(&b->c, token))
		desc_expect(&b->c, token);
	if (!b->c.failed)
		build_put_off(b, &m->later, braces, true);
}

void tap_register_statement(struct build *b)
{
	struct build_memory m = { 0 };

	m.signal = made_signal(b, TAP_REGISTER, true);
	desc_taps(&b->c, false);
	put_off(b, &m, "=", false);
	if (!b->c.failed && !vec_push(&b->unit->registers, m))
		build_no_memory(b);
}

void tap_queue_statement(struct build *b)
{
	struct build_memory m = { 0 };

	m.signal = made_signal(b, TAP_QUEUE, true);
	desc_expect(&b->c, "of");
	m.deep = (uint32_t)desc_number(&b->c, "the entries of a queue", 1, TAP_MOST_DEEP);
	desc_expect(&b->c, ",");
	if (!b->c.failed)
		made_signal(b, TAP_QUEUE, false);
	desc_taps(&b->c, false);
	put_off(b, &m, "{", true);
	if (!b->c.failed && !vec_push(&b->unit->queues, m))
		build_no_memory(b);
}

/* ---- at the end ---- */

/* Reads an expression of at most `most` bits, or the truth of one if that is 0. */
static uint32_t memory_expression(struct tap_build *t, struct tap_expr *e, uint32_t most)
{
	struct diag_range at = t->b->c.range;
	uint32_t width = 1;

	if (most == 0)
		tap_condition(t, e);
	else
		width = tap_expression(t, e);
	if (e->looks_back)
		tap_wrong(t, at, "registers and queues don't look back");
	if (most != 0 && width > most)
		tap_wrong(t, at, "a value of %u bits for one that has %u", width, most);
	return width;
}

/* Reads `by EXPRESSION`, if it is there. */
static void key(struct tap_build *t, struct tap_expr *e, bool wanted, uint32_t *bits)
{
	struct diag_range at = t->b->c.range;
	bool there = desc_accept(&t->b->c, "by");
	uint32_t width = there ? memory_expression(t, e, TAP_MOST_KEPT) : 0;

	if (there != wanted)
		tap_wrong(t, at, "a queue has a key for both, 'put' and 'take', or for neither");
	if (width > *bits)
		*bits = width;
}

static void one_queue(struct tap_build *t, const struct build_memory *m, struct tap_queue *q)
{
	struct desc *c = &t->b->c;
	bool keys;

	*q = (struct tap_queue){ .signal = m->signal, .deep = m->deep };
	t->queues_end = m->signal;
	tap_go_to(t, &m->later);
	desc_expect(c, "put");
	memory_expression(t, &q->put, t->u->signals.at[m->signal].bits);
	keys = desc_is(c, "by");
	key(t, &q->put_key, keys, &q->key_bits);
	desc_expect(c, "when");
	memory_expression(t, &q->put_when, 0);
	desc_expect(c, ";");
	desc_expect(c, "take");
	key(t, &q->take_key, keys, &q->key_bits);
	desc_expect(c, "when");
	memory_expression(t, &q->take_when, 0);
	desc_expect(c, ";");
	if (!c->failed && !desc_is(c, "}"))
		desc_expect(c, "}");
	t->wrong = t->wrong || c->failed;
}

void tap_read_memory(struct tap_build *t, struct tap_interface *x)
{
	struct arena *a = t->b->arena;
	size_t nq = t->u->queues.n, nr = t->u->registers.n;
	struct tap_queue *queues = arena_array(a, nq, sizeof *queues);
	struct tap_register *registers = arena_array(a, nr, sizeof *registers);

	if (queues == NULL || registers == NULL) {
		build_no_memory(t->b);
		return;
	}
	t->registers = true;
	for (size_t i = 0; i < nq && !t->b->memory; i++)
		one_queue(t, &t->u->queues.at[i], &queues[i]);
	t->queues_end = UINT32_MAX;
	for (size_t i = 0; i < nr && !t->b->memory; i++) {
		const struct build_memory *m = &t->u->registers.at[i];
		registers[i].signal = m->signal;
		tap_go_to(t, &m->later);
		memory_expression(t, &registers[i].next, t->u->signals.at[m->signal].bits);
		if (!t->b->c.failed && !desc_is(&t->b->c, ";"))
			desc_expect(&t->b->c, ";");
		t->wrong = t->wrong || t->b->c.failed;
	}
	x->queues = queues;
	x->nqueues = (uint32_t)nq;
	x->registers = registers;
	x->nregisters = (uint32_t)nr;
}
