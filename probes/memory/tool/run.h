/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * run.h: one process that nfamem reads, and what it writes about it.
 *
 * With --follow there are more processes: run_read() makes a copy of nfamem for each. A copy exits
 * inside that function. Only the first process of nfamem returns from it.
 */
#ifndef NFACC_NFAMEM_RUN_H
#define NFACC_NFAMEM_RUN_H

#include <stdbool.h>

#include "include/nfart_status.h"
#include "probes/memory/reader/memory.h"
#include "probes/memory/reader/order.h"
#include "probes/memory/tool/attach.h"
#include "probes/memory/tool/follow.h"
#include "probes/memory/tool/launch.h"
#include "probes/memory/tool/nfamem_options.h"
#include "probes/memory/tool/outputs.h"
#include "probes/memory/tool/program.h"
#include "probes/memory/tool/progress.h"

/* How far the reading of a process is. */
struct run_state {
	uint64_t begin; /* when the reading began, in nanoseconds (clock.h) */
	long waited;    /* nanoseconds since anything was read */
	bool ended;     /* the process had ended when nothing was left to read */
	bool reason;    /* a note has said why the process is not watched, or only partly */
	bool detaching; /* the process was told to go on without being watched */
	bool chooses;   /* the program waits for --watch; earlier events are being read */
	bool executes;  /* the last event that was read is MEM_EXEC */
};

struct run {
	const struct nfamem_options *o;
	struct program program;
	struct launch launch;
	struct attach attach; /* with -p */
	struct order_sink sink; /* passes events to the memory */
	struct order *order;
	struct memory memory;
	struct outputs outputs;
	struct outputs_process process;
	struct follow follow;
	struct progress progress;
	char name[PATH_MAX + 32]; /* name of the program, for notes */
	struct run_state state;
};

/* Makes x->memory and x->order, which read x->launch.channel. Outputs are added later. */
enum nfart_status run_begin(struct run *x, struct nfart_error *e);

/*
 * Makes the reader of x->launch.channel, which passes all events to x->memory. Returns NULL if
 * there is no memory, or if the process has overwritten the channel.
 */
struct order *run_order(struct run *x);

/*
 * Reads all that the process writes, until the process has ended or is left alone after Ctrl-C. On
 * failure returns false and sets *e.
 */
bool run_read(struct run *x, struct nfart_error *e);

/* After an error: reads on and drops the events, until the process has ended or no longer waits. */
void run_wait(struct run *x);

/* Waits for all other processes. After Ctrl-C it leaves them alone. */
void run_others(struct run *x);

/* Writes a note to standard error: the program's name, then `what` and `more`. */
void run_note(struct run *x, const char *what, const char *more);

/* Writes a note if a part of the watched memory was not seen. */
void run_unseen(struct run *x);

/* Writes an error message, unless the compiler has written one. */
void run_report(enum nfart_status status, const struct nfart_error *e);

#endif
