/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "grammar/ast_match.h"

#include <string.h>

static bool is(const struct ast *a, ast_sym_t sym, const char *name)
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
 * of its sender, unless the predicate names a group. */
static bool is_named(const struct ast *a, const struct ast_basic *basic, uint32_t slot,
		     uint32_t type)
{
	const struct nfart_proto *p = a->proto;

	if (is(a, basic->name, p->types[type]))
		return true;
	for (uint32_t e = 0; e < p->nevents; e++)
		if (is_of_event(&p->events[e], type) && is(a, basic->name, p->events[e].name))
			return basic->group != AST_NIL ||
			       p->events[e].group == p->slots[slot].group;
	return false;
}

bool ast_basic_matches(const struct ast *a, const struct ast_basic *basic, uint32_t slot,
		       uint32_t opcode)
{
	const struct nfart_proto *p = a->proto;
	uint32_t type = p->type_of[slot << p->op_bits | opcode];
	const struct ast_sym *pattern;

	if ((basic->group != AST_NIL && !is(a, basic->group, p->groups[p->slots[slot].group])) ||
	    !has_channel(&basic->channels, p->slots[slot].channel))
		return false;
	switch (basic->kind) {
	case AST_BASIC_ALL:
		return (int64_t)opcode != p->idle;
	case AST_BASIC_NAME:
		return type != 0 && is_named(a, basic, slot, type - 1);
	case AST_BASIC_GLOB:
		pattern = &a->syms.at[basic->name];
		return type != 0 && is_like(pattern->text, pattern->n, p->types[type - 1]);
	case AST_BASIC_OPCODES:
	case AST_BASIC_CHARS:
		return (int64_t)opcode != p->idle && opcode >= basic->lo && opcode <= basic->hi;
	case AST_BASIC_TICK:
	case AST_BASIC_NOTICK:
	case AST_BASIC_END:
		break;
	}
	return false;
}
