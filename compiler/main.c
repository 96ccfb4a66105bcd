/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfacc: reads the options and runs the command that they ask for (compiler/command/command.h). Of
 * the compiler, only main() and the commands print.
 */
#include "compiler/command/command.h"
#include "compiler/command/core.h"
#include "compiler/command/files.h"
#include "compiler/command/rate.h"
#include "support/cli.h"

static int nfacc_run(struct options *o)
{
	int code = o->command->overlay ? files_read_overlay(o) : NFART_OK;

	if (code == NFART_OK)
		code = core_read(o);
	if (code == NFART_OK)
		code = rate_apply(o);
	if (code == NFART_OK)
		code = options_check_target(o);
	return code == NFART_OK ? o->command->run(o) : code;
}

int main(int argc, char **argv)
{
	struct options o;
	int code = options_parse(&o, argc, argv);

	if (code == OPTION_GO_ON)
		code = nfacc_run(&o);
	options_free(&o);
	return cli_finish("nfacc", code);
}
