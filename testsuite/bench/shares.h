/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * shares.h: how many random instances of a size the mapper answers: regular graphs, which are well
 * connected, and hubs that nearly fill an overlay.
 */
#ifndef NFACC_TESTSUITE_SHARES_H
#define NFACC_TESTSUITE_SHARES_H

#include <stdbool.h>

/* Prints a row for each size: how many of `seeds` instances fit, do not fit and are not answered,
 * the share that is answered within 1 and within 10 seconds of processor time, and the longest run.
 * If `peer_seconds` is not 0, CaDiCaL gets so many seconds for each answered instance, and the row
 * says how often it agrees. Only rows whose name contains `only` are printed; NULL: all. False:
 * CaDiCaL gave another answer, or the mapper broke. */
bool shares_print(unsigned seeds, unsigned peer_seconds, const char *only);

#endif
