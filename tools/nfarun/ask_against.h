/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ask_against.h: compares two traces: latencies, requests without an answer, rates and counts, each
 * with what is beyond noise (runtime/stats/compare.h).
 */
#ifndef NFART_NFARUN_ASK_AGAINST_H
#define NFART_NFARUN_ASK_AGAINST_H

#include <signal.h>

#include "tools/nfarun/nfarun_options.h"

/* Reads the trace of --against and then the trace that the options name, and writes a table with
 * both. It ends early, without a table, once *stop is not 0. Returns an exit code, after an error
 * was reported. */
int ask_against(const struct nfarun_options *o, const volatile sig_atomic_t *stop);

#endif
