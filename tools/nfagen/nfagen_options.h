/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfagen_options.h: reads and checks the command line of nfagen.
 */
#ifndef NFART_NFAGEN_OPTIONS_H
#define NFART_NFAGEN_OPTIONS_H

#include "include/nfart.h"
#include "support/option.h"
#include "tools/nfagen/blocks/block_streams.h"
#include "tools/nfagen/traffic/gen_coherence.h"
#include "tools/nfagen/traffic/gen_misses.h"

enum { NFAGEN_LINE_BYTES = 128 }; /* gen_options.lines.first counts lines of ECI */

/* What the traffic is a model of. */
enum nfagen_model {
	MODEL_COHERENCE, /* a CPU and the directory of an FPGA; gen_coherence.h */
	MODEL_BUSY,      /* every slot, without any protocol; gen_busy.h */
	MODEL_MISSES,    /* the experiment on cache misses; gen_misses.h */
	MODEL_BLOCKS,    /* random traffic at the block layer; block_random.h */
	MODEL_STREAMS,   /* the bandwidth benchmark; block_streams.h */
	MODEL_RULES,     /* runs of the rules that an image keeps; gen_rules.h */
	MODELS
};

struct nfagen_options {
	struct gen_options gen; /* gen.fault.list points to `faults` */
	struct gen_fault faults[GEN_MAX_FAULTS];
	bool percent[GEN_MAX_FAULTS]; /* by fault: its place was given in percent of the length */
	enum nfagen_model model;
	bool busy;              /* the option of this name: MODEL_BUSY */
	/* For MODEL_MISSES. What it has in common with the other models is copied from `gen`. */
	struct gen_misses_options misses;
	const char *truth;      /* for MODEL_MISSES: the file for its counts; NULL: none */
	/* For the models of blocks. */
	struct {
		uint32_t cores, rounds; /* for MODEL_STREAMS */
		bool idle;              /* cycles of idle blocks are written */
	} blocks;
	const char *rules;      /* for MODEL_RULES: the image */
	const char *protocol;   /* not for MODEL_RULES */
	/* The file that is written. */
	struct {
		const char *file;       /* NULL: standard output */
		enum nfart_format format;
		uint32_t ring;          /* size of the ring in samples; 0: there is no ring */
		uint32_t payload_bits;  /* random ones beside each message; a multiple of 64 */
	} out;
	/* Where the trace ends. */
	struct {
		/* length in batches; with gen.fault.by_message in messages. UINT64_MAX: all that
		 * the model sends */
		uint64_t length;
		bool in_batches;        /* --length was given, so --messages is an error */
		bool drain;
	} end;
	bool quiet;
};

extern const struct option_table nfagen_options;

/* Reads the arguments into *o, whose strings then point into argv. Returns OPTION_GO_ON, or an exit
 * code after everything was printed that has to be. */
int nfagen_options_parse(struct nfagen_options *o, int argc, char **argv);

#endif
