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
	size_t most = sum->nlines + r->nlines, n = 0, i = 0, k = 0;
	struct run_line_count *both = malloc((most + 1) * sizeof *both);

	if (both == NULL)
		return false;
	while (i < sum->nlines || k < r->nlines) {
		const struct run_line_count *a = i < sum->nlines ? &sum->lines[i] : NULL;
		const struct run_line_count *b = k < r->nlines ? &r->lines[k] : NULL;
		bool first = b == NULL || (a != NULL && !comes_before(b, a));
		bool second = a == NULL || (b != NULL && !comes_before(a, b));
		both[n] = first ? *a : *b;
		if (first && second)
			both[n].n += b->n;
		n++;
		i += first;
		k += second;
	}
	free(sum->counts.at);
	sum->counts.at = sum->lines = both;
	sum->nlines = n;
	return true;
}

bool run_add(struct run *sum, const struct run *r)
{
	sum->combined = true;
	reader_stats_add(&sum->stats, run_stats(r));
	sum->accepted_any += r->accepted_any;
	sum->logged += r->logged;
	sum->output += r->output;
	sum->after_loss += r->after_loss;
	sum->interrupted |= r->interrupted;
	sum->swapped |= r->swapped;
	if (sum->accepted == NULL)
		sum->accepted = calloc((size_t)sum->nlabels + 1, sizeof *sum->accepted);
	for (uint32_t i = 0; sum->accepted != NULL && i < sum->nlabels; i++)
		sum->accepted[i] += r->accepted[i];
	return sum->accepted != NULL && add_lines(sum, r);
}
