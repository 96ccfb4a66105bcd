/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the statements of taps where they stand: clocks and signals. Resets, taps, and what
 * registers and queues do are put off until the end (tap_text.c, tap_memory.c).
 */
#include <string.h>

#include "grammar/describe/tap_build.h"

const char *tap_signal_name(struct build *b)
{
	const char *s;
	size_t n = desc_word(&b->c, &s, "the name of a signal");

	return b->c.failed ? NULL : build_copy(b, "", 0, s, n);
}

/* Reads `[rising|falling] NAME or NAME ...`. */
static void clock(struct build *b)
{
	struct build_unit *u = b->unit;
	bool falling = desc_is(&b->c, "falling"), edge = falling || desc_is(&b->c, "rising");
	const char *name = tap_signal_name(b);

	if (u->has_clock)
		desc_error(&b->c, b->c.range, "second 'clock'");
	u->has_clock = true;
	if (edge && !desc_is(&b->c, ";")) {
		u->falling = falling;
		name = tap_signal_name(b);
	}
	for (;;) {
		if (name != NULL && !vec_push(&u->clocks, name))
			build_no_memory(b);
		if (b->c.failed || !desc_accept(&b->c, "or"))
			break;
		name = tap_signal_name(b);
	}
}

void tap_declare(struct build *b, struct diag_range at, struct tap_signal s)
{
	struct build_unit *u = b->unit;

	for (size_t i = 0; i < u->signals.n && !b->c.failed; i++)
		if (strcmp(u->signals.at[i].name, s.name) == 0)
			desc_error(&b->c, at, "signal '%s' is already declared", s.name);
	if (u->signals.n == TAP_MOST_SIGNALS)
		desc_error(&b->c, at, "at most %d signals", TAP_MOST_SIGNALS);
	if (!b->c.failed && !vec_push(&u->signals, s))
		build_no_memory(b);
}

/* Reads `NAME[N] or NAME ... = DEFAULT`. */
static void one_signal(struct build *b)
{
	VEC(const char *) names = { 0 };
	struct diag_range at = b->c.range;
	struct tap_signal s = { .name = tap_signal_name(b), .bits = 1 };
	const char **list, *name = s.name;

	if (desc_accept(&b->c, "[")) {
		s.bits = (uint32_t)desc_number(&b->c, "the bits of a signal", 1, TAP_MOST_BITS);
		desc_expect(&b->c, "]");
	}
	for (;;) {
		if (name != NULL && !vec_push(&names, name))
			build_no_memory(b);
		if (b->c.failed || !desc_accept(&b->c, "or"))
			break;
		name = tap_signal_name(b);
	}
	if (desc_accept(&b->c, "=")) {
		s.has_usual = true;
		s.usual = desc_number(&b->c, "the value of a signal that is not there", 0,
				      UINT64_MAX);
	}
	if (s.bits < 64)
		s.usual &= ((uint64_t)1 << s.bits) - 1;
	list = arena_array(b->arena, names.n, sizeof *list);
	if (list == NULL)
		build_no_memory(b);
	else if (names.n != 0)
		memcpy(list, names.at, names.n * sizeof *list);
	s.names = list;
	s.nnames = (uint32_t)names.n;
	tap_declare(b, at, s);
	vec_free(&names);
}

bool build_tap_statement(struct build *b)
{
	struct desc *c = &b->c;
	struct build_later later;

	if (desc_is(c, "reset") || desc_is(c, "tap")) {
		bool tap = desc_is(c, "tap");
		build_put_off(b, &later, tap, true);
		if (!c->failed &&
		    !(tap ? vec_push(&b->unit->taps, later) : vec_push(&b->unit->resets, later)))
			build_no_memory(b);
		return true;
	}
	if (!desc_is(c, "clock") && !desc_is(c, "signal") && !desc_is(c, "register") &&
	    !desc_is(c, "queue"))
		return false;
	/* Before the name behind the word is read. */
	desc_taps(c, true);
	if (desc_accept(c, "register")) {
		tap_register_statement(b);
		return true;
	}
	if (desc_accept(c, "queue")) {
		tap_queue_statement(b);
		return true;
	}
	if (desc_accept(c, "clock")) {
		clock(b);
	} else if (desc_accept(c, "signal")) {
		do
			one_signal(b);
		while (desc_accept(c, ","));
	}
	desc_taps(c, false);
	desc_expect(c, ";");
	return true;
}
