/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What basic predicates stand for: sets of codes (slot, opcode) of the protocol.
 */
#include "grammar/ast.h"

#include <string.h>

/* Does the whole of `text` match the pattern? `*` is any run of characters, `?` one. Linear in the
 * pattern: after a mismatch only the last star is tried again. */
static bool glob_matches(const char *pattern, const char *text)
{
	const char *star = NULL, *again = NULL;

	while (*text != 0) {
		if (*pattern == '*') {
			star = ++pattern;
			again = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star != NULL) {
			pattern = star;
			text = ++again;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == 0;
}

/* Adds every code that has type `type`. */
static void add_type(const struct nfart_proto *p, uint32_t type, uint64_t *set)
{
	for (uint32_t c = 0; c < p->ncodes; c++)
		if (p->type_of[c] == type + 1)
			bits_set(set, c);
}

static void add_opcodes(const struct nfart_proto *p, uint32_t lo, uint32_t hi, uint64_t *set)
{
	for (uint32_t s = 0; s < p->nslots; s++)
		for (uint32_t op = lo; op <= hi; op++)
			if (bits_get(p->valid, s << p->op_bits | op))
				bits_set(set, s << p->op_bits | op);
}

static void add_glob(const struct nfart_proto *p, const struct ast_sym *pattern, uint64_t *set)
{
	if (memchr(pattern->text, 0, pattern->n) != NULL)
		return;
	for (uint32_t t = 0; t < p->ntypes; t++)
		if (glob_matches(pattern->text, p->types[t]))
			add_type(p, t, set);
}

/* Adds a type's or an event's codes; *group becomes the event's sender where none is written. */
static bool add_named(const struct nfart_proto *p, const struct ast_sym *name, int *group,
		      uint64_t *set)
{
	int type = proto_find_type(p, name->text, name->n);
	int event = proto_find_event(p, name->text, name->n);

	if (type >= 0) {
		add_type(p, (uint32_t)type, set);
		return true;
	}
	if (event < 0)
		return false;
	for (uint32_t i = 0; i < p->events[event].ntypes; i++)
		add_type(p, p->events[event].types[i], set);
	if (*group < 0)
		*group = p->events[event].group;
	return true;
}

static bool has_channel(const struct ast_channels *channels, int channel)
{
	for (uint32_t i = 0; i < channels->n; i++)
		if (channel >= 0 && channels->at[i] == (uint32_t)channel)
			return true;
	return false;
}

/* Clears the codes of the slots outside of the group (-1: all) and the channels (NULL: all). */
static void restrict_slots(const struct nfart_proto *p, int group,
			   const struct ast_channels *channels, uint64_t *set)
{
	for (uint32_t s = 0; s < p->nslots; s++) {
		bool keep = (group < 0 || p->slots[s].group == group) &&
			    (channels == NULL || has_channel(channels, p->slots[s].channel));

		for (uint32_t op = 0; !keep && op < 1u << p->op_bits; op++) {
			uint32_t c = s << p->op_bits | op;
			set[c / 64] &= ~((uint64_t)1 << c % 64);
		}
	}
}

bool ast_basic_codes(const struct ast *a, const struct ast_basic *basic, bool any_channel,
		     uint64_t *set)
{
	const struct nfart_proto *p = a->proto;
	uint32_t most = (1u << p->op_bits) - 1;
	int group = -1;

	if (basic->group != AST_NIL) {
		const struct ast_sym *g = &a->syms.at[basic->group];
		group = proto_find_group(p, g->text, g->n);
		if (group < 0)
			return false;
	}
	switch (basic->kind) {
	case AST_BASIC_ALL:
		add_opcodes(p, 0, most, set);
		break;
	case AST_BASIC_NAME:
		if (!add_named(p, &a->syms.at[basic->name], &group, set))
			return false;
		break;
	case AST_BASIC_GLOB:
		add_glob(p, &a->syms.at[basic->name], set);
		break;
	case AST_BASIC_OPCODES:
	case AST_BASIC_CHARS:
		if (basic->lo > most || basic->hi > most)
			return false;
		add_opcodes(p, basic->lo, basic->hi, set);
		break;
	}
	restrict_slots(p, group, !any_channel && basic->channels.n != 0 ? &basic->channels : NULL,
		       set);
	return true;
}
