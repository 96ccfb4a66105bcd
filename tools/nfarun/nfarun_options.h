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

/* A question about a trace, which needs no image. */
enum question { ASK_NOTHING, ASK_LATENCY, ASK_OPEN, ASK_IN_FLIGHT, ASK_RATE, ASK_COUNT };

/* What --by names, in the order of its values. */
enum ask_by { BY_LINE, BY_LABEL, BY_TYPE, BY_GROUP, BY_PAIR, BY_NOTHING };

struct nfarun_options {
	/* Names of files: `image`; `second`, the image of --swap; `trace`; `out`, the output;
	 * `map`, the file of --map. All but `image` may be NULL, and `image` with `filter`. If
	 * `trace` is NULL it is standard input. If `out` is NULL it is standard output. */
	const char *image, *second, *trace, *out, *map;
	/* [ntraces]: the traces, `trace` among them. There may be none. */
	const char *const *traces;
	uint32_t ntraces;
	const char *filter;     /* the filter to compile in place of reading `image`; or NULL */
	/* The protocol of `filter`, or of the trace with a question and where it is converted. It
	 * is a name, or the file that has it. NULL: not given. */
	const char *protocol;
	struct option_dirs dirs; /* folders in which protocols are looked for first */
	enum nfart_format to;
	uint64_t split;         /* bytes of a file of the output; 0: not given */
	uint64_t clock;         /* cycles a second of the tap; 0: not given */
	struct nfart_reader_options reader;
	struct nfart_engine_options engine;
	uint64_t tick;          /* cycles between two ticks; 0: those of the image */
	uint64_t until;         /* the stream's last time; 0: that of the last batch */
	uint64_t swap_at;       /* number, from 1, of the first batch that `second` filters */
	bool count, by_line, by_label, quiet, inspect, list_types;
	bool convert;           /* write the trace in another form, without any filter */
	bool fields, provenance, unhash;
	bool has_to;            /* -t, --pretty or --raw was given */
	bool has_times;
	enum nfart_times times; /* with pretty output */
	bool colour;            /* pretty output has colours */
	enum question ask;
	enum ask_by by;
	uint64_t period;        /* with ASK_RATE: cycles in a period */
	bool histogram;
	uint64_t slowest;       /* with ASK_LATENCY: how many of the slowest pairs are shown */
	bool use_rtl;           /* run the simulated engine in Verilog */
	struct run_rtl rtl;
	unsigned jobs;          /* number of threads */
	/* Run shard number `shard` of `shards`. If `shards` is 0, run the whole trace. */
	uint64_t shard, shards;
	bool resume, merge;
	/* `ranks` is the number of ranks of the job, or 0 in nfarun. `rank` is the number of this
	 * process. */
	uint32_t ranks, rank;
	uint64_t parts;         /* number of shards of all ranks together; 0: as many as ranks */
	const char *const *files; /* [nfiles]: names of the files of shards to merge */
	uint32_t nfiles;
	bool use_explain;
	struct explain explain; /* with use_explain: `what`, `time` and `label` are filled */
	int argc;               /* argc and argv of main(), for handlers of options */
	char **argv;
};

extern const struct option_table nfarun_options;

/* Reads the arguments into *o, in which the caller has set ranks and rank and zeroed the rest.
 * Returns 0 if there is a run to do, -1 if nfarun is done and was successful, or else an exit
 * code. */
int nfarun_options_parse(int argc, char **argv, struct nfarun_options *o);

#endif
