/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfarun_options.h: reads and checks the command line of nfarun.
 */
#ifndef NFART_NFARUN_OPTIONS_H
#define NFART_NFARUN_OPTIONS_H

#include "include/nfart.h"
#include "runtime/explain/explain.h"
#include "runtime/run/run.h"
#include "support/option.h"

struct nfarun_options {
	/* names of files: the image, the image of --swap, the trace, the output, the file of --map;
	 * all but the first may be NULL. No trace is standard input, no output is standard
	 * output */
	const char *image, *second, *trace, *out, *map;
	enum nfart_format to;
	struct nfart_reader_options reader;
	struct nfart_engine_options engine;
	uint64_t swap_at;       /* the batch from which `second` runs, counted from 1 */
	bool count, by_line, quiet, inspect;
	bool use_rtl;           /* run the engine in Verilog, simulated */
	struct run_rtl rtl;
	unsigned jobs;          /* number of threads */
	uint64_t shard, shards; /* run this shard of so many; shards is 0 for the whole trace */
	bool resume, merge;
	uint32_t ranks, rank;   /* number of ranks, and which one this is; 0 ranks in nfarun */
	uint64_t parts;         /* number of shards of all ranks together; 0: as many as ranks */
	const char *const *files; /* nfiles shards to merge */
	uint32_t nfiles;
	bool use_explain;
	struct explain explain; /* with use_explain: `what`, `time` and `label` are filled */
	int argc;               /* arguments of main(), for handlers of options */
	char **argv;
};

extern const struct option_table nfarun_options;

/* Reads the arguments into *o, in which the caller has set ranks and rank and zeroed the rest.
 * Returns 0 if there is a run to do, -1 if nfarun is done and was successful, or else an exit
 * code. */
int nfarun_options_parse(int argc, char **argv, struct nfarun_options *o);

#endif
