/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Computes the set of codes that a basic predicate matches. A code is a pair of slot and opcode,
 * numbered slot by slot.
 */
#include "grammar/ast.h"

#include <string.h>

/* Does the whole of `text` match the pattern? `*` matches any run of characters, `?` matches one
 * character. After a mismatch only the last `*` is tried again, so the cost is at most the product
 * of the two lengths. */
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

/* Adds to `set` the codes that message type `type` has in certain slots. `slots` has a bit for each
 * of these slots. */
static void add_type(const struct nfart_proto *p, uint32_t type, uint64_t slots, uint64_t *set)
{
	for (uint32_t c = 0; c < p->codes.n; c++)
		if (p->codes.type_of[c] == type + 1 && slots >> (c >> p->header.op_bits) & 1)
			bits_set(set, c);
}

static bool has_channel(const struct ast_channels *channels, int channel)
{
	for (uint32_t i = 0; i < channels->n; i++)
		if (channel >= 0 && channels->at[i] == (uint32_t)channel)
			return true;
	return false;
}

/* Returns the slots of a group that have one of the channels, as a bit set. A group of -1 means all
 * groups. NULL for `channels` means all channels. */
static uint64_t slots_of(const struct nfart_proto *p, int group,
			 const struct ast_channels *channels)
{
	uint64_t slots = 0;

	for (uint32_t s = 0; s < p->nslots; s++)
		if ((group < 0 || p->slots[s].group == group) &&
		    (channels == NULL || has_channel(channels, p->slots[s].channel)))
			slots |= (uint64_t)1 << s;
	return slots;
}

/* Is this event meant by the name, behind a group or (-1) without one? If a group has no event of
 * this name, those of other groups are meant, as if this group had sent them. */
static bool is_meant(const struct nfart_proto *p, uint32_t e, const struct ast_sym *name, int group)
{
	bool own = false;

	if (p->names.events[e].name[0] != name->text[0] ||
	    strlen(p->names.events[e].name) != name->n ||
	    memcmp(p->names.events[e].name, name->text, name->n) != 0)
		return false;
	for (uint32_t i = 0; i < p->names.nevents && group >= 0; i++)
		own |= p->names.events[i].group == group &&
		       strcmp(p->names.events[i].name, p->names.events[e].name) == 0;
	return !own || p->names.events[e].group == group;
}

/* Adds the codes of all events with this name: each use of a protocol has an event of its own. A
 * group of -1 stands for the sender that the event has. */
static void add_events(const struct nfart_proto *p, const struct ast_sym *name, int group,
		       uint64_t slots, uint64_t *set)
{
	for (uint32_t e = 0; e < p->names.nevents; e++) {
		const struct proto_event *event = &p->names.events[e];

		if (!is_meant(p, e, name, group))
			continue;
		for (uint32_t i = 0; i < event->ntypes; i++)
			add_type(p, event->types[i],
				 slots & slots_of(p, group < 0 ? event->group : group, NULL), set);
	}
}

static void add_glob(const struct nfart_proto *p, const struct ast_sym *pattern, uint64_t slots,
		     uint64_t *set)
{
	if (memchr(pattern->text, 0, pattern->n) != NULL)
		return;
	for (uint32_t t = 0; t < p->names.ntypes; t++)
		if (glob_matches(pattern->text, p->names.types[t]))
			add_type(p, t, slots, set);
}

static void add_opcodes(const struct nfart_proto *p, uint32_t lo, uint32_t hi, uint64_t slots,
			uint64_t *set)
{
	for (uint32_t s = 0; s < p->nslots; s++)
		for (uint32_t op = lo; op <= hi && slots >> s & 1; op++)
			if (bits_get(p->codes.valid, s << p->header.op_bits | op))
				bits_set(set, s << p->header.op_bits | op);
}

bool ast_basic_codes(const struct ast *a, const struct ast_basic *basic, bool any_channel,
		     uint64_t *set)
{
	const struct nfart_proto *p = a->proto;
	const struct ast_sym *group = basic->group != AST_NIL ? &a->syms.at[basic->group] : NULL;
	const struct ast_sym *name = &a->syms.at[basic->name];
	uint32_t most = (1u << p->header.op_bits) - 1;
	int g = group != NULL ? proto_find_group(p, group->text, group->n) : -1;
	int type = -1, event = -1;
	uint64_t slots;

	if (group != NULL && g < 0)
		return false;
	if (basic->kind == AST_BASIC_NAME) {
		type = proto_find_type(p, name->text, name->n);
		event = type < 0 ? proto_find_event(p, name->text, name->n) : -1;
		if (type < 0 && event < 0)
			return false;
	}
	slots = slots_of(p, g, !any_channel && basic->channels.n != 0 ? &basic->channels : NULL);
	switch (basic->kind) {
	case AST_BASIC_ALL:
		add_opcodes(p, 0, most, slots, set);
		break;
	case AST_BASIC_NAME:
		if (type >= 0)
			add_type(p, (uint32_t)type, slots, set);
		else
			add_events(p, name, g, slots, set);
		break;
	case AST_BASIC_GLOB:
		add_glob(p, name, slots, set);
		break;
	case AST_BASIC_OPCODES:
	case AST_BASIC_CHARS:
		if (basic->lo > most || basic->hi > most)
			return false;
		add_opcodes(p, basic->lo, basic->hi, slots, set);
		break;
	case AST_BASIC_TICK:
	case AST_BASIC_NOTICK:
	case AST_BASIC_END:
		break; /* no message matches */
	}
	return true;
}
