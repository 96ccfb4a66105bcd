/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_bound.c: prints the bounds of all regulators, at the overruns that the paper on ETM² has,
 * and holds them against the closed forms that were found for the default reading by searching
 * small periods: n * budget + free * budget + overrun lines in n periods if overrun < throttled *
 * budget, for a regulator with `free` states in which the output is off and `throttled` others.
 */
#include <inttypes.h>

#include "backends/etm/bound/bound.h"
#include "testsuite/etm/regs.h"

static const struct {
	const char *name;
	unsigned throttled, free; /* 0: there is no closed form */
} regulators[] = {
	{ "pr", 1, 1 },   { "pr13", 3, 1 },       { "tb31", 1, 3 },    { "tb31-exact", 1, 3 },
	{ "tb22", 2, 2 }, { "tb13", 3, 1 },       { "pr-stop", 0, 0 }, { "pr-always", 0, 0 },
	{ "pr-user", 0, 0 },
};

/* Prints the most lines in n periods. */
static void print_bound(const struct etm_bound *b)
{
	char text[64];

	if (!b->most.finite)
		snprintf(text, sizeof text, "endless");
	else if (etm_bound_holds(b))
		snprintf(text, sizeof text, "%" PRIu64 " n + %" PRId64, b->most.rate_lines,
			 b->most.over);
	else if (b->most.rate_ticks == 1)
		snprintf(text, sizeof text, "none: %" PRIu64 " n", b->most.rate_lines);
	else
		snprintf(text, sizeof text, "none: %" PRIu64 "/%" PRIu64 " n",
			 b->most.rate_lines, b->most.rate_ticks);
	printf(" %-15s", text);
}

static void print_least(uint32_t least)
{
	if (least != 0)
		printf(" %5" PRIu32, least);
	else
		printf(" %5s", "none");
}

static bool is_tight(const struct etm_bound *b)
{
	return b->most.finite ? b->attained.window && b->attained.over : b->endless != 0;
}

/* Prints the row of a regulator. Returns whether it agrees with the closed form, if it has one. */
static bool print_row(unsigned i, uint32_t budget, uint32_t overrun)
{
	struct etm_regs r = regs_load(regulators[i].name);
	unsigned t = regulators[i].throttled, tight = 0;
	bool agrees = true;

	regs_set(&r, 5999, budget - 1);
	printf("%-11s", regulators[i].name);
	for (unsigned reading = 0; reading < ETM_READINGS; reading++) {
		struct etm_bound b;

		if (etm_bound(&b, &r, false, etm_reading_of(reading), overrun) != NFART_OK ||
		    b.unjudged != NULL)
			exit(1);
		tight += is_tight(&b);
		/* `priority` and `overlap` change no bound of these regulators. */
		if (reading % 2 == 0 && reading < 8)
			print_bound(&b);
		if (reading == 0 && t > 0)
			agrees = etm_bound_holds(&b) == (overrun < t * budget) &&
				 b.least == (overrun + t) / t &&
				 (!etm_bound_holds(&b) ||
				  b.most.over ==
					  (int64_t)(regulators[i].free * budget + overrun));
		if (reading == 0 || reading == 7)
			print_least(b.least);
		etm_bound_free(&b);
	}
	printf(" %u of %d %s\n", tight, ETM_READINGS,
	       t == 0 ? "" : agrees ? "agrees" : "DISAGREES");
	return agrees;
}

int main(void)
{
	static const struct {
		uint32_t budget, overrun;
		const char *what;
	} sizes[] = {
		{ 28, 27, "350 MB/s at 5 us are 27 lines; so many may come late" },
		{ 32, 20, "PR-stop's error is 20 lines for writes" },
		{ 32, 8, "and 8 lines for reads" },
		{ 6, 5, "a reload value of 5, and 5 lines late" },
	};
	bool agrees = true;

	for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		printf("%sbudget %u, overrun %u, period 6000 (%s)\n", k > 0 ? "\n" : "",
		       sizes[k].budget, sizes[k].overrun, sizes[k].what);
		printf("%-11s %-15s %5s %-15s %-15s %-15s %5s %6s closed form\n", "regulator",
		       "default", "least", "zero", "delay", "zero+delay", "least", "tight");
		for (unsigned i = 0; i < sizeof regulators / sizeof *regulators; i++)
			agrees = print_row(i, sizes[k].budget, sizes[k].overrun) && agrees;
	}
	return agrees ? 0 : 1;
}
