/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * core.h: reads the description of the core that --target names.
 */
#ifndef NFACC_COMPILER_CORE_H
#define NFACC_COMPILER_CORE_H

#include "compiler/options.h"

/* Reads the description of o->target, if the option is given, and makes it the pipeline's core.
 * Prints errors. Returns an exit code. */
int core_read(struct options *o);

#endif
