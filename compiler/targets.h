/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * targets.h: chooses between the compiler's targets (backends/target.h).
 */
#ifndef NFACC_COMPILER_TARGETS_H
#define NFACC_COMPILER_TARGETS_H

#include "backends/target.h"

/* Returns the target for the trace unit of a core, if one is given. Else returns the target that
 * makes images for overlay o: the sparse target for overlay `none`, or the target for overlays in
 * hardware. */
const struct target *target_of(const struct overlay *o, const struct etm_core *core);

/* Stores the i-th shipped overlay in *out, in the order of --list. False: there are no more. */
bool targets_shipped(size_t i, struct target_shipped *out);

#endif
