/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "grammar/ast_match.h"

#include <string.h>

static bool sym_is(const struct ast *a, ast_sym_t sym, const char *name)
{
	const struct ast_sym *s = &a->syms.at[sym];

	return strncmp(name, s->text, s->n) == 0 && name[s->n] == 0;
}

/* Does the pattern of n characters match the whole name, which has at most 60 bytes? The pattern is
 * read from its last character to the first. Bit i of `ends` says whether the part of the pattern
 * that was read matches the rest of the name from byte i on. */
static bool is_like(const char *pattern, size_t n, const char *name)
{
	size_t m = strlen(name);
	uint64_t ends = (uint64_t)1 << m, before;

	while (n-- > 0) {
		before = 0;
		for (size_t i = 0; i < m && pattern[n] != '*'; i++)
			if (pattern[n] == '?' || pattern[n] == name[i])
				before |= ends >> 1 & (uint64_t)1 << i;
		for (size_t i = m + 1; i-- > 0 && pattern[n] == '*';)
			before |= (ends | before >> 1) & (uint64_t)1 << i;
		ends = before;
	}
	return ends & 1;
}

static bool has_channel(const struct ast_channels *channels, int channel)
{
	for (uint32_t i = 0; i < channels->n; i++)
		if (channel != PROTO_NO_CHANNEL && channels->at[i] == (uint32_t)channel)
			return true;
	return channels->n == 0;
}

/* Is the type with index `type` one of the types of event e? */
static bool is_of_event(const struct proto_event *e, uint32_t type)
{
	for (uint32_t i = 0; i < e->ntypes; i++)
		if (e->types[i] == type)
			return true;
	return false;
}

/* Does the predicate name this type, or an event that has the type? An event matches only messages
 * of its sender. With a group, the event of this group is meant; if the name is not that of one of
 * its events, the event of another group, as if this group had sent it. */
static bool is_named(const struct ast *a, const struct ast_basic *basic, uint32_t slot,
		     uint32_t type)
{
	const struct nfart_proto *p = a->proto;
	bool has_own = false, is_own = false, is_other = false;

	if (sym_is(a, basic->name, p->names.types[type]))
		return true;
	for (uint32_t e = 0; e < p->names.nevents; e++) {
		bool own = p->names.events[e].group == p->slots[slot].group;

		if (!sym_is(a, basic->name, p->names.events[e].name))
			continue;
		has_own |= own;
		is_own |= own && is_of_event(&p->names.events[e], type);
		is_other |= !own && is_of_event(&p->names.events[e], type);
	}
	return is_own || (is_other && !has_own && basic->group != AST_NIL);
}

bool ast_basic_matches(const struct ast *a, const struct ast_basic *basic, uint32_t slot,
		       uint32_t opcode)
{
	const struct nfart_proto *p = a->proto;
	uint32_t type = p->codes.type_of[slot << p->header.op_bits | opcode];
	const struct ast_sym *pattern;

	if ((basic->group != AST_NIL &&
	     !sym_is(a, basic->group, p->names.groups[p->slots[slot].group])) ||
	    !has_channel(&basic->channels, p->slots[slot].channel))
		return false;
	switch (basic->kind) {
	case AST_BASIC_ALL:
		return (int64_t)opcode != p->header.idle;
	case AST_BASIC_NAME:
		return type != 0 && is_named(a, basic, slot, type - 1);
	case AST_BASIC_GLOB:
		pattern = &a->syms.at[basic->name];
		return type != 0 && is_like(pattern->text, pattern->n, p->names.types[type - 1]);
	case AST_BASIC_OPCODES:
	case AST_BASIC_CHARS:
		return (int64_t)opcode != p->header.idle && opcode >= basic->lo &&
		       opcode <= basic->hi;
	case AST_BASIC_TICK:
	case AST_BASIC_NOTICK:
	case AST_BASIC_END:
		break;
	}
	return false;
}

/* Returns the place of the field in messages with this code. NULL: they lack the field. */
static const struct proto_place *place_in(const struct proto_field *f, uint32_t code)
{
	for (uint32_t i = 0; i < f->nplaces; i++) {
		const uint64_t *codes = f->places[i].codes;
		if (codes == NULL || (codes[code / 64] >> code % 64 & 1) != 0)
			return &f->places[i];
	}
	return NULL;
}

/* Reads the value of a field from the header of a message. False: the message lacks the field. The
 * value of `addr` is the byte address that batch text prints. */
static bool value_of(const struct nfart_proto *p, uint32_t field, uint32_t slot, uint64_t header,
		     uint64_t *value)
{
	uint32_t opcode = (uint32_t)(header >> p->header.op_lsb) % (1u << p->header.op_bits);
	uint32_t code = slot * (1u << p->header.op_bits) + opcode;
	const struct proto_place *place;

	if (field == PROTO_ADDR) {
		uint64_t line =
			header >> p->header.addr_lsb & (((uint64_t)1 << p->header.addr_bits) - 1);
		*value = line * ((uint64_t)1 << p->header.line_shift);
		return (p->codes.has_addr[code / 64] >> code % 64 & 1) != 0;
	}
	place = place_in(&p->names.fields[field], code);
	if (place != NULL)
		*value = header >> place->lsb & (((uint64_t)1 << place->bits) - 1);
	return place != NULL;
}

bool ast_guard_passes(const struct ast *a, const struct ast_basic *basic, uint32_t slot,
		      const struct record_message *m)
{
	for (uint32_t i = 0; i < basic->ntests; i++) {
		const struct ast_test *t = &a->tests.at[basic->first_test + i];
		bool passes = false;
		uint64_t v;

		if (t->field == PROTO_PAYLOAD)
			v = m->word[1 + t->lowest.value / 64] >> t->lowest.value % 64 &
			    UINT64_MAX >> (63 - (t->highest.value - t->lowest.value));
		else if (!value_of(a->proto, t->field, slot, m->word[0], &v))
			return false;
		switch (t->kind) {
		case AST_TEST_IS:
			passes = v == t->value.value;
			break;
		case AST_TEST_IS_NOT:
			passes = v != t->value.value;
			break;
		case AST_TEST_IN:
			passes = v >= t->value.value && v <= t->last.value;
			break;
		case AST_TEST_MASK_IS:
			passes = (v & t->mask.value) == t->value.value;
			break;
		case AST_TEST_MASK_IS_NOT:
			passes = (v & t->mask.value) != t->value.value;
			break;
		}
		if (!passes)
			return false;
	}
	return true;
}

bool ast_basic_matches_header(const struct ast *a, const struct ast_basic *basic, uint32_t slot,
			      uint64_t header)
{
	uint32_t opcode =
		(uint32_t)(header >> a->proto->header.op_lsb) % (1u << a->proto->header.op_bits);

	return ast_basic_matches(a, basic, slot, opcode) &&
	       ast_guard_passes(a, basic, slot, &(struct record_message){ { header } });
}

bool ast_basic_matches_time(const struct ast_basic *basic, uint32_t time)
{
	switch (basic->kind) {
	case AST_BASIC_TICK:
		return (time & 1) != 0;
	case AST_BASIC_NOTICK:
		return (time & 1) == 0;
	case AST_BASIC_END:
		return (time & 2) != 0;
	default:
		return false;
	}
}
