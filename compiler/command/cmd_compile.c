/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Compiles filters and writes an image, or what else --emit asks for. nfacc does this if no other
 * command is given.
 */
#include <inttypes.h>

#include "compiler/command/bounds.h"
#include "compiler/command/command.h"
#include "compiler/command/cores.h"
#include "compiler/command/files.h"
#include "compiler/command/rate.h"
#include "compiler/command/stats.h"
#include "compiler/project.h"

/* Appends an output that the target prints. False: there is nothing to make it of, which is
 * reported. */
static bool write_target(const struct pipeline *p, const char *name, struct buf *b)
{
	const struct target_output *output = target_find_output(p->job.target, name);
	const char *why = output->against != NULL ? output->against(&p->job) : NULL;

	if (why != NULL) {
		fprintf(stderr, "nfacc: error: --emit=%s: %s\n", name, why);
		return false;
	}
	if (output->job != NULL)
		output->job(&p->job, b);
	else
		output->image(p->job.made.loaded, b);
	return true;
}

static int write_output(const struct options *o, const struct pipeline *p)
{
	const struct output *output = o->emit.what;
	struct buf b = { 0 };
	bool made = true;
	int code;

	if (output->kind == OUTPUT_IMAGE)
		return files_write(o, &p->job.made.image);
	if (output->kind == OUTPUT_TARGET)
		made = write_target(p, output->name, &b);
	else
		output->print(p, &b);
	code = made ? files_write(o, &b) : (int)NFART_NOFIT;
	buf_free(&b);
	return code;
}

/* Chooses the projections of --project=auto, puts them into the options, and prints them. */
static int choose_projections(struct options *o, const struct inputs *in, struct project *p)
{
	enum nfart_status status = project_choose(&o->pipeline, in->file, in->n, p);

	if (status == NFART_USAGE) {
		fprintf(stderr,
			"nfacc: --project=auto takes one .coh file, with at most %d groups\n"
			"Try 'nfacc --help'.\n",
			PROJECT_GROUPS);
		return NFART_USAGE;
	}
	if (status == NFART_SYSTEM)
		return files_fail("out of memory", NULL);
	o->pipeline.coherence.projections = (const char *const *)p->text.at;
	o->pipeline.coherence.nprojections = p->text.n;
	if (p->text.n == 0)
		return (int)status;
	fprintf(stderr, "nfacc: chosen:");
	for (size_t i = 0; i < p->text.n; i++)
		fprintf(stderr, " --project %s", p->text.at[i]);
	fprintf(stderr,
		"\nnfacc: %" PRIu32 " of %d changed runs have an error there, %" PRIu32
		" if all events are seen\n",
		p->found, SCORE_RUNS, p->exact);
	return (int)status;
}

int cmd_compile(struct options *o)
{
	struct inputs in = { 0 };
	struct project projections = { .found = 0 };
	struct pipeline *p = calloc(1, sizeof *p);
	struct cores *cores = calloc(1, sizeof *cores);
	int code = p == NULL || cores == NULL ? files_fail("out of memory", NULL)
					      : inputs_read(o, &in);

	if (code == NFART_OK && o->checker.project_auto)
		code = choose_projections(o, &in, &projections);
	o->pipeline.last = o->emit.what->last;
	if (code == NFART_OK)
		code = cores_compile(o, &in, cores);
	if (code == NFART_OK) {
		code = files_compile(o, p, in.file, in.n);
		if (code == NFART_OK && o->pipeline.etm.counts != NULL)
			code = cores_check(o, p, cores);
		if (code == NFART_OK && o->emit.stats) {
			stats_print(p, stderr);
			rate_print(o, stderr);
		}
		if (code == NFART_OK && !o->check)
			code = o->bound.asked ? bounds_write(o, p) : write_output(o, p);
		if (code == NFART_OK && o->emit.depends)
			code = files_write_depends(o, p);
		pipeline_free(p);
	}
	project_free(&projections);
	inputs_free(&in);
	cores_free(cores);
	free(p);
	return code;
}
