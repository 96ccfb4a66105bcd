/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs the expressions of taps with unknown bits. Each operation is written twice: on one word, and
 * on any number of words. The two stand in one file, so that they are changed together.
 */
#include "runtime/wave/tap_code.h"

#include <stdlib.h>
#include <string.h>

/* A rail of a register of one word, or a part of it. */
struct rails {
	uint64_t v, k;
};

struct tap_step {
	enum tap_op op;
	bool wide;               /* a register of more than 64 bits takes part */
	uint32_t d, a, b, c;     /* the first words of the result and of the operands */
	uint32_t wd, wa, wb, wc; /* their bits */
	uint64_t md, ma, mb, mc; /* masks of these, if they have one word */
	uint64_t number;
};

static uint64_t mask(uint32_t bits)
{
	return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static uint32_t words(uint32_t bits)
{
	return (bits + 63) / 64;
}

/* ---- preparing ---- */

static void prepare_step(struct tap_step *t, const struct tap_interface *x, uint32_t i,
			 const uint32_t *place)
{
	const struct tap_code *c = &x->code[i];
	int n = tap_operands(c->op);

	t->op = c->op;
	t->number = c->number;
	t->d = place[2 * x->nsignals + i];
	t->wd = c->width;
	t->a = n > 0 ? place[c->a] : 0;
	t->b = n > 1 ? place[c->b] : 0;
	t->c = n > 2 ? place[c->c] : 0;
	t->wa = n > 0 ? tap_width(x, c->a) : 0;
	t->wb = n > 1 ? tap_width(x, c->b) : 0;
	t->wc = n > 2 ? tap_width(x, c->c) : 0;
	t->md = mask(t->wd);
	t->ma = mask(t->wa);
	t->mb = mask(t->wb);
	t->mc = mask(t->wc);
	t->wide = t->wd > 64 || t->wa > 64 || t->wb > 64 || t->wc > 64;
}

bool tap_code_prepare(struct tap_code_state *s, const struct tap_interface *x)
{
	uint32_t nregs = 2 * x->nsignals + x->ncode, n = 0;
	uint32_t *place = calloc(nregs + 1, sizeof *place);

	memset(s, 0, sizeof *s);
	s->place = place;
	s->nsignals = x->nsignals;
	if (place == NULL)
		return false;
	for (uint32_t i = 0; i <= nregs; i++) {
		place[i] = n;
		n += i < nregs ? words(tap_width(x, i)) : 0;
	}
	s->value = calloc(n + 1, sizeof *s->value);
	s->known = calloc(n + 1, sizeof *s->known);
	s->steps = calloc(x->ncode + 1, sizeof *s->steps);
	if (s->value == NULL || s->known == NULL || s->steps == NULL)
		return false;
	for (uint32_t i = 0; i < x->ncode; i++)
		prepare_step(&s->steps[i], x, i, place);
	return true;
}

void tap_code_free(struct tap_code_state *s)
{
	free((void *)s->place);
	free(s->value);
	free(s->known);
	free(s->steps);
}

void tap_code_keep(struct tap_code_state *s, bool past)
{
	uint32_t words = s->place[s->nsignals]; /* of all signals */
	size_t n = words * sizeof *s->value;

	s->past = past;
	if (past) {
		memcpy(s->value + words, s->value, n);
		memcpy(s->known + words, s->known, n);
	} else {
		memset(s->value + words, 0, n);
		memset(s->known + words, 0, n);
	}
}

/* ---- one word ---- */

static const struct rails unknown = { 0, 0 };

/* A bit with this truth. */
static struct rails bit_of(enum tap_truth t)
{
	return (struct rails){ t == TAP_TRUE, t != TAP_UNTOLD };
}

/* Is one of the bits a 1? */
static enum tap_truth any(uint64_t v, uint64_t k, uint64_t m)
{
	return v != 0 ? TAP_TRUE : k == m ? TAP_FALSE : TAP_UNTOLD;
}

static enum tap_truth not(enum tap_truth t)
{
	return t == TAP_UNTOLD ? t : t == TAP_TRUE ? TAP_FALSE : TAP_TRUE;
}

static enum tap_truth both(enum tap_truth x, enum tap_truth y)
{
	return x == TAP_FALSE || y == TAP_FALSE	  ? TAP_FALSE
	       : x == TAP_UNTOLD || y == TAP_UNTOLD ? TAP_UNTOLD
						    : TAP_TRUE;
}

/* Sums, shifts and orders of two values that are known. */
static uint64_t arithmetic(const struct tap_step *t, uint64_t a, uint64_t b)
{
	switch (t->op) {
	case TAP_ADD:
		return (a + b) & t->md;
	case TAP_SUB:
		return (a - b) & t->md;
	case TAP_LEFT:
		return b < 64 ? a << b & t->md : 0;
	case TAP_RIGHT:
		return b < 64 ? a >> b : 0;
	case TAP_LESS:
		return a < b;
	default:
		return a <= b;
	}
}

/* An operation with one operand. */
static struct rails narrow_one(const struct tap_step *t, struct rails a, bool past)
{
	switch (t->op) {
	case TAP_SLICE:
		return (struct rails){ a.v >> t->number & t->md, a.k >> t->number & t->md };
	case TAP_INVERT:
		return (struct rails){ ~a.v & a.k, a.k };
	case TAP_NEGATE:
		return a.k == t->ma ? (struct rails){ -a.v & t->md, t->md } : unknown;
	case TAP_PAST:
		return past ? a : unknown;
	case TAP_NOT:
		return bit_of(not(any(a.v, a.k, t->ma)));
	case TAP_ALL:
		return bit_of((a.k & ~a.v) != 0 ? TAP_FALSE : a.k == t->ma ? TAP_TRUE : TAP_UNTOLD);
	case TAP_ANY:
		return bit_of(any(a.v, a.k, t->ma));
	default: /* TAP_PARITY */
		return a.k == t->ma ? (struct rails){ (uint64_t)__builtin_parityll(a.v), 1 }
				    : unknown;
	}
}

/* An operation with two operands. */
static struct rails narrow_two(const struct tap_step *t, struct rails a, struct rails b)
{
	/* A narrower operand is filled with 0. */
	uint64_t m = t->ma | t->mb, ka = a.k | (m & ~t->ma), kb = b.k | (m & ~t->mb), k;
	enum tap_truth equal;

	switch (t->op) {
	case TAP_CONCAT:
		return (struct rails){ a.v << t->wb | b.v, a.k << t->wb | b.k };
	case TAP_AND:
		k = (ka & kb) | (ka & ~a.v) | (kb & ~b.v);
		return (struct rails){ a.v & b.v, k & m };
	case TAP_OR:
		return (struct rails){ a.v | b.v, ((ka & kb) | a.v | b.v) & m };
	case TAP_XOR:
		k = ka & kb;
		return (struct rails){ (a.v ^ b.v) & k, k };
	case TAP_EQUAL:
	case TAP_UNEQUAL:
		equal = ((a.v ^ b.v) & ka & kb) != 0 ? TAP_FALSE
			: (ka & kb) == m	     ? TAP_TRUE
						     : TAP_UNTOLD;
		return bit_of(t->op == TAP_EQUAL ? equal : not(equal));
	case TAP_BOTH:
		return bit_of(both(any(a.v, a.k, t->ma), any(b.v, b.k, t->mb)));
	case TAP_EITHER:
		return bit_of(not(both(not(any(a.v, a.k, t->ma)), not(any(b.v, b.k, t->mb)))));
	default:
		return (ka & kb) == m ? (struct rails){ arithmetic(t, a.v, b.v), t->md } : unknown;
	}
}

static struct rails narrow_choose(const struct tap_step *t, struct rails a, struct rails b,
				  struct rails c)
{
	enum tap_truth first = any(a.v, a.k, t->ma);
	uint64_t k;

	b.k |= t->md & ~t->mb;
	c.k |= t->md & ~t->mc;
	if (first != TAP_UNTOLD)
		return first == TAP_TRUE ? b : c;
	k = b.k & c.k & ~(b.v ^ c.v);
	return (struct rails){ b.v & k, k };
}

/* ---- several words ---- */

/* A register of any width. */
struct wide {
	const uint64_t *v, *k;
	uint32_t bits;
};

/* Word i of a value, which is filled with 0. */
static struct rails word(struct wide x, uint32_t i)
{
	uint64_t m = i < words(x.bits) ? mask(x.bits - i * 64) : 0;

	return m == 0 ? (struct rails){ 0, UINT64_MAX } : (struct rails){ x.v[i], x.k[i] | ~m };
}

/* The 64 bits of a value from bit `from` on. */
static struct rails bits_from(struct wide x, uint64_t from)
{
	struct rails lo, hi;

	if (from >= x.bits)
		return (struct rails){ 0, UINT64_MAX };
	lo = word(x, (uint32_t)(from / 64));
	if (from % 64 == 0)
		return lo;
	hi = word(x, (uint32_t)(from / 64) + 1);
	lo.v = lo.v >> from % 64 | hi.v << (64 - from % 64);
	lo.k = lo.k >> from % 64 | hi.k << (64 - from % 64);
	return lo;
}

static bool is_known(struct wide x)
{
	for (uint32_t i = 0; i < words(x.bits); i++)
		if (word(x, i).k != UINT64_MAX)
			return false;
	return true;
}

static enum tap_truth wide_any(struct wide x)
{
	enum tap_truth t = TAP_FALSE;

	for (uint32_t i = 0; i < words(x.bits); i++) {
		if (x.v[i] != 0)
			return TAP_TRUE;
		if (word(x, i).k != UINT64_MAX)
			t = TAP_UNTOLD;
	}
	return t;
}

static enum tap_truth wide_all(struct wide x)
{
	enum tap_truth t = TAP_TRUE;

	for (uint32_t i = 0; i < words(x.bits); i++) {
		if ((x.k[i] & ~x.v[i]) != 0)
			return TAP_FALSE;
		if (word(x, i).k != UINT64_MAX)
			t = TAP_UNTOLD;
	}
	return t;
}

static uint64_t wide_parity(struct wide x)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < words(x.bits); i++)
		all ^= x.v[i];
	return (uint64_t)__builtin_parityll(all);
}

static enum tap_truth wide_equal(struct wide a, struct wide b)
{
	uint32_t n = words(a.bits > b.bits ? a.bits : b.bits);
	enum tap_truth t = TAP_TRUE;

	for (uint32_t i = 0; i < n; i++) {
		struct rails x = word(a, i), y = word(b, i);
		if (((x.v ^ y.v) & x.k & y.k) != 0)
			return TAP_FALSE;
		if ((x.k & y.k) != UINT64_MAX)
			t = TAP_UNTOLD;
	}
	return t;
}

/* Returns -1, 0 or 1: the order of two known values. */
static int wide_order(struct wide a, struct wide b)
{
	for (uint32_t i = words(a.bits > b.bits ? a.bits : b.bits); i-- > 0;) {
		struct rails x = word(a, i), y = word(b, i);
		if (x.v != y.v)
			return x.v < y.v ? -1 : 1;
	}
	return 0;
}

/* How far a known value shifts: no more than TAP_MOST_BITS. */
static uint32_t distance(struct wide b)
{
	for (uint32_t i = 1; i < words(b.bits); i++)
		if (b.v[i] != 0)
			return TAP_MOST_BITS;
	return b.v[0] < TAP_MOST_BITS ? (uint32_t)b.v[0] : TAP_MOST_BITS;
}

/* Word i of an operation whose words are made one by one, from the lowest. *carry goes from word to
 * word. All operands that must be known are. */
static struct rails wide_word(const struct tap_step *t, struct wide a, struct wide b,
			      struct wide c, uint32_t i, uint64_t *carry)
{
	struct rails x = word(a, i), y, r;
	uint64_t sum, n;

	switch (t->op) {
	case TAP_NUMBER:
		return (struct rails){ i == 0 ? t->number : 0, UINT64_MAX };
	case TAP_SLICE:
		return bits_from(a, t->number + (uint64_t)i * 64);
	case TAP_PAST:
		return x;
	case TAP_INVERT:
		return (struct rails){ ~x.v & x.k, x.k };
	case TAP_NEGATE:
		sum = ~x.v + *carry;
		*carry = *carry != 0 && sum == 0;
		return (struct rails){ sum, UINT64_MAX };
	case TAP_CONCAT: /* the bits of b, and above them those of a */
		if ((i + 1) * 64 <= b.bits)
			return word(b, i);
		if (i * 64 >= b.bits)
			return bits_from(a, (uint64_t)i * 64 - b.bits);
		n = b.bits % 64;
		y = word(b, i);
		x = word(a, 0);
		return (struct rails){ y.v | x.v << n, (y.k & mask((uint32_t)n)) | x.k << n };
	case TAP_ADD:
	case TAP_SUB:
		y = word(b, i);
		if (t->op == TAP_SUB)
			y.v = ~y.v;
		sum = x.v + y.v;
		n = sum < x.v;
		sum += *carry;
		*carry = n | (sum < *carry);
		return (struct rails){ sum, UINT64_MAX };
	case TAP_LEFT:
		n = distance(b);
		if ((uint64_t)i * 64 >= n)
			return bits_from(a, (uint64_t)i * 64 - n);
		if (n - (uint64_t)i * 64 >= 64)
			return (struct rails){ 0, UINT64_MAX };
		r = word(a, 0);
		return (struct rails){ r.v << (n - (uint64_t)i * 64), UINT64_MAX };
	case TAP_RIGHT:
		return bits_from(a, (uint64_t)i * 64 + distance(b));
	case TAP_AND:
		y = word(b, i);
		return (struct rails){ x.v & y.v, (x.k & y.k) | (x.k & ~x.v) | (y.k & ~y.v) };
	case TAP_OR:
		y = word(b, i);
		return (struct rails){ x.v | y.v, (x.k & y.k) | x.v | y.v };
	case TAP_XOR:
		y = word(b, i);
		return (struct rails){ (x.v ^ y.v) & x.k & y.k, x.k & y.k };
	default: /* TAP_CHOOSE; *carry is the truth of a */
		x = word(b, i);
		y = word(c, i);
		if (*carry != TAP_UNTOLD)
			return *carry == TAP_TRUE ? x : y;
		n = x.k & y.k & ~(x.v ^ y.v);
		return (struct rails){ x.v & n, n };
	}
}

/* The bit that an operation makes of operands of any width. False: it makes no bit. */
static bool wide_bit(const struct tap_step *t, struct wide a, struct wide b, enum tap_truth *bit)
{
	switch (t->op) {
	case TAP_NOT:
		*bit = not(wide_any(a));
		return true;
	case TAP_ALL:
		*bit = wide_all(a);
		return true;
	case TAP_ANY:
		*bit = wide_any(a);
		return true;
	case TAP_PARITY:
		*bit = !is_known(a) ? TAP_UNTOLD : wide_parity(a) != 0 ? TAP_TRUE : TAP_FALSE;
		return true;
	case TAP_EQUAL:
		*bit = wide_equal(a, b);
		return true;
	case TAP_UNEQUAL:
		*bit = not(wide_equal(a, b));
		return true;
	case TAP_LESS:
	case TAP_LESS_EQUAL:
		*bit = !is_known(a) || !is_known(b)			     ? TAP_UNTOLD
		       : wide_order(a, b) < (t->op == TAP_LESS_EQUAL ? 1 : 0) ? TAP_TRUE
									      : TAP_FALSE;
		return true;
	case TAP_BOTH:
		*bit = both(wide_any(a), wide_any(b));
		return true;
	case TAP_EITHER:
		*bit = not(both(not(wide_any(a)), not(wide_any(b))));
		return true;
	default:
		return false;
	}
}

/* Is the whole result unknown, since an operand is not known or there is no sample before? */
static bool is_unknown(const struct tap_step *t, struct wide a, struct wide b, bool past)
{
	switch (t->op) {
	case TAP_PAST:
		return !past;
	case TAP_NEGATE:
		return !is_known(a);
	case TAP_ADD:
	case TAP_SUB:
	case TAP_LEFT:
	case TAP_RIGHT:
		return !is_known(a) || !is_known(b);
	default:
		return false;
	}
}

static void run_wide(struct tap_code_state *s, const struct tap_step *t)
{
	struct wide a = { s->value + t->a, s->known + t->a, t->wa },
		    b = { s->value + t->b, s->known + t->b, t->wb },
		    c = { s->value + t->c, s->known + t->c, t->wc };
	uint64_t *v = s->value + t->d, *k = s->known + t->d, carry;
	bool gone = is_unknown(t, a, b, s->past);
	enum tap_truth bit;

	if (wide_bit(t, a, b, &bit)) {
		*v = bit == TAP_TRUE;
		*k = bit != TAP_UNTOLD;
		return;
	}
	carry = t->op == TAP_CHOOSE ? wide_any(a) : t->op == TAP_SUB || t->op == TAP_NEGATE;
	for (uint32_t i = 0; i < words(t->wd); i++) {
		struct rails r = gone ? unknown : wide_word(t, a, b, c, i, &carry);
		uint64_t m = mask(t->wd - i * 64);
		v[i] = r.v & m;
		k[i] = r.k & m;
	}
}

void tap_code_run(struct tap_code_state *s, const struct tap_expr *e)
{
	for (uint32_t i = e->begin; i < e->end; i++) {
		const struct tap_step *t = &s->steps[i];
		struct rails a, r;
		if (t->wide) {
			run_wide(s, t);
			continue;
		}
		a = (struct rails){ s->value[t->a], s->known[t->a] };
		if (t->wb == 0)
			r = t->wa == 0 ? (struct rails){ t->number, t->md }
				       : narrow_one(t, a, s->past);
		else if (t->wc == 0)
			r = narrow_two(t, a,
				       (struct rails){ s->value[t->b], s->known[t->b] });
		else
			r = narrow_choose(t, a,
					  (struct rails){ s->value[t->b], s->known[t->b] },
					  (struct rails){ s->value[t->c], s->known[t->c] });
		s->value[t->d] = r.v;
		s->known[t->d] = r.k;
	}
}
