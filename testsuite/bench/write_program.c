/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>
#include <stdio.h>

#include "testsuite/bench/solvers.h"
#include "testsuite/map/ilp/ilp.h"

static const struct ilp_limits no_limits = {UINT64_MAX, UINT64_MAX};

static size_t row_end(const struct glpk_model *m, size_t r)
{
	return r + 1 < m->rows.n ? m->rows.at[r + 1].first : m->terms.n;
}

static void lp_row(const struct glpk_model *m, size_t r, FILE *f)
{
	const struct glpk_row *row = &m->rows.at[r];

	for (size_t i = row->first; i < row_end(m, r); i++)
		fprintf(f, "%s x%" PRId32 "%s", m->terms.at[i].value < 0 ? " -" : " +",
			m->terms.at[i].column, (i - row->first) % 16 == 15 ? "\n" : "");
	fprintf(f, "%s %d\n", row->lo == row->hi ? " =" : " <=", row->hi);
}

bool write_lp(const struct map_problem *p, FILE *f)
{
	struct ilp ilp;
	struct ilp_report report = {0};
	bool built = ilp_build(&ilp, p, &no_limits, &report);
	const struct glpk_model *m = &ilp.model.glpk;

	if (built) {
		fputs("Minimize\n obj: x0\nSubject To\n", f);
		for (size_t r = 0; r < m->rows.n; r++) {
			if (row_end(m, r) == m->rows.at[r].first)
				continue;
			fprintf(f, " r%zu:", r);
			lp_row(m, r, f);
		}
		fputs("Binaries\n", f);
		for (int32_t c = 0; c < m->columns; c++)
			fprintf(f, " x%" PRId32 "\n", c);
		fputs("End\n", f);
	}
	ilp_free(&ilp);
	return built && !ferror(f);
}

struct cnf {
	FILE *f;
	int32_t variables;
	uint64_t clauses;
};

static void literal(struct cnf *c, int32_t l)
{
	fprintf(c->f, "%" PRId32 " ", l);
}

static void end_clause(struct cnf *c)
{
	fputs("0\n", c->f);
	c->clauses++;
}

static void clause(struct cnf *c, int32_t a, int32_t b, int32_t d)
{
	literal(c, a);
	if (b != 0)
		literal(c, b);
	if (d != 0)
		literal(c, d);
	end_clause(c);
}

/* Adds clauses which say that at most k of the n terms are true. The variable s[i][j] means that of
 * the first i + 1 terms more than j are true. */
static void at_most(struct cnf *c, const struct glpk_term *t, size_t n, int32_t k)
{
	int32_t s = c->variables + 1;

	if (n <= (size_t)k)
		return;
	for (size_t i = 0; i < n; i++, s += k) {
		int32_t x = t[i].column + 1;

		clause(c, -x, s, 0);
		for (int32_t j = 0; j < k && i > 0; j++) {
			clause(c, -(s - k + j), s + j, 0);
			if (j + 1 < k)
				clause(c, -x, -(s - k + j), s + j + 1);
		}
		if (i > 0)
			clause(c, -x, -(s - 1), 0);
	}
	c->variables = s - 1;
}

/* Adds the clauses of a row of ilp.h: sum = 1, sum <= C, or x <= sum. */
static void cnf_row(struct cnf *c, const struct glpk_model *m, size_t r)
{
	const struct glpk_row *row = &m->rows.at[r];
	const struct glpk_term *t = m->terms.at + row->first;
	size_t n = row_end(m, r) - row->first;

	if (row->lo != row->hi && row->hi > 0) {
		at_most(c, t, n, row->hi);
		return;
	}
	for (size_t i = 0; i < n; i++)
		literal(c, (row->hi == 0 && t[i].value > 0 ? -1 : 1) * (t[i].column + 1));
	end_clause(c);
	if (row->hi == 1)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < i; j++)
				clause(c, -(t[i].column + 1), -(t[j].column + 1), 0);
}

/* The first line of the file has the numbers of variables and clauses, which are known only at the
 * end. So its place is kept free, and it is written last. */
bool write_cnf(const struct map_problem *p, FILE *f)
{
	struct cnf c = { .f = f };
	struct ilp ilp;
	struct ilp_report report = {0};
	bool built = ilp_build(&ilp, p, &no_limits, &report);

	if (built) {
		c.variables = ilp.model.glpk.columns;
		fprintf(f, "p cnf %10d %10d\n", 0, 0);
		for (size_t r = 0; r < ilp.model.glpk.rows.n; r++)
			cnf_row(&c, &ilp.model.glpk, r);
		rewind(f);
		fprintf(f, "p cnf %10" PRId32 " %10" PRIu64 "\n", c.variables, c.clauses);
	}
	ilp_free(&ilp);
	return built && !ferror(f);
}
