/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the expressions of taps into operations (contract/proto/tap.h). An error in the meaning
 * does not end the expression: what it makes has no width, and nothing is reported of that again.
 */
#include <string.h>

#include "grammar/describe/tap_build.h"

enum {
	MOST_DEPTH = 200,
	LEVELS = 10
};

/* A value of an expression. */
struct value {
	uint32_t reg, width; /* width 0: there was an error */
};

static const struct value none = { 0, 0 };

/* How an operator with two operands is made. */
struct operator {
	const char *text;
	enum tap_op op;
	bool swapped, one; /* the operands change places; the result has one bit */
};

/* The operators of each level, those that bind least first, as in Verilog. */
static const struct operator levels[LEVELS][5] = {
	{ { "||", TAP_EITHER, false, true } },
	{ { "&&", TAP_BOTH, false, true } },
	{ { "|", TAP_OR, false, false } },
	{ { "^", TAP_XOR, false, false } },
	{ { "&", TAP_AND, false, false } },
	{ { "==", TAP_EQUAL, false, true }, { "!=", TAP_UNEQUAL, false, true } },
	{ { "<", TAP_LESS, false, true },
	  { "<=", TAP_LESS_EQUAL, false, true },
	  { ">", TAP_LESS, true, true },
	  { ">=", TAP_LESS_EQUAL, true, true } },
	{ { "<<", TAP_LEFT, false, false }, { ">>", TAP_RIGHT, false, false } },
	{ { "+", TAP_ADD, false, false }, { "-", TAP_SUB, false, false } },
	{ { NULL, TAP_NUMBER, false, false } },
};

static struct value expression(struct tap_build *t);

/* ---- operations ---- */

static struct value emit(struct tap_build *t, struct tap_code code)
{
	struct value v = { 2 * t->nsignals + (uint32_t)t->code.n, code.width };

	if (t->b->c.failed)
		return none;
	if (t->code.n == TAP_MOST_CODE) {
		desc_error(&t->b->c, t->b->c.range, "taps have at most %d operations",
			   TAP_MOST_CODE);
		return none;
	}
	if (!vec_push(&t->code, code)) {
		build_no_memory(t->b);
		return none;
	}
	return v;
}

static struct value one(struct tap_build *t, enum tap_op op, uint32_t width, struct value a)
{
	return a.width == 0 ? none : emit(t, (struct tap_code){ op, width, a.reg, 0, 0, 0 });
}

static struct value two(struct tap_build *t, enum tap_op op, uint32_t width, struct value a,
			struct value b)
{
	return a.width == 0 || b.width == 0
		       ? none
		       : emit(t, (struct tap_code){ op, width, a.reg, b.reg, 0, 0 });
}

static struct value number(struct tap_build *t, uint64_t v, uint32_t width)
{
	if (width == 0)
		for (width = 1; width < 64 && v >> width != 0;)
			width++;
	return emit(t, (struct tap_code){ TAP_NUMBER, width, 0, 0, 0, v });
}

static struct value slice(struct tap_build *t, struct value a, uint64_t lo, uint32_t width)
{
	return a.width == 0 ? none
			    : emit(t, (struct tap_code){ TAP_SLICE, width, a.reg, 0, 0, lo });
}

/* Returns register r of operations that are copied: signals are those of the sample before, and
 * operations from number `from` on have moved by `by`. */
static uint32_t moved(const struct tap_build *t, uint32_t r, uint32_t from, uint32_t by)
{
	return r < t->nsignals			? r + t->nsignals
	       : r >= 2 * t->nsignals + from ? r + by
						: r;
}

/* Makes the operations from number `from` on again, with the signals of the sample before. `v` is
 * their result. Returns the result of the new ones. */
static struct value again_before(struct tap_build *t, struct value v, uint32_t from)
{
	uint32_t end = (uint32_t)t->code.n, by = end - from;

	if (v.width == 0)
		return none;
	for (uint32_t i = from; i < end; i++) {
		struct tap_code c = t->code.at[i];
		c.a = moved(t, c.a, from, by);
		c.b = moved(t, c.b, from, by);
		c.c = moved(t, c.c, from, by);
		if (emit(t, c).width == 0)
			return none;
	}
	return (struct value){ moved(t, v.reg, from, by), v.width };
}

/* ---- operands ---- */

struct names {
	const struct tap_build *t;
	size_t i;
};

static const char *next_name(void *ctx)
{
	struct names *x = ctx;
	const struct build_unit *u = x->t->u;
	size_t i = x->i++;

	return i < u->signals.n	? u->signals.at[i].name
	       : i - u->signals.n < u->params.all.n ? u->params.all.at[i - u->signals.n].name
						    : NULL;
}

static struct value signal(struct tap_build *t, struct diag_range at, const char *s, size_t n)
{
	size_t i = tap_find_signal(t, s, n);
	struct names names = { t, 0 };
	enum tap_maker maker;

	if (t->b->c.failed)
		return none;
	if (i == t->nsignals) {
		tap_suggest(t, tap_wrong(t, at, "no signal '%.*s'", (int)n, s), at, next_name,
			    &names);
		return none;
	}
	maker = t->u->signals.at[i].maker;
	if (maker == TAP_REGISTER ? !t->registers : maker == TAP_QUEUE && i >= t->queues_end)
		tap_wrong(t, at, t->registers ? "'%.*s' is known only behind its queue"
					      : "'%.*s' is no signal of the design",
			  (int)n, s);
	if (!t->is_used.at[i] && !vec_push(&t->used, (uint32_t)i))
		build_no_memory(t->b);
	t->is_used.at[i] = true;
	return (struct value){ (uint32_t)i + (t->before ? t->nsignals : 0),
			       t->u->signals.at[i].bits };
}

static struct value concatenation(struct tap_build *t)
{
	struct value v = expression(t);

	while (desc_accept(&t->b->c, ",")) {
		struct diag_range at = t->b->c.range;
		struct value w = expression(t);
		if (v.width != 0 && w.width != 0 && v.width + w.width > TAP_MOST_BITS) {
			tap_wrong(t, at, "a value has at most %d bits", TAP_MOST_BITS);
			w = none;
		}
		v = two(t, TAP_CONCAT, v.width + w.width, v, w);
	}
	desc_expect(&t->b->c, "}");
	return v;
}

/* Reads past(e), rose(e) or fell(e), or stable(e, ...), after the name. `kind` is the first letter
 * of the name, which is at `at`. */
static struct value looking_back(struct tap_build *t, struct diag_range at, char kind)
{
	struct value result = none;

	if (t->inside)
		tap_wrong(t, at, "past, stable, rose and fell do not stand in each other");
	desc_expect(&t->b->c, "(");
	t->looks_back = t->inside = true;
	t->before = kind == 'p';
	for (bool first = true; first || (kind == 's' && desc_accept(&t->b->c, ","));
	     first = false) {
		uint32_t from = (uint32_t)t->code.n;
		struct value now = expression(t), before;
		if (kind == 'p') {
			result = now;
			break;
		}
		before = again_before(t, now, from);
		if (kind != 's') {
			now = slice(t, now, 0, 1);
			before = slice(t, before, 0, 1);
		}
		now = kind == 's'   ? two(t, TAP_EQUAL, 1, now, before)
		      : kind == 'r' ? two(t, TAP_LESS, 1, before, now)
				    : two(t, TAP_LESS, 1, now, before);
		result = first ? now : two(t, TAP_BOTH, 1, result, now);
	}
	desc_expect(&t->b->c, ")");
	t->before = t->inside = false;
	return one(t, TAP_PAST, result.width, result);
}

/* Reads `[HI:LO]`, `[LO +: BITS]` or `[N]`, as often as they follow. */
static struct value slices(struct tap_build *t, struct value v)
{
	struct desc *c = &t->b->c;

	while (desc_is(c, "[")) {
		struct diag_range at = c->range;
		uint64_t hi, lo;
		desc_advance(c);
		lo = hi = desc_number(c, "a bit", 0, UINT32_MAX);
		if (desc_accept(c, ":")) {
			lo = desc_number(c, "a bit", 0, UINT32_MAX);
		} else if (desc_accept(c, "+:")) {
			hi += desc_number(c, "the bits of a part", 1, TAP_MOST_BITS) - 1;
		}
		desc_expect(c, "]");
		if (c->failed)
			return none;
		if (v.width != 0 && (lo > hi || hi >= v.width)) {
			tap_wrong(t, at, "bits %llu to %llu of a value with %u bits",
				  (unsigned long long)hi, (unsigned long long)lo, v.width);
			v = none;
		}
		v = slice(t, v, lo, (uint32_t)(hi - lo + 1));
	}
	return v;
}

static struct value primary(struct tap_build *t)
{
	struct desc *c = &t->b->c;
	struct diag_range at = c->range;
	struct value v = none;
	const char *s;
	size_t n;

	if (desc_accept(c, "(")) {
		v = expression(t);
		desc_expect(c, ")");
		return slices(t, v);
	}
	if (desc_accept(c, "{"))
		return slices(t, concatenation(t));
	if (desc_accept(c, "past"))
		return slices(t, looking_back(t, at, 'p'));
	if (desc_accept(c, "stable"))
		return slices(t, looking_back(t, at, 's'));
	if (desc_accept(c, "rose"))
		return slices(t, looking_back(t, at, 'r'));
	if (desc_accept(c, "fell"))
		return slices(t, looking_back(t, at, 'f'));
	if (desc_is_number(c)) {
		uint32_t width = c->kind == DESC_NUMBER ? c->width : 0;
		uint64_t value = desc_number(c, "a number", 0, UINT64_MAX);
		return slices(t, number(t, value, width));
	}
	n = desc_word(c, &s, "an expression");
	return slices(t, signal(t, at, s, n));
}

static struct value unary(struct tap_build *t)
{
	static const struct {
		const char *text;
		enum tap_op op;
		bool one;
	} prefixes[] = { { "!", TAP_NOT, true },   { "~", TAP_INVERT, false },
			 { "&", TAP_ALL, true },   { "|", TAP_ANY, true },
			 { "^", TAP_PARITY, true }, { "-", TAP_NEGATE, false } };
	struct desc *c = &t->b->c;
	struct value v;

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
		if (!desc_is(c, prefixes[i].text))
			continue;
		if (++t->depth > MOST_DEPTH)
			desc_error(c, c->range, "the expression is nested too deep");
		desc_advance(c);
		v = unary(t);
		t->depth--;
		return one(t, prefixes[i].op, prefixes[i].one ? 1 : v.width, v);
	}
	return primary(t);
}

/* Reads operands joined by operators of this level, and of those that bind more. */
static struct value binary(struct tap_build *t, int level)
{
	struct desc *c = &t->b->c;
	struct value a = level == LEVELS - 1 ? unary(t) : binary(t, level + 1), b;

	for (size_t i = 0; levels[level][i].text != NULL;) {
		const struct operator *o = &levels[level][i];
		uint32_t width;
		if (!desc_accept(c, o->text)) {
			i++;
			continue;
		}
		b = binary(t, level + 1);
		width = o->one				  ? 1
			: level == 7 || a.width > b.width ? a.width
							  : b.width;
		a = o->swapped ? two(t, o->op, width, b, a) : two(t, o->op, width, a, b);
		i = 0;
	}
	return a;
}

static struct value expression(struct tap_build *t)
{
	struct desc *c = &t->b->c;
	struct value v, a, b;

	if (++t->depth > MOST_DEPTH)
		desc_error(c, c->range, "the expression is nested too deep");
	v = c->failed ? none : binary(t, 0);
	if (!c->failed && desc_accept(c, "?")) {
		a = expression(t);
		desc_expect(c, ":");
		b = expression(t);
		if (v.width != 0 && a.width != 0 && b.width != 0)
			v = emit(t, (struct tap_code){ TAP_CHOOSE,
						       a.width > b.width ? a.width : b.width, v.reg,
						       a.reg, b.reg, 0 });
		else
			v = none;
	}
	t->depth--;
	return v;
}

/* Reads an expression, of which the truth is wanted if `condition` is set. */
static uint32_t read(struct tap_build *t, struct tap_expr *e, bool condition)
{
	struct value v;
	uint32_t *signals;

	*e = (struct tap_expr){ .begin = (uint32_t)t->code.n };
	t->used.n = 0;
	t->looks_back = t->inside = t->before = false;
	t->depth = 0;
	v = expression(t);
	if (condition && v.width > 1)
		v = one(t, TAP_ANY, 1, v);
	for (size_t i = 0; i < t->used.n; i++)
		t->is_used.at[t->used.at[i]] = false;
	signals = arena_array(t->b->arena, t->used.n, sizeof *signals);
	if (signals == NULL) {
		build_no_memory(t->b);
		return 0;
	}
	if (t->used.n != 0)
		memcpy(signals, t->used.at, t->used.n * sizeof *signals);
	e->result = v.reg;
	e->end = (uint32_t)t->code.n;
	e->looks_back = t->looks_back;
	e->nsignals = (uint32_t)t->used.n;
	e->signals = signals;
	return t->b->c.failed ? 0 : v.width;
}

uint32_t tap_expression(struct tap_build *t, struct tap_expr *e)
{
	return read(t, e, false);
}

void tap_condition(struct tap_build *t, struct tap_expr *e)
{
	read(t, e, true);
}
