/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ask.h: answers questions about a trace, without any filter: latencies, open requests, requests in
 * flight, rates and counts.
 */
#ifndef NFART_NFARUN_ASK_H
#define NFART_NFARUN_ASK_H

#include <signal.h>

#include "tools/nfarun/nfarun_options.h"

/* Reads the trace that the options name and writes the answer to the question in `ask`. It ends
 * early, with what is known, once *stop is not 0. Returns an exit code, after an error was
 * reported. */
int ask_run(const struct nfarun_options *o, const volatile sig_atomic_t *stop);

#endif
