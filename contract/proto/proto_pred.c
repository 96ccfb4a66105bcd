/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Prints predicates as filter text, with the names of a protocol.
 */
#include "contract/proto/proto.h"

/* Appends a basic predicate to a list, with a comma before it unless it is the first. */
static void item(struct buf *b, bool *first, const char *group, const char *name)
{
	buf_addf(b, "%s%s.%s", *first ? "" : ", ", group, name);
	*first = false;
}

/* Appends the channels of a set of slots, such as `@6,7`. Slots without a channel are left out. */
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

/* Returns the slots of the group in which `ops` has every opcode except idle. */
static uint64_t full_slots(const struct nfart_proto *p, const uint64_t *ops, uint32_t group)
{
	uint64_t slots = slots_of_group(p, group);

	for (uint32_t c = 0; c < p->codes.n; c++)
		if (bits_get(p->codes.valid, c) && !bits_get(ops, c))
			slots &= ~((uint64_t)1 << (c >> p->header.op_bits));
	return slots;
}

/* One meaning of an opcode in a group: a type, and the slots in which the opcode has this type. */
struct meaning {
	uint32_t type; /* index of the type, plus 1; 0: the opcode has no type in these slots */
	uint64_t set;  /* slots in which the opcode has this type and the predicate names it */
	uint64_t all;  /* all slots of the group in which the opcode has this type */
};

/* Writes to m the meanings that opcode op has in the slots of the set `group`, one for each type.
 * Returns how many meanings there are. The slots in `full` are already printed as `any`, so the
 * field `set` leaves them out. */
static size_t meanings(const struct nfart_proto *p, const uint64_t *ops, uint64_t group,
		       uint64_t full, uint32_t op, struct meaning *m)
{
	size_t n = 0, i;

	for (; group != 0; group &= group - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(group), code = s << p->header.op_bits | op;
		for (i = 0; i < n && m[i].type != p->codes.type_of[code]; i++)
			;
		if (i == n)
			m[n++] = (struct meaning){ .type = p->codes.type_of[code] };
		m[i].all |= (uint64_t)1 << s;
		if (bits_get(ops, code))
			m[i].set |= (uint64_t)1 << s & ~full;
	}
	return n;
}

/* Appends what the set `ops` has of group g: first whole slots as `any`, then single opcodes in
 * their order, by name or number. */
static void print_group(const struct nfart_proto *p, const uint64_t *ops, uint32_t g, bool *first,
			struct buf *b)
{
	uint64_t all = slots_of_group(p, g), full = full_slots(p, ops, g);
	struct meaning m[PROTO_SLOTS];
	char number[16];

	if (full != 0) {
		item(b, first, p->names.groups[g], "any");
		if (full != all)
			channels(p, full, b);
	}
	for (uint32_t op = 0; op < 1u << p->header.op_bits; op++) {
		size_t n = meanings(p, ops, all, full, op, m);
		for (size_t i = 0; i < n; i++) {
			if (m[i].set == 0)
				continue;
			/* Without channels a number names the opcode in every slot of the
			 * group, even where it has a type. So channels are printed unless the
			 * predicate names all slots. */
			snprintf(number, sizeof number, "#%u", op);
			item(b, first, p->names.groups[g],
			     m[i].type != 0 ? p->names.types[m[i].type - 1] : number);
			if (m[i].set != (m[i].type != 0 ? m[i].all : all))
				channels(p, m[i].set, b);
		}
	}
}

void proto_print_codes(const struct nfart_proto *p, const uint64_t *ops, bool *first,
		       struct buf *b)
{
	for (uint32_t g = 0; g < p->names.ngroups; g++)
		print_group(p, ops, g, first, b);
}

void proto_print_pred(const struct nfart_proto *p, bool none, const uint64_t *ops, struct buf *b)
{
	bool first = true;

	if (!bits_any(ops, bits_words(p->codes.n))) {
		buf_addf(b, none ? "true" : "!true");
		return;
	}
	buf_addf(b, none ? "None(" : "Any(");
	proto_print_codes(p, ops, &first, b);
	buf_addf(b, ")");
}
