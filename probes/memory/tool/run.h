/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * run.h: a process that nfamem reads, and what is written of it.
 *
 * With --follow there are others: run_read() makes a copy of nfamem for each. Copies end where they
 * are made; only the first process returns.
 */
#ifndef NFACC_NFAMEM_RUN_H
#define NFACC_NFAMEM_RUN_H

#include <stdbool.h>

#include "include/nfart_status.h"
#include "probes/memory/reader/memory.h"
#include "probes/memory/reader/order.h"
#include "probes/memory/tool/follow.h"
#include "probes/memory/tool/launch.h"
#include "probes/memory/tool/nfamem_options.h"
#include "probes/memory/tool/outputs.h"
#include "probes/memory/tool/program.h"
#include "probes/memory/tool/progress.h"

struct run {
	const struct nfamem_options *o;
	struct program program;
	struct launch launch;
	struct order_sink sink; /* of the memory */
	struct order *order;
	struct memory memory;
	struct outputs outputs;
	struct outputs_process process;
	struct follow follow;
	struct progress progress;
	char name[PATH_MAX + 32]; /* of the program, for notes */
	long waited;              /* nanoseconds since anything was read */
	bool ended;               /* it had, when nothing was left to read */
	bool reason, detaching;
	bool chooses;  /* the program waits for --watch, and what it wrote before is being read */
	bool executes; /* the last thing that was read is that it executes another program */
};

/* Makes x->memory and x->order, which read x->launch.channel. Outputs are added later. */
enum nfart_status run_begin(struct run *x, struct nfart_error *e);

/* Makes what reads x->launch.channel and gives it to x->memory. NULL: out of memory, or the process
 * wrote over the channel. */
struct order *run_order(struct run *x);

/* Reads all that the process writes, until it has ended, or is left alone after Ctrl-C. False: *e
 * says what went wrong. */
bool run_read(struct run *x, struct nfart_error *e);

/* Reads on after an error, until the process has ended, or no longer needs it. */
void run_wait(struct run *x);

/* Waits for all other processes, and leaves them alone after Ctrl-C. */
void run_others(struct run *x);

/* Writes a note on standard error: the program's name, and these. */
void run_note(struct run *x, const char *what, const char *more);

/* Writes an error, unless the compiler has done so. */
void run_report(enum nfart_status status, const struct nfart_error *e);

#endif
