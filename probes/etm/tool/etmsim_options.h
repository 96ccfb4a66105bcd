/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etmsim_options.h: reads and checks the command line of etmsim.
 */
#ifndef NFART_ETMSIM_OPTIONS_H
#define NFART_ETMSIM_OPTIONS_H

#include "contract/etm/etm.h"
#include "include/nfart.h"
#include "support/option.h"
#include "support/terminal.h"

struct etmsim_options {
	const char *registers;  /* file with the register values */
	const char *trace;      /* trace file, "-": standard input; NULL: no trace */
	const char *out;        /* output file; NULL: standard output */
	enum terminal_colour colour;
	const char *core;       /* the core that the trace is of */
	struct option_dirs dirs; /* folders in which cores are looked for first */
	struct etm_reading reading;
	enum nfart_format from, to;
	uint64_t until;         /* the last cycle; 0: the cycle of the last batch in the trace */
	bool all;               /* write every batch, not only changes */
};

extern const struct option_table etmsim_options;

/*
 * Reads the arguments into *o. Returns OPTION_GO_ON, or an exit code after it has printed all
 * messages.
 */
int etmsim_options_parse(struct etmsim_options *o, int argc, char **argv);

#endif
