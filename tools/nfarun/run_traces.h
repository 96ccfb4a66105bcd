/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * run_traces.h: runs an image over the traces that the options name. Each trace is a stream of its
 * own.
 */
#ifndef NFART_NFARUN_RUN_TRACES_H
#define NFART_NFARUN_RUN_TRACES_H

#include "tools/nfarun/nfarun_options.h"

/* Runs, writes the output and prints the summary; or explains, or runs a shard, as the options say.
 * The run over each trace begins as a copy of *r, in which the images and options are set. A trace
 * with an error is reported, and the traces after it are run. Returns an exit code: that of the
 * first trace with an error, if there is one. */
int run_traces(struct nfarun_options *o, struct run *r);

#endif
