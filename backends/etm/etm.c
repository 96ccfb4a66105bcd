/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/etm.h"

#include <inttypes.h>
#include <string.h>

static void limits(const struct target_setup *s, struct target_limits *l)
{
	(void)s;
	*l = (struct target_limits){ .counters = UINT64_MAX, .max_k = UINT32_MAX,
				     .machines = true };
}

static enum nfart_status map(struct target_job *job)
{
	struct etm_program *p = calloc(1, sizeof *p);
	const struct etm_report *r = &p->report;
	enum nfart_status status;

	if (p == NULL)
		return NFART_SYSTEM;
	job->made.own = p;
	if (job->spec->guards.payload) {
		diag_report(job->diags, DIAG_ERROR, "no-fit", job->spec->guards.payload_range,
			    "a trace unit does not look at payload");
		return NFART_NOFIT;
	}
	status = etm_map(job->spec, etm_options(job)->core, etm_options(job), job->diags, &p->regs,
			 &p->report);
	if (status != NFART_OK)
		return status;
	if (etm_options(job)->cores != 0 && p->regs.eventctl0[0] == 0) {
		diag_report(job->diags, DIAG_ERROR, "no-fit", job->spec->machines.at[0].range,
			    "has no external output, by which --cores could throttle cores");
		return NFART_NOFIT;
	}
	buf_addf(&job->made.report, "selectors: %" PRIu32 ", %" PRIu32 " pairs; counters: %" PRIu32
		 "; inputs: %" PRIu32 "; comparators: %" PRIu32 "\n", r->selectors, r->pairs,
		 r->ncounters, r->ninputs, r->nranges);
	if (etm_options(job)->layout != ETM_LAYOUT_AUTHORS)
		buf_addf(&job->made.report,
			 "fewest, of %" PRIu32 " assignments of states, %" PRIu32
			 " functions of a selector and %" PRIu32 " pairs of these, over %" PRIu32
			 " rows\n",
			 r->search.assignments, r->search.functions, r->search.pairs,
			 r->search.rows);
	return NFART_OK;
}

/* etm_map() has said what does not fit. */
static bool explain(struct target_job *job)
{
	(void)job;
	return true;
}

/* Linux's driver writes one TRCEXTINSELR, and ETE has one for each input. */
bool etm_has_output(const struct etm_core *core, const char *name)
{
	return !core->ete || (strcmp(name, "sysfs") != 0 && strcmp(name, "cscfg") != 0);
}

static const char *no_driver(const struct target_job *job)
{
	if (etm_options(job)->core->ete)
		return "Linux's driver does not know the external inputs of an ETE";
	if (etm_options(job)->counts != NULL)
		return "it programs all cores alike, and with --core-budget they differ";
	return NULL;
}

static const struct target_output outputs[] = {
	{ .name = "table", .job = etm_emit_table },
	{ .name = "json", .job = etm_emit_json },
	{ .name = "header", .job = etm_emit_header },
	{ .name = "sysfs", .job = etm_emit_sysfs, .against = no_driver },
	{ .name = "cscfg", .job = etm_emit_cscfg, .against = no_driver },
	{ .name = "handler", .job = etm_emit_handler, .against = etm_no_handler },
	{ .name = NULL }
};

const struct target target_etm = {
	.name = "etm", .limits = limits,
	.prepare = target_nothing, .fit = map, .place = target_nothing, .explain = explain,
	.pack = target_nothing, .load = target_nothing,
	.outputs = outputs,
};

/* ---- the registers of a program ---- */

void etm_reg_name(const struct etm_core *core, const struct etm_reg *reg, uint32_t index,
		  struct buf *b)
{
	buf_addf(b, "%s", reg->name);
	if (reg->count > 1 && (core->ete || reg->member != offsetof(struct etm_regs, extinsel)))
		buf_addf(b, "%" PRIu32, index);
}

/* How many registers of an array a program writes, and from which on. */
static uint32_t written(const struct etm_core *core, const struct etm_program *p,
			const struct etm_reg *reg, uint32_t *first)
{
	const struct { size_t member; uint32_t first, n; } rows[] = {
		{ offsetof(struct etm_regs, config), 0, 1 },
		{ offsetof(struct etm_regs, eventctl0), 0, 1 },
		{ offsetof(struct etm_regs, eventctl1), 0, 1 },
		{ offsetof(struct etm_regs, stallctl), 0, 1 },
		{ offsetof(struct etm_regs, tsctl), 0, 1 },
		{ offsetof(struct etm_regs, syncp), 0, 1 },
		{ offsetof(struct etm_regs, traceid), 0, 1 },
		{ offsetof(struct etm_regs, victl), 0, 1 },
		{ offsetof(struct etm_regs, viiectl), 0, 1 },
		{ offsetof(struct etm_regs, vissctl), 0, 1 },
		{ offsetof(struct etm_regs, vipcssctl), 0, 1 },
		{ offsetof(struct etm_regs, seqev), 0, core->has.states - 1 },
		{ offsetof(struct etm_regs, seqrstev), 0, 1 },
		{ offsetof(struct etm_regs, seqst), 0, 1 },
		{ offsetof(struct etm_regs, extinsel), 0, core->ete ? p->report.ninputs : 1 },
		{ offsetof(struct etm_regs, cntrldv), 0, core->has.counters },
		{ offsetof(struct etm_regs, cntctl), 0, core->has.counters },
		{ offsetof(struct etm_regs, cntv), 0, core->has.counters },
		{ offsetof(struct etm_regs, rsctl), 2, core->has.selectors - 2 },
		{ offsetof(struct etm_regs, acv), 0, 2 * p->report.nranges },
		{ offsetof(struct etm_regs, acat), 0, 2 * p->report.nranges },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].member == reg->member) {
			*first = rows[i].first;
			return rows[i].n;
		}
	return 0;
}

void etm_visit(const struct etm_core *core, const struct etm_program *p, etm_visit_fn *visit,
	       void *ctx)
{
	for (const struct etm_reg *reg = etm_reg_table; reg->name != NULL; reg++) {
		uint32_t first = 0, n = written(core, p, reg, &first);
		for (uint32_t i = first; i < first + n; i++)
			visit(ctx, reg, i, reg->offset + i * reg->stride,
			      etm_reg_get(&p->regs, reg, i));
	}
}
