/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the joins of a protocol description (contract/proto/proto.h, Note [joins]):
 *
 *	join NAME: [TYPE, ... ->] TYPE, ... [from GROUP] by FIELD;
 *
 * If an extension of the description leaves types out, joins leave them out, too, and a join
 * without requests or without answers is left out itself.
 */
#include <string.h>

#include "grammar/describe/proto_build.h"

/* A join while it is read. The sets belong to the protocol's arena. */
struct join_parts {
	uint64_t *requests, *answers;
	bool all_requests;            /* no requests are given: all messages with the number */
	struct diag_range request_at, answer_at; /* the lists of types */
	struct diag_range field_at;
	size_t field;                 /* index in b->tables.fields */
	struct diag_range group_at;
	int group;                    /* that sends the answers; -1: none is given */
};

static const char *join_type(const struct build *b, uint32_t code)
{
	return b->tables.types.at[b->p->codes.type_of[code] - 1].name;
}

/* ---- what a join says ---- */

/* Reads the lists of types, `REQUESTS -> ANSWERS` or `ANSWERS`. */
static void join_types(struct build *b, struct join_parts *j)
{
	uint64_t *first = j->answers;

	j->answer_at = b->c.range;
	build_type_list(b, j->requests, j->answers);
	j->answer_at.end = b->c.range.begin;
	j->all_requests = !desc_accept(&b->c, "->");
	if (j->all_requests || b->c.failed)
		return;
	j->request_at = j->answer_at;
	j->answers = j->requests;
	j->requests = first;
	j->answer_at = b->c.range;
	build_type_list(b, j->requests, j->answers);
	j->answer_at.end = b->c.range.begin;
}

static const char *next_field(void *ctx)
{
	const char *const **next = ctx;

	return *(*next)++;
}

/* Reads `by FIELD`. */
static void join_field(struct build *b, struct join_parts *j)
{
	const char *s, **names, *const *next;
	size_t n, nfields = b->tables.fields.n;

	desc_expect(&b->c, "by");
	j->field_at = b->c.range;
	n = build_name(b, &s, "a field");
	j->field = build_find_field(b, s, n);
	if (b->c.failed || j->field < nfields)
		return;
	names = arena_array(b->arena, nfields + 1, sizeof *names);
	if (names == NULL) {
		build_no_memory(b);
		return;
	}
	for (size_t i = 0; i < nfields; i++)
		names[i] = b->tables.fields.at[i];
	next = names;
	build_unknown(b, j->field_at, "field", next_field, &next);
}

/* Reads `from GROUP`, if it stands here. */
static void join_group(struct build *b, struct join_parts *j)
{
	const char *s;
	size_t n;

	j->group = -1;
	if (!desc_accept(&b->c, "from"))
		return;
	j->group_at = b->c.range;
	n = build_name(b, &s, "a group");
	j->group = b->c.failed ? -1 : build_find_group(b, s, n);
	if (j->group < 0)
		desc_error(&b->c, j->group_at, "no group '%.*s'", (int)n, s);
}

/* ---- what must hold ---- */

/* Completes the sets: adds the requests of a join that has no list of them, and leaves out what the
 * group makes impossible: it sends the answers, and others send the requests. */
static void complete_sets(struct build *b, const struct join_parts *j)
{
	struct proto_place x;

	for (uint32_t c = 0; c < b->p->codes.n; c++) {
		bool sends = b->p->slots[c >> b->p->header.op_bits].group == j->group;
		uint64_t bit = (uint64_t)1 << c % 64;
		if (j->all_requests && b->p->codes.type_of[c] != 0 && build_in_unit(b, c) &&
		    bits_get(b->p->codes.has_addr, c) && build_find_place(b, j->field, c, &x))
			j->requests[c / 64] |= bit;
		if (j->group >= 0 && sends)
			j->requests[c / 64] &= ~bit;
		if (j->group >= 0 && !sends)
			j->answers[c / 64] &= ~bit;
	}
	if (j->group >= 0 && !b->channels.fixed &&
	    !bits_any(j->answers, bits_words(b->p->codes.n)))
		desc_error(&b->c, j->group_at, "'%s' sends none of the answers",
			   b->p->names.groups[j->group]);
}

/* Finds the one place that the number has in all messages of `set`. An error is reported. */
static void find_number(struct build *b, const struct join_parts *j, const uint64_t *set,
			struct diag_range at, struct proto_place *x)
{
	struct proto_place y;
	bool any = false;

	for (uint32_t c = 0; c < b->p->codes.n && !b->c.failed; c++) {
		if (!bits_get(set, c))
			continue;
		if (!build_find_place(b, j->field, c, &y))
			desc_error(&b->c, at, "'%s' lacks '%s'", join_type(b, c),
				   b->tables.fields.at[j->field]);
		else if (any && (x->lsb != y.lsb || x->bits != y.bits))
			desc_error(&b->c, at, "'%s' has '%s' in other bits than the types before",
				   join_type(b, c), b->tables.fields.at[j->field]);
		*x = y;
		any = true;
	}
}

/* Checks that requests have addresses and answers have none, and that no answer is in two joins. */
static void check_types(struct build *b, const struct join_parts *j)
{
	for (uint32_t c = 0; c < b->p->codes.n && !b->c.failed; c++) {
		bool address = bits_get(b->p->codes.has_addr, c);
		if (bits_get(j->requests, c) && !address)
			desc_error(&b->c, j->request_at, "request '%s' has no address",
				   join_type(b, c));
		if (!bits_get(j->answers, c))
			continue;
		if (address)
			desc_error(&b->c, j->answer_at,
				   "answer '%s' has an address, so nothing is to be joined",
				   join_type(b, c));
		else if (bits_get(b->p->codes.broadcast, c))
			desc_error(&b->c, j->answer_at, "answer '%s' is broadcast to all lines",
				   join_type(b, c));
		for (size_t i = 0; i < b->tables.joins.n && !b->c.failed; i++)
			if (bits_get(b->tables.joins.at[i].answers, c))
				desc_error(&b->c, j->answer_at, "join '%s' has answer '%s' already",
					   b->tables.joins.at[i].name, join_type(b, c));
	}
}

static void add_join(struct build *b, const struct join_parts *j, const char *name)
{
	struct proto_place request = { .bits = 0 }, answer = { .bits = 0 };
	size_t words = bits_words(b->p->codes.n);
	struct proto_join join = { .name = name, .requests = j->requests, .answers = j->answers };

	complete_sets(b, j);
	check_types(b, j);
	find_number(b, j, j->answers, j->answer_at, &answer);
	find_number(b, j, j->requests, j->all_requests ? j->field_at : j->request_at, &request);
	if (b->c.failed)
		return;
	if (!bits_any(j->requests, words) && !b->channels.fixed)
		desc_error(&b->c, j->field_at, "no request with an address has '%s'",
			   b->tables.fields.at[j->field]);
	if (b->c.failed || !bits_any(j->requests, words) || !bits_any(j->answers, words))
		return;
	if (request.bits != answer.bits)
		desc_error(&b->c, j->field_at, "'%s' has %u bits in requests, but %u in answers",
			   b->tables.fields.at[j->field], request.bits, answer.bits);
	else if (request.bits > PROTO_JOIN_BITS)
		desc_error(&b->c, j->field_at, "'%s' has %u bits, a join at most %d",
			   b->tables.fields.at[j->field], request.bits, PROTO_JOIN_BITS);
	join.field = b->tables.fields.at[j->field];
	join.bits = request.bits;
	join.request_lsb = request.lsb;
	join.answer_lsb = answer.lsb;
	if (!b->c.failed && !vec_push(&b->tables.joins, join))
		build_no_memory(b);
}

/* ---- the statement ---- */

/* Returns the name of the join, which is at the cursor. */
static const char *join_name(struct build *b)
{
	struct diag_range at = b->c.range;
	const char *s, *name;
	size_t n = build_name(b, &s, "the name of a join");

	build_slots(b);
	name = b->c.failed ? NULL : build_rule_name(b, s, n);
	for (size_t i = 0; name != NULL && i < b->tables.joins.n; i++)
		if (strcmp(b->tables.joins.at[i].name, name) == 0)
			desc_error(&b->c, at, "join '%s' is already defined", name);
	if (b->tables.joins.n == PROTO_JOINS)
		desc_error(&b->c, at, "a protocol has at most %d joins", PROTO_JOINS);
	return name;
}

void build_join(struct build *b)
{
	const char *name = join_name(b);
	struct join_parts j = { .field = 0 };
	size_t words = bits_words(b->p->codes.n);

	j.requests = arena_array(b->arena, words, 8);
	j.answers = arena_array(b->arena, words, 8);
	if (j.requests == NULL || j.answers == NULL) {
		build_no_memory(b);
		return;
	}
	desc_expect(&b->c, ":");
	join_types(b, &j);
	join_group(b, &j);
	join_field(b, &j);
	desc_expect(&b->c, ";");
	if (!b->c.failed)
		add_join(b, &j, name);
}
