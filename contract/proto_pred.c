/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Predicates as filter text, from the tables of a protocol.
 */
#include "contract/proto.h"

/* One basic predicate of the list, with its comma. */
static void item(struct buf *b, bool *first, const char *group, const char *name)
{
	buf_addf(b, "%s%s.%s", *first ? "" : ", ", group, name);
	*first = false;
}

/* The channels after a basic predicate, where the protocol has any. */
static void channels(const struct nfart_proto *p, uint64_t slots, struct buf *b)
{
	char sep = '@';

	for (uint32_t s = 0; s < p->nslots; s++)
		if ((slots >> s & 1) != 0 && p->slots[s].channel != PROTO_NO_CHANNEL) {
			buf_addf(b, "%c%d", sep, p->slots[s].channel);
			sep = ',';
		}
}

static uint64_t slots_of_group(const struct nfart_proto *p, uint32_t group)
{
	uint64_t slots = 0;

	for (uint32_t s = 0; s < p->nslots; s++)
		if (p->slots[s].group == group)
			slots |= (uint64_t)1 << s;
	return slots;
}

/* The slots of the group in which every opcode but idle is in the set. */
static uint64_t full_slots(const struct nfart_proto *p, const uint64_t *ops, uint32_t group)
{
	uint64_t slots = slots_of_group(p, group);

	for (uint32_t c = 0; c < p->ncodes; c++)
		if (bits_get(p->valid, c) && !bits_get(ops, c))
			slots &= ~((uint64_t)1 << (c >> p->op_bits));
	return slots;
}

/* Slots of a group in which one opcode has one meaning. */
struct meaning {
	uint32_t type;  /* index + 1; 0: unnamed */
	uint64_t set;   /* slots in which the predicate names it */
	uint64_t all;   /* slots in which it has this meaning */
};

/* Writes to m the meanings that opcode op has in the slots of the set `group`, one for each type;
 * returns how many. Slots in `full` are left out of the field `set`. */
static size_t meanings(const struct nfart_proto *p, const uint64_t *ops, uint64_t group,
		       uint64_t full, uint32_t op, struct meaning *m)
{
	size_t n = 0, i;

	for (; group != 0; group &= group - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(group), code = s << p->op_bits | op;
		for (i = 0; i < n && m[i].type != p->type_of[code]; i++)
			;
		if (i == n)
			m[n++] = (struct meaning){ .type = p->type_of[code] };
		m[i].all |= (uint64_t)1 << s;
		if (bits_get(ops, code))
			m[i].set |= (uint64_t)1 << s & ~full;
	}
	return n;
}

/* The set's part in one group: whole slots as `any`, then opcodes in order, by name or number. */
static void print_group(const struct nfart_proto *p, const uint64_t *ops, uint32_t g, bool *first,
			struct buf *b)
{
	uint64_t all = slots_of_group(p, g), full = full_slots(p, ops, g);
	struct meaning m[PROTO_SLOTS];
	char number[16];

	if (full != 0) {
		item(b, first, p->groups[g], "any");
		if (full != all)
			channels(p, full, b);
	}
	for (uint32_t op = 0; op < 1u << p->op_bits; op++) {
		size_t n = meanings(p, ops, all, full, op, m);
		for (size_t i = 0; i < n; i++) {
			if (m[i].set == 0)
				continue;
			/* A number without channels would mean every slot, named ones included. */
			snprintf(number, sizeof number, "#%u", op);
			item(b, first, p->groups[g],
			     m[i].type != 0 ? p->types[m[i].type - 1] : number);
			if (m[i].set != (m[i].type != 0 ? m[i].all : all))
				channels(p, m[i].set, b);
		}
	}
}

void proto_print_pred(const struct nfart_proto *p, bool none, const uint64_t *ops, struct buf *b)
{
	bool first = true;

	if (!bits_any(ops, bits_words(p->ncodes))) {
		buf_addf(b, none ? "true" : "!true");
		return;
	}
	buf_addf(b, none ? "None(" : "Any(");
	for (uint32_t g = 0; g < p->ngroups; g++)
		print_group(p, ops, g, &first, b);
	buf_addf(b, ")");
}
