/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * options_check.h: which options go together.
 */
#ifndef NFACC_COMPILER_OPTIONS_CHECK_H
#define NFACC_COMPILER_OPTIONS_CHECK_H

#include <stdbool.h>

#include "compiler/options.h"

/* Refuses options that don't go together, and fills in what follows from all of them: the command
 * and the output. given[i] says whether row i of nfacc_options was on the command line. Returns
 * OPTION_GO_ON, or an exit code after it printed the error. */
int options_check(struct options *o, const bool *given);

#endif
