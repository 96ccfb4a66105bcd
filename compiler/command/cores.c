/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/command/cores.h"

#include <inttypes.h>
#include <string.h>

#include "backends/etm/etm.h"

/* The options of -D, but with one budget. */
struct given {
	VEC(const char *) params;
	char budget[32];
};

static bool give(struct given *g, const struct options *o, uint32_t budget)
{
	bool ok = true;

	snprintf(g->budget, sizeof g->budget, "budget=%" PRIu32, budget);
	for (size_t i = 0; i < o->params.n; i++)
		if (strncmp(o->params.at[i], "budget=", 7) != 0)
			ok = ok && vec_push(&g->params, o->params.at[i]);
	return ok && vec_push(&g->params, g->budget);
}

/* Is it all that is wrong that no file has the parameter which is given last? */
static bool lacks_last(const struct pipeline *p)
{
	const struct front *f = &p->front;

	return p->diags.errors == 1 && f->given.n > 0 && !f->given.at[f->given.n - 1].used;
}

/* Adds to each record of a core's budget for which cores it is. */
static void say_cores(const struct etm_map_options *etm, uint32_t core, struct diags *d)
{
	const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };
	struct buf b = { 0 };
	bool more = false;

	for (uint32_t i = core; i < etm->cores; i++)
		if (etm->budget[i] == etm->budget[core]) {
			buf_addf(&b, "%s%" PRIu32, more ? ", " : "", i);
			more |= i == core;
		}
	for (size_t i = 0; i < d->records.n && !b.failed; i++)
		diag_note(d, i, nowhere, "for the budget of %" PRIu32 " of --core-budget, core %.*s",
			  etm->budget[core], (int)b.n, b.at);
	buf_free(&b);
}

/* Reports why a budget was not compiled. Returns an exit code. */
static int fail(const struct options *o, struct pipeline *p, int code)
{
	if (code == NFART_USAGE && lacks_last(p)) {
		fprintf(stderr, "nfacc: error: --core-budget: no file has parameter 'budget'\n");
		return code;
	}
	files_print_diags(o, &p->diags);
	if (code == NFART_SYSTEM && p->diags.errors == 0)
		files_fail("out of memory", NULL);
	return code == NFART_OK ? NFART_INPUT : code;
}

/* Compiles with the budget of a core, and keeps what there was to say. */
static int compile(struct options *o, const struct inputs *in, uint32_t core, struct cores *c)
{
	struct pipeline *p = calloc(1, sizeof *p);
	struct given given = { .budget = "" };
	int code;

	if (p == NULL || !give(&given, o, o->pipeline.etm.budget[core])) {
		vec_free(&given.params);
		free(p);
		return files_fail("out of memory", NULL);
	}
	o->pipeline.front.params = given.params.at;
	o->pipeline.front.nparams = given.params.n;
	code = (int)pipeline_run(p, &o->pipeline, in->file, in->n);
	say_cores(&o->pipeline.etm, core, &p->diags);
	if (code != NFART_OK || p->diags.errors != 0) {
		code = fail(o, p, code);
	} else {
		c->regs[core] = ((const struct etm_program *)p->job.made.own)->regs;
		c->diags[core] = p->diags;
		p->diags = (struct diags){ 0 };
	}
	o->pipeline.front.params = o->params.at;
	o->pipeline.front.nparams = o->params.n;
	pipeline_free(p);
	vec_free(&given.params);
	free(p);
	return code;
}

/* The first core that has the budget of this one. */
static uint32_t first_like(const struct etm_map_options *etm, uint32_t core)
{
	uint32_t i = 0;

	while (etm->budget[i] != etm->budget[core])
		i++;
	return i;
}

int cores_compile(struct options *o, const struct inputs *in, struct cores *c)
{
	struct etm_map_options *etm = &o->pipeline.etm;
	bool any = false;
	int code = NFART_OK;

	for (uint32_t i = 0; i < etm->cores && code == NFART_OK; i++) {
		uint32_t like = first_like(etm, i);

		if (etm->budget[i] == 0 || o->pipeline.last != STAGE_IMAGE)
			continue;
		any = true;
		if (like == i)
			code = compile(o, in, i, c);
		else
			c->regs[i] = c->regs[like];
		c->counts[i].own = true;
		memcpy(c->counts[i].reload, c->regs[i].cntrldv, sizeof c->counts[i].reload);
		memcpy(c->counts[i].value, c->regs[i].cntv, sizeof c->counts[i].value);
	}
	etm->counts = any ? c->counts : NULL;
	return code;
}

void cores_free(struct cores *c)
{
	for (uint32_t i = 0; c != NULL && i < ETM_MOST_CORES; i++)
		diag_free(&c->diags[i]);
	free(c);
}

/* Does the program for the budget of the source say the same? */
static bool is_said(const struct diags *d, const struct diag *r)
{
	for (size_t i = 0; i < d->records.n; i++) {
		const struct diag *x = &d->records.at[i];

		if (x->code == r->code && x->range.begin == r->range.begin &&
		    x->range.end == r->range.end && strcmp(x->message, r->message) == 0)
			return true;
	}
	return false;
}

/* Prints what there was to say of a core's budget alone. */
static void print_own(const struct options *o, const struct diags *source, struct diags *own)
{
	size_t n = 0;

	for (size_t i = 0; i < own->records.n; i++)
		if (is_said(source, &own->records.at[i]))
			vec_free(&own->records.at[i].notes);
		else
			own->records.at[n++] = own->records.at[i];
	own->records.n = n;
	if (n > 0)
		files_print_diags(o, own);
}

int cores_check(const struct options *o, const struct pipeline *p, struct cores *c)
{
	for (uint32_t i = 0; i < o->pipeline.etm.cores; i++) {
		struct etm_regs regs;

		if (!c->counts[i].own)
			continue;
		print_own(o, &p->diags, &c->diags[i]);
		regs = ((const struct etm_program *)p->job.made.own)->regs;
		etm_counts_put(&c->counts[i], &regs);
		for (const struct etm_reg *r = etm_reg_table; r->name != NULL; r++)
			for (uint32_t k = 0; k < r->count; k++)
				if (etm_reg_get(&regs, r, k) != etm_reg_get(&c->regs[i], r, k)) {
					fprintf(stderr, "nfacc: error: --core-budget: a budget of "
						"%" PRIu32 " makes another program, not only other "
						"values of counters (%s)\n",
						o->pipeline.etm.budget[i], r->name);
					return NFART_NOFIT;
				}
	}
	return NFART_OK;
}
