/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/command/bounds.h"

#include <string.h>

#include "backends/etm/bound/bound.h"
#include "backends/etm/etm.h"
#include "compiler/command/files.h"

int bounds_write(const struct options *o, const struct pipeline *p)
{
	const struct etm_program *program = p->job.made.own;
	bool json = strcmp(o->emit.what->name, "json") == 0;
	struct buf b = { 0 };
	const char *why;
	int code = (int)etm_bound_report(&b, &program->regs, o->hardware.core.ete, o->bound.overrun,
					 &o->rate, json, &why);

	if (code == NFART_GAVEUP) {
		fprintf(stderr, "nfacc: no bound can be proved: %s\n", why);
	} else if (code == NFART_SYSTEM) {
		files_fail("out of memory", NULL);
	} else {
		int written = files_write(o, &b);

		code = written != NFART_OK ? written : code;
	}
	buf_free(&b);
	return code;
}
