/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Percentiles, and the bins of histograms.
 */
#include "runtime/stats/latency.h"

static int bin_shift(uint64_t latency)
{
	return latency < 8 ? 0 : 61 - __builtin_clzll(latency);
}

uint64_t latency_bin_begin(uint64_t latency)
{
	return latency >> bin_shift(latency) << bin_shift(latency);
}

uint64_t latency_bin_end(uint64_t latency)
{
	return latency_bin_begin(latency) + ((uint64_t)1 << bin_shift(latency));
}

uint64_t latency_percentile(const struct latency *l, const struct latency_group *g,
			    unsigned percent)
{
	/* The pairs that may not exceed the result: percent % of g->n, rounded up. */
	uint64_t wanted = g->n / 100 * percent + (g->n % 100 * percent + 99) / 100;
	size_t n, i = 0;
	const struct latency_count *c = latency_counts(l, g, &n);

	for (uint64_t seen = c[0].n; seen < wanted && i + 1 < n; seen += c[i].n)
		i++;
	return c[i].latency < g->least ? g->least : c[i].latency;
}
