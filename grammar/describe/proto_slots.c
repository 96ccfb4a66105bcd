/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the groups and channels of a protocol description, and lays out the slots.
 */
#include <string.h>

#include "grammar/describe/proto_build.h"

/* Reads `LO..HI`, or one number. */
static struct build_range channel_range(struct build *b)
{
	struct diag_range at = b->c.range;
	uint64_t lo = desc_number(&b->c, "a channel", 0, MOST_CHANNELS), hi = lo;

	if (desc_accept(&b->c, ".."))
		hi = desc_number(&b->c, "a channel", 0, MOST_CHANNELS);
	if (hi < lo)
		desc_error(&b->c, at, "the lowest channel comes first");
	return (struct build_range){ true, (uint32_t)lo, (uint32_t)hi };
}

void build_channels(struct build *b)
{
	struct diag_range at = b->c.range;
	struct build_range channels = channel_range(b);

	if (b->channels.fixed)
		return;
	b->channels.all = channels;
	b->channels.at = at;
}

/* Reads the channels of group g: none, or ranges that rise. */
static void own_channels(struct build *b, uint32_t g)
{
	struct build_own own = { .group = g };
	uint32_t least = 0;

	do {
		struct diag_range at = b->c.range;
		if (!b->c.failed && desc_is_number(&b->c))
			own.range = channel_range(b);
		if (own.range.given && own.range.first < least)
			desc_error(&b->c, at, "the channels of a group rise");
		least = own.range.last + 1;
		if (!b->c.failed && !vec_push(&b->channels.of, own))
			build_no_memory(b);
	} while (!b->c.failed && desc_is_number(&b->c));
}

void build_groups(struct build *b)
{
	VEC(const char *) v = { 0 };

	b->channels.groups_at = b->c.range;
	do {
		struct diag_range at = b->c.range;
		const char *s, *t;
		size_t n = build_name(b, &s, "a group");
		for (size_t i = 0; i < v.n && !b->c.failed; i++)
			if (strlen(v.at[i]) == n && memcmp(v.at[i], s, n) == 0)
				desc_error(&b->c, at, "this group is already defined");
		t = b->c.failed ? NULL : build_copy(b, "", 0, s, n);
		if (v.n == PROTO_SLOTS)
			desc_error(&b->c, at, "at most %d groups", PROTO_SLOTS);
		own_channels(b, (uint32_t)v.n);
		if (t != NULL && !vec_push(&v, t))
			build_no_memory(b);
	} while (desc_accept(&b->c, ","));
	b->p->names.groups = arena_array(b->arena, v.n, sizeof *b->p->names.groups);
	if (b->p->names.groups == NULL)
		build_no_memory(b);
	else if (v.n != 0)
		memcpy(b->p->names.groups, v.at, v.n * sizeof *v.at);
	b->p->names.ngroups = (uint32_t)v.n;
	vec_free(&v);
}

/* Returns the channels of an entry of b->channels_of. If none are given, the group is one slot
 * without a number. */
static struct build_range channels_of(const struct build *b, const struct build_own *own)
{
	return own->range.given ? own->range : b->channels.all;
}

static uint32_t count_slots(const struct build *b)
{
	uint32_t n = 0;

	for (size_t i = 0; i < b->channels.of.n; i++) {
		struct build_range r = channels_of(b, &b->channels.of.at[i]);
		n += r.last - r.first + 1;
	}
	return n;
}

/* Reports an error if what was read is not enough to lay out the slots, or does not fit. */
static void check_layout(struct build *b)
{
	const struct nfart_proto *p = b->p;

	if (p->header.op_bits == 0 && !b->automatic.on)
		desc_error(&b->c, b->c.range,
			   "the place of the opcode is missing: 'opcode LO..HI;'");
	else if (p->names.ngroups == 0)
		desc_error(&b->c, b->c.range,
			   "the groups of slots are missing: 'groups NAME, …;'");
	else if (count_slots(b) > PROTO_SLOTS)
		desc_error(&b->c, b->channels.all.given ? b->channels.at : b->channels.groups_at,
			   "%u slots: at most %d", count_slots(b), PROTO_SLOTS);
	else if (p->header.idle >= 1 << p->header.op_bits)
		desc_error(&b->c, b->c.range, "the idle opcode has more bits than opcodes have");
	else if (p->header.op_lsb + p->header.op_bits > p->header.bits ||
		 p->header.addr_lsb + p->header.addr_bits > p->header.bits)
		desc_error(&b->c, b->c.range, "a field lies outside the header");
}

void build_slots(struct build *b)
{
	struct nfart_proto *p = b->p;

	if (b->laid_out || b->c.failed)
		return;
	b->laid_out = true;
	check_layout(b);
	if (b->c.failed)
		return;
	for (size_t k = 0; k < b->channels.of.n; k++) {
		struct build_range r = channels_of(b, &b->channels.of.at[k]);
		for (uint32_t i = r.first; i <= r.last; i++)
			p->slots[p->nslots++] =
				(struct proto_slot){ (uint16_t)b->channels.of.at[k].group,
						     r.given ? (int16_t)i : PROTO_NO_CHANNEL };
	}
	if (b->automatic.on) /* the bits of an opcode are known at the end */
		b->own.slots = p->nslots == 64 ? UINT64_MAX : ((uint64_t)1 << p->nslots) - 1;
	else if (!proto_alloc_codes(p))
		build_no_memory(b);
}

int build_find_group(const struct build *b, const char *s, size_t n)
{
	const char *own = b->unit->own_group;

	if (own == NULL)
		return proto_find_group(b->p, s, n);
	return strlen(own) == n && memcmp(own, s, n) == 0 ? (int)b->unit->group : -1;
}
