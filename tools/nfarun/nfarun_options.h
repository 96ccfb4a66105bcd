/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfarun_options.h: the command line of nfarun.
 */
#ifndef NFART_NFARUN_OPTIONS_H
#define NFART_NFARUN_OPTIONS_H

#include "include/nfart.h"
#include "runtime/explain/explain.h"
#include "runtime/run/run.h"
#include "support/option.h"

struct nfarun_options {
	const char *image, *second, *trace, *out, *map;
	enum nfart_format to;
	struct nfart_reader_options reader;
	struct nfart_engine_options engine;
	uint64_t swap_at;
	bool count, by_line, quiet, inspect;
	bool use_rtl;
	struct run_rtl rtl;
	unsigned jobs;
	uint64_t shard, shards; /* shards 0: the whole trace */
	bool resume, merge;
	uint32_t ranks, rank;   /* of nfarun-mpi; ranks is 0 in nfarun */
	uint64_t parts;         /* shards of the ranks together; 0: as many as ranks */
	const char *const *files; /* to merge, nfiles of them */
	uint32_t nfiles;
	bool use_explain;
	struct explain explain; /* what, time and label */
	int argc;               /* of main, while options are read */
	char **argv;
};

extern const struct option_table nfarun_options;

/* Fills *o, which is zeroed but for ranks and rank. 0, or an exit code; -1: done, successfully. */
int nfarun_options_parse(int argc, char **argv, struct nfarun_options *o);

#endif
