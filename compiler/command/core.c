/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/command/core.h"

#include <errno.h>
#include <string.h>

#include "compiler/command/files.h"
#include "contract/etm/etm_text.h"

/* Reads the description in the file `name`. Returns an exit code. */
static int read_file(const struct options *o, struct diags *d, const char *name,
		     struct etm_core *core)
{
	struct buf file = { 0 };
	int code = files_check_output(o, name), error;

	if (code != NFART_OK)
		return code;
	error = buf_read_file(&file, name, FILES_MOST);
	code = error != 0
		       ? files_fail(name, strerror(error))
		       : (int)etm_core_parse(d, name, file.at != NULL ? file.at : "", file.n, core);
	buf_free(&file);
	return code;
}

int core_read(struct options *o)
{
	const char *name;
	struct diags d = { .werror = false };
	int code;

	if (o->hardware.target == NULL)
		return NFART_OK;
	name = strchr(o->hardware.target, ':') + 1;
	code = strchr(name, '/') != NULL
		? read_file(o, &d, name, &o->hardware.core)
		: (int)etm_core_find(&d, o->pipeline.dirs, o->pipeline.ndirs, name, strlen(name),
				     &o->hardware.core);
	files_print_diags(o, &d);
	diag_free(&d);
	if (code == NFART_NO) {
		fprintf(stderr, "nfacc: error: no core '%s' (see --list)\n", name);
		return NFART_INPUT;
	}
	if (code == NFART_OK &&
	    o->hardware.core.ete != (strncmp(o->hardware.target, "ete:", 4) == 0)) {
		fprintf(stderr, "nfacc: error: core '%s' has %s: --target %s:%s\n", name,
			o->hardware.core.ete ? "an ETE" : "an ETMv4",
			o->hardware.core.ete ? "ete" : "etm4", name);
		return NFART_USAGE;
	}
	o->pipeline.etm.core = &o->hardware.core;
	return code;
}
