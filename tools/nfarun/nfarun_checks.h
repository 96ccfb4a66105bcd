/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfarun_checks.h: reads the command line of nfarun, and checks what can only be said of all its
 * options together.
 */
#ifndef NFART_NFARUN_CHECKS_H
#define NFART_NFARUN_CHECKS_H

#include "tools/nfarun/nfarun_options.h"

/* Reads the arguments into *o, in which the caller has set ranks and rank and zeroed the rest.
 * Returns 0 if there is a run to do, -1 if nfarun is done and was successful, or else an exit
 * code after an error was reported. */
int nfarun_options_parse(int argc, char **argv, struct nfarun_options *o);

#endif
