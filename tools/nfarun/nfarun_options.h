/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfarun_options.h: reads and checks the command line of nfarun.
 */
#ifndef NFART_NFARUN_OPTIONS_H
#define NFART_NFARUN_OPTIONS_H

#include "contract/proto/field_bins.h"
#include "include/nfart.h"
#include "runtime/explain/explain.h"
#include "runtime/run/run.h"
#include "runtime/trace/trace_options.h"
#include "support/option.h"
#include "support/terminal.h"

/* What nfarun is to do, by its first argument. The values are those of option_find_verb(). */
enum nfarun_verb { VERB_NONE, VERB_RUN, VERB_ASK, VERB_CONVERT, VERB_INSPECT, VERB_MERGE };

/* A question about a trace, which needs no image. */
enum question { ASK_NOTHING, ASK_LATENCY, ASK_OPEN, ASK_IN_FLIGHT, ASK_RATE, ASK_COUNT };

/* What --by names, in the order of its values. */
enum ask_by { BY_LINE, BY_LABEL, BY_TYPE, BY_GROUP, BY_PAIR, BY_RULE, BY_FIELD, BY_NOTHING };

/* Names of files that are read. Each may be NULL. */
struct nfarun_files {
	const char *image;
	const char *second; /* the image of --swap */
	const char *trace;  /* NULL: standard input */
	const char *map;    /* of --map */
	const char *against; /* the trace to compare with; NULL: a question about one trace */
	/* [ntraces]: the traces, `trace` among them. There may be none. */
	const char *const *traces;
	uint32_t ntraces;
	bool follow; /* the trace is a file that grows */
	bool merge_traces; /* the traces are read as one, in the order of time */
};

/* What is written, and how. */
struct nfarun_output {
	const char *out;        /* name of the file; NULL: standard output */
	bool live;              /* the file has its name from the beginning */
	enum nfart_format form;
	bool has_form;          /* -t, --pretty or --raw was given */
	bool fields, provenance, unhash;
	bool has_times;
	enum nfart_times times; /* with pretty output */
	enum terminal_colour when_colour; /* --color */
	bool colour;            /* pretty output has colours */
	bool quiet;
	uint64_t split;         /* bytes of a file of the output; 0: not given */
	uint64_t clock;         /* cycles a second of the tap; 0: not given */
};

/* How an image runs. */
struct nfarun_run {
	const char *filter;     /* the filter to compile in place of reading an image; or NULL */
	struct nfart_engine_options engine;
	uint64_t tick;          /* cycles between two ticks; 0: those of the image */
	uint64_t until;         /* the stream's last time; 0: that of the last batch */
	uint64_t swap_at;       /* number, from 1, of the first batch of the second image */
	const char *swap_on;    /* the label after which the second image begins, or NULL */
	unsigned jobs;          /* number of threads */
	bool use_rtl;           /* run the simulated engine in Verilog */
	struct run_rtl rtl;
	bool use_explain;
	struct explain explain; /* with use_explain: `what`, `time`, `label` and `chart` are filled */
};

/* What part of a run this process does. */
struct nfarun_shards {
	/* Run shard number `shard` of `n`. If `n` is 0, run the whole trace. */
	uint64_t shard, n;
	bool resume, merge;
	/* `ranks` is the number of ranks of the job, or 0 in nfarun. `rank` is the number of this
	 * process. */
	uint32_t ranks, rank;
	uint64_t parts;           /* number of shards of all ranks together; 0: as many as ranks */
	const char *const *files; /* [nfiles]: names of the files of shards to merge */
	uint32_t nfiles;
};

/* What is asked of a trace, or counted in a run. */
struct nfarun_ask {
	enum question question;
	enum ask_by by;
	uint64_t period;        /* with ASK_RATE: cycles in a period */
	uint64_t slowest;       /* with ASK_LATENCY: how many of the slowest pairs are shown */
	bool histogram;
	bool count;             /* --count was given */
	/* --count of a run: by lines, by labels, by the rules of derived checkers, or by a field */
	bool by_line, by_label, by_rule;
	const char *field;      /* NAME or NAME/BITS of --by field; NULL: by another thing */
	struct field_bins bins; /* what it says in the protocol of the image */
};

struct nfarun_options {
	uint32_t verb;           /* enum nfarun_verb; 0: none was given */
	struct {
		bool inspect, types, signals;
	} show;
	bool convert;            /* write the trace in another form, without any filter */
	struct nfarun_files files;
	struct nfarun_output output;
	struct nfarun_run run;
	struct nfarun_shards shards;
	struct nfarun_ask ask;
	struct nfart_reader_options reader;
	/* The protocol of the filter, or of the trace with a question and where it is converted. It
	 * is a name, or the file that has it. NULL: not given. */
	const char *protocol;
	struct option_dirs params; /* -D: NAME=NUMBER */
	struct trace_wave wave;  /* how waveforms are read */
	struct option_dirs dirs; /* folders in which protocols are looked for first */
	struct {
		int argc;        /* argc and argv of main(), to tell where output comes from */
		char **argv;
		/* [nwords]: the arguments that are read, from the name of the program or the verb
		 * on */
		char **words;
		int nwords;
	} args;
};

extern const struct option_table nfarun_options;

/* Says on standard error that the use of nfarun, or of its verb, is wrong. Returns the exit
 * code. */
int nfarun_wrong_use(const struct nfarun_options *o, const char *what, const char *arg);

#endif
