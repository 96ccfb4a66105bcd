/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * process.h: what belongs to the whole process of nfarun: signals, and errors that are
 * reported.
 */
#ifndef NFART_NFARUN_PROCESS_H
#define NFART_NFARUN_PROCESS_H

#include <signal.h>

#include "include/nfart.h"

/* A signal has asked nfarun to end if this is not 0. Both variables are global because a handler
 * gets no context. */
extern volatile sig_atomic_t process_stop;
/* Where a trace is mapped into memory. */
extern struct nfart_mapping process_mapping;

/* Installs the handlers. The first SIGINT, SIGTERM or SIGHUP ends the run between two batches, and a
 * second one ends the process. */
void process_catch_signals(void);

/* From now on the first signal ends no run, but the trace that is followed: the run goes on to the
 * end of what was written, and ends as it does at the end of a trace. Only then a signal ends the
 * run, and another one the process. Returns what nfart_reader_options.follow is to be. */
const volatile sig_atomic_t *process_follow(void);

/* Prints an error on standard error, and returns its exit code. */
int process_report(const struct nfart_error *e);

#endif
