/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes the names section. Its first line is the overlay's name. A line follows for each node
 * whose state comes from a place in the source: `NODE FILE:LINE:COLUMN`, or
 * `NODE FILE:LINE:COLUMN @NAME` if the node is a counter.
 *
 * Machines follow, in the order of the section `machines`: a line for the machine, for each of its
 * states, for each of its counters with the conditions that count and reset it, and for each of its
 * transitions. A line is `WORD NAME FILE:LINE:COLUMN`. NAME is `-` for a condition or a transition,
 * and so is the place if there is none.
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
	l->source = DIAG_NO_SOURCE; /* until all its lines are known */
	l->begin.n = 0;
	if (!vec_push(&l->begin, 0))
		return false;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->text[i] == '\n' && !vec_push(&l->begin, i + 1))
			return false;
	l->source = source;
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

/* Appends the place, which is in a source. */
static void add_place(struct lines *l, const struct diags *d, struct diag_range r, struct buf *b)
{
	size_t line;

	if (!find_lines(l, d, r.source)) {
		b->failed = true;
		return;
	}
	line = line_of(l, r.begin);
	buf_addf(b, "%s:%zu:%zu", pack_base_name(d->sources.at[r.source].name), line + 1,
		 (size_t)(r.begin - l->begin.at[line]) + 1);
}

/* Appends the line of a part of a machine. */
static void add_part(struct lines *l, const struct diags *d, const char *word, const char *name,
		     struct diag_range r, struct buf *b)
{
	buf_addf(b, "%s %s ", word, name);
	if (r.source < d->sources.n)
		add_place(l, d, r, b);
	else
		buf_addf(b, "-");
	buf_addf(b, "\n");
}

static void add_machine(struct lines *l, const struct diags *d, const struct machine *m,
			struct buf *b)
{
	add_part(l, d, "machine", m->name, m->range, b);
	for (size_t i = 0; i < m->states.n; i++)
		add_part(l, d, "state", m->states.at[i].name, m->states.at[i].range, b);
	for (size_t i = 0; i < m->counters.n; i++) {
		const struct machine_counter *c = &m->counters.at[i];

		add_part(l, d, "counter", c->name, c->range, b);
		for (size_t k = 0; k < c->count.n; k++)
			add_part(l, d, "count", "-", c->count.at[k].range, b);
		for (size_t k = 0; k < c->reset.n; k++)
			add_part(l, d, "reset", "-", c->reset.at[k].range, b);
	}
	for (size_t i = 0; i < m->moves.n; i++)
		add_part(l, d, "move", "-", m->moves.at[i].range, b);
}

void pack_names(const struct target_job *job, struct buf *b)
{
	const struct nfa *a = job->nfa;
	struct lines l = { .source = DIAG_NO_SOURCE };

	buf_addf(b, "%s\n", job->setup->name);
	for (size_t s = 0; s < a->states.n; s++) {
		struct diag_range r = a->states.at[s].range;
		if (r.source >= job->diags->sources.n)
			continue;
		buf_addf(b, "%u ", job->made.ste != NULL ? job->made.ste[s] : (uint32_t)s);
		add_place(&l, job->diags, r, b);
		if (a->states.at[s].kind == NFA_COUNTER)
			buf_addf(b, " @%s", a->counters.at[a->states.at[s].counter].name);
		buf_addf(b, "\n");
	}
	for (size_t i = 0; i < job->spec->machines.n; i++)
		add_machine(&l, job->diags, &job->spec->machines.at[i], b);
	vec_free(&l.begin);
}
