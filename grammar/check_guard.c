/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Checks the tests of guards (nfacc-filter(5), Guards): fields, values, ranges. Finds out what a
 * predicate names when a guard is added to it.
 *
 * Whether a message can pass all tests of one guard together is decided in joint.c. Guards of
 * names are not looked at together with the guards in the values of the names.
 */
#include <inttypes.h>
#include <string.h>

#include "grammar/check.h"
#include "grammar/describe/joint.h"

/* A place of a field, or of the address. The values of the field in messages with these codes are
 * the numbers of `bits` bits whose lowest `zeros` bits are 0. */
struct place {
	const uint64_t *codes; /* NULL: every message */
	uint32_t bits, zeros;
};

static uint32_t count_places(const struct check *c, uint32_t field)
{
	return field == PROTO_ADDR || field == PROTO_PAYLOAD ? 1
	       : c->proto->names.fields[field].nplaces;
}

static struct place place_of(const struct check *c, uint32_t field, uint32_t i)
{
	const struct nfart_proto *p = c->proto;

	if (field == PROTO_ADDR)
		return (struct place){ p->codes.has_addr,
				       p->header.addr_bits + p->header.line_shift,
				       p->header.line_shift };
	return (struct place){ p->names.fields[field].places[i].codes,
			       p->names.fields[field].places[i].bits, 0 };
}

static bool guard_meets(const struct check *c, const uint64_t *set, const uint64_t *codes)
{
	bool hit = false;

	for (size_t w = 0; w < c->words; w++)
		hit = hit || (set[w] & (codes != NULL ? codes[w] : UINT64_MAX)) != 0;
	return hit;
}

uint32_t check_field_bits(const struct check *c, uint32_t field, const uint64_t *set)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < count_places(c, field); i++) {
		struct place x = place_of(c, field, i);
		if (x.bits > bits && guard_meets(c, set, x.codes))
			bits = x.bits;
	}
	return bits;
}

/* ---- errors --------------------------------------------------------------------------------- */

void check_no_guard(struct check *c, const struct ast_basic *b, const char *why)
{
	struct diag_range bracket = b->guard_range;

	bracket.end = bracket.begin + 1;
	front_error(c->front, "guard", bracket, "%s", why);
}

/* Checks the bits in brackets behind `payload`. False: they can't be, which is reported. */
static bool check_bits(struct check *c, struct ast_test *t)
{
	const struct ast_sym *name = &c->ast->syms.at[t->name.sym];
	uint64_t hi = t->highest.value, lo = t->lowest.value;

	t->field = PROTO_PAYLOAD;
	if (name->n != 7 || memcmp(name->text, "payload", 7) != 0)
		front_error(c->front, "field", t->name.range,
			    "only 'payload' has bits in brackets");
	else if (c->proto->payload == 0)
		front_error(c->front, "unknown-name", t->name.range,
			    "messages of protocol '%s' have no payload: its description says "
			    "'payload BITS;' if they do", c->proto->name);
	else if (t->highest.overflow || hi >= c->proto->payload)
		front_error(c->front, "number", t->highest.range,
			    "the payload of protocol '%s' has the bits %" PRIu32 "..0",
			    c->proto->name, c->proto->payload - 1);
	else if (t->lowest.overflow || lo > hi)
		front_error(c->front, "number", t->lowest.range,
			    "the highest bit comes first, as in payload[63..0]");
	else if (lo / 64 != hi / 64)
		front_error(c->front, "number", t->lowest.range,
			    "a test looks at bits of one word of 64: %" PRIu64 "..%" PRIu64
			    " and those below need tests of their own", hi, hi / 64 * 64);
	else
		return true;
	return false;
}

/* Sets t->field. False: the protocol has no such field, which is reported. */
static bool find_field(struct check *c, struct ast_test *t)
{
	const struct ast_sym *name = &c->ast->syms.at[t->name.sym];
	bool is_addr = name->n == 4 && memcmp(name->text, "addr", 4) == 0;
	int field = proto_find_field(c->proto, name->text, name->n);
	const char *hint = "";
	size_t at;

	if (t->of_bits)
		return check_bits(c, t);
	t->field = is_addr ? PROTO_ADDR : (uint32_t)field;
	if (is_addr ? c->proto->header.addr_bits != 0 : field >= 0)
		return true;
	if (is_addr) {
		front_error(c->front, "unknown-name", t->name.range, "protocol '%s' has no "
			    "addresses", c->proto->name);
		return false;
	}
	if (c->proto->payload != 0 && name->n == 7 && memcmp(name->text, "payload", 7) == 0)
		hint = "; bits of the payload are named as in payload[63..0]";
	at = front_error(c->front, "unknown-name", t->name.range,
			 "protocol '%s' has no field '%s'%s", c->proto->name, name->text, hint);
	front_suggest_field(c->front, at, t->name.sym, t->name.range, true);
	return false;
}

/* Is the number at most `highest`? If not, reports it. */
static bool guard_fits(struct check *c, const struct ast_test *t, const struct ast_number *x,
		       uint64_t highest)
{
	if (!x->overflow && x->value <= highest)
		return true;
	if (t->field == PROTO_ADDR)
		front_error(c->front, "number", x->range, "addresses end at 0x%" PRIx64, highest);
	else
		front_error(c->front, "number", x->range, "the values of field '%s' end at %" PRIu64
			    " here", ast_text(c->ast, t->name.sym), highest);
	return false;
}

/* Checks a test of a guard of predicate p, after the field was found. `has` is the set of codes
 * that p->has leaves. False: there was an error, which is reported. */
static bool check_test(struct check *c, const struct ast_test *t, const struct check_pred *p)
{
	bool payload = t->field == PROTO_PAYLOAD;
	uint32_t of = payload ? ast_payload_of(t).bits : 0;
	uint32_t named = payload ? of : check_field_bits(c, t->field, p->named);
	uint32_t bits = payload ? of : check_field_bits(c, t->field, p->has);
	uint64_t highest;

	if (named == 0 || (bits == 0 && !p->open)) {
		if (t->field == PROTO_ADDR)
			front_error(c->front, "field", t->name.range,
				    "none of these messages has an address");
		else
			front_error(c->front, "field", t->name.range,
				    "none of these messages has the field '%s'",
				    ast_text(c->ast, t->name.sym));
		return false;
	}
	highest = UINT64_MAX >> (64 - (bits != 0 ? bits : named));
	if (!guard_fits(c, t, &t->mask, highest) || !guard_fits(c, t, &t->value, highest) ||
	    !guard_fits(c, t, &t->last, highest))
		return false;
	if (t->kind == AST_TEST_IN && t->value.value > t->last.value) {
		front_error(c->front, "number", t->last.range,
			    "the range is the wrong way round");
		return false;
	}
	return true;
}

/* ---- what a guard leaves -------------------------------------------------------------------- */

/* How many of the values that a field can have in some place pass a test. */
enum passing { PASS_NONE, PASS_SOME, PASS_ALL };

static enum passing opposite(enum passing x)
{
	return x == PASS_NONE ? PASS_ALL : x == PASS_ALL ? PASS_NONE : PASS_SOME;
}

/* Returns which of the values of a place have `value` under the mask. */
static enum passing masked(const struct place *x, uint64_t mask, uint64_t value)
{
	uint64_t varies = UINT64_MAX >> (64 - x->bits) & ~(((uint64_t)1 << x->zeros) - 1);

	if ((value & ~(mask & varies)) != 0)
		return PASS_NONE;
	return (mask & varies) == 0 ? PASS_ALL : PASS_SOME;
}

static enum passing passing(const struct ast_test *t, const struct place *x)
{
	uint64_t step = (uint64_t)1 << x->zeros;
	uint64_t highest = UINT64_MAX >> (64 - x->bits) & ~(step - 1);
	uint64_t first = t->value.value, last = t->last.value;

	switch (t->kind) {
	case AST_TEST_IS:
		return masked(x, UINT64_MAX, t->value.value);
	case AST_TEST_IS_NOT:
		return opposite(masked(x, UINT64_MAX, t->value.value));
	case AST_TEST_MASK_IS:
		return masked(x, t->mask.value, t->value.value);
	case AST_TEST_MASK_IS_NOT:
		return opposite(masked(x, t->mask.value, t->value.value));
	case AST_TEST_IN:
		break;
	}
	first = (first + step - 1) / step * step; /* the lowest value from `first` on */
	if (first > last || first > highest)
		return PASS_NONE;
	return first == 0 && last >= highest ? PASS_ALL : PASS_SOME;
}

/* Takes from the three sets the codes that a test leaves out. */
static void narrow(const struct check *c, const struct ast_test *t, uint64_t *has, uint64_t *some,
		   uint64_t *full)
{
	for (size_t w = 0; w < c->words; w++) {
		uint64_t all = 0, can = 0, must = 0;

		for (uint32_t i = 0; i < count_places(c, t->field); i++) {
			struct place x = t->field == PROTO_PAYLOAD
						 ? (struct place){ NULL, ast_payload_of(t).bits, 0 }
						 : place_of(c, t->field, i);
			uint64_t codes = x.codes != NULL ? x.codes[w] : UINT64_MAX;
			enum passing p = passing(t, &x);

			all |= codes;
			can |= p != PASS_NONE ? codes : 0;
			must |= p == PASS_ALL ? codes : 0;
		}
		has[w] &= all;
		some[w] &= can;
		full[w] &= must;
	}
}

/* Adds a test of messages with this code, which have the field. False: no header can pass. */
static bool add_joint(struct joint *j, const struct nfart_proto *p, const struct ast_test *t,
		      uint32_t code)
{
	bool addr = t->field == PROTO_ADDR;
	const struct proto_place *place = addr ? NULL : proto_field_place(p, t->field, code);
	struct joint_test x = { .kind = JOINT_IN, .lsb = addr ? p->header.addr_lsb : place->lsb,
				.bits = addr ? p->header.addr_bits : place->bits,
				.zeros = addr ? p->header.line_shift : 0,
				.mask = t->mask.value, .first = t->value.value,
				.last = t->last.value };

	if (t->kind == AST_TEST_IS || t->kind == AST_TEST_IS_NOT)
		x.mask = UINT64_MAX;
	if (t->kind != AST_TEST_IN)
		x.kind = t->kind == AST_TEST_IS || t->kind == AST_TEST_MASK_IS ? JOINT_IS
									       : JOINT_IS_NOT;
	return joint_add(j, &x);
}

/* Can a message with this code pass all tests of a guard? The answer is true if joint.h does not
 * tell. Tests of payload are taken to be such that a message can pass them, with all others. */
static bool check_joint(const struct check *c, const struct ast_basic *b, uint32_t code)
{
	const struct nfart_proto *p = c->proto;
	uint64_t ops = (1u << p->header.op_bits) - 1;
	struct joint j = { .n = 0 };

	joint_fix(&j, ops << p->header.op_lsb, (code & ops) << p->header.op_lsb);
	for (uint32_t i = 0; i < b->ntests; i++)
		if (c->ast->tests.at[b->first_test + i].field != PROTO_PAYLOAD &&
		    !add_joint(&j, p, &c->ast->tests.at[b->first_test + i], code))
			return false;
	return joint_search(&j) != JOINT_NEVER;
}

const struct check_pred *check_guard(struct check *c, const struct ast_basic *b,
				     const struct check_pred *p)
{
	uint64_t *has = arena_array(&c->arena, c->words, sizeof *has);
	uint64_t *some = arena_array(&c->arena, c->words, sizeof *some);
	uint64_t *full = arena_array(&c->arena, c->words, sizeof *full);
	struct check_pred *out = arena_alloc(&c->arena, sizeof *out);
	bool ok = true;

	if (has == NULL || some == NULL || full == NULL || out == NULL) {
		c->failed = true;
		return NULL;
	}
	memcpy(has, p->has, c->words * sizeof *has);
	memcpy(some, p->some, c->words * sizeof *some);
	memcpy(full, p->full, c->words * sizeof *full);
	for (uint32_t i = 0; i < b->ntests; i++) {
		struct ast_test *t = &c->ast->tests.at[b->first_test + i];

		if (find_field(c, t) && check_test(c, t, p))
			narrow(c, t, has, some, full);
		else
			ok = false;
	}
	for (uint32_t code = 0; code < c->proto->codes.n && ok; code++)
		if (bits_get(some, code) && !check_joint(c, b, code))
			some[code / 64] &= ~((uint64_t)1 << code % 64);
	*out = (struct check_pred){ p->named, has, some, full, p->open, 0 };
	return ok ? out : NULL;
}
