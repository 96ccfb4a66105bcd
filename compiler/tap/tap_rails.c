/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes operations in Verilog (Note [two rails]). All operands of an operation get its width
 * before, because Verilog would take the widest one around. A rail of one bit stands where it is
 * used if it is short; others are wires.
 */
#include "compiler/tap/tap_rails.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_INLINE = 160 }; /* the most characters of a text that gets no wire */

#define TEXT(...) text_of(r, tap_text(r->arena, __VA_ARGS__))

static const char *text_of(struct tap_rails *r, const char *s)
{
	r->failed = r->failed || s == NULL;
	return s != NULL ? s : "";
}

static const struct tap_code *code_of(const struct tap_rails *r, uint32_t reg)
{
	return reg < 2 * r->x->nsignals ? NULL : &r->x->code[reg - 2 * r->x->nsignals];
}

static uint32_t width_of(const struct tap_rails *r, uint32_t reg)
{
	return tap_width(r->x, reg);
}

/* May a bit of the register be unknown? Signals have no unknown bits: Note [two rails]. */
static bool may_be_unknown(const struct tap_rails *r, uint32_t reg)
{
	return r->looks_back[reg];
}

bool tap_rails_prepare(struct tap_rails *r, const char *const *value)
{
	uint32_t n = r->x->nsignals, nregs = 2 * n + r->x->ncode;

	r->value = arena_array(r->arena, nregs, sizeof *r->value);
	r->known = arena_array(r->arena, nregs, sizeof *r->known);
	r->looks_back = arena_array(r->arena, nregs, sizeof *r->looks_back);
	r->is_cut = arena_array(r->arena, nregs, sizeof *r->is_cut);
	r->kept = arena_array(r->arena, n, sizeof *r->kept);
	if (r->value == NULL || r->known == NULL || r->looks_back == NULL || r->is_cut == NULL ||
	    r->kept == NULL)
		return false;
	for (uint32_t i = 0; i < n; i++)
		r->value[i] = value[i];
	/* The module has the values of signals in that list already. */
	for (uint32_t i = 0; i < n; i++)
		r->is_cut[i] = true;
	for (uint32_t i = 2 * n; i < nregs; i++) {
		const struct tap_code *c = code_of(r, i);
		int k = tap_operands(c->op);
		r->looks_back[i] = c->op == TAP_PAST || (k > 0 && r->looks_back[c->a]) ||
				   (k > 1 && r->looks_back[c->b]) || (k > 2 && r->looks_back[c->c]);
	}
	return true;
}

/* ---- wires ---- */

/* Declares a wire with this value. Returns its name. */
static const char *wire(struct tap_rails *r, uint32_t width, const char *value)
{
	const char *name = TEXT("w$%u", (*r->wires)++);

	if (width == 1)
		buf_addf(r->body, "\twire %s = %s;\n", name, value);
	else
		buf_addf(r->body, "\twire [%u:0] %s = %s;\n", width - 1, name, value);
	return name;
}

/* Is the text a name of which bits can be taken? */
static bool is_name(const char *s)
{
	bool digit = *s >= '0' && *s <= '9';

	while ((*s | 0x20) >= 'a' && (*s | 0x20) <= 'z' ? true
	       : *s >= '0' && *s <= '9'			  ? true
							  : *s == '_' || *s == '$')
		s++;
	return !digit && *s == 0;
}

/* Appends zeros, or ones, above a text with n bits. */
static const char *widened(struct tap_rails *r, const char *s, uint32_t n, uint32_t width, int bit)
{
	return n >= width ? s : TEXT("{{%u{1'b%d}}, %s}", width - n, bit, s);
}

/* ---- parts of operations ---- */

static const char *known(struct tap_rails *r, uint32_t reg);

/* The first rail of an operand, as wide as it is needed. */
static const char *wide(struct tap_rails *r, uint32_t reg, uint32_t width)
{
	return widened(r, tap_rails_value(r, reg), width_of(r, reg), width, 0);
}

/* The second rail of an operand, as wide as it is needed. */
static const char *wide_known(struct tap_rails *r, uint32_t reg, uint32_t width)
{
	return may_be_unknown(r, reg)
		       ? widened(r, known(r, reg), width_of(r, reg), width, 1)
		       : TEXT(width == 1 ? "%u'b1" : "{%u{1'b1}}", width);
}

/* Is every bit known? NULL: it always is. */
static const char *told(struct tap_rails *r, uint32_t reg)
{
	return !may_be_unknown(r, reg) ? NULL
	       : width_of(r, reg) == 1 ? known(r, reg)
				       : TEXT("(&%s)", known(r, reg));
}

/* The truth of a register: is a bit of it 1? */
static const char *is_true(struct tap_rails *r, uint32_t reg)
{
	const char *v = tap_rails_value(r, reg);

	return width_of(r, reg) == 1 ? v : TEXT("(|%s)", v);
}

const char *tap_rails_false(struct tap_rails *r, uint32_t reg)
{
	const char *all = told(r, reg), *v = is_true(r, reg);

	return all == NULL ? TEXT("(!%s)", v) : TEXT("(%s && !%s)", all, v);
}

/* Joins two conditions, each of which may be NULL, which is true. */
static const char *both(struct tap_rails *r, const char *a, const char *b)
{
	return a == NULL ? b : b == NULL ? a : TEXT("(%s && %s)", a, b);
}

/* Are all bits of both operands known? NULL: they always are. */
static const char *both_told(struct tap_rails *r, const struct tap_code *c)
{
	return both(r, told(r, c->a), told(r, c->b));
}

/* The operands with the operator between them, as wide as the wider one. */
static const char *between(struct tap_rails *r, const struct tap_code *c, const char *op)
{
	uint32_t a = width_of(r, c->a), b = width_of(r, c->b), width = a > b ? a : b;

	return TEXT("(%s %s %s)", wide(r, c->a, width), op, wide(r, c->b, width));
}

/* A shift. Tools want an amount of at most 31 bits, and a larger one leaves nothing. */
static const char *shift(struct tap_rails *r, const struct tap_code *c, const char *op)
{
	const char *a = tap_rails_value(r, c->a), *b = tap_rails_value(r, c->b);
	uint32_t n = width_of(r, c->b);

	if (n <= 31)
		return TEXT("(%s %s %s)", a, op, b);
	return TEXT("((|%s) ? %u'd0 : (%s %s %s))", tap_rails_slice(r, c->b, 31, n - 31), c->width,
		    a, op, tap_rails_slice(r, c->b, 0, 31));
}

/* Do the operands differ in bits that are known? */
static const char *differ(struct tap_rails *r, const struct tap_code *c)
{
	uint32_t a = width_of(r, c->a), b = width_of(r, c->b), width = a > b ? a : b;

	return TEXT("(|(%s & %s & %s))", between(r, c, "^"), wide_known(r, c->a, width),
		    wide_known(r, c->b, width));
}

/* A value that is known if `all` is true, which may be NULL, and else 0. */
static const char *if_told(struct tap_rails *r, const char *all, uint32_t width, const char *value)
{
	return all == NULL ? value
	       : width == 1 ? TEXT("(%s && %s)", all, value)
			    : TEXT("({%u{%s}} & %s)", width, all, value);
}

static const char *choice(struct tap_rails *r, const struct tap_code *c)
{
	const char *b = wide(r, c->b, c->width), *d = wide(r, c->c, c->width);

	if (!may_be_unknown(r, c->a))
		return TEXT("(%s ? %s : %s)", is_true(r, c->a), b, d);
	return TEXT("(%s ? %s : %s ? %s : (%s & %s))", is_true(r, c->a), b,
		    tap_rails_false(r, c->a), d, b, d);
}

static const char *choice_known(struct tap_rails *r, const struct tap_code *c)
{
	const char *b = wide(r, c->b, c->width), *d = wide(r, c->c, c->width);
	const char *kb = wide_known(r, c->b, c->width), *kd = wide_known(r, c->c, c->width);

	if (!may_be_unknown(r, c->a))
		return TEXT("(%s ? %s : %s)", is_true(r, c->a), kb, kd);
	return TEXT("(%s ? %s : %s ? %s : (%s & %s & ~(%s ^ %s)))", is_true(r, c->a), kb,
		    tap_rails_false(r, c->a), kd, kb, kd, b, d);
}

/* ---- operations ---- */

/* The first rail of an operation. */
static const char *operation(struct tap_rails *r, uint32_t reg)
{
	const struct tap_code *c = code_of(r, reg);

	switch (c->op) {
	case TAP_NUMBER:
		return TEXT("%u'h%" PRIx64, c->width, c->number);
	case TAP_SLICE:
		return tap_rails_slice(r, c->a, (uint32_t)c->number, c->width);
	case TAP_CONCAT:
		return TEXT("{%s, %s}", tap_rails_value(r, c->a), tap_rails_value(r, c->b));
	case TAP_INVERT:
		return may_be_unknown(r, c->a)
			       ? TEXT("(~%s & %s)", tap_rails_value(r, c->a), known(r, c->a))
			       : TEXT("(~%s)", tap_rails_value(r, c->a));
	case TAP_NEGATE:
		return if_told(r, told(r, c->a), c->width,
			       TEXT("(-%s)", tap_rails_value(r, c->a)));
	case TAP_AND:
		return between(r, c, "&");
	case TAP_OR:
		return between(r, c, "|");
	case TAP_XOR:
		return may_be_unknown(r, reg)
			       ? TEXT("(%s & %s & %s)", between(r, c, "^"),
				      wide_known(r, c->a, c->width), wide_known(r, c->b, c->width))
			       : between(r, c, "^");
	case TAP_ADD:
		return if_told(r, both_told(r, c), c->width, between(r, c, "+"));
	case TAP_SUB:
		return if_told(r, both_told(r, c), c->width, between(r, c, "-"));
	case TAP_LEFT:
		return if_told(r, both_told(r, c), c->width, shift(r, c, "<<"));
	case TAP_RIGHT:
		return if_told(r, both_told(r, c), c->width, shift(r, c, ">>"));
	case TAP_CHOOSE:
		return choice(r, c);
	case TAP_PAST:
		r->has_past = true;
		return if_told(r, TEXT(TAP_PAST_FLAG, r->side), c->width, tap_rails_value(r, c->a));
	case TAP_NOT:
		return tap_rails_false(r, c->a);
	case TAP_ALL:
		return TEXT("(&%s)", tap_rails_value(r, c->a));
	case TAP_ANY:
		return is_true(r, c->a);
	case TAP_PARITY:
		return if_told(r, told(r, c->a), 1, TEXT("(^%s)", tap_rails_value(r, c->a)));
	case TAP_LESS:
		return if_told(r, both_told(r, c), 1, between(r, c, "<"));
	case TAP_LESS_EQUAL:
		return if_told(r, both_told(r, c), 1, between(r, c, "<="));
	case TAP_EQUAL:
		return if_told(r, both_told(r, c), 1, between(r, c, "=="));
	case TAP_UNEQUAL:
		return may_be_unknown(r, reg) ? differ(r, c) : between(r, c, "!=");
	case TAP_BOTH:
		return both(r, is_true(r, c->a), is_true(r, c->b));
	case TAP_EITHER:
		return TEXT("(%s || %s)", is_true(r, c->a), is_true(r, c->b));
	}
	return "";
}

/* The second rail of an operation that looks back. */
static const char *operation_known(struct tap_rails *r, uint32_t reg)
{
	const struct tap_code *c = code_of(r, reg);
	uint32_t width = c->width;
	const char *all;

	switch (c->op) {
	case TAP_NUMBER:
		break;
	case TAP_SLICE: {
		const char *base = known(r, c->a);
		if (width == width_of(r, c->a))
			return base;
		base = is_name(base) ? base : wire(r, width_of(r, c->a), base);
		buf_addf(r->unused, ", %s", base);
		return TEXT("%s[%u:%u]", base, (uint32_t)c->number + width - 1,
			    (uint32_t)c->number);
	}
	case TAP_CONCAT:
		return TEXT("{%s, %s}", wide_known(r, c->a, width_of(r, c->a)),
			    wide_known(r, c->b, width_of(r, c->b)));
	case TAP_INVERT:
		return known(r, c->a);
	case TAP_AND:
		return TEXT("((%s & %s) | (%s & ~%s) | (%s & ~%s))", wide_known(r, c->a, width),
			    wide_known(r, c->b, width), wide_known(r, c->a, width),
			    wide(r, c->a, width), wide_known(r, c->b, width), wide(r, c->b, width));
	case TAP_OR:
		return TEXT("((%s & %s) | %s | %s)", wide_known(r, c->a, width),
			    wide_known(r, c->b, width), wide(r, c->a, width), wide(r, c->b, width));
	case TAP_XOR:
		return TEXT("(%s & %s)", wide_known(r, c->a, width), wide_known(r, c->b, width));
	case TAP_CHOOSE:
		return choice_known(r, c);
	case TAP_PAST:
		r->has_past = true;
		return width == 1 ? TEXT(TAP_PAST_FLAG, r->side)
				  : TEXT("{%u{" TAP_PAST_FLAG "}}", width, r->side);
	case TAP_NOT:
	case TAP_ANY:
		return TEXT("(%s || %s)", told(r, c->a), is_true(r, c->a));
	case TAP_ALL:
		return TEXT("(%s || (|(%s & ~%s)))", told(r, c->a), known(r, c->a),
			    tap_rails_value(r, c->a));
	case TAP_NEGATE:
	case TAP_PARITY:
		all = told(r, c->a);
		return width == 1 ? all : TEXT("{%u{%s}}", width, all);
	case TAP_ADD:
	case TAP_SUB:
	case TAP_LEFT:
	case TAP_RIGHT:
	case TAP_LESS:
	case TAP_LESS_EQUAL:
		all = both_told(r, c);
		return width == 1 ? all : TEXT("{%u{%s}}", width, all);
	case TAP_EQUAL:
	case TAP_UNEQUAL:
		return TEXT("(%s || %s)", both_told(r, c), differ(r, c));
	case TAP_BOTH:
		return TEXT("((%s && %s) || %s || %s)", is_true(r, c->a), is_true(r, c->b),
			    tap_rails_false(r, c->a), tap_rails_false(r, c->b));
	case TAP_EITHER:
		return TEXT("(%s || %s || (%s && %s))", is_true(r, c->a), is_true(r, c->b),
			    tap_rails_false(r, c->a), tap_rails_false(r, c->b));
	}
	return "";
}

/* Gives a text a wire unless it is a name, a number, or short and of one bit. */
static const char *kept(struct tap_rails *r, uint32_t width, const char *s)
{
	bool number = *s >= '0' && *s <= '9', slice = *s != '(' && *s != '{';

	return is_name(s) || number || slice || (width == 1 && strlen(s) <= MOST_INLINE)
		       ? s
		       : wire(r, width, s);
}

static const char *known(struct tap_rails *r, uint32_t reg)
{
	if (r->known[reg] == NULL)
		r->known[reg] = kept(r, width_of(r, reg), operation_known(r, reg));
	return r->known[reg];
}

const char *tap_rails_value(struct tap_rails *r, uint32_t reg)
{
	uint32_t n = r->x->nsignals;

	if (r->value[reg] == NULL && reg < 2 * n) {
		r->kept[reg - n] = true;
		r->value[reg] = TEXT("past$%u$%s", r->side, r->x->signals[reg - n].name);
	} else if (r->value[reg] == NULL) {
		r->value[reg] = kept(r, width_of(r, reg), operation(r, reg));
	}
	return r->value[reg];
}

const char *tap_rails_wide(struct tap_rails *r, uint32_t reg, uint32_t width)
{
	return wide(r, reg, width);
}

const char *tap_rails_slice(struct tap_rails *r, uint32_t reg, uint32_t from, uint32_t bits)
{
	const char *base = tap_rails_value(r, reg);

	if (bits == width_of(r, reg))
		return base;
	if (!is_name(base))
		r->value[reg] = base = wire(r, width_of(r, reg), base);
	if (!r->is_cut[reg])
		buf_addf(r->unused, ", %s", base);
	r->is_cut[reg] = true;
	return bits == 1 ? TEXT("%s[%u]", base, from)
			 : TEXT("%s[%u:%u]", base, from + bits - 1, from);
}
