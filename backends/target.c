/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/target.h"

#include <string.h>

const struct target_output *target_find_output(const struct target *t, const char *name)
{
	for (const struct target_output *o = t->outputs; o->name != NULL; o++)
		if (strcmp(o->name, name) == 0)
			return o;
	return NULL;
}

enum nfart_status target_automaton(struct target_job *job)
{
	return job->automaton(job);
}

enum nfart_status target_nothing(struct target_job *job)
{
	(void)job;
	return NFART_OK;
}

void target_job_free(struct target_job *job)
{
	free(job->made.own);
	free(job->made.ste);
	vec_free(&job->made.splits.splits);
	buf_free(&job->made.report);
	buf_free(&job->made.image);
	image_free(job->made.loaded);
}

void target_reading_free(struct target_reading *r)
{
	free(r->counter);
	nfa_free(&r->nfa);
	spec_free(&r->spec);
	memset(r, 0, sizeof *r);
}
