/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * genoptions: makes completion files and parts of manual pages from the tools' tables of options.
 *
 *	genoptions bash TOOL            completion for bash
 *	genoptions zsh TOOL             completion for zsh
 *	genoptions fish TOOL            completion for fish
 *	genoptions manual TOOL <PAGE    the page, with its generated parts made again
 *	genoptions names TOOL           the options, one in each line, for tests
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "compiler/options.h"
#include "include/nfart_status.h"
#include "support/cli.h"
#include "tools/completion/completion.h"
#include "tools/nfactl/nfactl_options.h"
#include "tools/nfagen/nfagen_options.h"
#include "tools/nfaplot/nfaplot_options.h"
#include "tools/nfarun/nfarun_options.h"
#ifdef WITH_PROBES
#include "probes/etm/tool/etmsim_options.h"
#include "probes/memory/tool/nfamem_options.h"
#include "probes/profile/tool/nfaperf_options.h"
#include "probes/virtual/tool/nfavirt_options.h"
#endif

static const struct {
	const struct option_table *table;
	const char *commands; /* the commands that take these options */
} tools[] = {
	{ &nfacc_options, "nfacc" },
	{ &nfactl_options, "nfactl" },
	{ &nfagen_options, "nfagen" },
	{ &nfamodel_options, "nfamodel" },
	{ &nfaplot_options, "nfaplot" },
	{ &nfarun_options, "nfarun nfarun-mpi" },
#ifdef WITH_PROBES
	{ &etmsim_options, "etmsim" },
	{ &nfamem_options, "nfamem" },
	{ &nfaperf_options, "nfaperf" },
	{ &nfavirt_options, "nfavirt" },
#endif
};

void completion_licence(struct buf *b)
{
	/* REUSE-IgnoreStart: these lines are for the generated file and not for this one. */
	buf_addf(b, "# SPDX-License-Identifier: BSD-2-Clause\n"
		    "# SPDX-FileCopyrightText: nfacc contributors\n");
	/* REUSE-IgnoreEnd */
}

static void add_names(const struct option_table *t, struct buf *b)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct option_row *r = &t->rows[i];
		if (r->hidden)
			continue;
		if (r->letter != 0)
			buf_addf(b, "-%c%s\n", r->letter, r->glued != NULL ? r->glued : "");
		if (r->name != NULL)
			buf_addf(b, "--%s\n", r->name);
	}
}

static int add_manual(const struct option_table *t, struct buf *b)
{
	struct buf page = { 0 };
	bool ok = buf_read_file(&page, "-", 1 << 20) == 0 && page.n != 0 &&
		  completion_manual(t, page.at, page.n, b);

	buf_free(&page);
	if (!ok)
		fputs("genoptions: error: no page, or a part that begins and can't be made\n",
		      stderr);
	return ok ? NFART_OK : NFART_INPUT;
}

int main(int argc, char **argv)
{
	struct buf b = { 0 };
	int code = NFART_OK;
	size_t i = 0;

	while (argc == 3 && i < sizeof tools / sizeof tools[0] &&
	       strcmp(tools[i].table->tool, argv[2]) != 0)
		i++;
	if (argc != 3 || i == sizeof tools / sizeof tools[0]) {
		fputs("usage: genoptions bash|zsh|fish|manual|names TOOL\n", stderr);
		return NFART_USAGE;
	}
	if (strcmp(argv[1], "bash") == 0)
		completion_bash(tools[i].table, tools[i].commands, &b);
	else if (strcmp(argv[1], "zsh") == 0)
		completion_zsh(tools[i].table, tools[i].commands, &b);
	else if (strcmp(argv[1], "fish") == 0)
		completion_fish(tools[i].table, &b);
	else if (strcmp(argv[1], "names") == 0)
		add_names(tools[i].table, &b);
	else if (strcmp(argv[1], "manual") == 0)
		code = add_manual(tools[i].table, &b);
	else
		code = NFART_USAGE;
	if (code == NFART_OK)
		code = b.failed ? NFART_SYSTEM : cli_print("genoptions", b.at, b.n);
	buf_free(&b);
	return code;
}
