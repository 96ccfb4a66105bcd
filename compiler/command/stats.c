/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/command/stats.h"

#include <inttypes.h>

#include "compiler/targets.h"

static double ms(uint64_t nanoseconds)
{
	return (double)nanoseconds / 1e6;
}

/* Prints for each repetition with a large bound whether it became a counter. */
static void print_counts(const struct pipeline *p, FILE *f)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < p->counts.records.n; i++)
		count_print(&p->spec, &p->counts.records.at[i], &p->diags, &b);
	if (b.n != 0)
		fwrite(b.at, 1, b.n, f);
	buf_free(&b);
}

static void print_passes(const struct pipeline *p, FILE *f)
{
	fprintf(f, "%-12s %10s %10s %10s %10s %10s\n", "pass", "states", "after", "edges", "after",
		"ms");
	for (size_t i = 0; i < p->passes.n; i++) {
		const struct pass_record *r = &p->passes.at[i];
		fprintf(f, "%-12s %10zu %10zu %10zu %10zu %10.3f\n", r->name, r->states[0],
			r->states[1], r->edges[0], r->edges[1], ms(r->nanoseconds));
		if (r->most != 0 && r->states[0] > r->most)
			fprintf(f, "%-12s not done: more than %zu states\n", "", r->most);
	}
	fprintf(f, "final: %zu states, %zu edges without loops, %zu with\n", p->nfa.states.n,
		nfa_count_edges(&p->nfa, false), nfa_count_edges(&p->nfa, true));
}

static void print_splits(const struct pipeline *p, FILE *f)
{
	for (size_t i = 0; i < p->job.made.splits.splits.n; i++) {
		const struct split *x = &p->job.made.splits.splits.at[i];
		size_t line = 0, column = 0;
		if (x->range.source < p->diags.sources.n)
			diag_locate(&p->diags.sources.at[x->range.source], x->range.begin, &line,
				    &column);
		fprintf(f,
			"split: a state of line %zu, column %zu into %" PRIu32
			" that share its %s\n",
			line, column, x->copies, x->successors ? "successors" : "predecessors");
	}
}

/* Prints how much of the image was proved. */
static void print_proof(const struct verify_report *r, const char *what, FILE *f)
{
	if (r->verdict == VERIFY_NOTHING)
		return;
	fprintf(f, "proof: ");
	if (r->verdict == VERIFY_PROVED)
		fprintf(f, "proved");
	else
		fprintf(f, "bounded %" PRIu64, r->depth);
	fprintf(f, ", %zu of %zu %s, %" PRIu64 " steps\n", r->proved, r->total, what, r->work);
}

/* Returns the milliseconds from the end of stage `from` to the end of stage `to`. 0: the pipeline
 * did not reach stage `to`. */
static double stats_between(const struct pipeline *p, enum pipeline_stage from,
			    enum pipeline_stage to)
{
	return p->nanoseconds[to] != 0 ? ms(p->nanoseconds[to] - p->nanoseconds[from]) : 0;
}

void stats_print(const struct pipeline *p, FILE *f)
{
	fprintf(f,
		"construction at most (T eq. 33, 34): %" PRIu64 " states, %" PRIu64
		" transitions\n",
		p->bound.states, p->bound.edges);
	print_counts(p, f);
	print_passes(p, f);
	print_splits(p, f);
	if (p->job.made.report.n != 0)
		fwrite(p->job.made.report.at, 1, p->job.made.report.n, f);
	print_proof(&p->verify, p->target.row->proved, f);
	fprintf(f, "ms: front end %.3f, automaton %.3f, mapping %.3f, image %.3f, proof %.3f\n",
		ms(p->nanoseconds[STAGE_AST]), stats_between(p, STAGE_AST, STAGE_NFA),
		stats_between(p, STAGE_NFA, STAGE_MAP), stats_between(p, STAGE_MAP, STAGE_IMAGE),
		ms(p->verify.nanoseconds));
}
