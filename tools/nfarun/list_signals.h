/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * list_signals.h: lists the signals of a waveform, and the interfaces that taps find in it.
 */
#ifndef NFART_NFARUN_LIST_SIGNALS_H
#define NFART_NFARUN_LIST_SIGNALS_H

#include "tools/nfarun/nfarun_options.h"

/* Writes the list for the trace of the options: first the interfaces, as options to copy, of the
 * protocol that was given and of those that are shipped; then the signals. Returns an exit code. */
int list_signals_run(const struct nfarun_options *o);

#endif
