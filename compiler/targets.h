/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * targets.h: the targets (backends/target.h), and which of them is meant.
 */
#ifndef NFACC_COMPILER_TARGETS_H
#define NFACC_COMPILER_TARGETS_H

#include "backends/target.h"

/* The target that makes images for o: the sparse one, or an overlay of hardware. */
const struct target *target_of(const struct overlay *o);

/* The i-th overlay that is shipped, in the order of --list. False: there are no more. */
bool targets_shipped(size_t i, struct target_shipped *out);

#endif
