/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes the names section. Its first line is the overlay's name. A line follows for each node
 * whose state comes from a place in the source: `NODE FILE:LINE:COLUMN`, or
 * `NODE FILE:LINE:COLUMN @NAME` if the node is a counter.
 */
#include <string.h>

#include "backends/image/pack.h"

const char *pack_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* The offsets at which the lines of one source begin, in rising order. line_of() finds a line by
 * bisection. */
struct lines {
	uint32_t source;
	VEC(uint32_t) begin;
};

/* Fills *l for a source, unless *l already is for this source. False: out of memory. */
static bool find_lines(struct lines *l, const struct diags *d, uint32_t source)
{
	const struct diag_source *s = &d->sources.at[source];

	if (l->source == source)
		return true;
	l->source = source;
	l->begin.n = 0;
	if (!vec_push(&l->begin, 0))
		return false;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->text[i] == '\n' && !vec_push(&l->begin, i + 1))
			return false;
	return true;
}

/* Returns the number of the line that contains byte `at`. This is the last line that begins at or
 * before the byte. The first line has number 0. */
static size_t line_of(const struct lines *l, uint32_t at)
{
	size_t lo = 0, hi = l->begin.n;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;
		if (l->begin.at[mid] <= at)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

void pack_names(const struct target_job *job, struct buf *b)
{
	const struct nfa *a = job->nfa;
	struct lines l = { .source = DIAG_NO_SOURCE };

	buf_addf(b, "%s\n", job->setup->name);
	for (size_t s = 0; s < a->states.n; s++) {
		struct diag_range r = a->states.at[s].range;
		uint32_t node = job->ste != NULL ? job->ste[s] : (uint32_t)s;
		size_t line;
		if (r.source >= job->diags->sources.n)
			continue;
		if (!find_lines(&l, job->diags, r.source)) {
			b->failed = true;
			break;
		}
		line = line_of(&l, r.begin);
		buf_addf(b, "%u %s:%zu:%zu", node,
			 pack_base_name(job->diags->sources.at[r.source].name), line + 1,
			 (size_t)(r.begin - l.begin.at[line]) + 1);
		if (a->states.at[s].kind == NFA_COUNTER)
			buf_addf(b, " @%s", a->counters.at[a->states.at[s].counter].name);
		buf_addf(b, "\n");
	}
	vec_free(&l.begin);
}
