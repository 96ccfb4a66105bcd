/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Compiles filters and writes an image, or what else --emit asks for. nfacc does this if no other
 * command is given.
 */
#include "compiler/command/command.h"
#include "compiler/command/files.h"
#include "compiler/command/stats.h"

static int write_output(const struct options *o, const struct pipeline *p)
{
	const struct output *output = o->output;
	struct buf b = { 0 };
	int code;

	if (output->kind == OUTPUT_IMAGE)
		return files_write(o, &p->job.image);
	if (output->kind == OUTPUT_TARGET)
		target_find_output(p->job.target, output->name)->image(p->job.loaded, &b);
	else
		output->print(p, &b);
	code = files_write(o, &b);
	buf_free(&b);
	return code;
}

int cmd_compile(struct options *o)
{
	struct inputs in = { 0 };
	struct pipeline *p = calloc(1, sizeof *p);
	int code = p == NULL ? files_fail("out of memory", NULL) : inputs_read(o, &in);

	o->pipeline.last = o->output->last;
	if (code == NFART_OK) {
		code = files_compile(o, p, in.file, in.n);
		if (code == NFART_OK && o->stats)
			stats_print(p, stderr);
		if (code == NFART_OK && !o->check)
			code = write_output(o, p);
		if (code == NFART_OK && o->depends)
			code = files_write_depends(o, p);
		pipeline_free(p);
	}
	inputs_free(&in);
	free(p);
	return code;
}
