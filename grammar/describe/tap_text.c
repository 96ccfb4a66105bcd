/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads resets and taps. They are read at the end (proto_build.h, Note [units]), when all signals
 * and the places of all fields are known.
 */
#include <stdarg.h>
#include <string.h>

#include "contract/image/record.h"
#include "grammar/describe/tap_build.h"

size_t tap_wrong(struct tap_build *t, struct diag_range at, const char *format, ...)
{
	char text[256];
	va_list ap;

	t->wrong = true;
	if (t->b->c.failed)
		return SIZE_MAX;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	return diag_report(t->b->c.diags, DIAG_ERROR, "description", at, "%s", text);
}

void tap_suggest(struct tap_build *t, size_t record, struct diag_range at,
		 const char *(*next)(void *ctx), void *ctx)
{
	struct diags *d = t->b->c.diags;
	const char *near;

	if (record == SIZE_MAX)
		return;
	near = diag_nearest(d->sources.at[at.source].text + at.begin, at.end - at.begin, next, ctx);
	if (near != NULL)
		diag_fixit(d, record, at, near, "did you mean '%s'?", near);
}

static bool is(const char *name, const char *s, size_t n)
{
	return strncmp(name, s, n) == 0 && name[n] == 0;
}

size_t tap_find_signal(const struct tap_build *t, const char *s, size_t n)
{
	size_t i = 0;

	while (i < t->u->signals.n && !is(t->u->signals.at[i].name, s, n))
		i++;
	return i;
}

/* ---- reset ---- */

void tap_go_to(struct tap_build *t, const struct build_later *later)
{
	t->b->c = later->c;
	t->b->c.params = &t->u->params;
	desc_taps(&t->b->c, true);
	desc_advance(&t->b->c);
}

/* Declares the names in a reset that are no signals yet, as signals with one bit. */
static void declare_names(struct tap_build *t, const struct build_later *later)
{
	static const char *const words[] = { "or", "past", "stable", "rose", "fell" };
	struct desc *c = &t->b->c;

	tap_go_to(t, later);
	for (; !c->failed && c->kind != DESC_END && !desc_is(c, ";"); desc_advance(c)) {
		const char *s = c->text + c->range.begin, **names;
		size_t n = c->range.end - c->range.begin;
		bool word = c->kind != DESC_WORD || desc_is_number(c);
		struct tap_signal x = { .bits = 1, .nnames = 1 };
		for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
			word = word || desc_is(c, words[i]);
		if (word || tap_find_signal(t, s, n) < t->u->signals.n)
			continue;
		names = arena_array(t->b->arena, 1, sizeof *names);
		x.name = build_copy(t->b, "", 0, s, n);
		x.names = names;
		if (names != NULL)
			names[0] = x.name;
		if (t->u->signals.n == 2 * TAP_MOST_SIGNALS)
			desc_error(c, c->range, "at most %d signals", TAP_MOST_SIGNALS);
		else if (names == NULL || !vec_push(&t->u->signals, x))
			build_no_memory(t->b);
	}
}

/* ---- taps ---- */

struct candidates {
	const struct tap_build *t;
	const uint64_t *codes; /* types are those of these codes */
	uint32_t slot, code;
	size_t i;
};

static const char *next_type(void *ctx)
{
	struct candidates *x = ctx;
	const struct build *b = x->t->b;

	while (x->i >> b->p->header.op_bits == 0) {
		uint32_t type =
			b->p->codes.type_of[x->slot << b->p->header.op_bits | (uint32_t)x->i++];
		if (type != 0)
			return b->tables.types.at[type - 1].name;
	}
	return NULL;
}

static const char *next_field(void *ctx)
{
	struct candidates *x = ctx;
	struct proto_place place;

	while (x->i < x->t->b->tables.fields.n)
		if (build_find_place(x->t->b, x->i++, x->code, &place))
			return x->t->b->tables.fields.at[x->i - 1];
	return NULL;
}

/* Finds the place of a field that a row may fill. For a description that is laid out automatically
 * its width is that in the unit. False: there is none. */
static bool find_field(const struct tap_build *t, uint32_t code, const char *s, size_t n,
		       struct tap_field *f)
{
	const struct build *b = t->b;
	const struct nfart_proto *p = b->p;
	struct proto_place place;
	size_t i = build_find_field(b, s, n);

	f->from = 0;
	if (n == 4 && memcmp(s, "addr", 4) == 0) {
		/* The bits below the line have a place if the layout is automatic. */
		f->from = b->automatic.on ? 0 : p->header.line_shift;
		f->lsb = b->automatic.on ? 0 : p->header.addr_lsb;
		f->bits = b->automatic.on ? t->u->addr_bits : p->header.addr_bits;
		return bits_get(p->codes.has_addr, code);
	}
	if (i == b->tables.fields.n || (b->automatic.on && is("offset", s, n)) ||
	    !build_find_place(b, i, code, &place))
		return false;
	f->lsb = place.lsb;
	f->bits = place.bits;
	for (size_t k = 0; k < t->u->fields.n; k++)
		if (is(t->u->fields.at[k].name, s, n))
			f->bits = t->u->fields.at[k].bits;
	return true;
}

/* Reads the expression of `payload = EXPRESSION`, at `at`. *found is false if messages have no
 * payload: then nothing of it is kept. */
static void row_payload(struct tap_build *t, struct diag_range at, struct tap_field *f, bool *found)
{
	struct build *b = t->b;
	uint32_t bits = b->p->payload, room = bits != 0 ? bits : TAP_MOST_BITS, width;
	size_t before = t->code.n;

	if (build_find_field(b, "payload", 7) != b->tables.fields.n)
		tap_wrong(t, at, "both a field and the payload are called 'payload'");
	width = tap_expression(t, &f->value);
	if (!b->c.failed && width > room)
		tap_wrong(t, at, "a value of %u bits for the payload, which has %u", width, room);
	f->bits = width;
	f->payload = true;
	*found = bits != 0;
	if (!*found)
		t->code.n = before;
}

/* Reads one `FIELD = EXPRESSION` of a row. */
static void one_field(struct tap_build *t, uint32_t code, const char *type, struct tap_field *f,
		      bool *found)
{
	struct desc *c = &t->b->c;
	struct diag_range at = c->range;
	struct candidates names = { t, NULL, 0, code, 0 };
	const char *s;
	size_t n = desc_word(c, &s, "a field"), room;
	uint32_t width;

	if (!c->failed && t->u->has_payload && n == 7 && memcmp(s, "payload", n) == 0) {
		desc_expect(c, "=");
		row_payload(t, at, f, found);
		return;
	}
	*found = !c->failed && type != NULL && find_field(t, code, s, n, f);
	if (!c->failed && type != NULL && !*found && n == 7 && memcmp(s, "payload", n) == 0)
		tap_wrong(t, at, "this description has no payload to fill: 'payload BITS;' says "
			  "that messages have one");
	else if (!c->failed && type != NULL && !*found)
		tap_suggest(t, tap_wrong(t, at, "'%s' has no field '%.*s'", type, (int)n, s), at,
			    next_field, &names);
	desc_expect(c, "=");
	width = tap_expression(t, &f->value);
	room = *found ? f->from + f->bits : TAP_MOST_BITS;
	if (!c->failed && *found && width > room)
		tap_wrong(t, at, "a value of %u bits for '%.*s', which has %u", width, (int)n, s,
			  (unsigned)room);
	/* What lies below the line is dropped, and a narrower value has no more bits. */
	f->bits = width <= f->from ? 0 : width - f->from < f->bits ? width - f->from : f->bits;
}

/* Reads the fields of a row, up to its ';'. */
static void row_fields(struct tap_build *t, uint32_t code, const char *type, struct tap_row *row)
{
	VEC(struct tap_field) fields = { 0 };
	VEC(struct diag_range) names = { 0 };
	struct desc *c = &t->b->c;
	struct tap_field *list;

	do {
		struct tap_field f = { 0 };
		struct diag_range at = c->range;
		uint32_t n = at.end - at.begin;
		bool found;
		for (size_t i = 0; i < names.n && !c->failed; i++)
			if (names.at[i].end - names.at[i].begin == n &&
			    memcmp(c->text + names.at[i].begin, c->text + at.begin, n) == 0)
				tap_wrong(t, at, "this field is already set");
		one_field(t, code, type, &f, &found);
		if (!vec_push(&names, at) || (found && !vec_push(&fields, f)))
			build_no_memory(t->b);
	} while (desc_accept(c, ","));
	list = arena_array(t->b->arena, fields.n, sizeof *list);
	if (list == NULL)
		build_no_memory(t->b);
	else if (fields.n != 0)
		memcpy(list, fields.at, fields.n * sizeof *list);
	row->fields = list;
	row->nfields = (uint32_t)fields.n;
	vec_free(&fields);
	vec_free(&names);
}

/* Reads `TYPE when EXPRESSION [: FIELD = EXPRESSION, ...];`. */
static struct tap_row one_row(struct tap_build *t, uint32_t slot)
{
	const struct build *b = t->b;
	struct desc *c = &t->b->c;
	struct diag_range at = c->range;
	struct candidates types = { t, NULL, slot, 0, 0 };
	struct tap_row row = { 0 };
	const char *s;
	size_t n = desc_word(c, &s, "a type"), type = build_find_type(b, s, n);
	uint32_t code = slot << b->p->header.op_bits, end = code + (1u << b->p->header.op_bits);
	char name[80];

	while (!c->failed && code < end && b->p->codes.type_of[code] != type + 1)
		code++;
	if (!c->failed && code == end) {
		proto_slot_name(b->p, slot, name);
		tap_suggest(t, tap_wrong(t, at, "no type '%.*s' on %s", (int)n, s, name), at,
			    next_type, &types);
	}
	if (!c->failed && code < end) {
		row.type = b->tables.types.at[type].name;
		row.header = proto_opcode_bits(b->p, code);
	}
	desc_expect(c, "when");
	tap_condition(t, &row.when);
	if (desc_accept(c, ":"))
		row_fields(t, code, row.type, &row);
	desc_expect(c, ";");
	return row;
}

/* Reads `GROUP[@CHANNEL]`, the slot of a tap. */
static int slot_of(struct tap_build *t)
{
	struct desc *c = &t->b->c;
	struct diag_range at = c->range;
	const char *s;
	size_t n = desc_word(c, &s, "a group");
	int group = c->failed ? -1 : build_find_group(t->b, s, n), channel = PROTO_NO_CHANNEL, slot;

	if (desc_accept(c, "@"))
		channel = (int)desc_number(c, "a channel", 0, MOST_CHANNELS);
	if (c->failed)
		return -1;
	slot = group < 0 ? -1 : proto_find_slot(t->b->p, (uint32_t)group, channel);
	if (slot < 0 && channel == PROTO_NO_CHANNEL)
		tap_wrong(t, at, "no slot '%.*s'", (int)n, s);
	else if (slot < 0)
		tap_wrong(t, at, "no slot '%.*s@%d'", (int)n, s, channel);
	return slot;
}

/* Reads a tap that was put off. `seen` has a bit for each slot that has a tap. */
static void one_tap(struct tap_build *t, const struct build_later *later, uint64_t *seen,
		    struct tap *tap)
{
	VEC(struct tap_row) rows = { 0 };
	struct desc *c = &t->b->c;
	struct diag_range at;
	struct tap_row *list;
	int slot;

	tap_go_to(t, later);
	at = c->range;
	slot = slot_of(t);
	if (slot >= 0 && (*seen >> slot & 1) != 0)
		tap_wrong(t, at, "a second tap of this slot");
	if (slot >= 0)
		*seen |= (uint64_t)1 << slot;
	desc_expect(c, "{");
	while (slot >= 0 && !t->b->memory && c->kind != DESC_END && !desc_is(c, "}")) {
		struct tap_row row = one_row(t, (uint32_t)slot);
		if (!vec_push(&rows, row))
			build_no_memory(t->b);
		t->wrong = t->wrong || c->failed;
		if (c->failed && !t->b->memory && t->code.n < TAP_MOST_CODE)
			desc_recover(c);
	}
	list = arena_array(t->b->arena, rows.n, sizeof *list);
	if (list == NULL)
		build_no_memory(t->b);
	else if (rows.n != 0)
		memcpy(list, rows.at, rows.n * sizeof *list);
	*tap = (struct tap){ slot < 0 ? 0 : (uint32_t)slot, (uint32_t)rows.n, list };
	vec_free(&rows);
	t->wrong = t->wrong || c->failed;
}

/* ---- units ---- */

/* Reads the resets of the unit into *x. */
static void read_resets(struct tap_build *t, struct tap_interface *x)
{
	VEC(struct tap_expr) resets = { 0 };
	struct desc *c = &t->b->c;
	struct tap_expr e, *list;

	for (size_t i = 0; i < t->u->resets.n && !t->b->memory; i++) {
		tap_go_to(t, &t->u->resets.at[i]);
		if (i != 0)
			tap_wrong(t, c->range, "second 'reset'");
		do {
			tap_condition(t, &e);
			if (!vec_push(&resets, e))
				build_no_memory(t->b);
		} while (desc_accept(c, "or"));
		desc_expect(c, ";");
		t->wrong = t->wrong || c->failed;
	}
	list = arena_array(t->b->arena, resets.n, sizeof *list);
	if (list == NULL)
		build_no_memory(t->b);
	else if (resets.n != 0)
		memcpy(list, resets.at, resets.n * sizeof *list);
	x->resets = list;
	x->nresets = (uint32_t)resets.n;
	vec_free(&resets);
}

/* Copies what the vectors of the unit have into *x. False: out of memory. */
static bool copy(struct tap_build *t, struct tap_interface *x)
{
	struct arena *a = t->b->arena;
	const char **clocks = arena_array(a, t->u->clocks.n, sizeof *clocks);
	struct tap_signal *signals = arena_array(a, t->u->signals.n, sizeof *signals);
	struct tap_code *code = arena_array(a, t->code.n, sizeof *code);

	if (clocks == NULL || signals == NULL || code == NULL)
		return false;
	for (size_t i = 0; i < t->u->clocks.n; i++)
		clocks[i] = t->u->clocks.at[i];
	for (size_t i = 0; i < t->u->signals.n; i++)
		signals[i] = t->u->signals.at[i];
	for (size_t i = 0; i < t->code.n; i++)
		code[i] = t->code.at[i];
	x->clocks = clocks;
	x->nclocks = (uint32_t)t->u->clocks.n;
	x->signals = signals;
	x->nsignals = (uint32_t)t->u->signals.n;
	x->code = code;
	x->ncode = (uint32_t)t->code.n;
	return true;
}

/* Reads the taps of a unit into *x. False: there was an error, which is reported. */
static bool read_unit(struct build *b, struct build_unit *u, struct tap_interface *x)
{
	struct tap_build t = { .b = b, .u = u };
	struct tap *taps = arena_array(b->arena, u->taps.n, sizeof *taps);
	uint64_t seen = 0;

	b->unit = u;
	*x = (struct tap_interface){ .name = u->name,
				     .prefix = u->prefix,
				     .falling = u->falling,
				     .ntaps = (uint32_t)u->taps.n,
				     .taps = taps };
	if (taps == NULL)
		build_no_memory(b);
	for (size_t i = 0; i < u->resets.n && !b->memory; i++)
		declare_names(&t, &u->resets.at[i]);
	t.nsignals = (uint32_t)u->signals.n;
	for (uint32_t i = 0; i < t.nsignals && !b->memory; i++)
		if (!vec_push(&t.is_used, false))
			build_no_memory(b);
	read_resets(&t, x);
	tap_read_memory(&t, x);
	for (size_t i = 0; i < u->taps.n && !b->memory; i++)
		one_tap(&t, &u->taps.at[i], &seen, &taps[i]);
	if (!b->memory && !t.wrong && !copy(&t, x))
		build_no_memory(b);
	vec_free(&t.code);
	vec_free(&t.used);
	vec_free(&t.is_used);
	return !b->memory && !t.wrong;
}

void build_taps(struct build *b)
{
	struct build_unit **units = b->uses.at, *own = &b->own;
	uint32_t n = (uint32_t)b->uses.n;
	struct tap_form *form = arena_new(b->arena, struct tap_form);
	struct tap_interface *interfaces;
	bool any = false, wrong = false;

	if (n == 0) {
		units = &own;
		n = 1;
	}
	interfaces = arena_array(b->arena, n, sizeof *interfaces);
	if (form == NULL || interfaces == NULL) {
		build_no_memory(b);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		any = any || units[i]->taps.n != 0 || units[i]->signals.n != 0;
	for (uint32_t i = 0; i < n && any; i++)
		wrong |= !read_unit(b, units[i], &interfaces[i]);
	b->unit = own;
	b->c.failed = wrong;
	form->ninterfaces = n;
	form->interfaces = interfaces;
	if (any && !wrong)
		b->p->taps = form;
}
