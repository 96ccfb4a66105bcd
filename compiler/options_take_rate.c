/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Handlers for options of regulators: rates, frequencies and times, which have a unit, and
 * budgets of cores.
 */
#include <stdlib.h>

#include "compiler/options.h"
#include "compiler/options_take.h"
#include "support/cli.h"
#include "support/quantity.h"

/* Reads a value with a unit that is from `least` to `most`. Returns what a handler returns. */
static int take(const struct option_given *g, const struct quantity_unit *units, uint64_t least,
		uint64_t most, uint64_t *out)
{
	return quantity_read(g->value, units, out) && *out >= least && *out <= most
		       ? OPTION_GO_ON : OPTION_WRONG;
}

int options_take_rate(const struct option_given *g)
{
	static const struct quantity_unit units[] = {
		{ "B/s", 1 }, { "kB/s", 1000 }, { "MB/s", 1000000 }, { "GB/s", 1000000000 },
		{ "TB/s", 1000000000000 }, { "KiB/s", 1 << 10 }, { "MiB/s", 1 << 20 },
		{ "GiB/s", 1 << 30 }, { NULL, 0 }
	};

	return take(g, units, 1, ETM_MOST_RATE, &((struct options *)g->options)->rate.rate);
}

int options_take_core_budget(const struct option_given *g)
{
	uint32_t *budget = ((struct options *)g->options)->pipeline.etm.budget;
	const char *s = g->value;

	do {
		uint64_t of[2]; /* the core, and its budget */

		for (unsigned i = 0; i < 2; i++) {
			char *end;

			if (*s < '0' || *s > '9')
				return OPTION_WRONG;
			of[i] = strtoull(s, &end, 10);
			if (*end != (i == 0 ? '=' : ',') && !(i == 1 && *end == 0))
				return OPTION_WRONG;
			s = *end != 0 ? end + 1 : end;
		}
		if (of[0] >= ETM_MOST_CORES || of[1] == 0 || of[1] > UINT32_MAX ||
		    budget[of[0]] != 0)
			return OPTION_WRONG;
		budget[of[0]] = (uint32_t)of[1];
	} while (*s != 0);
	return s[-1] == ',' ? OPTION_WRONG : OPTION_GO_ON;
}

int options_take_clock(const struct option_given *g)
{
	static const struct quantity_unit units[] = {
		{ "Hz", 1 }, { "kHz", 1000 }, { "MHz", 1000000 }, { "GHz", 1000000000 }, { NULL, 0 }
	};

	return take(g, units, ETM_LEAST_CLOCK, ETM_MOST_CLOCK,
		    &((struct options *)g->options)->rate.clock);
}

int options_take_period(const struct option_given *g)
{
	static const struct quantity_unit units[] = {
		{ "ns", 1000 }, { "us", 1000000 }, { "ms", 1000000000 }, { "s", 1000000000000 },
		{ NULL, 0 }
	};

	return take(g, units, 1, ETM_MOST_PERIOD, &((struct options *)g->options)->rate.longest);
}
