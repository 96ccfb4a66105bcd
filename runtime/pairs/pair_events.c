/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/pairs/pair_events.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/reader.h"

/* What a role and its events have in the same order, from `rule` on. */
#define PAIR_EVENT_CONSTANT (sizeof(struct pair_event) - offsetof(struct pair_event, rule))

static_assert(offsetof(struct pair_role, part) - offsetof(struct pair_role, rule) ==
		      PAIR_EVENT_CONSTANT,
	      "one copy does for all of it");

/* ---- roles ---- */

/* Returns the bits of the header that are keys, if these are the same bits in all messages of the
 * rule; else 0. */
static uint64_t key_mask(const struct proto_pair *r)
{
	uint64_t mask = 0;

	for (uint32_t k = 0; k < r->nkeys; k++) {
		const struct proto_place *x = &r->keys[k].places[0];
		if (r->keys[k].nplaces != 1)
			return 0;
		mask |= (((uint64_t)1 << x->bits) - 1) << x->lsb;
	}
	return mask;
}

/* Appends the parts of the rule's key in messages of this code. */
static bool add_parts(struct pair_events *x, const struct proto_pair *r, uint32_t code)
{
	uint32_t shift = 0;

	for (uint32_t k = 0; k < r->nkeys; k++) {
		const struct proto_place *place = proto_key_place(&r->keys[k], code);
		struct pair_part part = { (uint8_t)place->lsb, (uint8_t)shift,
					  ((uint64_t)1 << place->bits) - 1 };
		if (!vec_push(&x->parts, part))
			return false;
		shift += proto_key_bits(&r->keys[k]);
	}
	return true;
}

/* Appends the roles of a code as request, or those as answer. */
static bool add_roles_as(struct pair_events *x, uint32_t code, bool request)
{
	for (uint32_t i = 0; i < x->proto->names.npairs; i++) {
		const struct proto_pair *r = &x->proto->names.pairs[i];
		struct pair_role role = { .mask = key_mask(r), .part = (uint32_t)x->parts.n,
					  .code = code, .rule = (uint16_t)i, .request = request,
					  .slot = (uint8_t)(code >> x->proto->header.op_bits),
					  .role = (uint32_t)x->roles.n };
		if (!bits_get(request ? r->requests : r->answers, code))
			continue;
		role.nparts = role.mask == 0 ? r->nkeys : 0;
		if ((role.nparts != 0 && !add_parts(x, r, code)) || !vec_push(&x->roles, role))
			return false;
	}
	return true;
}

/* Is this the code of a header without a message? */
static bool is_idle(const struct nfart_proto *p, uint32_t code)
{
	return (int32_t)(code & ((1u << p->header.op_bits) - 1)) == p->header.idle;
}

static bool add_roles(struct pair_events *x)
{
	const struct nfart_proto *p = x->proto;

	if (!vec_push(&x->roles, (struct pair_role){ .mask = 0 }))
		return false;
	for (uint32_t c = 0; c < p->codes.n; c++) {
		uint32_t n;
		x->first[c] = (uint32_t)x->roles.n;
		if (!add_roles_as(x, c, false) || !add_roles_as(x, c, true))
			return false;
		n = (uint32_t)x->roles.n - x->first[c];
		x->only[c] = is_idle(p, c) || n > 1 ? PAIR_ROLES_MANY : n == 0 ? 0 : x->first[c];
		x->most = n > x->most ? n : x->most;
	}
	x->first[p->codes.n] = (uint32_t)x->roles.n;
	return true;
}

bool pair_events_init(struct pair_events *x, const struct nfart_proto *p)
{
	*x = (struct pair_events){ .proto = p };
	x->first = calloc((size_t)p->codes.n + 1, sizeof *x->first);
	x->only = calloc((size_t)p->codes.n + 1, sizeof *x->only);
	pair_events_clear(x);
	return x->first != NULL && x->only != NULL && add_roles(x);
}

void pair_events_free(struct pair_events *x)
{
	vec_free(&x->roles);
	vec_free(&x->parts);
	vec_free(&x->all);
	free(x->first);
	free(x->only);
}

/* ---- events ---- */

void pair_events_clear(struct pair_events *x)
{
	x->all.n = x->kept;
	x->batches = x->messages = x->last_time = 0;
	x->first_time = UINT64_MAX;
}

static inline uint64_t key_of(const struct pair_events *x, const struct pair_role *r,
			      uint64_t header)
{
	const struct pair_part *part;
	uint64_t key = header & r->mask;

	if (r->nparts == 0)
		return key;
	part = &x->parts.at[r->part];
	for (uint32_t i = 0; i < r->nparts; i++)
		key |= (header >> part[i].lsb & part[i].mask) << part[i].shift;
	return key;
}

static inline struct pair_event event_of(const struct pair_events *x, const struct pair_role *r,
					 uint64_t time, uint64_t header)
{
	struct pair_event v;

	v.key = key_of(x, r, header);
	v.time = time;
	v.header = header;
	memcpy((char *)&v + offsetof(struct pair_event, rule),
	       (const char *)r + offsetof(struct pair_role, rule), PAIR_EVENT_CONSTANT);
	return v;
}

static inline void note_batch(struct pair_events *x, uint64_t time, uint64_t slots)
{
	x->batches++;
	x->messages += bits_count(slots);
	x->first_time = time < x->first_time ? time : x->first_time;
	x->last_time = time;
}

/* Appends the events of one kind. There is room for them. */
static void add_events_as(struct pair_events *x, uint64_t time, uint64_t slots,
			  const uint64_t *header, bool request)
{
	for (; slots != 0; slots &= slots - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(slots);
		uint32_t code = proto_code(x->proto, slot, header[slot]);
		for (uint32_t i = x->first[code]; i < x->first[code + 1]; i++)
			if (x->roles.at[i].request == request)
				x->all.at[x->all.n++] = event_of(x, &x->roles.at[i], time,
								 header[slot]);
	}
}

bool pair_events_add(struct pair_events *x, uint64_t time, uint64_t slots, const uint64_t *header)
{
	note_batch(x, time, slots);
	if (!vec_reserve(&x->all, bits_count(slots) * x->most))
		return false;
	add_events_as(x, time, slots, header, false);
	add_events_as(x, time, slots, header, true);
	return true;
}

bool pair_events_find(const struct pair_events *x, uint32_t rule, uint32_t slot, uint64_t header,
		      bool request, struct pair_event *v)
{
	uint32_t code;

	if (slot >= x->proto->nslots || !trace_header_ok(x->proto, header))
		return false;
	code = proto_code(x->proto, slot, header);
	for (uint32_t i = x->first[code]; i < x->first[code + 1]; i++)
		if (x->roles.at[i].rule == rule && x->roles.at[i].request == request) {
			*v = event_of(x, &x->roles.at[i], 0, header);
			return true;
		}
	return false;
}

bool pair_events_add_rows(struct pair_events *x, const unsigned char *p, uint32_t count)
{
	uint64_t header[PROTO_SLOTS], slots;

	for (; count > 0; count--, p += 8 + (size_t)x->proto->nslots * 8) {
		slots = trace_slots(x->proto, p + 8, header);
		if (slots != 0 && !pair_events_add(x, get_le64(p), slots, header))
			return false;
	}
	return true;
}

/* ---- records of a chunk ---- */

/* How far a payload was checked. */
struct pair_payload {
	struct pair_events *x;
	const struct nfart_reader *r;
	struct trace_clock *clock;
	const unsigned char *p;
	size_t n, head;  /* how many bytes there are from p on; those of a record before headers */
	uint32_t left;   /* how many records there are from p on */
};

/* Checks records of one message each, and appends their events, without a branch that depends on
 * what the messages are. Stops before the first record that is of another kind. There is room for
 * the events. */
static void check_singles(struct pair_payload *c)
{
	const struct nfart_proto *proto = c->r->proto;
	struct pair_events *x = c->x;
	uint64_t past = ~(UINT64_MAX >> (64 - proto->nslots)), foreign = ~proto_header_mask(proto);
	uint64_t last = c->clock->last, before = last;
	size_t size = c->head + 8, head = c->head;
	unsigned lsb = proto->header.op_lsb, bits = proto->header.op_bits;
	uint32_t opcodes = (1u << bits) - 1, done = 0, most = c->left;
	const unsigned char *p = c->p, *end = p + c->n / size * size;
	const uint32_t *only = x->only;
	const struct pair_role *roles = x->roles.at;
	struct pair_event *out = x->all.at + x->all.n;

	/* The protocol is read before the loop: the compiler can't know that events are not stored
	 * over it. */
	for (; p != end && done < most; p += size, done++) {
		uint64_t time = get_le64(p), mask = get_le64(p + 8), header = get_le64(p + head);
		uint32_t role;
		if (mask == 0 || time <= last ||
		    ((mask & past) | (mask & (mask - 1)) | (header & foreign)) != 0)
			break;
		role = only[(uint32_t)__builtin_ctzll(mask) << bits |
			    ((uint32_t)(header >> lsb) & opcodes)];
		if (role == PAIR_ROLES_MANY)
			break;
		*out = event_of(x, &roles[role], time, header);
		out += role != 0;
		last = time;
	}
	if (done == 0)
		return;
	x->all.n = (size_t)(out - x->all.at);
	x->batches += done;
	x->messages += done;
	if (get_le64(c->p) < x->first_time)
		x->first_time = get_le64(c->p);
	x->last_time = last;
	c->clock->last = last != before ? last : before;
	c->clock->last_batch = c->clock->last;
	c->n -= (size_t)(p - c->p);
	c->left -= done;
	c->p = p;
}

/* Checks a record of any kind, and appends its events. */
static bool check_record(struct pair_payload *c)
{
	uint64_t all = UINT64_MAX >> (64 - c->r->proto->nslots), header[PROTO_SLOTS], mask, slots;
	const unsigned char *p = c->p + c->head;
	unsigned mark;

	if (c->n < c->head)
		return false;
	mask = get_le64(c->p + 8);
	slots = mask == 0 ? 1 : bits_count(mask);
	if ((mask & ~all) != 0 || (c->n - c->head) / 8 < slots)
		return false;
	mark = mask == 0 ? trace_mark(get_le64(p)) : 0;
	if (mark != 0 ? !trace_clock_empty(c->clock, get_le64(c->p), (mark & NFART_END) != 0)
		      : !trace_clock_next(c->clock, get_le64(c->p), mask == 0))
		return false;
	c->x->plain &= mask != 0;
	for (uint64_t m = mask; m != 0; m &= m - 1, p += 8) {
		if (!trace_header_ok(c->r->proto, get_le64(p)))
			return false;
		header[__builtin_ctzll(m)] = get_le64(p);
	}
	if (mask != 0 && !pair_events_add(c->x, get_le64(c->p), mask, header)) {
		c->x->failed = true;
		return false;
	}
	c->n -= c->head + 8 * slots;
	c->p += c->head + 8 * slots;
	c->left--;
	return true;
}

bool pair_events_check(void *ctx, const struct nfart_reader *r, struct trace_clock *clock,
		       const unsigned char *p, size_t n, uint32_t count)
{
	struct pair_events *x = ctx;
	struct pair_payload c = { x, r, clock, p, n, 16 + (size_t)r->label_words * 8, count };

	pair_events_clear(x);
	x->plain = true;
	if (count > n / 24)
		return false;
	while (c.left > 0) {
		if (!vec_reserve(&x->all, c.left)) {
			x->failed = true;
			return false;
		}
		/* An ordinary batch before the current one is what check_singles() relies on. */
		if (clock->any_batch && !clock->after_loss)
			check_singles(&c);
		if (c.left > 0 && !check_record(&c))
			return false;
	}
	return c.n == 0;
}
