/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/map/ilp/glpk_solve.h"

#include <glpk.h>
#include <limits.h>
#include <stdlib.h>

struct solver {
	const struct glpk_model *model;
	struct glpk_report *report;
	uint64_t most; /* nodes of branch and bound */
	/* scratch: columns and values of a row's terms, from [1] on, as GLPK wants them */
	int *index;
	double *value;
};

/* GLPK calls this at every node of branch and bound. It ends the run at the limit. */
static void on_node(glp_tree *tree, void *info)
{
	struct solver *s = info;
	int total;

	glp_ios_tree_size(tree, NULL, NULL, &total);
	s->report->nodes = (uint64_t)total;
	if (s->report->nodes > s->most)
		glp_ios_terminate(tree);
}

static void add_row(struct solver *s, glp_prob *p, size_t r)
{
	const struct glpk_model *m = s->model;
	const struct glpk_row *row = &m->rows.at[r];
	size_t end = r + 1 < m->rows.n ? row[1].first : m->terms.n;
	int length = 0;

	for (size_t i = row->first; i < end; i++) {
		length++;
		s->index[length] = m->terms.at[i].column + 1;
		s->value[length] = m->terms.at[i].value;
	}
	glp_set_mat_row(p, (int)r + 1, length, s->index, s->value);
	if (row->lo == GLPK_FREE)
		glp_set_row_bnds(p, (int)r + 1, GLP_UP, 0, row->hi);
	else
		glp_set_row_bnds(p, (int)r + 1, row->lo == row->hi ? GLP_FX : GLP_DB, row->lo,
				 row->hi);
}

static glp_prob *build_glpk(struct solver *s)
{
	glp_prob *p = glp_create_prob();

	glp_add_rows(p, (int)s->model->rows.n);
	glp_add_cols(p, s->model->columns);
	if (s->model->target > 0)
		glp_set_obj_dir(p, GLP_MAX);
	for (int c = 1; c <= s->model->columns; c++) {
		glp_set_col_kind(p, c, GLP_BV);
		glp_set_obj_coef(p, c, s->model->target > 0);
	}
	for (size_t r = 0; r < s->model->rows.n; r++)
		add_row(s, p, r);
	return p;
}

/* Copies the solution to values [columns]. Returns how many are 1. */
static int32_t read_values(const struct solver *s, glp_prob *p, bool *values)
{
	int32_t ones = 0;

	for (int c = 0; c < s->model->columns; c++) {
		values[c] = glp_mip_col_val(p, c + 1) > 0.5;
		ones += values[c];
	}
	return ones;
}

/* Makes one answer of the return code of glp_intopt() and of the status of its solution. */
static enum nfart_status answer_of_glpk(struct solver *s, glp_prob *p, int code, bool *values)
{
	int status = glp_mip_status(p);

	if ((status == GLP_OPT || status == GLP_FEAS) &&
	    read_values(s, p, values) >= s->model->target)
		return NFART_OK;
	if (code == 0 && status == GLP_OPT)
		return NFART_NOFIT;
	if (code == GLP_ENOPFS || (code == 0 && status == GLP_NOFEAS))
		return NFART_NOFIT;
	if (code == GLP_ESTOP || code == GLP_EFAIL) {
		s->report->numeric = code == GLP_EFAIL;
		return NFART_GAVEUP;
	}
	s->report->wrong = "GLPK gave an answer that should not be possible";
	return NFART_INTERNAL;
}

/* Runs GLPK with presolve, without cuts, branching on the first fractional variable: other settings
 * were measured to be slower. GLPK ends when no better solution is possible. Without an objective
 * that is the case at the first solution. */
static enum nfart_status run_glpk(struct solver *s, bool *values)
{
	glp_prob *p = build_glpk(s);
	enum nfart_status status;
	glp_iocp parameters;
	int code;

	glp_init_iocp(&parameters);
	parameters.msg_lev = GLP_MSG_OFF;
	parameters.presolve = GLP_ON;
	parameters.br_tech = GLP_BR_FFV;
	parameters.cb_func = on_node;
	parameters.cb_info = s;
	code = glp_intopt(p, &parameters);
	status = answer_of_glpk(s, p, code, values);
	glp_delete_prob(p);
	return status;
}

enum nfart_status glpk_solve(const struct glpk_model *m, uint64_t nodes, bool *values,
			     struct glpk_report *report)
{
	size_t most = (size_t)m->columns + 1;
	struct solver s = {.model = m, .report = report, .most = nodes};
	enum nfart_status status = NFART_SYSTEM;

	*report = (struct glpk_report){0};
	if (m->columns <= 0 || m->rows.n == 0 || m->rows.n > INT_MAX - 1) {
		report->wrong = "a model that GLPK does not take";
		return NFART_INTERNAL;
	}
	glp_term_out(GLP_OFF);
	s.index = malloc(most * sizeof *s.index);
	s.value = malloc(most * sizeof *s.value);
	if (s.index != NULL && s.value != NULL)
		status = run_glpk(&s, values);
	free(s.value);
	free(s.index);
	return status;
}
