/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads what a protocol has that is laid out automatically (nfacc-protocol(5), Automatic layout):
 * types and fields without numbers. proto_layout.c gives them places.
 */
#include <string.h>

#include "grammar/describe/proto_build.h"

enum { MOST_FIELDS = 4096 };

void build_auto_address(struct build *b)
{
	struct build_auto *a = &b->automatic;
	struct diag_range at = b->c.range;
	uint64_t bits = desc_number(&b->c, "the bits of an address", 1, PROTO_MOST_addr_bits),
		 line = 1;

	if (desc_accept(&b->c, "line"))
		line = desc_number(&b->c, "the size of a line", 1, 1 << 20);
	if ((line & (line - 1)) != 0)
		desc_error(&b->c, at, "the size of a line is a power of two");
	for (a->line_shift = 0; line >> a->line_shift > 1;)
		a->line_shift++;
	if (a->line_shift >= bits)
		desc_error(&b->c, at, "an address of %u bits has no room beside a line of %u bytes",
			   (unsigned)bits, (unsigned)line);
	a->address = true;
	a->addr_bits = (uint32_t)bits;
	b->own.addr_bits = (uint32_t)bits;
}

/* ---- types ---- */

static size_t find_type(const struct build *b, const char *s, size_t n)
{
	size_t i = 0;

	while (i < b->automatic.types.n &&
	       (strncmp(b->automatic.types.at[i].type.name, s, n) != 0 ||
		b->automatic.types.at[i].type.name[n] != 0))
		i++;
	return i;
}

static size_t find_field(const struct build *b, const char *s, size_t n)
{
	size_t i = 0;

	while (i < b->own.fields.n && (strncmp(b->own.fields.at[i].name, s, n) != 0 ||
				       b->own.fields.at[i].name[n] != 0))
		i++;
	return i;
}

/* Reads `from GROUP, ...` and `on CHANNEL, ...`. `slots` are those of the groups if no channels are
 * given. Returns a bit for each slot. */
static uint64_t where(struct build *b, uint64_t slots, uint64_t groups, uint64_t *all)
{
	const struct nfart_proto *p = b->p;
	uint64_t on = slots;

	if (desc_accept(&b->c, "from")) {
		groups = 0;
		do {
			struct diag_range at = b->c.range;
			const char *s;
			size_t n = build_name(b, &s, "a group");
			int g = b->c.failed ? -1 : build_find_group(b, s, n);
			if (g < 0)
				desc_error(&b->c, at, "no group '%.*s'", (int)n, s);
			for (uint32_t i = 0; i < p->nslots && g >= 0; i++)
				if (p->slots[i].group == g)
					groups |= (uint64_t)1 << i;
		} while (desc_accept(&b->c, ","));
	}
	if (desc_accept(&b->c, "on")) {
		on = 0;
		do {
			struct diag_range at = b->c.range;
			uint64_t lo = desc_number(&b->c, "a channel", 0, MOST_CHANNELS), hi = lo,
				 found = 0;
			if (desc_accept(&b->c, ".."))
				hi = desc_number(&b->c, "a channel", lo, MOST_CHANNELS);
			for (uint32_t i = 0; i < p->nslots; i++)
				if (p->slots[i].channel >= 0 &&
				    (uint64_t)p->slots[i].channel >= lo &&
				    (uint64_t)p->slots[i].channel <= hi)
					found |= (uint64_t)1 << i;
			if (found == 0)
				desc_error(&b->c, at, "this protocol has no channel %llu",
					   (unsigned long long)lo);
			on |= found;
		} while (desc_accept(&b->c, ","));
	}
	*all = groups;
	return on;
}

/* Reads `NAME [from ...] [on ...] [address];`. The prefix, of m bytes, is the name of the class. */
static void one_type(struct build *b, uint32_t class, const char *prefix, size_t m, uint64_t on,
		     uint64_t groups)
{
	struct build_auto_type t = { .type.class = class };
	struct diag_range at = b->c.range;
	const char *s;
	size_t n = build_name(b, &s, "a type");

	if (b->c.failed)
		return;
	if (b->c.kind == DESC_NUMBER)
		desc_error(&b->c, b->c.range,
			   "a protocol with 'opcode auto' has no numbers by hand");
	on = where(b, on, groups, &groups);
	t.slots = on & groups;
	t.address = desc_accept(&b->c, "address");
	if (t.address && !b->automatic.address)
		desc_error(&b->c, at, "this protocol has no address field");
	desc_expect(&b->c, ";");
	if (t.slots == 0)
		desc_error(&b->c, at, "no slot can carry this type");
	if (m + 1 + n > 60)
		desc_error(&b->c, at, "class and type have at most 60 letters together");
	if (b->c.failed)
		return;
	t.type.name = build_copy(b, prefix, m, s, n);
	if (t.type.name == NULL)
		return;
	n = strlen(t.type.name);
	if (find_type(b, t.type.name, n) < b->automatic.types.n)
		desc_error(&b->c, at, "type '%s' is already defined", t.type.name);
	if (find_field(b, t.type.name, n) < b->own.fields.n)
		desc_error(&b->c, at, "'%s' is a field", t.type.name);
	if (b->automatic.types.n == AUTO_TYPES)
		desc_error(&b->c, at, "at most %d types", AUTO_TYPES);
	if (!b->c.failed && !vec_push(&b->automatic.types, t))
		build_no_memory(b);
}

void build_auto_types(struct build *b)
{
	uint32_t class = BUILD_NO_CLASS;
	struct diag_range at = b->c.range;
	const char *s = "";
	size_t n = 0;
	uint64_t groups = UINT64_MAX, on = UINT64_MAX;

	if (b->uses.n != 0)
		desc_error(&b->c, at, "types can't stand beside 'use'");
	build_slots(b);
	if (!desc_is(&b->c, "from") && !desc_is(&b->c, "on") && !desc_is(&b->c, "{")) {
		n = build_name(b, &s, "the name of a class, or '{'");
		class = b->c.failed ? 0 : (uint32_t)build_find_class(b, s, n);
		if (!b->c.failed && class == b->tables.classes.n) {
			const char *t = build_copy(b, "", 0, s, n);
			if (t != NULL && !vec_push(&b->tables.classes, t))
				build_no_memory(b);
		}
	}
	on = where(b, on, groups, &groups);
	for (uint32_t i = b->p->nslots; i < 64; i++)
		on &= ~((uint64_t)1 << i);
	desc_expect(&b->c, "{");
	while (!b->c.failed && !desc_accept(&b->c, "}"))
		one_type(b, class, s, n, on, groups);
}

/* ---- fields ---- */

/* Reads one TYPE of a list: a type, a class, or the first letters of types and `*`. Adds the types
 * to `set`. */
static void types_named(struct build *b, uint64_t *set)
{
	struct diag_range at = b->c.range;
	const char *s;
	size_t n = build_name(b, &s, "a type or a class"), class;
	bool glob = desc_accept(&b->c, "*"), found = false;

	if (b->c.failed)
		return;
	class = build_find_class(b, s, n);
	for (size_t i = 0; i < b->automatic.types.n; i++) {
		const struct build_type *t = &b->automatic.types.at[i].type;
		bool same = strncmp(t->name, s, n) == 0;
		if (!(same && (glob || t->name[n] == 0)) &&
		    !(class < b->tables.classes.n && t->class == class))
			continue;
		bits_set(set, i);
		found = true;
	}
	if (!found)
		desc_error(&b->c, at, "no type or class '%.*s%s'", (int)n, s, glob ? "*" : "");
}

/* Is a name that of something else than a field? */
static const char *other(const struct build *b, const char *s, size_t n)
{
	return n == 4 && memcmp(s, "addr", 4) == 0	   ? "the address of a message"
	       : n == 6 && memcmp(s, "offset", 6) == 0	   ? "an address's bits below the line"
	       : build_find_group(b, s, n) >= 0		   ? "a group"
	       : find_type(b, s, n) < b->automatic.types.n ? "a type"
							   : NULL;
}

/* Reports an error if the field already has a place in one of its types, or has another width. */
static void check_again(struct build *b, struct diag_range at, const struct build_auto_field *f)
{
	for (size_t i = 0; i < b->own.fields.n && !b->c.failed; i++) {
		const struct build_auto_field *x = &b->own.fields.at[i];
		bool twice = false;
		if (strcmp(x->name, f->name) != 0)
			continue;
		for (size_t w = 0; w < bits_words(AUTO_TYPES); w++)
			twice = twice || (x->types[w] & f->types[w]) != 0;
		if (x->bits != f->bits)
			desc_error(&b->c, at, "field '%s' already has %u bits", f->name, x->bits);
		else if (twice)
			desc_error(&b->c, at, "field '%s' is already in one of these types",
				   f->name);
	}
}

void build_auto_field(struct build *b)
{
	struct build_auto_field f = { 0 };
	struct diag_range at = b->c.range;
	const char *s;
	size_t n = build_name(b, &s, "the name of a field");

	if (b->uses.n != 0)
		desc_error(&b->c, at, "fields can't stand beside 'use'");
	build_slots(b);
	desc_expect(&b->c, ":");
	f.bits = (uint32_t)desc_number(&b->c, "the bits of a field", 1, 63);
	f.types = b->c.failed ? NULL : arena_array(b->arena, bits_words(AUTO_TYPES), 8);
	f.name = b->c.failed ? NULL : build_copy(b, "", 0, s, n);
	if (f.types == NULL || f.name == NULL) {
		if (!b->c.failed)
			build_no_memory(b);
		return;
	}
	if (desc_accept(&b->c, "of")) {
		do
			types_named(b, f.types);
		while (desc_accept(&b->c, ","));
	} else {
		for (size_t i = 0; i < b->automatic.types.n; i++)
			bits_set(f.types, i);
	}
	if (!b->c.failed && other(b, s, n) != NULL)
		desc_error(&b->c, at, "'%s' is %s", f.name, other(b, s, n));
	check_again(b, at, &f);
	if (b->own.fields.n == MOST_FIELDS)
		desc_error(&b->c, at, "fields have at most %d places together", MOST_FIELDS);
	desc_expect(&b->c, ";");
	if (!b->c.failed && !vec_push(&b->own.fields, f))
		build_no_memory(b);
}
