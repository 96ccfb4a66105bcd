/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfagen_options.h: the command line of nfagen, read and checked.
 */
#ifndef NFART_NFAGEN_OPTIONS_H
#define NFART_NFAGEN_OPTIONS_H

#include "include/nfart.h"
#include "sources/traffic/gen_coherence.h"
#include "support/option.h"

struct nfagen_options {
	struct gen_options gen; /* faults points to the array below */
	struct gen_fault faults[GEN_MAX_FAULTS];
	bool percent[GEN_MAX_FAULTS]; /* the fault's place is a share of the length */
	const char *protocol;
	const char *output;     /* NULL: standard output */
	enum nfart_format format;
	uint64_t length;        /* batches, or messages where gen.by_message */
	bool in_batches;        /* the length was given in batches */
	uint32_t ring;          /* samples; 0: none */
	bool busy, drain, quiet;
};

extern const struct option_table nfagen_options;

/* Reads the arguments into *o, whose strings then point into argv. OPTION_GO_ON; else an exit code, everything
 * said. */
int nfagen_options_parse(struct nfagen_options *o, int argc, char **argv);

#endif
