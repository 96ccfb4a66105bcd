/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Adds up what runs over several traces counted.
 */
#include <stdlib.h>

#include "runtime/run/run.h"
#include "runtime/trace/reader.h"

static bool comes_before(const struct run_line_count *a, const struct run_line_count *b)
{
	return a->label < b->label || (a->label == b->label && a->address < b->address);
}

/* Merges two ordered lists of counts. False: out of memory. */
static bool add_lines(struct run *sum, const struct run *r)
{
	size_t most = sum->result.nlines + r->result.nlines, n = 0, i = 0, k = 0;
	struct run_line_count *both = malloc((most + 1) * sizeof *both);

	if (both == NULL)
		return false;
	while (i < sum->result.nlines || k < r->result.nlines) {
		const struct run_line_count *a =
			i < sum->result.nlines ? &sum->result.lines[i] : NULL;
		const struct run_line_count *b = k < r->result.nlines ? &r->result.lines[k] : NULL;
		bool first = b == NULL || (a != NULL && !comes_before(b, a));
		bool second = a == NULL || (b != NULL && !comes_before(a, b));
		both[n] = first ? *a : *b;
		if (first && second)
			both[n].n += b->n;
		n++;
		i += first;
		k += second;
	}
	free(sum->work.counts.at);
	sum->work.counts.at = sum->result.lines = both;
	sum->result.nlines = n;
	return true;
}

bool run_add(struct run *sum, const struct run *r)
{
	sum->work.combined = true;
	reader_stats_add(&sum->work.stats, run_stats(r));
	sum->result.accepted_any += r->result.accepted_any;
	sum->result.logged += r->result.logged;
	sum->result.output += r->result.output;
	sum->result.after_loss += r->result.after_loss;
	sum->result.unnamed += r->result.unnamed;
	run_add_joins(&sum->result.joins, r->result.joins);
	sum->result.shared += r->result.shared;
	sum->result.forgot |= r->result.forgot;
	sum->result.interrupted |= r->result.interrupted;
	sum->result.swapped |= r->result.swapped;
	if (sum->result.accepted == NULL)
		sum->result.accepted =
			calloc((size_t)sum->nlabels + 1, sizeof *sum->result.accepted);
	for (uint32_t i = 0; sum->result.accepted != NULL && i < sum->nlabels; i++)
		sum->result.accepted[i] += r->result.accepted[i];
	return sum->result.accepted != NULL && add_lines(sum, r);
}
