/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The module that nfarun opens for -e (contract/module.h): the compiler with the target "none"
 * alone.
 */
#include "contract/module.h"

#include <string.h>

#include "backends/sparse/sparse.h"
#include "compiler/pipeline.h"
#include "compiler/stage.h"
#include "compiler/targets.h"
#include "config.h"

extern const char nfacc_filter_version[];
const char nfacc_filter_version[] = PACKAGE_VERSION;

static const void *no_options(const struct pipeline_options *o)
{
	(void)o;
	return NULL;
}

const struct target_row *target_row(const struct overlay *o, const struct etm_core *core)
{
	static const struct target_row sparse = { &target_sparse, no_options, stage_prove_image,
						  "" };

	(void)o;
	(void)core;
	return &sparse;
}

bool targets_shipped(size_t i, struct target_shipped *out)
{
	(void)i;
	(void)out;
	return false;
}

/* Makes filter text of what was given: statements as they are, an expression as a filter. */
static void complete(const struct module_request *r, struct buf *b)
{
	const char *text = r->text;
	size_t n = strlen(text);

	while (n != 0 && strchr(" \t\r\n", text[n - 1]) != NULL)
		n--;
	if (r->statements || (n != 0 && text[n - 1] == ';'))
		buf_addf(b, "%s\n", text);
	else
		buf_addf(b, "filter match = %s\n;\n", text);
}

/* Moves the image out of the pipeline. */
static void take_image(struct pipeline *p, char **image, size_t *n)
{
	*image = p->job.made.image.at;
	*n = p->job.made.image.n;
	memset(&p->job.made.image, 0, sizeof p->job.made.image);
}

module_compile nfacc_filter_compile;

enum nfart_status nfacc_filter_compile(const struct module_request *r, char **image, size_t *n)
{
	struct pipeline_options o;
	struct pipeline_file file = { .name = r->name };
	struct pipeline *p = calloc(1, sizeof *p);
	struct buf text = { 0 };
	enum nfart_status status = NFART_SYSTEM;

	complete(r, &text);
	pipeline_options_init(&o);
	o.overlay.o.none = true;
	o.front.protocol = r->protocol;
	o.dirs = r->dirs;
	o.ndirs = r->ndirs;
	o.front.params = r->params;
	o.front.nparams = r->nparams;
	o.sections.source = true;
	file.text = text.at;
	file.n = text.n;
	if (p != NULL && !text.failed) {
		status = pipeline_run(p, &o, &file, 1);
		diag_print(&p->diags, stderr, r->colour);
		if (status == NFART_OK)
			take_image(p, image, n);
	}
	if (status == NFART_SYSTEM && (p == NULL || p->diags.errors == 0))
		fputs("nfarun: error: out of memory\n", stderr);
	if (p != NULL)
		pipeline_free(p);
	free(p);
	buf_free(&text);
	return status;
}
