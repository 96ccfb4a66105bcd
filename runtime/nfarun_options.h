/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfarun_options.h: the command line of nfarun.
 */
#ifndef NFART_NFARUN_OPTIONS_H
#define NFART_NFARUN_OPTIONS_H

#include "runtime/explain.h"
#include "runtime/run.h"

struct nfarun_options {
	const char *image, *second, *trace, *out, *map;
	enum nfart_format to;
	struct nfart_reader_options reader;
	struct nfart_engine_options engine;
	uint64_t swap_at;
	bool count, by_line, quiet, inspect;
	bool use_rtl;
	struct run_rtl rtl;
	bool use_explain;
	struct explain explain; /* what, time and label */
};

/* Fills *o, which is zeroed. 0, or an exit code; -1: done, successfully. */
int nfarun_options_parse(int argc, char **argv, struct nfarun_options *o);

#endif
