/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the types, events and fields of a protocol description. If an extension of the description
 * gives the channels, some types have no slot. Such types are left out of the table, and events and
 * fields leave them out, too.
 */
#include <string.h>

#include "grammar/describe/proto_build.h"

enum { MOST_PLACES = 4096 };

/* The slots that a type may be in. */
struct where {
	uint64_t groups; /* a bit for each group */
	bool all;        /* all slots of these groups */
	/* a bit for each channel, from 0 to MOST_CHANNELS, unless `all` is true */
	uint64_t channels[MOST_CHANNELS / 64 + 1];
};

static bool has_channel(const struct nfart_proto *p, uint64_t channel)
{
	for (uint32_t i = 0; i < p->nslots; i++)
		if (p->slots[i].channel >= 0 && (uint64_t)p->slots[i].channel == channel)
			return true;
	return false;
}

/* Reads the list after `on`, as in `on 6, 7`. */
static void channel_list(struct build *b, struct where *w)
{
	memset(w->channels, 0, sizeof w->channels);
	w->all = false;
	do {
		struct diag_range at = b->c.range;
		uint64_t v = desc_number(&b->c, "a channel", 0, MOST_CHANNELS);
		if (!b->channels.fixed && !has_channel(b->p, v))
			desc_error(&b->c, at, "this protocol has no channel %llu",
				   (unsigned long long)v);
		bits_set(w->channels, v);
	} while (desc_accept(&b->c, ","));
}

/* Reads the list after `from`, as in `from cpu, fpga`. Returns a bit for each group. */
static uint64_t group_list(struct build *b)
{
	uint64_t set = 0;

	do {
		struct diag_range at = b->c.range;
		const char *s;
		size_t n = build_name(b, &s, "a group");
		int g = build_find_group(b, s, n);
		if (g < 0)
			desc_error(&b->c, at, "no group '%.*s'", (int)n, s);
		else
			set |= (uint64_t)1 << g;
	} while (desc_accept(&b->c, ","));
	return set;
}

/* Reads `[from …] [on …]`. Groups are among those of w; channels replace those of w. */
static void where(struct build *b, struct where *w)
{
	if (desc_accept(&b->c, "from"))
		w->groups &= group_list(b);
	if (desc_accept(&b->c, "on"))
		channel_list(b, w);
}

static bool contains(const struct where *w, const struct proto_slot *slot)
{
	if ((w->groups >> slot->group & 1) == 0)
		return false;
	return w->all || (slot->channel != PROTO_NO_CHANNEL &&
			  bits_get(w->channels, (size_t)slot->channel));
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool is(const char *name, const char *s, size_t n)
{
	return strncmp(name, s, n) == 0 && name[n] == 0;
}

size_t build_find_type(const struct build *b, const char *s, size_t n)
{
	size_t i = 0;

	while (i < b->tables.types.n && !is(b->tables.types.at[i].name, s, n))
		i++;
	return i;
}

static size_t find_event(const struct build *b, const char *s, size_t n)
{
	size_t i = 0;

	/* each use has events of its own */
	while (i < b->tables.events.n &&
	       (!is(b->tables.events.at[i].name, s, n) ||
		(b->unit->name != NULL && b->tables.events.at[i].group != b->unit->group)))
		i++;
	return i;
}

size_t build_find_class(const struct build *b, const char *s, size_t n)
{
	size_t i = 0;

	while (i < b->tables.classes.n && !is(b->tables.classes.at[i], s, n))
		i++;
	return i;
}

size_t build_find_field(const struct build *b, const char *s, size_t n)
{
	size_t i = 0;

	while (i < b->tables.fields.n && !is(b->tables.fields.at[i], s, n))
		i++;
	return i;
}

/* Reports an error if the name is that of a type, an event or a field. `what` is the kind of thing
 * that the name is for, such as "type". */
static void check_new(struct build *b, struct diag_range at, const char *what, const char *s,
		      size_t n)
{
	const char *known = build_find_type(b, s, n) < b->tables.types.n    ? "type"
			    : find_event(b, s, n) < b->tables.events.n ? "event"
			    : build_find_field(b, s, n) < b->tables.fields.n ? "field"
								: NULL;

	if (known != NULL && strcmp(known, what) == 0)
		desc_error(&b->c, at, "%s '%.*s' is already defined", what, (int)n, s);
	else if (known != NULL)
		desc_error(&b->c, at, "'%.*s' is a%s %s", (int)n, s, known[0] == 'e' ? "n" : "",
			   known);
}

/* ---- types ---------------------------------------------------------------------------------- */

static void claim(struct build *b, struct diag_range at, uint32_t code, uint32_t type)
{
	if (b->p->codes.type_of[code] != 0 ||
	    (int32_t)(code & ((1u << b->p->header.op_bits) - 1)) == b->p->header.idle)
		desc_error(&b->c, at, "this opcode has another meaning in one of these slots");
	b->p->codes.type_of[code] = type + 1;
}

/* Reads `address` or `broadcast` or neither of them. Returns the set of codes whose types have this
 * mark; NULL: there is no mark. */
static uint64_t *mark(struct build *b, struct diag_range type)
{
	bool address = desc_accept(&b->c, "address"), broadcast;

	if (address && b->p->header.addr_bits == 0)
		desc_error(&b->c, type, "this protocol has no address field");
	broadcast = desc_is(&b->c, "broadcast");
	if (broadcast && !address)
		desc_advance(&b->c);
	if (broadcast && (address || desc_is(&b->c, "address")))
		desc_error(&b->c, b->c.range, "a broadcast type has no address");
	return address ? b->p->codes.has_addr : broadcast ? b->p->codes.broadcast : NULL;
}

/* Reads `NAME OPCODE [from …] [on …] [address | broadcast];` inside the braces of `types`. `class`
 * and `w` are those of the `types` statement. */
static void one_type(struct build *b, uint32_t class, struct where w)
{
	struct nfart_proto *p = b->p;
	struct diag_range at = b->c.range;
	const char *s;
	size_t n = build_name(b, &s, "a type"), nclass = strlen(b->tables.classes.at[class]);
	uint64_t op = desc_number(&b->c, "an opcode", 0, (1u << p->header.op_bits) - 1), *marked;
	bool used = false;

	where(b, &w);
	marked = mark(b, at);
	desc_expect(&b->c, ";");
	for (uint32_t i = 0; i < p->nslots && !b->c.failed; i++) {
		uint32_t code = i << p->header.op_bits | (uint32_t)op;
		if (!contains(&w, &p->slots[i]))
			continue;
		claim(b, at, code, (uint32_t)b->tables.types.n);
		if (marked != NULL)
			bits_set(marked, code);
		used = true;
	}
	if (!used && !b->channels.fixed)
		desc_error(&b->c, at, "no slot can carry this type");
	if (!b->c.failed && nclass + 1 + n > 60)
		desc_error(&b->c, at, "class and type have at most 60 letters together");
	if (b->c.failed || !used)
		return;
	const char *t = build_copy(b, b->tables.classes.at[class], nclass, s, n);
	if (t == NULL)
		return;
	check_new(b, at, "type", t, strlen(t));
	if (!vec_push(&b->tables.types, ((struct build_type){ t, class })))
		build_no_memory(b);
}

void build_types(struct build *b)
{
	struct where w = { .groups = UINT64_MAX, .all = true };
	const char *s;
	size_t n = build_name(b, &s, "the name of a class"), class;

	build_slots(b);
	class = b->c.failed ? 0 : build_find_class(b, s, n);
	if (!b->c.failed && class == b->tables.classes.n) {
		const char *t = build_copy(b, "", 0, s, n);
		if (t != NULL && !vec_push(&b->tables.classes, t))
			build_no_memory(b);
	}
	where(b, &w);
	desc_expect(&b->c, "{");
	while (!b->c.failed && !desc_accept(&b->c, "}"))
		one_type(b, (uint32_t)class, w);
}

/* ---- events --------------------------------------------------------------------------------- */

/* Reads `TYPE, …` of an event. */
static void types_of_event(struct build *b, struct proto_event *e)
{
	VEC(uint32_t) v = { 0 };
	uint32_t *t;

	do {
		struct diag_range at = b->c.range;
		const char *s;
		size_t n = build_name(b, &s, "a type"),
		       i = b->c.failed ? 0 : build_find_type(b, s, n);
		if (i == b->tables.types.n && !b->channels.fixed)
			desc_error(&b->c, at, "no type '%.*s'", (int)n, s);
		for (size_t k = 0; k < v.n && !b->c.failed; k++)
			if (v.at[k] == i)
				desc_error(&b->c, at, "this type is already listed");
		if (!b->c.failed && i < b->tables.types.n && !vec_push(&v, (uint32_t)i))
			build_no_memory(b);
	} while (desc_accept(&b->c, ","));
	t = arena_array(b->arena, v.n, sizeof *t);
	if (t == NULL)
		build_no_memory(b);
	else if (v.n != 0)
		memcpy(t, v.at, v.n * sizeof *t);
	e->types = t;
	e->ntypes = (uint32_t)v.n;
	vec_free(&v);
}

void build_event(struct build *b)
{
	struct proto_event e = { 0 };
	struct diag_range at = b->c.range;
	const char *s;
	size_t n = build_name(b, &s, "the name of an event");

	build_slots(b);
	if (!b->c.failed)
		check_new(b, at, "event", s, n);
	if (!b->c.failed)
		e.name = build_copy(b, "", 0, s, n);
	desc_expect(&b->c, "from");
	at = b->c.range;
	n = build_name(b, &s, "a group");
	int g = b->c.failed ? 0 : build_find_group(b, s, n);
	if (g < 0)
		desc_error(&b->c, at, "no group '%.*s'", (int)n, s);
	e.group = (uint16_t)g;
	desc_expect(&b->c, "=");
	types_of_event(b, &e);
	desc_expect(&b->c, ";");
	if (!b->c.failed && !vec_push(&b->tables.events, e))
		build_no_memory(b);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* Returns the index of the field with this name (n bytes at s). A new name is added to b->fields.
 * Reports an error if the name may not be that of a field. */
static uint32_t field_named(struct build *b, struct diag_range at, const char *s, size_t n)
{
	size_t i = build_find_field(b, s, n);
	const char *t;

	if (i < b->tables.fields.n)
		return (uint32_t)i;
	check_new(b, at, "field", s, n);
	if (build_find_group(b, s, n) >= 0)
		desc_error(&b->c, at, "'%.*s' is a group", (int)n, s);
	if (is("addr", s, n))
		desc_error(&b->c, at, "'addr' is the address of a message's line");
	t = b->c.failed ? NULL : build_copy(b, "", 0, s, n);
	if (t != NULL && !vec_push(&b->tables.fields, t))
		build_no_memory(b);
	return (uint32_t)i;
}

/* Does the field have a place in messages of one of these codes? NULL: in any message. */
static bool is_placed(const struct build *b, uint32_t field, const uint64_t *codes)
{
	for (size_t i = 0; i < b->tables.places.n; i++) {
		const struct build_place *x = &b->tables.places.at[i];
		if (x->field != field)
			continue;
		if (codes == NULL || x->place.codes == NULL)
			return true;
		for (size_t w = 0; w < bits_words(b->p->codes.n); w++)
			if ((codes[w] & x->place.codes[w]) != 0)
				return true;
	}
	return false;
}

/* Reads one TYPE of a list: the name of a type, or a class, which stands for its types. Adds their
 * codes to `all`, the codes of the field's new place. `one` is as large as `all`. */
static void one_of(struct build *b, uint32_t field, uint64_t *all, uint64_t *one)
{
	size_t words = bits_words(b->p->codes.n), type, class;
	struct diag_range at = b->c.range;
	const char *s;
	size_t n = build_name(b, &s, "a type or a class");
	bool twice = false;

	if (b->c.failed)
		return;
	type = build_find_type(b, s, n);
	class = type < b->tables.types.n ? b->tables.classes.n : build_find_class(b, s, n);
	if (type == b->tables.types.n && class == b->tables.classes.n && !b->channels.fixed)
		desc_error(&b->c, at, "no type or class '%.*s'", (int)n, s);
	memset(one, 0, words * 8);
	for (uint32_t c = 0; c < b->p->codes.n; c++) {
		uint32_t t = b->p->codes.type_of[c];
		if (t != 0 && (t - 1 == type || b->tables.types.at[t - 1].class == class))
			bits_set(one, c);
	}
	for (size_t w = 0; w < words; w++) {
		twice = twice || (one[w] & all[w]) != 0;
		all[w] |= one[w];
	}
	if (twice || is_placed(b, field, one))
		desc_error(&b->c, at, "the field already has a place in '%.*s'", (int)n, s);
}

/* Reads the list after `of`. Returns the codes of all its types; NULL: there was an error. */
static const uint64_t *of_types(struct build *b, uint32_t field)
{
	uint64_t *all = arena_array(b->arena, bits_words(b->p->codes.n), 8);
	uint64_t *one = arena_array(b->arena, bits_words(b->p->codes.n), 8);

	if (all == NULL || one == NULL)
		build_no_memory(b);
	do {
		if (!b->c.failed)
			one_of(b, field, all, one);
	} while (desc_accept(&b->c, ","));
	return b->c.failed ? NULL : all;
}

void build_field(struct build *b)
{
	struct build_place x = { 0 };
	struct diag_range at = b->c.range;
	const char *s;
	size_t n = build_name(b, &s, "the name of a field");
	bool listed;

	build_slots(b);
	if (!b->c.failed)
		x.field = field_named(b, at, s, n);
	build_bits(b, &x.place.lsb, &x.place.bits, 63);
	listed = desc_accept(&b->c, "of");
	if (b->tables.places.n == MOST_PLACES)
		desc_error(&b->c, at, "fields have at most %d places together", MOST_PLACES);
	if (listed)
		x.place.codes = of_types(b, x.field);
	else if (!b->c.failed && is_placed(b, x.field, NULL))
		desc_error(&b->c, at, "the field already has a place in some messages");
	desc_expect(&b->c, ";");
	if (!b->c.failed && !vec_push(&b->tables.places, x))
		build_no_memory(b);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Does the place belong to the field? A place without messages, because all its types are left out,
 * belongs to none. */
static bool is_place_of(const struct build *b, const struct build_place *x, uint32_t field)
{
	return x->field == field && (x->place.codes == NULL ||
				     bits_any(x->place.codes, bits_words(b->p->codes.n)));
}

/* Fills the entry of a field. False: out of memory. */
static bool fill_field(struct build *b, uint32_t field, struct proto_field *f)
{
	struct proto_place *places;
	uint32_t n = 0;

	for (size_t i = 0; i < b->tables.places.n; i++)
		n += is_place_of(b, &b->tables.places.at[i], field);
	places = arena_array(b->arena, n, sizeof *places);
	*f = (struct proto_field){ b->tables.fields.at[field], n, places };
	if (places == NULL)
		return false;
	n = 0;
	for (size_t i = 0; i < b->tables.places.n; i++)
		if (is_place_of(b, &b->tables.places.at[i], field))
			places[n++] = b->tables.places.at[i].place;
	return true;
}

bool build_tables(struct build *b)
{
	struct nfart_proto *p = b->p;

	p->names.types = arena_array(&p->arena, b->tables.types.n, sizeof *p->names.types);
	p->names.events = arena_array(&p->arena, b->tables.events.n, sizeof *p->names.events);
	p->names.fields = arena_array(&p->arena, b->tables.fields.n, sizeof *p->names.fields);
	p->names.pairs = arena_array(&p->arena, b->tables.pairs.n, sizeof *p->names.pairs);
	p->joins.at = arena_array(&p->arena, b->tables.joins.n, sizeof *p->joins.at);
	if (p->names.types == NULL || p->names.events == NULL || p->names.fields == NULL ||
	    p->names.pairs == NULL || p->joins.at == NULL)
		return false;
	for (; p->names.ntypes < b->tables.types.n; p->names.ntypes++)
		p->names.types[p->names.ntypes] = b->tables.types.at[p->names.ntypes].name;
	for (; p->names.nevents < b->tables.events.n; p->names.nevents++)
		p->names.events[p->names.nevents] = b->tables.events.at[p->names.nevents];
	for (; p->names.npairs < b->tables.pairs.n; p->names.npairs++)
		p->names.pairs[p->names.npairs] = b->tables.pairs.at[p->names.npairs];
	for (; p->joins.n < b->tables.joins.n; p->joins.n++)
		p->joins.at[p->joins.n] = b->tables.joins.at[p->joins.n];
	for (uint32_t i = 0; i < b->tables.fields.n; i++) { /* fields without places are left out */
		if (!fill_field(b, i, &p->names.fields[p->names.nfields]))
			return false;
		p->names.nfields += p->names.fields[p->names.nfields].nplaces != 0;
	}
	return build_missed(b);
}
