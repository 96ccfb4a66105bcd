/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfagen_options.h: the command line of nfagen, read and checked.
 */
#ifndef NFART_NFAGEN_OPTIONS_H
#define NFART_NFAGEN_OPTIONS_H

#include "include/nfart.h"
#include "sources/traffic/gen_coherence.h"

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
	bool help, version;     /* asked for; nothing else is checked then */
};

/* Reads the arguments into *o, whose strings then point into argv. NFART_OK, or NFART_USAGE and
 * *e. */
enum nfart_status nfagen_options_read(struct nfagen_options *o, int argc, char **argv,
				      struct nfart_error *e);

/* The text for --help. */
extern const char nfagen_help[];

#endif
