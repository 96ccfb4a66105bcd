/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfagen_options.h: reads and checks the command line of nfagen.
 */
#ifndef NFART_NFAGEN_OPTIONS_H
#define NFART_NFAGEN_OPTIONS_H

#include "include/nfart.h"
#include "sources/traffic/gen_coherence.h"
#include "support/option.h"

struct nfagen_options {
	struct gen_options gen; /* gen.faults points to `faults` */
	struct gen_fault faults[GEN_MAX_FAULTS];
	bool percent[GEN_MAX_FAULTS]; /* by fault: its place was given in percent of the length */
	const char *protocol;
	const char *output;     /* NULL: standard output */
	enum nfart_format format;
	/* length of the trace in batches; with gen.by_message in messages */
	uint64_t length;
	bool in_batches;        /* --length was given, so --messages is an error */
	uint32_t ring;          /* size of the ring in samples; 0: there is no ring */
	bool busy, drain, quiet;
};

extern const struct option_table nfagen_options;

/* Reads the arguments into *o, whose strings then point into argv. Returns OPTION_GO_ON, or an exit
 * code after everything was printed that has to be. */
int nfagen_options_parse(struct nfagen_options *o, int argc, char **argv);

#endif
