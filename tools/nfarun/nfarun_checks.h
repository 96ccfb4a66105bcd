/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfarun_checks.h: checks what can only be said of all options of nfarun together.
 */
#ifndef NFART_NFARUN_CHECKS_H
#define NFART_NFARUN_CHECKS_H

#include "tools/nfarun/nfarun_options.h"

/* Checks the options in *o and takes the operands, which begin at argv[first]. Returns 0, or an
 * exit code after an error was reported. */
int nfarun_options_check(struct nfarun_options *o, int argc, char **argv, int first);

#endif
