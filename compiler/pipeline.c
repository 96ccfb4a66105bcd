/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The table of contents of the compiler. pipeline_run() at the end calls its stages in order:
 *
 *   filter text -> AST -> spec -> NFA -> homogeneous NFA -> placement -> image
 *
 * In the end the image is loaded as an engine loads it, and is proved to mean what the filter text
 * says. The stages up to the automaton, and the proof, are in compiler/stage_*.c. What comes
 * between is the target's: its table says what it does (backends/target.h), and nothing here asks
 * which target it is.
 */
#include "compiler/pipeline.h"

#include <string.h>

#include "compiler/stage.h"
#include "compiler/targets.h"
#include "support/clock.h"

void pipeline_options_init(struct pipeline_options *o)
{
	memset(o, 0, sizeof *o);
	o->last = STAGE_IMAGE;
	o->passes.level = 1;
	o->count = COUNT_THRESHOLD;
	o->sections.names = true;
	o->proof.level = VERIFY_BOUNDED;
	overlay_desc_default(&o->overlay);
	map_options_init(&o->map);
}

static void choose_target(struct pipeline *p)
{
	const struct pipeline_options *o = &p->options;

	p->target.row = target_row(&o->overlay.o, o->etm.core);
	p->target.setup = (struct target_setup){
		.name = o->overlay.name,
		.tap = o->overlay.protocol,
		.overlay = &o->overlay.o,
		.options = p->target.row->options(o),
		.names = o->sections.names,
		.source = o->sections.source,
		.progress = o->progress,
		.shipped = targets_shipped,
	};
	p->job = (struct target_job){
		.target = p->target.row->target,
		.setup = &p->target.setup,
		.automaton = stage_automaton,
		.compiler = p,
		.spec = &p->spec,
		.nfa = &p->nfa,
		.counts = &p->counts,
		.diags = &p->diags,
		.kept = &p->target.kept,
		.follow = &p->target.follow,
	};
	p->job.target->limits(&p->target.setup, &p->target.limits);
}

/* Tells p->diags which warnings are off, and which are errors. False: out of memory. */
static bool set_warnings(struct pipeline *p)
{
	const struct pipeline_options *o = &p->options;
	bool ok = true;

	p->diags.werror = o->warnings.werror;
	for (size_t i = 0; i < o->warnings.ndisabled; i++)
		ok = ok && vec_push(&p->diags.disabled, o->warnings.disabled[i]);
	for (size_t i = 0; i < o->warnings.nfatal; i++)
		ok = ok && vec_push(&p->diags.fatal, o->warnings.fatal[i]);
	return ok;
}

/* Checks the sizes against the target, and finds a placement. The placement is tried even if the
 * sizes don't fit, so that one run reports everything that doesn't fit. */
static enum nfart_status pipeline_fit(struct pipeline *p)
{
	const struct target *t = p->job.target;
	enum nfart_status sizes = t->fit(&p->job), states = NFART_OK;

	if (sizes != NFART_OK && sizes != NFART_NOFIT)
		return sizes;
	states = t->place(&p->job);
	if (states != NFART_OK && states != NFART_NOFIT && states != NFART_GAVEUP)
		return states;
	if (sizes == NFART_OK && states == NFART_OK)
		return NFART_OK;
	if (!p->options.unexplained && !t->explain(&p->job))
		return NFART_SYSTEM;
	return sizes != NFART_OK ? sizes : states;
}

enum nfart_status pipeline_run(struct pipeline *p, const struct pipeline_options *o,
			       const struct pipeline_file *files, size_t n)
{
	const struct target *target;
	enum nfart_status status;
	uint64_t begin = clock_nanoseconds();

	memset(p, 0, sizeof *p);
	p->options = *o;
	p->options.passes.progress = p->options.map.progress = o->progress;
	choose_target(p);
	target = p->job.target;
	stage_choose_protocol(p);
	p->spec.log.rx = p->spec.log.counted = RX_NONE;
	if (!set_warnings(p))
		return NFART_SYSTEM;

	progress_at(o->progress, "front end", 0, NULL);
	status = stage_parse(p, files, n);                      /* text -> AST, checked */
	p->nanoseconds[STAGE_AST] = clock_nanoseconds() - begin;
	if (status != NFART_OK || o->last == STAGE_AST)
		return status;

	progress_at(o->progress, "automaton", 0, "construction");
	p->job.files = p->filters.at;
	p->job.nfiles = p->filters.n;
	status = stage_lower(p, files, n);                      /* AST -> spec */
	p->nanoseconds[STAGE_SPEC] = clock_nanoseconds() - begin;
	if (status != NFART_OK || o->last == STAGE_SPEC)
		return status;

	status = target->prepare(&p->job);                      /* spec -> NFA -> homogeneous NFA */
	p->nanoseconds[STAGE_NFA] = clock_nanoseconds() - begin;
	if (status != NFART_OK || o->last == STAGE_NFA)
		return status;

	status = pipeline_fit(p);                                        /* NFA -> placement */
	p->nanoseconds[STAGE_MAP] = clock_nanoseconds() - begin;
	if (status != NFART_OK || o->last == STAGE_MAP)
		return status;

	progress_at(o->progress, "image", 0, NULL);
	status = target->pack(&p->job);                         /* placement -> image */
	if (status == NFART_OK)
		status = target->load(&p->job);                 /* image -> what an engine reads */
	p->nanoseconds[STAGE_IMAGE] = clock_nanoseconds() - begin;
	return status == NFART_OK ? p->target.row->prove(p) : status; /* proves it */
}

void pipeline_free(struct pipeline *p)
{
	nfa_free(&p->nfa);
	count_log_free(&p->counts);
	spec_free(&p->spec);
	front_free(&p->front);
	for (size_t i = 0; i < p->protocols.found.n; i++)
		proto_free(p->protocols.found.at[i]);
	vec_free(&p->protocols.found);
	vec_free(&p->filters);
	buf_free(&p->target.kept);
	target_job_free(&p->job);
	verify_report_free(&p->verify);
	diag_free(&p->diags);
}
