/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/fit_cost.h"

enum { FRACTION = 16 };

/* log2(n) for n >= 1, in units of 2^-FRACTION, rounded down: one bit for each time the remaining
 * mantissa is squared. */
static uint64_t binary_log(uint32_t n)
{
	uint64_t log = 31 - (uint32_t)__builtin_clz(n), x = (uint64_t)n << (31 - log);

	for (int i = 0; i < FRACTION; i++) {
		x = x * x >> 31;
		log = log << 1 | x >> 32;
		x >>= x >> 32;
	}
	return log;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

struct fit_cost fit_cost(const struct overlay *o, const struct fit_weights *w)
{
	uint64_t stes = overlay_nste(o), preds = overlay_npred(o), lines = o->lines;
	uint64_t sorting = stes * o->slots * lines * binary_log(o->lines); /* below 2^62 */
	struct fit_cost c;
	uint64_t luts, ffs;

	c.ffs = stes * (4 * lines + preds + 8);
	c.luts = stes * ((2 * preds + 2) * lines + o->slots * (1 + lines)) +
		 (sorting / 10 >> FRACTION);
	luts = times(c.luts, w->lut);
	ffs = times(c.ffs, w->ff);
	c.cost = luts > UINT64_MAX - ffs ? UINT64_MAX : luts + ffs;
	return c;
}
