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

struct etmsim_options {
	const char *registers;  /* file of the register dump */
	const char *trace;      /* file of the trace; NULL: standard input, unless none is read */
	const char *out;        /* file of the output; NULL: standard output */
	const char *core;       /* the core whose events the trace has */
	struct option_dirs dirs; /* folders in which cores are looked for first */
	struct etm_reading reading;
	enum nfart_format from, to;
	uint64_t until;         /* the last cycle; 0: that of the trace's last batch */
	bool all;               /* every batch is written, not only changes */
};

extern const struct option_table etmsim_options;

/* Reads the arguments into *o. Returns OPTION_GO_ON, or an exit code after all messages were
 * printed. */
int etmsim_options_parse(struct etmsim_options *o, int argc, char **argv);

#endif
