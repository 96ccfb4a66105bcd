/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/command/cores.h"

#include <inttypes.h>
#include <string.h>

#include "backends/etm/etm.h"

/* Compiles with one budget. Diagnostics are those of the other budgets, too: they are printed if
 * there is an error. */
static int compile(struct options *o, const struct inputs *in, uint32_t budget,
		   struct etm_regs *out)
{
	struct pipeline *p = calloc(1, sizeof *p);
	VEC(const char *) params = { 0 };
	char text[32];
	int code = NFART_OK;
	bool ok = p != NULL;

	snprintf(text, sizeof text, "budget=%" PRIu32, budget);
	for (size_t i = 0; i < o->params.n; i++)
		if (strncmp(o->params.at[i], "budget=", 7) != 0)
			ok = ok && vec_push(&params, o->params.at[i]);
	ok = ok && vec_push(&params, text);
	if (!ok) {
		vec_free(&params);
		free(p);
		return files_fail("out of memory", NULL);
	}
	o->pipeline.front.params = params.at;
	o->pipeline.front.nparams = params.n;
	code = (int)pipeline_run(p, &o->pipeline, in->file, in->n);
	if (code != NFART_OK || p->diags.errors != 0) {
		pipeline_free(p);
		code = files_compile(o, p, in->file, in->n);
	}
	if (code == NFART_OK)
		*out = ((const struct etm_program *)p->job.made.own)->regs;
	o->pipeline.front.params = o->params.at;
	o->pipeline.front.nparams = o->params.n;
	pipeline_free(p);
	vec_free(&params);
	free(p);
	return code;
}

int cores_compile(struct options *o, const struct inputs *in, struct cores *c)
{
	struct etm_map_options *etm = &o->pipeline.etm;
	bool any = false;
	int code = NFART_OK;

	for (uint32_t i = 0; i < etm->cores && code == NFART_OK; i++) {
		if (etm->budget[i] == 0 || o->pipeline.last != STAGE_IMAGE)
			continue;
		any = true;
		code = compile(o, in, etm->budget[i], &c->regs[i]);
		c->counts[i].own = true;
		memcpy(c->counts[i].reload, c->regs[i].cntrldv, sizeof c->counts[i].reload);
		memcpy(c->counts[i].value, c->regs[i].cntv, sizeof c->counts[i].value);
	}
	etm->counts = any ? c->counts : NULL;
	return code;
}

int cores_check(const struct options *o, const struct pipeline *p, const struct cores *c)
{
	for (uint32_t i = 0; i < o->pipeline.etm.cores; i++) {
		struct etm_regs regs;

		if (!c->counts[i].own)
			continue;
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
