/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads `use`: the description of another protocol, whose slots become a group of this one.
 */
#include <string.h>

#include "grammar/describe/proto_build.h"

/* A `use` while it is read. */
struct use {
	struct diag_range at; /* place of the protocol's name */
	const char *protocol;
	size_t n;
	const char *name, *prefix;
	VEC(const char *) params;
	VEC(struct diag_range) places; /* of the parameters */
};

/* Reads `with NAME = N, ...`. */
static void with(struct build *b, struct use *u)
{
	do {
		struct buf text = { 0 };
		struct diag_range at = b->c.range;
		const char *s;
		size_t n = desc_word(&b->c, &s, "the name of a parameter");
		char *t;
		desc_expect(&b->c, "=");
		buf_addf(&text, "%.*s=%llu", (int)n, s,
			 (unsigned long long)desc_number(&b->c, "a number", 0, UINT64_MAX));
		t = text.failed || b->c.failed ? NULL : build_copy(b, "", 0, text.at, text.n);
		buf_free(&text);
		if (!b->c.failed && (t == NULL || !vec_push(&u->params, t) ||
				     !vec_push(&u->places, at)))
			build_no_memory(b);
	} while (!b->c.failed && desc_accept(&b->c, ","));
}

/* Reads `P as NAME [at "..."] [with ...];`. */
static void read_use(struct build *b, struct use *u)
{
	struct diag_range at;
	const char *s;
	size_t n;

	u->at = b->c.range;
	u->n = desc_word(&b->c, &u->protocol, "the name of a protocol");
	desc_taps(&b->c, true);
	desc_expect(&b->c, "as");
	at = b->c.range;
	n = build_name(b, &s, "a name");
	u->name = b->c.failed ? "" : build_copy(b, "", 0, s, n);
	for (size_t i = 0; i < b->uses.n && !b->c.failed; i++)
		if (strcmp(b->uses.at[i]->name, u->name) == 0)
			desc_error(&b->c, at, "'%s' is already used", u->name);
	u->prefix = "";
	if (desc_accept(&b->c, "at")) {
		if (b->c.kind != DESC_STRING)
			desc_error(&b->c, b->c.range, "expected where the signals are, such as "
				   "\"top.cpu.m_axi_\"");
		else
			u->prefix = build_copy(b, "", 0, b->c.text + b->c.range.begin + 1,
					       b->c.range.end - b->c.range.begin - 2);
		desc_advance(&b->c);
	}
	if (desc_accept(&b->c, "with"))
		with(b, u);
	desc_taps(&b->c, false);
	desc_expect(&b->c, ";");
}

/* Adds a type of the unit to those of all. Types of one name are one. Returns its index. */
static size_t add_type(struct build *b, const struct build *from, const struct build_auto_type *t,
		       uint32_t first)
{
	struct build_auto *a = &b->automatic;
	struct build_auto_type copy = *t;
	size_t i = 0;

	copy.slots <<= first;
	while (i < a->types.n && strcmp(a->types.at[i].type.name, t->type.name) != 0)
		i++;
	if (i < a->types.n) {
		a->types.at[i].slots |= copy.slots;
		a->types.at[i].address |= copy.address;
		return i;
	}
	if (t->type.class != BUILD_NO_CLASS) {
		const char *name = from->tables.classes.at[t->type.class];
		copy.type.class = (uint32_t)build_find_class(b, name, strlen(name));
		if (copy.type.class == b->tables.classes.n && !vec_push(&b->tables.classes, name))
			build_no_memory(b);
	}
	if (a->types.n == AUTO_TYPES)
		desc_error(&b->c, b->c.range, "at most %d types", AUTO_TYPES);
	if (!b->c.failed && !vec_push(&a->types, copy))
		build_no_memory(b);
	return i;
}

/* Adds the types of the unit, and changes the sets of its fields to theirs. */
static void add_types(struct build *b, struct build *from, struct build_unit *unit, uint32_t first)
{
	size_t n = from->automatic.types.n;
	size_t *index = calloc(n + 1, sizeof *index);

	if (index == NULL)
		build_no_memory(b);
	for (size_t i = 0; i < n && !b->c.failed; i++)
		index[i] = add_type(b, from, &from->automatic.types.at[i], first);
	for (size_t k = 0; k < unit->fields.n && !b->c.failed; k++) {
		uint64_t *old = unit->fields.at[k].types;
		uint64_t *set = arena_array(b->arena, bits_words(AUTO_TYPES), 8);
		if (set == NULL) {
			build_no_memory(b);
			break;
		}
		for (size_t i = bits_next(old, n, 0); i < n; i = bits_next(old, n, i + 1))
			bits_set(set, index[i]);
		unit->fields.at[k].types = set;
	}
	free(index);
}

/* Adds the slots of the unit as a group of its name. */
static void add_slots(struct build *b, const struct build *from, struct build_unit *unit,
		      struct diag_range at)
{
	struct nfart_proto *p = b->p;
	const char **groups = arena_array(b->arena, p->names.ngroups + 1, sizeof *groups);

	if (groups == NULL) {
		build_no_memory(b);
		return;
	}
	if (p->nslots + from->p->nslots > PROTO_SLOTS) {
		desc_error(&b->c, at, "%u slots: at most %d", p->nslots + from->p->nslots,
			   PROTO_SLOTS);
		return;
	}
	for (uint32_t i = 0; i < p->names.ngroups; i++)
		groups[i] = p->names.groups[i];
	groups[p->names.ngroups] = unit->name;
	unit->group = p->names.ngroups;
	unit->own_group = from->p->names.groups[0];
	for (uint32_t i = 0; i < from->p->nslots; i++) {
		unit->slots |= (uint64_t)1 << p->nslots;
		p->slots[p->nslots] = from->p->slots[i];
		p->slots[p->nslots++].group = (uint16_t)p->names.ngroups;
	}
	p->names.groups = groups;
	p->names.ngroups++;
}

/* Adds what was read of the used description to this one. */
static void merge(struct build *b, struct build *from, struct use *u)
{
	struct build_auto *a = &b->automatic;
	struct build_unit *unit = calloc(1, sizeof *unit);
	uint32_t first = b->p->nslots;

	if (unit == NULL || !vec_push(&b->uses, unit)) {
		free(unit);
		build_no_memory(b);
		return;
	}
	*unit = from->own;
	memset(&from->own, 0, sizeof from->own);
	unit->name = u->name;
	unit->prefix = u->prefix;
	unit->slots = 0;
	if (from->automatic.address) {
		if (a->address && a->line_shift != from->automatic.line_shift)
			desc_error(&b->c, u->at, "lines of %u and %u bytes",
				   1u << a->line_shift, 1u << from->automatic.line_shift);
		a->address = true;
		a->line_shift = from->automatic.line_shift;
		if (from->automatic.addr_bits > a->addr_bits)
			a->addr_bits = from->automatic.addr_bits;
	}
	if (!b->own.has_payload && from->p->payload > b->p->payload)
		b->p->payload = from->p->payload;
	if (!b->c.failed)
		add_slots(b, from, unit, u->at);
	if (!b->c.failed)
		add_types(b, from, unit, first);
}

/* Reads the used description into `from`. */
static void read_used(struct build *b, struct build *from, const struct use *u)
{
	struct diags *d = b->c.diags;
	enum nfart_status status;
	uint32_t source;

	status = build_source(d, b->outside.dirs, b->outside.ndirs, u->protocol, u->n, &source);
	if (status == NFART_NO) {
		desc_error(&b->c, u->at, "no protocol '%.*s'", (int)u->n, u->protocol);
		return;
	}
	if (status != NFART_OK) {
		b->memory = status == NFART_SYSTEM;
		b->c.failed = true;
		return;
	}
	desc_init(&from->c, d, source);
	build_description(from, d);
	if (from->c.failed) {
		b->memory = b->memory || from->memory;
		b->c.failed = true;
		return;
	}
	if (from->uses.n != 0)
		desc_error(&b->c, u->at, "'%.*s' has uses of its own", (int)u->n, u->protocol);
	else if (!from->automatic.on)
		desc_error(&b->c, u->at,
			   "'%.*s' is laid out by hand; one with 'opcode auto' can be used",
			   (int)u->n, u->protocol);
	else if (from->p->names.ngroups != 1)
		desc_error(&b->c, u->at, "'%.*s' has several groups", (int)u->n, u->protocol);
}

void build_use(struct build *b)
{
	struct use u = { 0 };
	struct proto_given given = { 0 };
	struct build from = { .p = proto_new(),
			      .arena = b->arena,
			      .outside.dirs = b->outside.dirs,
			      .outside.ndirs = b->outside.ndirs,
			      .outside.given = &given,
			      .unit = NULL };

	if (from.p == NULL)
		build_no_memory(b);
	if (b->uses.n == 0 && (b->laid_out || b->automatic.on || b->p->header.op_bits != 0 ||
			       b->p->names.ngroups != 0))
		desc_error(&b->c, b->c.range,
			   "'use' can't stand beside groups and types of one's own");
	if (b->uses.n == 0)
		b->automatic.at = b->c.range;
	b->automatic.on = b->laid_out = true; /* slots are those that are used */
	b->own.slots = 0;
	read_use(b, &u);
	given.params = u.params.at;
	given.n = u.params.n;
	given.used = calloc(u.params.n + 1, sizeof *given.used);
	if (given.used == NULL)
		build_no_memory(b);
	if (!b->c.failed)
		read_used(b, &from, &u);
	for (size_t i = 0; i < u.params.n && !b->c.failed; i++)
		if (!given.used[i])
			desc_error(&b->c, u.places.at[i], "'%.*s' has no parameter '%.*s'",
				   (int)u.n, u.protocol, (int)strcspn(u.params.at[i], "="),
				   u.params.at[i]);
	if (!b->c.failed)
		merge(b, &from, &u);
	build_free(&from);
	proto_free(from.p);
	vec_free(&u.params);
	vec_free(&u.places);
	free(given.used);
}
