/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds parts of events that no message can be in, and events that share messages.
 */
#include <stdlib.h>

#include "grammar/coherence/coh_int.h"
#include "grammar/describe/joint.h"
#include "support/bits.h"

/* The work for a description: steps of some nanoseconds. */
#define MEET_WORK (UINT64_C(1) << 26)

/* What is being found out. */
struct meeting {
	const struct coh *c;
	size_t words;
	uint64_t *codes; /* [parts][words]: bit set: the codes that messages of a part can have */
	uint64_t work;   /* how much was done */
};

/* Adds the tests of a part to those of messages with this code. False: none passes. */
static bool meet_add(struct joint *j, const struct coh *c, const struct coh_messages *p,
		     uint32_t code)
{
	for (uint32_t i = 0; i < p->guards.n; i++) {
		const struct coh_guard *g = &c->guards.at[p->guards.first + i];
		struct proto_place x = coh_field_place(c->proto, g->field, code);
		struct joint_test t = {
			.kind = g->other ? JOINT_IS_NOT : JOINT_IN, .lsb = x.lsb, .bits = x.bits,
			.zeros = g->field == PROTO_ADDR ? c->proto->header.line_shift : 0,
			.mask = g->mask, .first = g->first, .last = g->last
		};

		if (!g->other && g->first == g->last)
			t.kind = JOINT_IS;
		if (!joint_add(j, &t))
			return false;
	}
	return true;
}

/* Are the fields that a part tests at the same places in messages with both codes, and none of
 * them in the opcode? */
static bool meet_same(const struct coh *c, const struct coh_messages *p, uint32_t a, uint32_t b)
{
	uint64_t ops = (((uint64_t)1 << c->proto->header.op_bits) - 1) << c->proto->header.op_lsb;

	for (uint32_t i = 0; i < p->guards.n; i++) {
		uint32_t field = c->guards.at[p->guards.first + i].field;
		struct proto_place x = coh_field_place(c->proto, field, a);
		struct proto_place y = coh_field_place(c->proto, field, b);

		if (x.lsb != y.lsb || x.bits != y.bits ||
		    (ops >> x.lsb & UINT64_MAX >> (64 - x.bits)) != 0)
			return false;
	}
	return true;
}

/* Can a message with this code be in both parts? */
static enum joint_answer meet_code(struct meeting *m, const struct coh_messages *a,
				   const struct coh_messages *b, uint32_t code)
{
	const struct coh *c = m->c;
	uint64_t ops = ((uint64_t)1 << c->proto->header.op_bits) - 1;
	struct joint j = { .n = 0 };
	enum joint_answer answer = JOINT_NEVER;

	joint_fix(&j, ops << c->proto->header.op_lsb, (code & ops) << c->proto->header.op_lsb);
	if (meet_add(&j, c, a, code) && meet_add(&j, c, b, code))
		answer = joint_search(&j);
	m->work += 16 + j.work;
	return answer;
}

/* Do two tests exclude each other by themselves? This finds most without a search. */
static bool meet_excludes(const struct coh_guard *a, const struct coh_guard *b)
{
	return a->field == b->field && a->mask == b->mask && !a->other && !b->other &&
	       (a->last < b->first || b->last < a->first);
}

static bool meet_apart(struct meeting *m, const struct coh_messages *a,
		       const struct coh_messages *b)
{
	for (uint32_t i = 0; i < a->guards.n; i++)
		for (uint32_t j = 0; j < b->guards.n; j++)
			if (meet_excludes(&m->c->guards.at[a->guards.first + i],
					  &m->c->guards.at[b->guards.first + j]))
				return true;
	m->work += (uint64_t)a->guards.n * b->guards.n;
	return false;
}

/* Can a message be in both parts, which are numbers of coh.parts? */
static enum joint_answer meet_parts(struct meeting *m, uint32_t x, uint32_t y)
{
	const struct coh_messages *a = &m->c->parts.at[x], *b = &m->c->parts.at[y];
	enum joint_answer answer = JOINT_NEVER;
	uint32_t last = COH_NONE;

	if (x != y && meet_apart(m, a, b))
		return JOINT_NEVER;
	for (size_t w = 0; w < m->words && answer == JOINT_NEVER; w++) {
		uint64_t both = m->codes[x * m->words + w] & m->codes[y * m->words + w];

		for (; both != 0 && answer == JOINT_NEVER; both &= both - 1) {
			uint32_t code = (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(both);

			m->work += a->guards.n + b->guards.n;
			if (m->work > MEET_WORK)
				return JOINT_UNKNOWN;
			if (last != COH_NONE && meet_same(m->c, a, code, last) &&
			    meet_same(m->c, b, code, last))
				continue;
			answer = meet_code(m, a, b, code);
			last = code;
		}
	}
	return answer;
}

/* Warns of the parts of an event that no message can be in. */
static void meet_nothing(struct coh_reader *r, struct meeting *m, const struct coh_event *e)
{
	for (uint32_t i = e->parts.first; i < e->parts.first + e->parts.n; i++)
		if (meet_parts(m, i, i) == JOINT_NEVER)
			diag_report(r->c.diags, DIAG_WARNING, "never-matches",
				    m->c->parts.at[i].range, "no message of event '%s' can pass "
				    "these tests together", e->name);
}

/* Reports that a message can be of two events, or that it takes too long to tell. Returns whether
 * it is so. */
static bool meet_shared(struct coh_reader *r, struct meeting *m, const struct coh_event *a,
			const struct coh_event *b)
{
	for (uint32_t i = a->parts.first; i < a->parts.first + a->parts.n; i++)
		for (uint32_t j = b->parts.first; j < b->parts.first + b->parts.n; j++) {
			enum joint_answer answer = meet_parts(m, i, j);
			size_t record;

			if (answer == JOINT_NEVER)
				continue;
			record = diag_report(r->c.diags, DIAG_ERROR, "description",
					     m->c->parts.at[j].range, answer == JOINT_CAN
					     ? "a message can be of '%s' and of '%s'"
					     : "it takes too long to tell whether a message can be "
					       "of '%s' and of '%s'", b->name, a->name);
			diag_note(r->c.diags, record, m->c->parts.at[i].range, "'%s' is here",
				  a->name);
			r->c.failed = true;
			return true;
		}
	return false;
}

void check_messages(struct coh_reader *r)
{
	const struct coh *c = r->coh;
	struct meeting m = { .c = c, .words = bits_words(c->proto->codes.n) };

	m.codes = calloc(c->parts.n * m.words + 1, sizeof *m.codes);
	if (m.codes == NULL) {
		r->memory = r->c.failed = true;
		return;
	}
	for (size_t i = 0; i < c->parts.n; i++)
		for (uint32_t code = 0; code < c->proto->codes.n; code++)
			if (coh_part_has(c, &c->parts.at[i], code))
				m.codes[i * m.words + code / 64] |= (uint64_t)1 << code % 64;
	for (uint32_t i = 0; i < c->nevents; i++)
		meet_nothing(r, &m, &c->events[i]);
	for (uint32_t i = 0; i < c->nevents; i++)
		for (uint32_t j = 0; j < i; j++)
			if (meet_shared(r, &m, &c->events[j], &c->events[i]))
				break;
	free(m.codes);
}
