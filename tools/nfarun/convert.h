/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * convert.h: writes traces in another form, without any filter.
 */
#ifndef NFART_NFARUN_CONVERT_H
#define NFART_NFARUN_CONVERT_H

#include "tools/nfarun/nfarun_options.h"

/* Reads the traces that the options name and writes all their batches and loss records. A trace
 * with an error is reported, and the traces after it are read. Returns an exit code: that of the
 * first trace with an error, if there is one. */
int convert_run(const struct nfarun_options *o);

#endif
