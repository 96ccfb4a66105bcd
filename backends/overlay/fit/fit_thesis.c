/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/fit/fit_thesis.h"

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* NPRED of T 5.1. */
static uint64_t predecessors(const struct overlay *o)
{
	return (3 + 2 * (uint64_t)o->reach) * o->clique;
}

uint64_t fit_thesis_stes(const struct overlay *o, uint64_t n, uint64_t decoders)
{
	uint64_t lines = o->lines, bits = lines == 1 ? 0 : overlay_line_bits(o);
	/* In tenths of an operation, because of the term (NCLS / 2) * (log NCLS / 5). */
	uint64_t state = 10 * (2 * predecessors(o) + 2) * lines;
	uint64_t decoder = o->slots * (10 + lines * bits + 10 * lines);
	uint64_t tenths = times(n, plus(state, times(decoder, decoders)));

	return plus(tenths, 5) / 10;
}

struct fit_cost fit_thesis_cost(const struct overlay *o)
{
	uint64_t stes = overlay_nste(o);

	return (struct fit_cost){
		.luts = fit_thesis_stes(o, stes, 1),
		.ffs = stes * (4 * (uint64_t)o->lines + predecessors(o) + 8),
	};
}

uint64_t fit_thesis_bits(const struct overlay *o)
{
	return overlay_nste(o) * (predecessors(o) + 3 + 32 * (uint64_t)o->slots);
}
